package dev.lightpath.planner.discovery;

import dev.lightpath.planner.light.Circuit;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is known of the fibres of one switch.
 *
 * @param request what a person asked, which this answers
 * @param over whether every port that could be probed was, or a person stopped it
 * @param waitsFor why nothing is probed now, in words
 * @param ends fibre ends that the device has
 * @param circuits probing circuits so far
 * @param probes probing circuits that may be lit
 * @param found by fibre end
 */
public record SwitchDiscovery(
        String request,
        boolean over,
        Optional<String> waitsFor,
        int ends,
        int circuits,
        SortedSet<Circuit> probes,
        SortedMap<FibreEnd, Found> found,
        Tally tally) {
    public SwitchDiscovery {
        probes = Collections.unmodifiableSortedSet(new TreeSet<>(probes));
        found = Collections.unmodifiableSortedMap(new TreeMap<>(found));
    }

    /** At its beginning, with what may be left of an earlier one. */
    public static SwitchDiscovery begun(String request, SortedSet<Circuit> probes) {
        return new SwitchDiscovery(
                request, false, Optional.empty(), 0, 0, probes, Collections.emptySortedMap(), Tally.NONE);
    }

    /** The same with more found; what was found before stays. */
    public SwitchDiscovery and(Map<FibreEnd, Found> more) {
        if (more.isEmpty()) {
            return this;
        }
        SortedMap<FibreEnd, Found> all = new TreeMap<>(found);
        more.forEach(all::putIfAbsent);
        return new SwitchDiscovery(request, over, waitsFor, ends, circuits, probes, all, tally);
    }

    SwitchDiscovery with(Tally next) {
        return new SwitchDiscovery(request, over, waitsFor, ends, circuits, probes, found, next);
    }

    /** The same with these probing circuits that may be lit. */
    public SwitchDiscovery probing(SortedSet<Circuit> lit) {
        return lit.equals(probes)
                ? this
                : new SwitchDiscovery(request, over, waitsFor, ends, circuits, lit, found, tally);
    }

    /** The same with one probing circuit more. */
    public SwitchDiscovery trying(Circuit circuit) {
        SortedSet<Circuit> more = new TreeSet<>(probes);
        more.add(circuit);
        return new SwitchDiscovery(request, over, Optional.empty(), ends, circuits + 1, more, found, tally);
    }

    /** The same of a device with so many fibre ends. */
    public SwitchDiscovery of(int fibreEnds) {
        return new SwitchDiscovery(request, over, waitsFor, fibreEnds, circuits, probes, found, tally);
    }

    /** The same, waiting. */
    public SwitchDiscovery waiting(String why) {
        return new SwitchDiscovery(request, over, Optional.of(why), ends, circuits, probes, found, tally);
    }

    /** The same, waiting no more. */
    public SwitchDiscovery goingOn() {
        return new SwitchDiscovery(request, over, Optional.empty(), ends, circuits, probes, found, tally);
    }

    /** The same at its end. */
    public SwitchDiscovery ended() {
        return over ? this : new SwitchDiscovery(request, true, Optional.empty(), ends, circuits, probes, found, tally);
    }
}
