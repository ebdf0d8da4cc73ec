package dev.lightpath.sim.gnmi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.SetRequest;
import com.github.gnmi.proto.Update;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a Set asks for.
 *
 * @param deletes names of cross-connects
 * @param connects cross-connects: leaves by name
 * @param ports settings of ports: leaves by name
 */
record Wanted(List<String> deletes, List<Map<String, String>> connects, List<Map<String, String>> ports) {
    private static final JsonFactory JSON = new JsonFactory();

    static Wanted of(SetRequest request, boolean bare) throws Refused {
        Wanted wanted = new Wanted(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (Path path : request.getDeleteList()) {
            Place place = Place.of(path, bare);
            if (!place.table().equals(Place.CIRCUITS) || place.key().isEmpty()) {
                throw new Refused(Status.INVALID_ARGUMENT, "only a cross-connect can be deleted");
            }
            wanted.deletes.add(place.key());
        }
        List<Update> updates = new ArrayList<>(request.getReplaceList());
        updates.addAll(request.getUpdateList());
        for (Update each : updates) {
            Place place = Place.of(each.getPath(), bare);
            for (Map<String, String> row : rows(each, bare)) {
                if (place.table().equals(Place.CIRCUITS)) {
                    row.putIfAbsent("cross_connect_id", place.key());
                    wanted.connects.add(row);
                } else {
                    row.putIfAbsent("simplex_port_id", place.key());
                    wanted.ports.add(row);
                }
            }
        }
        return wanted;
    }

    /** A bare value is one entry; else entries are in a list of the list's name. */
    private static List<Map<String, String>> rows(Update update, boolean bare) throws Refused {
        List<Map<String, String>> rows = new ArrayList<>();
        try (JsonParser in = JSON.createParser(update.getVal().getJsonIetfVal().newInput())) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new Refused(Status.INVALID_ARGUMENT, "the value is no object");
            }
            if (bare) {
                rows.add(row(in));
                return rows;
            }
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                if (in.nextToken() != JsonToken.START_ARRAY) {
                    throw new Refused(Status.INVALID_ARGUMENT, "the value is no list");
                }
                while (in.nextToken() == JsonToken.START_OBJECT) {
                    rows.add(row(in));
                }
            }
            return rows;
        } catch (IOException e) {
            throw new Refused(Status.INVALID_ARGUMENT, "the value is no JSON");
        }
    }

    private static Map<String, String> row(JsonParser in) throws IOException {
        Map<String, String> row = new TreeMap<>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            if (in.nextToken().isScalarValue()) {
                row.put(name.substring(name.indexOf(':') + 1), in.getText());
            } else {
                in.skipChildren();
            }
        }
        return row;
    }

    /**
     * What a path names.
     *
     * @param module sonic-ocs, sonic-ocs-states or openconfig-platform
     * @param table name of a table; empty: all of the module
     * @param key of an entry; empty: all of the table
     */
    record Place(String module, String table, String key) {
        static final String CONFIG = "sonic-ocs";
        static final String STATES = "sonic-ocs-states";
        static final String PLATFORM = "openconfig-platform";
        static final String CIRCUITS = "OCS_CROSS_CONNECT";
        static final String PORTS = "OCS_PORT";
        static final String LOSSES = "OCS_FACTORY_INSERTION_LOSS";

        static Place of(Path path, boolean bare) throws Refused {
            if (path.getElemCount() == 0) {
                throw new Refused(Status.INVALID_ARGUMENT, "the path is empty");
            }
            String first = path.getElem(0).getName();
            boolean named = first.contains(":") || !path.getOrigin().isEmpty();
            if (bare == named) {
                throw new Refused(
                        Status.INVALID_ARGUMENT,
                        "'" + first + "' is not known " + (bare ? "with" : "without") + " a module");
            }
            String name = first.substring(first.indexOf(':') + 1);
            if (name.equals("components")) {
                return new Place(PLATFORM, "", "");
            }
            if (!name.equals(CONFIG) && !name.equals(STATES)) {
                throw new Refused(Status.INVALID_ARGUMENT, "'" + first + "' is not known");
            }
            String table = path.getElemCount() > 1 ? path.getElem(1).getName() : "";
            if (path.getElemCount() < 3) {
                return new Place(name, table, "");
            }
            PathElem entry = path.getElem(2);
            return new Place(
                    name, table, entry.getKeyMap().values().stream().findFirst().orElse(""));
        }
    }
}
