package dev.lightpath.planner.engine;

import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Instant;
import java.util.Optional;

/** The two-key rule: what moves a running pod needs more than a health key (spec: faults, 2). */
final class RepairKeys {
    private RepairKeys() {}

    /**
     * What a repair waits for.
     *
     * @param until when it waits no longer, where that is a matter of time
     */
    record Wait(String reason, Optional<Instant> until) {}

    /**
     * Empty when the repair may go ahead.
     *
     * @param since when the first of the faults of this slice began; long ago where no fault says so: a grace that begins anew in
     *     every pass would never end
     */
    static Optional<Wait> wait(SliceIntent intent, Halt halt, Instant since, Instant now) {
        if (!halt.repairs()) {
            return Optional.of(new Wait(halt.message(), Optional.empty()));
        }
        boolean letsGo = intent.workload().letsLightMove();
        return switch (intent.replacement()) {
            case Replacement.Immediately immediately -> Optional.empty();
            case Replacement.WithWorkload with ->
                letsGo
                        ? Optional.empty()
                        : Optional.of(new Wait(
                                "waits for the pods of the job to stop (recovery.replace: WithWorkload)",
                                Optional.empty()));
            case Replacement.After after -> {
                Instant due = since.plus(after.delay());
                yield letsGo || !now.isBefore(due)
                        ? Optional.empty()
                        : Optional.of(
                                new Wait("waits until " + due + " (recovery.replace: AfterSeconds)", Optional.of(due)));
            }
            case Replacement.Never never ->
                Optional.of(new Wait("is not to be repaired (recovery.replace: Never)", Optional.empty()));
        };
    }
}
