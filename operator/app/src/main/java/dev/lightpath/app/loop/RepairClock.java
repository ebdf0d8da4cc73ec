package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Times repairs: from the event that showed the fault to the last acknowledgement of the stage that makes the new
 * circuits, without the time that the hardware itself took to switch (spec: faults, 3). Serves the loop's thread only.
 */
final class RepairClock {
    private record Run(long heardNanos, Duration switching, boolean applied) {
        Run with(ChangeOutcome outcome) {
            return switch (outcome) {
                case ChangeOutcome.Applied done ->
                    new Run(
                            heardNanos,
                            done.switching().compareTo(switching) > 0 ? done.switching() : switching,
                            applied);
                case ChangeOutcome.Rejected rejected -> new Run(heardNanos, switching, false);
                case ChangeOutcome.Indeterminate unknown -> new Run(heardNanos, switching, false);
            };
        }
    }

    private static final Duration LATELY = Duration.ofSeconds(5);

    private final Map<StageId, Run> runs = new TreeMap<>();
    /** When the first news came in of which a repair follows that is recorded and not carried out. */
    private final Map<SliceId, Long> recorded = new HashMap<>();

    /** Whether one is recorded or carried out. */
    boolean underWay() {
        return !recorded.isEmpty() || !runs.isEmpty();
    }

    /**
     * Whether one that is recorded or carried out may be over soon. Those of many nodes that fail together take seconds;
     * a switch that is slow or does not answer may take minutes.
     */
    boolean begunLately(long nowNanos) {
        return Stream.concat(recorded.values().stream(), runs.values().stream().map(Run::heardNanos))
                .anyMatch(heard -> nowNanos - heard < LATELY.toNanos());
    }

    /** @param heardNanos when the first news of this pass came in, by {@link System#nanoTime} */
    void decided(World world, Decision decision, long heardNanos) {
        // what the API server refused and is tried later keeps nothing waiting
        recorded.keySet().removeIf(world::waits);
        switch (decision) {
            case Decision.Rest rest -> {
                if (world.inFlight().isEmpty() && world.recording().isEmpty()) {
                    // it is not needed any more, or waits: what comes next is another one
                    recorded.clear();
                }
            }
            case Decision.Observe observe -> {}
            case Decision.Adopt adopt ->
                adopt.entries().stream()
                        .filter(entry -> repairs(world, entry.slice(), entry.allocation()))
                        .forEach(entry -> recorded.putIfAbsent(entry.slice(), heardNanos));
            case Decision.Apply apply -> {
                if (apply.stage().cause() == Stage.Cause.REPAIR) {
                    long first = apply.slices().stream()
                            .flatMap(slice -> Optional.ofNullable(recorded.remove(slice)).stream())
                            .min(Long::compare)
                            .orElse(heardNanos);
                    runs.put(apply.stage().id(), new Run(first, Duration.ZERO, true));
                }
            }
        }
    }

    /** Forgets stages whose answers are not waited for any more. */
    void keep(Predicate<StageId> flies) {
        runs.keySet().removeIf(flies.negate());
    }

    private static boolean repairs(World world, SliceId slice, Allocation next) {
        long before = world.allocation(slice).map(Allocation::revision).orElse(0L);
        return before > 0
                && next.revision() > before
                && !next.groups().isEmpty()
                && next.origin().map(Origin::repairs).orElse(true);
    }

    /**
     * A device of a stage answered.
     *
     * @param last whether it was the last of its stage
     * @return the time of the repair, once all of its devices did as asked
     */
    Optional<Duration> answered(StageId stage, ChangeOutcome outcome, boolean last, long nowNanos) {
        Run run = runs.computeIfPresent(stage, (id, before) -> before.with(outcome));
        if (run == null || !last) {
            return Optional.empty();
        }
        runs.remove(stage);
        Duration elapsed = Duration.ofNanos(nowNanos - run.heardNanos()).minus(run.switching());
        return run.applied() ? Optional.of(elapsed.isNegative() ? Duration.ZERO : elapsed) : Optional.empty();
    }
}
