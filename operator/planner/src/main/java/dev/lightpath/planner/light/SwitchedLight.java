package dev.lightpath.planner.light;

import dev.lightpath.planner.memory.FixedMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Circuits by optical switch, by the switches' names in the cluster. Switches without circuits are left out. The
 * circuits need not be lit together: those of several revisions may share ports.
 */
public record SwitchedLight(SortedMap<String, SortedSet<Circuit>> circuits) {
    private static final SwitchedLight NONE = new SwitchedLight(new TreeMap<>());

    /** A {@link FixedMap} is handed on as it is: none of its sets is empty, or changes. */
    public SwitchedLight {
        if (!(circuits instanceof FixedMap)) {
            SortedMap<String, SortedSet<Circuit>> copy = new TreeMap<>();
            circuits.forEach((name, of) -> {
                if (!of.isEmpty()) {
                    copy.put(name, Collections.unmodifiableSortedSet(new TreeSet<>(of)));
                }
            });
            circuits = FixedMap.copyOf(copy);
        }
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

    /** The circuits of all. Linear in switches where at most one has circuits, else O(circuits * log circuits). */
    public static SwitchedLight all(Collection<SwitchedLight> lights) {
        SortedMap<String, List<SortedSet<Circuit>>> parts = new TreeMap<>();
        lights.forEach(light -> light.circuits.forEach((name, of) ->
                parts.computeIfAbsent(name, at -> new ArrayList<>(1)).add(of)));
        return new SwitchedLight(FixedMap.derived(parts, SwitchedLight::union));
    }

    private static SortedSet<Circuit> union(List<SortedSet<Circuit>> parts) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        SortedSet<Circuit> union = new TreeSet<>(parts.getFirst());
        parts.subList(1, parts.size()).forEach(union::addAll);
        return Collections.unmodifiableSortedSet(union);
    }

    /** The circuits of both. */
    public SwitchedLight and(SwitchedLight other) {
        return all(List.of(this, other));
    }

    /** The circuits here that are not in the other. */
    public SwitchedLight minus(SwitchedLight other) {
        return bySwitch((name, of) -> {
            Set<Circuit> there = other.on(name);
            return there.isEmpty() ? of : some(of, circuit -> !there.contains(circuit));
        });
    }

    /** The circuits here that are in the other too. */
    public SwitchedLight shared(SwitchedLight other) {
        return bySwitch((name, of) -> some(of, other.on(name)::contains));
    }

    /** Those of these circuits of which something is true. */
    public SwitchedLight filter(BiPredicate<String, Circuit> which) {
        return bySwitch((name, of) -> some(of, circuit -> which.test(name, circuit)));
    }

    private static SortedSet<Circuit> some(SortedSet<Circuit> of, Predicate<Circuit> which) {
        SortedSet<Circuit> some = new TreeSet<>();
        of.stream().filter(which).forEach(some::add);
        return some.size() == of.size() ? of : Collections.unmodifiableSortedSet(some);
    }

    /** What is left of the circuits of each switch; the very same sets where all are. */
    private SwitchedLight bySwitch(BiFunction<String, SortedSet<Circuit>, SortedSet<Circuit>> left) {
        SortedMap<String, SortedSet<Circuit>> some = new TreeMap<>();
        circuits.forEach((name, of) -> {
            SortedSet<Circuit> here = left.apply(name, of);
            if (!here.isEmpty()) {
                some.put(name, here);
            }
        });
        return some.isEmpty() ? NONE : new SwitchedLight(FixedMap.copyOf(some));
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

    /** Collects circuits; empty again once they are built. */
    public static final class Builder {
        private SortedMap<String, SortedSet<Circuit>> circuits = new TreeMap<>();

        public Builder add(String opticalSwitch, Circuit circuit) {
            circuits.computeIfAbsent(opticalSwitch, name -> new TreeSet<>()).add(circuit);
            return this;
        }

        public SwitchedLight build() {
            SortedMap<String, SortedSet<Circuit>> built =
                    FixedMap.derived(circuits, Collections::unmodifiableSortedSet);
            circuits = new TreeMap<>();
            return new SwitchedLight(built);
        }
    }
}
