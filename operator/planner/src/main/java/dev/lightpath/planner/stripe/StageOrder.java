package dev.lightpath.planner.stripe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The order in which one set of circuits becomes another. Each stage first takes circuits down. Then it lights circuits
 * whose ports are dark by then, so that no port is ever used twice. A circuit taken down counts as dark until every
 * wanted circuit on its ports is lit. A stage that takes more down than the budget allows is not made. The exception is
 * the smallest step when nothing is dark.
 */
public final class StageOrder {

    /** A circuit of a switch. */
    public record Lit(int switchIndex, Circuit circuit) implements Comparable<Lit> {
        @Override
        public int compareTo(Lit other) {
            int bySwitch = Integer.compare(switchIndex, other.switchIndex);
            return bySwitch != 0 ? bySwitch : circuit.compareTo(other.circuit);
        }
    }

    /**
     * One stage: disconnect, then connect.
     *
     * @param dark counting circuits that are dark while the stage runs
     */
    public record Stage(List<Lit> disconnect, List<Lit> connect, int dark) {
        public Stage {
            disconnect = List.copyOf(disconnect);
            connect = List.copyOf(connect);
        }
    }

    private final DeviceKind device;
    private final Predicate<Lit> counts;
    private final Map<Long, Lit> litOn = new HashMap<>();
    /**
     * Dark, counting circuits of the former set, with the requested circuits that must be lit before they no longer
     * count.
     */
    private final Map<Lit, Set<Lit>> dark = new HashMap<>();

    private StageOrder(DeviceKind device, Predicate<Lit> counts) {
        this.device = device;
        this.counts = counts;
    }

    /**
     * Stages from one set of circuits to another. O(circuits log circuits).
     *
     * @param mostDark how many counting circuits may be dark at a time, at least 1
     * @param counts which of the present circuits carry traffic that darkness would hurt
     * @throws IllegalArgumentException if the budget is below 1, or a set uses a port twice
     */
    public static List<Stage> order(
            DeviceKind device,
            List<SwitchCircuits> present,
            List<SwitchCircuits> wanted,
            int mostDark,
            Predicate<Lit> counts) {
        if (mostDark < 1) {
            throw new IllegalArgumentException("disruption budget is " + mostDark + " circuits: at least 1");
        }
        return new StageOrder(device, counts).order(flat(present), flat(wanted), mostDark);
    }

    private List<Stage> order(TreeSet<Lit> present, TreeSet<Lit> wanted, int mostDark) {
        Map<Long, Lit> wantedOn = new HashMap<>();
        present.forEach(lit -> claim(litOn, lit));
        wanted.forEach(lit -> claim(wantedOn, lit));
        TreeSet<Lit> surplus = new TreeSet<>(present);
        surplus.removeAll(wanted);
        TreeSet<Lit> missing = new TreeSet<>(wanted);
        missing.removeAll(present);
        List<Stage> stages = new ArrayList<>();
        while (!missing.isEmpty() || !surplus.isEmpty()) {
            stages.add(stage(surplus, missing, wantedOn, mostDark));
        }
        return stages;
    }

    private Stage stage(TreeSet<Lit> surplus, TreeSet<Lit> missing, Map<Long, Lit> wantedOn, int mostDark) {
        List<Lit> disconnect = new ArrayList<>();
        List<Lit> connect = new ArrayList<>();
        int darkNow = dark.size();
        // circuits that need little taken down first: they turn dark ports into light
        for (int needed = 0; needed <= 2; needed++) {
            for (Lit candidate : List.copyOf(missing)) {
                TreeSet<Lit> blocking = blocking(candidate);
                int cost = (int) blocking.stream().filter(counts).count();
                boolean first = disconnect.isEmpty() && connect.isEmpty();
                if (blocking.size() <= needed
                        && (darkNow + cost <= mostDark || (first && needed == 2 && darkNow == dark.size()))) {
                    for (Lit blocker : blocking) {
                        takeDown(blocker, surplus, wantedOn);
                        disconnect.add(blocker);
                    }
                    darkNow += cost;
                    missing.remove(candidate);
                    connect.add(candidate);
                }
            }
        }
        for (Lit idle : List.copyOf(surplus)) {
            int cost = counts.test(idle) ? 1 : 0;
            boolean unwanted = ports(idle).stream().noneMatch(port -> wantedOn.containsKey(port));
            if (unwanted && (darkNow + cost <= mostDark || (disconnect.isEmpty() && connect.isEmpty()))) {
                takeDown(idle, surplus, wantedOn);
                disconnect.add(idle);
                darkNow += cost;
            }
        }
        for (Lit lit : connect) {
            claim(litOn, lit);
            dark.values().forEach(awaited -> awaited.remove(lit));
        }
        dark.values().removeIf(Set::isEmpty);
        return new Stage(disconnect, connect, darkNow);
    }

    private void takeDown(Lit lit, TreeSet<Lit> surplus, Map<Long, Lit> wantedOn) {
        surplus.remove(lit);
        Set<Lit> awaited = new HashSet<>();
        for (long port : ports(lit)) {
            litOn.remove(port);
            Lit successor = wantedOn.get(port);
            if (successor != null) {
                awaited.add(successor);
            }
        }
        if (counts.test(lit) && !awaited.isEmpty()) {
            dark.put(lit, awaited);
        }
    }

    private TreeSet<Lit> blocking(Lit candidate) {
        TreeSet<Lit> blocking = new TreeSet<>();
        for (long port : ports(candidate)) {
            Lit lit = litOn.get(port);
            if (lit != null) {
                blocking.add(lit);
            }
        }
        return blocking;
    }

    private List<Long> ports(Lit lit) {
        long base = (long) lit.switchIndex() << 34;
        long from = base | 2L * lit.circuit().from();
        long to = base | (2L * lit.circuit().to() + (device == DeviceKind.TWO_SIDED ? 1 : 0));
        return List.of(from, to);
    }

    private void claim(Map<Long, Lit> on, Lit lit) {
        for (long port : ports(lit)) {
            Lit other = on.put(port, lit);
            if (other != null && !other.equals(lit)) {
                throw new IllegalArgumentException("switch " + lit.switchIndex() + " uses a port twice: circuits "
                        + other.circuit() + " and " + lit.circuit());
            }
        }
    }

    private static TreeSet<Lit> flat(List<SwitchCircuits> switches) {
        TreeSet<Lit> all = new TreeSet<>();
        for (SwitchCircuits of : switches) {
            of.circuits().forEach(circuit -> all.add(new Lit(of.switchIndex(), circuit)));
        }
        return all;
    }
}
