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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

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

    private final Map<StageId, Run> runs = new TreeMap<>();
    private OptionalLong recordedHeardNanos = OptionalLong.empty();

    /** Whether one is recorded or carried out. */
    boolean underWay() {
        return recordedHeardNanos.isPresent() || !runs.isEmpty();
    }

    /** @param heardNanos when the first news of this pass came in, by {@link System#nanoTime} */
    void decided(World world, Decision decision, long heardNanos) {
        switch (decision) {
            case Decision.Rest rest -> {
                if (world.inFlight().isEmpty() && world.recording().isEmpty()) {
                    // it is not needed any more, or waits: what comes next is another one
                    recordedHeardNanos = OptionalLong.empty();
                }
            }
            case Decision.Observe observe -> {}
            case Decision.Adopt adopt -> {
                if (recordedHeardNanos.isEmpty()
                        && adopt.entries().stream()
                                .anyMatch(entry -> repairs(world, entry.slice(), entry.allocation()))) {
                    recordedHeardNanos = OptionalLong.of(heardNanos);
                }
            }
            case Decision.Apply apply -> {
                if (apply.stage().cause() == Stage.Cause.REPAIR) {
                    runs.put(apply.stage().id(), new Run(recordedHeardNanos.orElse(heardNanos), Duration.ZERO, true));
                    if (world.recording().entrySet().stream()
                            .noneMatch(each -> repairs(world, each.getKey(), each.getValue()))) {
                        recordedHeardNanos = OptionalLong.empty();
                    }
                }
            }
        }
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
