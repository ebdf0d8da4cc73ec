package dev.lightpath.driver.gnmi;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The tables of a switch, read now. What is provisioned is in sonic-ocs, what the device does about it in its tables of
 * states, where it has some.
 */
final class OcsTables {
    /** No switch has more ports. */
    private static final int MOST_ROWS = 65_535;

    private final GnmiSession session;
    private final Dialect dialect;
    private final StateTables states;

    OcsTables(GnmiSession session, Dialect dialect, StateTables states) {
        this.session = session;
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

    /** A row of the table of ports: leaves by name, {@code label} and {@code state} as provisioned, {@code status} as it is. */
    Map<String, Map<String, String>> ports() throws LostException, RefusedException {
        Map<String, Map<String, String>> all = new TreeMap<>();
        Rows.read(session.get(dialect.ports()), Dialect.PORT_LIST, row -> add(all, row));
        if (hasStates()) {
            Rows.read(session.get(states.ports(dialect)), Dialect.PORT_LIST, row -> add(all, row));
        }
        return all;
    }

    private void add(Map<String, Map<String, String>> all, Map<String, String> row) throws LostException {
        requireFew(all);
        all.computeIfAbsent(row.getOrDefault("simplex_port_id", ""), unused -> new TreeMap<>())
                .putAll(states.port(row));
    }

    /** Cross-connects that are provisioned, or that the device makes without. */
    List<Entry> circuits(OcsPorts ports) throws LostException, RefusedException {
        Map<String, Entry> all = new LinkedHashMap<>();
        Rows.read(
                session.get(dialect.circuits()),
                Dialect.CIRCUIT_LIST,
                row -> put(
                        all,
                        row,
                        ports,
                        hasStates() ? CircuitState.CIRCUIT_STATE_TUNING : CircuitState.CIRCUIT_STATE_CONNECTED));
        if (hasStates()) {
            Rows.read(session.get(states.circuits(dialect)), Dialect.CIRCUIT_LIST, row -> {
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
    List<NativeCircuit> shown(OcsPorts ports) throws LostException, RefusedException {
        Map<CircuitPair, NativeCircuit> all = new TreeMap<>();
        for (Entry each : circuits(ports)) {
            all.put(each.pair(), new NativeCircuit(each.pair(), each.state(), each.lossDb()));
        }
        return List.copyOf(all.values());
    }

    /** In the order of the ports; of several frequencies and temperatures the one that is told first. */
    List<FactoryLoss> losses(OcsPorts ports) throws LostException, RefusedException {
        Map<String, Map<String, Double>> all = new TreeMap<>();
        Rows.read(session.get(states.losses(dialect)), Dialect.LOSS_LIST, row -> {
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
