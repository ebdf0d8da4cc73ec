package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** When a fabric is to be looked at again though nothing is heard. */
public final class WakeTime {
    private WakeTime() {}

    /**
     * O(faults and setbacks).
     *
     * @param ledger when what is recorded needs a look; it may be now
     */
    static Optional<Instant> soonest(World world, FaultTracker tracker, FabricPolicy policy, Optional<Instant> ledger) {
        Instant now = world.now();
        return Stream.of(
                        // what cannot be read now stands still, and its time may be over
                        tracker.wakeAt(FaultTracker.Policy.standard(policy.clear())).filter(now::isBefore).stream(),
                        ledger.stream(),
                        world.setbacks().values().stream()
                                .flatMap(setback -> Stream.of(setback.notBefore(), setback.endsAt()))
                                .filter(now::isBefore),
                        LinkUpGrace.believable(tracker, now),
                        tracker.stage().endsAt(StageLinks.patience(policy)).filter(now::isBefore).stream(),
                        tracker.light().wakeAt().filter(now::isBefore).stream(),
                        Degrading.windowEnds(tracker, policy).filter(now::isBefore))
                .flatMap(times -> times)
                .min(Instant::compareTo);
    }
}
