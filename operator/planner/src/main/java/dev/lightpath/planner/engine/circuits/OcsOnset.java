package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsTopology;
import java.time.Instant;
import java.util.function.Predicate;

/** Since when a placed slice on switches has a fault of its own: from then on the user's hold-off counts. */
public final class OcsOnset {
    private OcsOnset() {}

    /**
     * The first moment at which a fault of the record began; {@link Instant#EPOCH} where no fault tells. O(faults *
     * record).
     */
    public static Instant of(OcsState state, Allocation recorded) {
        return state.tracker().faults().stream()
                .filter(fault -> concerns(state.intent(), recorded, fault.subject()))
                .map(Fault::since)
                .min(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    /**
     * Whether what is faulty is a node of the record, the device of one of its pods, or a switch or port of its circuits.
     * A torus needs every chip of its cubes.
     */
    private static boolean concerns(OcsIntent intent, Allocation recorded, Subject subject) {
        return switch (subject) {
            case Subject.OfNode of ->
                recorded.nodes().contains(of.node())
                        || intent.topology() instanceof OcsTopology.TwistedTorus
                                && sits(intent, recorded, pod -> pod.nodes().containsKey(of.node()), of.node());
            case Subject.OfDevice of ->
                !recorded.circuits().on(of.device()).isEmpty()
                        || sits(intent, recorded, pod -> pod.name().equals(of.device()), of.device());
            case Subject.OfPort of ->
                recorded.circuits().on(of.device()).stream().anyMatch(circuit -> circuit.isAt(of.port()));
        };
    }

    /** Whether a member sits in one of these pods, by its position or by this name. */
    private static boolean sits(OcsIntent intent, Allocation recorded, Predicate<OcsPod> pods, String name) {
        return intent.pods().stream()
                .filter(pods)
                .anyMatch(pod -> recorded.members().stream()
                        .anyMatch(member -> member.position() == pod.index()
                                || member.node().equals(name)));
    }
}
