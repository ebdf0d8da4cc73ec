package dev.lightpath.planner.light;

import dev.lightpath.planner.words.Words;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a device consists of, as its driver lists it.
 *
 * @param make vendor, model and firmware
 * @param ports the side of each port, by the device's own name for it
 * @param paths what a port can be switched to, for ports that choose between a few: the common ports of transceivers
 * @param peers where a port's fibre ends, as the installation says; a hint, no evidence, and empty if unknown
 */
public record Inventory(
        Make make,
        SortedMap<String, Side> ports,
        SortedMap<String, SortedSet<String>> paths,
        SortedMap<String, FarEnd> peers) {
    private static final int MOST_NAMED = 4;

    /** A device without known fibre ends. */
    public Inventory(Make make, SortedMap<String, Side> ports, SortedMap<String, SortedSet<String>> paths) {
        this(make, ports, paths, Collections.emptySortedMap());
    }

    /** Where on a device a port is, and so which end of a circuit it can be. */
    public enum Side {
        BOTH(true, true, ""),
        INGRESS(true, false, "light only enters there"),
        EGRESS(false, true, "light only leaves there"),
        /** The electrical side of a transceiver. */
        COMMON(true, false, "it is the common side of its module"),
        LOOP(false, true, "it is the loop of its module"),
        LINE(false, true, "it is a line of its module"),
        /** The driver does not say. */
        UNKNOWN(true, true, "");

        private final boolean enters;
        private final boolean leaves;
        private final String why;

        Side(boolean enters, boolean leaves, String why) {
            this.enters = enters;
            this.leaves = leaves;
            this.why = why;
        }

        /** Whether a circuit may begin there. */
        public boolean enters() {
            return enters;
        }

        /** Whether a circuit may end there. */
        public boolean leaves() {
            return leaves;
        }
    }

    /** Vendor, model and firmware as the device names them; an unnamed one is empty. */
    public record Make(String vendor, String model, String firmware) {
        public static Make unnamed() {
            return new Make("", "", "");
        }
    }

    public Inventory {
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
        SortedMap<String, SortedSet<String>> copy = new TreeMap<>();
        paths.forEach((from, to) -> copy.put(from, Collections.unmodifiableSortedSet(new TreeSet<>(to))));
        paths = Collections.unmodifiableSortedMap(copy);
        peers = peers.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(peers));
    }

    /** Why the device cannot make this circuit, and what it could; empty when it can. O(1) without the message. */
    public Optional<String> refusal(Circuit circuit) {
        Optional<String> end = refusesIngress(circuit.ingress()).or(() -> refusesEgress(circuit.egress()));
        if (end.isPresent()) {
            return end;
        }
        SortedSet<String> choice = paths.get(circuit.ingress());
        if (choice != null && !choice.contains(circuit.egress())) {
            return Optional.of("port " + circuit.ingress() + " cannot be switched to " + circuit.egress() + ", only to "
                    + String.join(", ", choice));
        }
        return circuit.ingress().equals(circuit.egress())
                ? Optional.of("port " + circuit.ingress() + " cannot be joined to itself")
                : Optional.empty();
    }

    /** Why no circuit can begin at the port; empty when one can. */
    public Optional<String> refusesIngress(String port) {
        Side side = ports.get(port);
        if (side == null) {
            return Optional.of(missing(port));
        }
        return side.enters()
                ? Optional.empty()
                : Optional.of("port " + port + " begins no circuit (" + side.why + "); ports that do are "
                        + named(Side::enters));
    }

    /** Why no circuit can end at the port; empty when one can. */
    public Optional<String> refusesEgress(String port) {
        Side side = ports.get(port);
        if (side == null) {
            return Optional.of(missing(port));
        }
        return side.leaves()
                ? Optional.empty()
                : Optional.of("port " + port + " ends no circuit (" + side.why + "); ports that do are "
                        + named(Side::leaves));
    }

    private String missing(String port) {
        return "there is no port " + port + "; its " + ports.size() + " ports are " + named(side -> true);
    }

    /** Ports of some sides: numbers as a range, names as the first few. */
    private String named(Predicate<Side> which) {
        List<String> names = ports.entrySet().stream()
                .filter(port -> which.test(port.getValue()))
                .map(port -> port.getKey())
                .toList();
        if (names.isEmpty()) {
            return "none";
        }
        if (names.size() > 1 && names.stream().allMatch(name -> name.matches("[0-9]{1,9}"))) {
            List<Integer> numbers =
                    names.stream().map(Integer::valueOf).sorted().toList();
            if (numbers.getLast() - numbers.getFirst() == numbers.size() - 1) {
                return numbers.getFirst() + " to " + numbers.getLast();
            }
        }
        return Words.first(MOST_NAMED, names);
    }
}
