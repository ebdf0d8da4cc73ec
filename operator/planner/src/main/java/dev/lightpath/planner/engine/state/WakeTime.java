package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.light.DeviceBackoff;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** When a fabric is to be looked at again though nothing is heard. */
public final class WakeTime {
    private WakeTime() {}

    /** The first moment to come that a person wrote: who clears or resumes by a clock that is ahead is heard when it is that late. O(nodes). */
    public static Optional<Instant> announced(World world) {
        List<Instant> moments = new ArrayList<>();
        for (RingIntent ring : world.rings().values()) {
            ring.resumedAt().ifPresent(moments::add);
            for (RingNode node : ring.nodes().values()) {
                node.clearedAt().ifPresent(moments::add);
            }
        }
        for (OcsIntent spine : world.spines().values()) {
            spine.resumedAt().ifPresent(moments::add);
            moments.addAll(spine.clearances().values());
        }
        return moments.stream().filter(world.now()::isBefore).min(Instant::compareTo);
    }

    /**
     * O(faults and setbacks).
     *
     * @param ledger when what is recorded needs a look; it may be now
     */
    public static Optional<Instant> soonest(
            World world, FaultBook book, FabricPolicy policy, Optional<Instant> ledger) {
        Instant now = world.now();
        return Stream.of(
                        // what cannot be read now stands still, and its time may be over
                        book.wakeAt(FaultBook.Policy.standard(policy.clear())).filter(now::isBefore).stream(),
                        ledger.stream(),
                        world.setbacks().values().stream()
                                .map(DeviceBackoff::notBefore)
                                .filter(now::isBefore),
                        LinkUpGrace.believable(book, now))
                .flatMap(times -> times)
                .min(Instant::compareTo);
    }
}
