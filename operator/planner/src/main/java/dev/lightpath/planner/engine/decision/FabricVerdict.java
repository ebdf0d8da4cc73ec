package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.health.Finding;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How a fabric stands after a pass.
 *
 * @param nodes counts
 * @param gpus counts
 * @param circuits counts
 * @param darkness against the disruption budget, before anything of this pass is begun
 * @param faults what counts as faulty now, newest first
 * @param circuits that no record and no plan explains, as device/circuit
 * @param invalidWiring names nodes or positions, empty when the wiring is sound
 * @param massFailure how much failed at once, where, and how to go on; empty while automatic moves go on
 * @param awaitingAdoption light was found at first contact that no record explains
 * @param newerDevices which devices know more than the records, and how to go on; empty unless a person has to decide
 *     on it
 * @param heldElsewhere which devices with recorded light another role holds, and how to get them; empty when none is
 * @param ledgerDigest names the fabric's records; empty when it is not known
 * @param quarantinedPorts device/port of slices released by force, not read back dark: out of use but for slices that
 *     have them by now
 * @param unreadable names a record that this version cannot read; nothing is written while there is one
 * @param refused names a slice whose record the API server refuses; what shares nothing with it is served
 * @param foreignStays why foreign light stays against the policy, and what removes it
 * @param optical how the light of its ports fares
 */
public record FabricVerdict(
        Nodes nodes,
        Gpus gpus,
        Circuits circuits,
        Darkness darkness,
        List<Fault> faults,
        List<String> foreign,
        Optional<String> invalidWiring,
        Optional<String> massFailure,
        boolean awaitingAdoption,
        Optional<Newer> newerDevices,
        Optional<String> heldElsewhere,
        String ledgerDigest,
        SortedSet<String> quarantinedPorts,
        Optional<String> unreadable,
        Optional<String> refused,
        Optional<String> foreignStays,
        Optical optical) {
    public FabricVerdict {
        quarantinedPorts = Collections.unmodifiableSortedSet(new TreeSet<>(quarantinedPorts));
        faults = List.copyOf(faults);
        foreign = List.copyOf(foreign);
    }

    /**
     * What a kind of fabric counts.
     *
     * @param invalidWiring names nodes or positions, empty when the wiring is sound
     */
    public record Figures(Nodes nodes, Gpus gpus, Circuits circuits, Optional<String> invalidWiring) {}

    /**
     * How light fares that is not lost.
     *
     * @param watched ports that are measured
     * @param degrading of these, those that get worse, by the place where that is measured
     * @param takenOut ports out of use for that
     * @param worstRiseDb the highest loss above what it was at first, in dB
     */
    public record Optical(int watched, List<DegradingPort> degrading, int takenOut, double worstRiseDb) {
        public static final Optical NONE = new Optical(0, List.of(), 0, 0);

        public Optical {
            degrading = List.copyOf(degrading);
        }

        /** Of a fabric with this tracker. O(faults). */
        public static Optical of(FaultTracker tracker, List<DegradingPort> degrading) {
            return new Optical(
                    tracker.light().watched(),
                    degrading,
                    (int) tracker.faults().stream()
                            .filter(fault -> fault.reason().equals(Finding.REASON))
                            .count(),
                    Math.round(tracker.light().worstRiseDb() * 10) / 10.0);
        }
    }

    /**
     * Devices that know more than the records.
     *
     * @param revision that they remember; 0 where it is an epoch that tells
     * @param stops whether nothing of the fabric is changed until a person decides; else one node is left alone
     */
    public record Newer(String why, long revision, boolean stops) {}

    public record Nodes(int total, int healthy, int faulty, int busy, int allocated) {}

    /** @param usable GPUs of healthy nodes that plans may use, allocated ones included */
    public record Gpus(int total, int usable, int allocated) {}

    /**
     * @param planned circuits wanted, loopbacks included
     * @param lit of the planned ones, on devices that answer
     * @param foreign active paths that no record and no plan explains
     * @param missing of the planned ones, on devices that answer and may be changed
     */
    public record Circuits(int planned, int lit, int foreign, int missing) {}

    /**
     * @param circuits in use that changes took down and that are not lit again; none that a fault made dark
     * @param most that may be
     */
    public record Darkness(int circuits, int most) {}
}
