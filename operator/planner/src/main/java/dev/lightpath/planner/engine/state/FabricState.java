package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.decision.DegradingPort;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.degrading.Degrading;
import dev.lightpath.planner.engine.degrading.OcsDegrading;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/** One fabric in one world, with its faults judged. */
public sealed interface FabricState permits RingState, OcsState {
    World world();

    FabricIntent intent();

    FaultTracker tracker();

    /** What the pass before left, and what this one leaves. */
    PassMemory memory();

    /** The faults as the next pass is to find them, with these changes under way. */
    default FaultTracker tracker(List<Due> due) {
        return tracker();
    }

    /** When a person last cleared what failed, by name of the node or switch. */
    default SortedMap<String, Instant> clearances() {
        return intent().clearances();
    }

    /** Names the records of the fabric. */
    default String ledgerDigest() {
        Lineage.Digest digest = Lineage.Digest.of(world(), intent().name(), memory().before(Lineage.Digest.SLOT));
        memory().keep(Lineage.Digest.SLOT, digest);
        return digest.toString();
    }

    /** Whether every driver answers: if not, nothing can be told of a part of the light. */
    default boolean synced() {
        return intent().drivers().stream()
                .allMatch(driver -> world().driver(driver).synced());
    }

    /**
     * What a person has to know of devices that know more than the records; empty when nothing stands against changes.
     */
    default Optional<FabricVerdict.Newer> newerDevices() {
        return NewerDevices.of(world(), intent());
    }

    /**
     * Which devices with recorded light another role holds, in words for people; empty when none is. Nothing is changed
     * then: the fabric was handed over, or is not given to this cluster yet.
     */
    default Optional<String> heldElsewhere() {
        return new DevicePresence(world(), intent()).told();
    }

    /** Too much of the fabric failed at once, in words for people; empty while moves may go on. */
    default Optional<String> massFailure() {
        return switch (this) {
            case RingState ring -> MassFailure.standing(ring);
            case OcsState switches -> MassFailure.standing(switches);
        };
    }

    /**
     * Ports whose light gets worse, and what becomes of them. O(findings), on switches O(wires) where there are any.
     */
    default List<DegradingPort> degrading() {
        return switch (this) {
            case RingState ring -> Degrading.of(ring.tracker(), intent(), Degrading.ofRing(ring.tracker()));
            case OcsState switches ->
                Degrading.of(
                        switches.tracker(),
                        intent(),
                        OcsDegrading.ports(world(), switches.intent(), switches.tracker()));
        };
    }

    /**
     * When to look at the fabric again though nothing is heard. O(faults and setbacks).
     *
     * @param ledger when what is recorded needs a look; it may be now
     */
    default Optional<Instant> wakeAt(Optional<Instant> ledger) {
        Instant now = world().now();
        FabricPolicy policy = intent().policy();
        Stream<Instant> times = Stream.of(
                        // what cannot be read now stands still, and its time may be over
                        tracker().wakeAt(FaultTracker.Policy.standard(policy.clear())).stream(),
                        world().setbacks().values().stream()
                                .flatMap(setback -> Stream.of(setback.notBefore(), setback.endsAt())),
                        // peers that were heard before can be believed then: they would be waited for on and on
                        tracker().unproved().values().stream(),
                        tracker().stage().endsAt(StageLinks.patience(policy)).stream(),
                        tracker().light().wakeAt().stream(),
                        Degrading.windowEnds(tracker(), policy),
                        // an annotation by a clock that runs ahead takes effect at the moment that it names
                        intent().resumedAt().stream(),
                        clearances().values().stream())
                .flatMap(each -> each)
                .filter(now::isBefore);
        return Stream.concat(ledger.stream(), times).min(Comparator.naturalOrder());
    }
}
