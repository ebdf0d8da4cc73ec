package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.OcsSwitch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The circuit breaker: when a share of the nodes fails within a window, what failed is more likely the source. Stands
 * until those faults clear or a person resumes (spec: faults, 2).
 */
final class MassFailure {
    private static final int MOST_NAMED = 5;

    private MassFailure() {}

    /**
     * Empty while moves may go on, else how much failed, of what, where, and how to go on. O(faults log faults). What
     * was there before the first look is not counted, unless a mass failure stood then.
     */
    static Optional<String> standing(RingState state) {
        Map<String, Instant> since = new TreeMap<>();
        for (Fault fault : state.tracker().faults()) {
            String node = switch (fault.subject()) {
                case Subject.OfNode of -> of.node();
                case Subject.OfDevice of -> of.device();
                case Subject.OfPort port -> "";
            };
            if (!node.isEmpty()
                    && !state.tracker().isNew(fault.subject())
                    && !state.tracker().found(fault.subject())) {
                since.merge(node, fault.since(), (a, b) -> a.isBefore(b) ? a : b);
            }
        }
        List<Onset> onsets = new ArrayList<>();
        since.forEach((node, onset) -> onsets.add(new Onset(onset, 1, node)));
        // a Node that was deleted is a node of the fabric that failed
        int whole = state.intent().nodes().size()
                + (int) since.keySet().stream()
                        .filter(node -> !state.byName().containsKey(node))
                        .count();
        return standing(state, onsets, whole, whole + " nodes");
    }

    /**
     * Of wires between pods and switches: a switch that fails takes its wires with it, and a wire has failed once,
     * whether at one end or at both. A port that only gets worse has not failed, nor has one that a person took out of
     * service: its circuits are to leave it. Empty while moves may go on, as above.
     * O(switches + faults * (wires of a switch + log faults)).
     */
    static Optional<String> standing(OcsState state) {
        List<Onset> onsets = new ArrayList<>();
        int whole = 0;
        for (OcsSwitch of : state.intent().switches().values()) {
            whole += of.wiring().size();
        }
        Map<Wired, Instant> broken = new HashMap<>();
        for (Fault fault : state.tracker().faults()) {
            if (state.tracker().isNew(fault.subject()) || state.tracker().found(fault.subject())) {
                continue;
            }
            switch (fault.subject()) {
                case Subject.OfNode node -> {}
                case Subject.OfDevice of -> {
                    OcsSwitch failed = state.intent().switches().get(of.device());
                    if (failed != null) {
                        onsets.add(new Onset(fault.since(), failed.wiring().size(), failed.name()));
                    }
                }
                case Subject.OfPort of -> {
                    if (!fault.reason().equals(Finding.REASON)
                            && !fault.reason().equals(DeviceState.OUT_OF_SERVICE)
                            && !state.health().switches().contains(of.device())) {
                        wired(state, of)
                                .ifPresent(
                                        wired -> broken.merge(wired, fault.since(), (a, b) -> a.isBefore(b) ? a : b));
                    }
                }
            }
        }
        broken.forEach((wired, since) -> onsets.add(
                new Onset(since, 1, wired.opticalSwitch() + "/" + wired.wire().ingress())));
        return standing(state, onsets, whole, whole + " wires between pods and switches");
    }

    /** The first wire at a port. */
    private static Optional<Wired> wired(OcsState state, Subject.OfPort port) {
        OcsSwitch of = state.intent().switches().get(port.device());
        return of == null ? Optional.empty() : of.wireAt(port.port()).map(wire -> new Wired(of.name(), wire));
    }

    private record Wired(String opticalSwitch, OcsSwitch.Wire wire) {}

    /**
     * @param share how much of the fabric failed then
     * @param where for people
     */
    private record Onset(Instant at, int share, String where) {}

    private static Optional<String> standing(FabricState state, List<Onset> onsets, int whole, String words) {
        FabricPolicy policy = state.intent().policy();
        // a person resumes after what has failed: a future moment would excuse failures that no person has seen
        Instant resumed = state.intent()
                .resumedAt()
                .filter(moment -> !moment.isAfter(state.world().now()))
                .orElse(Instant.MIN);
        List<Onset> most = most(onsets, resumed, policy, whole);
        return most.isEmpty()
                ? Optional.empty()
                : Optional.of(most.stream().mapToInt(Onset::share).sum() + " of " + words + " failed within "
                        + policy.massFailureWindow().toSeconds() + " s ("
                        + Words.first(
                                MOST_NAMED, most.stream().map(Onset::where).toList())
                        + "), and from " + policy.massFailurePercent()
                        + " % on (spec.policy.massFailure) all automatic moves stand still, until these faults clear or a person"
                        + " goes on: kubectl lightpath resume fabric/"
                        + state.intent().name()
                        + ", or annotate it lightpath.dev/resume-after-mass-failure with the time");
    }

    /** Those that failed within one window: most of them, if they are too many. */
    private static List<Onset> most(List<Onset> all, Instant resumed, FabricPolicy policy, int whole) {
        List<Onset> onsets = all.stream()
                .filter(onset -> onset.at().isAfter(resumed))
                .sorted(Comparator.comparing(Onset::at).thenComparing(Onset::where))
                .toList();
        List<Onset> most = List.of();
        int together = 0;
        int largest = 0;
        for (int first = 0, last = 0; last < onsets.size(); last++) {
            together += onsets.get(last).share();
            while (onsets.get(first)
                    .at()
                    .plus(policy.massFailureWindow())
                    .isBefore(onsets.get(last).at())) {
                together -= onsets.get(first).share();
                first++;
            }
            if (last > first && together > largest && 100L * together >= (long) policy.massFailurePercent() * whole) {
                largest = together;
                most = onsets.subList(first, last + 1);
            }
        }
        return most;
    }
}
