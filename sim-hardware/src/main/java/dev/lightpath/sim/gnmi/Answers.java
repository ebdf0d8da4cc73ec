package dev.lightpath.sim.gnmi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.github.gnmi.proto.TypedValue;
import com.google.protobuf.ByteString;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.gnmi.Wanted.Place;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.GnmiSpec.Quirk;
import io.grpc.Status;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The tables of a switch in JSON, as the names of the modules have them. */
final class Answers {
    private static final JsonFactory JSON = new JsonFactory();

    private final Database database;
    private final ManagedSwitch device;

    Answers(Database database, ManagedSwitch device) {
        this.database = database;
        this.device = device;
    }

    /** What is at a place; a table without entries is an empty object. */
    TypedValue at(Place place) throws Refused {
        boolean states = place.module().equals(Place.STATES);
        if (states && database.has(Quirk.NO_STATES)) {
            throw new Refused(Status.INVALID_ARGUMENT, "'" + Place.STATES + "' is not known");
        }
        if (place.module().equals(Place.PLATFORM)) {
            return eeprom();
        }
        Map<String, List<Map<String, String>>> tables = new TreeMap<>();
        for (String table : place.table().isEmpty() ? List.of(Place.PORTS, Place.CIRCUITS) : List.of(place.table())) {
            List<Map<String, String>> rows = switch (table) {
                case Place.CIRCUITS -> circuits(states);
                case Place.PORTS -> ports(states);
                case Place.LOSSES -> losses();
                default -> throw new Refused(Status.INVALID_ARGUMENT, "'" + table + "' is not known");
            };
            tables.put(
                    table,
                    rows.stream()
                            .filter(row -> place.key().isEmpty() || row.containsValue(place.key()))
                            .toList());
        }
        boolean bare = database.has(Quirk.BARE_NAMES);
        return json(out -> {
            out.writeStartObject();
            for (Map.Entry<String, List<Map<String, String>>> each : tables.entrySet()) {
                boolean inside = bare && !place.table().isEmpty();
                if (!inside) {
                    out.writeObjectFieldStart(bare ? each.getKey() : place.module() + ":" + each.getKey());
                }
                rows(out, each.getKey() + "_LIST", each.getValue());
                if (!inside) {
                    out.writeEndObject();
                }
            }
            out.writeEndObject();
        });
    }

    private static void rows(JsonGenerator out, String list, List<Map<String, String>> rows) throws IOException {
        if (rows.isEmpty()) {
            return;
        }
        out.writeArrayFieldStart(list);
        for (Map<String, String> row : rows) {
            out.writeStartObject();
            for (Map.Entry<String, String> leaf : row.entrySet()) {
                out.writeStringField(leaf.getKey(), leaf.getValue());
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private List<Map<String, String>> circuits(boolean states) {
        Map<String, String> statuses = states ? statuses() : Map.of();
        List<Map<String, String>> rows = new ArrayList<>();
        database.circuits().forEach((id, circuit) -> {
            String a = database.names().outside(circuit.move().ingress());
            String b = database.names().outside(circuit.move().egress());
            Map<String, String> row = new TreeMap<>(Map.of("cross_connect_id", id, "a_side", a, "b_side", b));
            if (states) {
                row.put("a_side_status", statuses.getOrDefault(a, "blocked"));
                row.put("b_side_status", statuses.getOrDefault(b, "blocked"));
            }
            rows.add(row);
        });
        return rows;
    }

    private List<Map<String, String>> ports(boolean states) {
        Map<String, String> targets = new HashMap<>();
        database.circuits().values().forEach(circuit -> {
            String a = database.names().outside(circuit.move().ingress());
            String b = database.names().outside(circuit.move().egress());
            targets.put(a, b);
            targets.put(b, a);
        });
        List<Map<String, String>> rows = new ArrayList<>();
        statuses().forEach((port, status) -> {
            Map<String, String> row = new TreeMap<>(Map.of("simplex_port_id", port));
            if (states) {
                row.put("status", status);
                row.put("target_simplex_port_id", targets.getOrDefault(port, ""));
            } else {
                row.put("state", "normal");
                row.putAll(database.settings(port));
            }
            rows.add(row);
        });
        return rows;
    }

    /** By port. */
    private Map<String, String> statuses() {
        Map<String, ConnectionState> moves = new HashMap<>();
        database.circuits().values().forEach(circuit -> {
            moves.put(circuit.move().ingress(), circuit.state());
            moves.put(circuit.move().egress(), circuit.state());
        });
        Map<String, String> all = new TreeMap<>();
        for (ManagedSwitch.PortRow each : device.ports()) {
            String name = database.names().outside(each.port());
            ConnectionState state = moves.getOrDefault(each.port(), ConnectionState.BLOCKED);
            all.put(
                    name,
                    each.failed()
                            ? "failed"
                            : each.shut() ? "blocked" : state.name().toLowerCase(Locale.ROOT));
        }
        return all;
    }

    private List<Map<String, String>> losses() {
        List<Map<String, String>> rows = new ArrayList<>();
        Names names = database.names();
        for (int from = 1; from <= names.side(); from++) {
            for (int to = 1; to <= names.side(); to++) {
                double loss = device.factoryLossDb(Integer.toString(from), Integer.toString(names.side() + to));
                rows.add(new TreeMap<>(Map.of(
                        "cross_connect_id",
                        from + "A-" + to + "B",
                        "frequency_THz",
                        "228.850",
                        "temperature_C",
                        "28.00",
                        "loss_dB",
                        String.format(Locale.ROOT, "%.2f", loss),
                        "accuracy_dB",
                        "0.10")));
            }
        }
        return rows;
    }

    private TypedValue eeprom() {
        return json(out -> {
            out.writeStartObject();
            out.writeObjectFieldStart("openconfig-platform:state");
            out.writeStringField("name", "System Eeprom");
            out.writeStringField("mfg-name", "Lightpath");
            out.writeStringField("part-no", "OCS-" + device.size());
            out.writeStringField("serial-no", device.serial());
            out.writeStringField("software-version", device.firmware());
            out.writeEndObject();
            out.writeEndObject();
        });
    }

    /** Writes JSON. */
    private interface Writing {
        void to(JsonGenerator out) throws IOException;
    }

    private static TypedValue json(Writing writing) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            writing.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return TypedValue.newBuilder()
                .setJsonIetfVal(ByteString.copyFromUtf8(text.toString()))
                .build();
    }
}
