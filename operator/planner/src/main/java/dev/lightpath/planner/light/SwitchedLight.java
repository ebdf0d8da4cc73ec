package dev.lightpath.planner.light;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;

/**
 * Circuits by optical switch, by the switches' names in the cluster. Switches without circuits are left out. The
 * circuits need not be lit together: those of several revisions may share ports.
 */
public record SwitchedLight(SortedMap<String, SortedSet<Circuit>> circuits) {
    private static final SwitchedLight NONE = new SwitchedLight(new TreeMap<>());

    public SwitchedLight {
        SortedMap<String, SortedSet<Circuit>> copy = new TreeMap<>();
        circuits.forEach((name, of) -> {
            if (!of.isEmpty()) {
                copy.put(name, Collections.unmodifiableSortedSet(new TreeSet<>(of)));
            }
        });
        circuits = Collections.unmodifiableSortedMap(copy);
    }

    public static SwitchedLight none() {
        return NONE;
    }

    /** The circuits of a switch, none when it has none. */
    public Set<Circuit> on(String opticalSwitch) {
        SortedSet<Circuit> of = circuits.get(opticalSwitch);
        return of == null ? Set.of() : of;
    }

    public boolean isEmpty() {
        return circuits.isEmpty();
    }

    /** Number of circuits. */
    public int size() {
        return circuits.values().stream().mapToInt(Collection::size).sum();
    }

    public void forEach(BiConsumer<String, Circuit> each) {
        circuits.forEach((name, of) -> of.forEach(circuit -> each.accept(name, circuit)));
    }

    /** The circuits of all. O(circuits * log circuits). */
    public static SwitchedLight all(Collection<SwitchedLight> lights) {
        Builder all = new Builder();
        lights.forEach(all::addAll);
        return all.build();
    }

    /** The circuits of both. */
    public SwitchedLight and(SwitchedLight other) {
        return all(List.of(this, other));
    }

    /** The circuits here that are not in the other. */
    public SwitchedLight minus(SwitchedLight other) {
        return filter((name, circuit) -> !other.on(name).contains(circuit));
    }

    /** The circuits here that are in the other too. */
    public SwitchedLight shared(SwitchedLight other) {
        return filter((name, circuit) -> other.on(name).contains(circuit));
    }

    /** Those of these circuits of which something is true. */
    public SwitchedLight filter(BiPredicate<String, Circuit> which) {
        Builder some = new Builder();
        forEach((name, circuit) -> {
            if (which.test(name, circuit)) {
                some.add(name, circuit);
            }
        });
        return some.build();
    }

    /** Whether something is true of each circuit. */
    public boolean allMatch(BiPredicate<String, Circuit> which) {
        return circuits.entrySet().stream()
                .allMatch(each -> each.getValue().stream().allMatch(circuit -> which.test(each.getKey(), circuit)));
    }

    @Override
    public String toString() {
        return circuits.toString();
    }

    /** Collects circuits. */
    public static final class Builder {
        private final SortedMap<String, SortedSet<Circuit>> circuits = new TreeMap<>();

        public Builder add(String opticalSwitch, Circuit circuit) {
            circuits.computeIfAbsent(opticalSwitch, name -> new TreeSet<>()).add(circuit);
            return this;
        }

        public Builder addAll(SwitchedLight light) {
            light.circuits.forEach((name, of) ->
                    circuits.computeIfAbsent(name, at -> new TreeSet<>()).addAll(of));
            return this;
        }

        public SwitchedLight build() {
            return new SwitchedLight(circuits);
        }
    }
}
