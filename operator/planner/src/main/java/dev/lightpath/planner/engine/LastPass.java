package dev.lightpath.planner.engine;

import dev.lightpath.planner.discovery.FabricDiscovery;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the pass before was given and what it concluded. A pass is a pure function of its world, so one that is given
 * the same concludes the same. The moment of a pass is given to it too; but before the next time on its agenda, and
 * before a tracker forgets anything, it makes no difference.
 *
 * <p>Only a pass that left everything as it found it is kept: the pass after it begins with just what this one began
 * with.
 */
final class LastPass {
    private static final Slot<LastPass> SLOT = new Slot<>("last pass");

    /** Without what is remembered, or every pass would hold all those before it. */
    private final World given;

    private final Deliberation concluded;
    private final Optional<Instant> until;

    private LastPass(World given, Deliberation concluded, Optional<Instant> until) {
        this.given = given;
        this.concluded = concluded;
        this.until = until;
    }

    /** What a pass over this world concludes, if the pass before tells. Linear in slices, or constant. */
    static Optional<Deliberation> again(World world) {
        return world.cacheOf(World.ALL_FABRICS)
                .get(SLOT)
                .filter(last -> last.isOf(world))
                .map(last -> last.concluded.remembering(world.remembered()));
    }

    private boolean isOf(World world) {
        return !world.now().isBefore(given.now())
                && until.filter(end -> !world.now().isBefore(end)).isEmpty()
                && world.isAt(given);
    }

    /** The same conclusions, which remember this pass if the next may be told by it. O(fabrics and faults). */
    static Deliberation kept(World world, Deliberation concluded) {
        SortedMap<String, PlannerCache> remembered = new TreeMap<>(concluded.remembered());
        remembered.remove(World.ALL_FABRICS);
        boolean leftAlike = FixedMap.sameObjects(world.faults(), concluded.faults())
                && remembered.values().stream().noneMatch(PlannerCache::workedOutAny)
                && concluded.ocsFabrics().entrySet().stream()
                        .allMatch(each -> each.getValue()
                                .discovery()
                                .equals(world.discoveries().getOrDefault(each.getKey(), FabricDiscovery.NONE)));
        if (!leftAlike) {
            return concluded.remembering(remembered);
        }
        PassMemory memory = new PassMemory(PlannerCache.nothing());
        memory.keep(
                SLOT,
                new LastPass(
                        world.with(world.faults(), world.answers(), new TreeMap<>()),
                        concluded.remembering(new TreeMap<>()),
                        until(world, concluded)));
        remembered.put(World.ALL_FABRICS, memory.after());
        return concluded.remembering(remembered);
    }

    private static Optional<Instant> until(World world, Deliberation concluded) {
        Stream<Instant> trackers = world.fabrics().stream().flatMap(fabric -> steady(fabric, concluded).stream());
        return Stream.concat(concluded.agenda().wakeAt().stream(), trackers).min(Instant::compareTo);
    }

    private static Optional<Instant> steady(FabricIntent fabric, Deliberation concluded) {
        return Optional.ofNullable(concluded.faults().get(fabric.name()))
                .flatMap(tracker -> tracker.steadyUntil(
                        FaultTracker.Policy.standard(fabric.policy().clear())));
    }
}
