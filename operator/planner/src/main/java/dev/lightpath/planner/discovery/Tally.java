package dev.lightpath.planner.discovery;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.FarEnd;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Probing circuits of one switch that left something open. A restart of the operator forgets them: they are tried
 * again.
 *
 * @param silent nothing was heard
 * @param joined two far ends heard each other, and it is open which is at which port
 * @param disturbed how often something else was heard with it
 */
public record Tally(
        SortedSet<Circuit> silent, SortedMap<Circuit, List<FarEnd>> joined, SortedMap<Circuit, Integer> disturbed) {
    public static final Tally NONE = new Tally(new TreeSet<>(), new TreeMap<>(), new TreeMap<>());

    public Tally {
        silent = Collections.unmodifiableSortedSet(new TreeSet<>(silent));
        joined = Collections.unmodifiableSortedMap(new TreeMap<>(joined));
        disturbed = Collections.unmodifiableSortedMap(new TreeMap<>(disturbed));
    }

    Tally silent(Circuit circuit) {
        SortedSet<Circuit> more = new TreeSet<>(silent);
        more.add(circuit);
        return new Tally(more, joined, disturbed);
    }

    Tally joined(Circuit circuit, List<FarEnd> ends) {
        SortedMap<Circuit, List<FarEnd>> more = new TreeMap<>(joined);
        more.put(circuit, List.copyOf(ends));
        return new Tally(silent, more, disturbed);
    }

    Tally disturbed(Circuit circuit) {
        SortedMap<Circuit, Integer> more = new TreeMap<>(disturbed);
        more.merge(circuit, 1, Integer::sum);
        return new Tally(silent, joined, more);
    }

    /** In how many silent circuits a port was. */
    long silences(String port) {
        return silent.stream().filter(circuit -> circuit.isAt(port)).count();
    }

    /** How often a circuit of a port was disturbed. */
    int disturbances(String port) {
        int sum = 0;
        for (Map.Entry<Circuit, Integer> each : disturbed.entrySet()) {
            boolean there = each.getKey().ingress().equals(port)
                    || each.getKey().egress().equals(port);
            sum += there ? each.getValue() : 0;
        }
        return sum;
    }
}
