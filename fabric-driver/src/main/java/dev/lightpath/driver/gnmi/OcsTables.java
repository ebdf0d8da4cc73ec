package dev.lightpath.driver.gnmi;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The tables of a switch: where they are, and what an answer about them means. What is provisioned is in sonic-ocs,
 * what the device does about it in its tables of states, where it has some.
 */
final class OcsTables {
    /** No switch has more ports. */
    private static final int MOST_ROWS = 65_535;

    private final Dialect dialect;
    private final StateTables states;

    OcsTables(Dialect dialect, StateTables states) {
        this.dialect = dialect;
        this.states = states;
    }

    Dialect dialect() {
        return dialect;
    }

    StateTables states() {
        return states;
    }

    private boolean hasStates() {
        return states != StateTables.NONE;
    }

    /**
     * A cross-connect.
     *
     * @param id its name in the device
     * @param lossDb if the device measured it
     */
    record Entry(String id, CircuitPair pair, CircuitState state, OptionalDouble lossDb) {
        Entry(String id, CircuitPair pair, CircuitState state) {
            this(id, pair, state, OptionalDouble.empty());
        }
    }

    /** Where ports are told. */
    List<Path> ofPorts() {
        return hasStates() ? List.of(dialect.ports(), states.ports(dialect)) : List.of(dialect.ports());
    }

    /** Where cross-connects are told. */
    List<Path> ofCircuits() {
        return hasStates() ? List.of(dialect.circuits(), states.circuits(dialect)) : List.of(dialect.circuits());
    }

    /**
     * Rows of the table of ports: leaves by name, {@code label} and {@code state} as provisioned, {@code status} as it
     * is.
     *
     * @param said what is at {@link #ofPorts}, at least
     */
    Map<String, Map<String, String>> ports(Map<Path, List<Notification>> said) throws LostException {
        Map<String, Map<String, String>> all = new TreeMap<>();
        for (Path each : ofPorts()) {
            Rows.read(at(each, said), Dialect.PORT_LIST, row -> add(all, row));
        }
        return all;
    }

    /** Where both are told. */
    List<Path> all() {
        return Stream.of(ofPorts(), ofCircuits()).flatMap(List::stream).toList();
    }

    private static List<Notification> at(Path path, Map<Path, List<Notification>> said) {
        return said.getOrDefault(path, List.of());
    }

    private void add(Map<String, Map<String, String>> all, Map<String, String> row) throws LostException {
        requireFew(all);
        all.computeIfAbsent(row.getOrDefault("simplex_port_id", ""), unused -> new TreeMap<>())
                .putAll(states.port(row));
    }

    /**
     * Cross-connects that are provisioned, or that the device makes without.
     *
     * @param said what is at {@link #ofCircuits}, at least
     */
    List<Entry> circuits(Map<Path, List<Notification>> said, OcsPorts ports) throws LostException {
        Map<String, Entry> all = new LinkedHashMap<>();
        Rows.read(
                at(dialect.circuits(), said),
                Dialect.CIRCUIT_LIST,
                row -> put(
                        all,
                        row,
                        ports,
                        hasStates() ? CircuitState.CIRCUIT_STATE_TUNING : CircuitState.CIRCUIT_STATE_CONNECTED));
        if (hasStates()) {
            Rows.read(at(states.circuits(dialect), said), Dialect.CIRCUIT_LIST, row -> {
                if (states == StateTables.OWN) {
                    judge(all, row);
                } else {
                    put(
                            all,
                            row,
                            ports,
                            TuningStatus.of(row.getOrDefault("a_side_status", ""))
                                    .with(TuningStatus.of(row.getOrDefault("b_side_status", ""))));
                }
            });
        }
        return List.copyOf(all.values());
    }

    /** Of a table that names cross-connects and not their sides. */
    private static void judge(Map<String, Entry> all, Map<String, String> row) {
        all.computeIfPresent(row.getOrDefault("cross_connect_id", ""), (id, entry) -> {
            double loss = number(row.getOrDefault("insertion_loss_dB", ""));
            return new Entry(
                    id,
                    entry.pair(),
                    switch (row.getOrDefault("status", "")) {
                        case "enabled" -> CircuitState.CIRCUIT_STATE_CONNECTED;
                        case "invalid" -> CircuitState.CIRCUIT_STATE_FAILED;
                        default -> CircuitState.CIRCUIT_STATE_TUNING;
                    },
                    Double.isNaN(loss) ? OptionalDouble.empty() : OptionalDouble.of(loss));
        });
    }

    private static void requireFew(Map<String, ?> rows) throws LostException {
        if (rows.size() > MOST_ROWS) {
            throw new LostException("a table of the device has more than " + MOST_ROWS + " rows");
        }
    }

    /** One of which a side is not told yet is none yet. */
    private static void put(Map<String, Entry> all, Map<String, String> row, OcsPorts ports, CircuitState state)
            throws LostException {
        String ingress = row.getOrDefault("a_side", "");
        String egress = row.getOrDefault("b_side", "");
        if (ingress.isEmpty() || egress.isEmpty()) {
            return;
        }
        requireFew(all);
        String id = row.getOrDefault("cross_connect_id", ingress + "-" + egress);
        CircuitPair pair =
                new CircuitPair(ports.known(ingress, "a cross-connect"), ports.known(egress, "a cross-connect"));
        all.put(id, new Entry(id, pair, state));
    }

    /** By pair: of two entries with the same sides the later one counts. */
    List<NativeCircuit> shown(Map<Path, List<Notification>> said, OcsPorts ports) throws LostException {
        Map<CircuitPair, NativeCircuit> all = new TreeMap<>();
        for (Entry each : circuits(said, ports)) {
            all.put(each.pair(), new NativeCircuit(each.pair(), each.state(), each.lossDb()));
        }
        return List.copyOf(all.values());
    }

    /** Where the factory's losses are told. */
    Path ofLosses() {
        return states.losses(dialect);
    }

    /**
     * In the order of the ports; of several frequencies and temperatures the one that is told first.
     *
     * @param said what is at {@link #ofLosses}
     */
    List<FactoryLoss> losses(List<Notification> said, OcsPorts ports) throws LostException {
        Map<String, Map<String, Double>> all = new TreeMap<>();
        Rows.read(said, Dialect.LOSS_LIST, row -> {
            String id = row.getOrDefault("cross_connect_id", "");
            int between = id.indexOf('-', id.indexOf('A') + 1);
            if (between < 0) {
                throw new LostException("the table of losses names no cross-connect such as 1A-2B");
            }
            String ingress = ports.known(id.substring(0, between), "the table of losses");
            String egress = ports.known(id.substring(between + 1), "the table of losses");
            double loss = number(row.getOrDefault("loss_dB", ""));
            if (!Double.isNaN(loss)) {
                var unused =
                        all.computeIfAbsent(ingress, begun -> new TreeMap<>()).putIfAbsent(egress, loss);
            }
        });
        List<FactoryLoss> ordered = new ArrayList<>();
        for (String ingress : ports.names()) {
            Map<String, Double> row = all.getOrDefault(ingress, Map.of());
            for (String egress : ports.names()) {
                Double loss = row.get(egress);
                if (loss != null) {
                    ordered.add(FactoryLoss.newBuilder()
                            .setIngress(ingress)
                            .setEgress(egress)
                            .setLossDb(loss)
                            .build());
                }
            }
        }
        return ordered;
    }

    private static double number(String said) {
        try {
            double number = Double.parseDouble(said);
            return Double.isInfinite(number) ? Double.NaN : number;
        } catch (NumberFormatException notANumber) {
            return Double.NaN;
        }
    }
}
