package dev.lightpath.planner.engine.pacing;

import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What repairs on one fabric wait for, and when the first of them need wait no longer. A health key alone, a fault that
 * counts, moves light that no running pod uses. What moves a running pod needs a second key: the pods stop, or the
 * hold-off of its user has passed. Serves one pass.
 */
public final class RepairGate {
    private final ChangeFreeze freeze;
    private final Instant now;
    private Optional<Instant> opensAt = Optional.empty();

    public RepairGate(ChangeFreeze freeze, Instant now) {
        this.freeze = freeze;
        this.now = now;
    }

    /**
     * What a repair of a slice waits for, for people; empty when it may go ahead.
     *
     * @param hurtSince when the first of the faults of this slice began, asked only where a hold-off counts; {@link
     *     Instant#EPOCH} where no fault says so, because a hold-off that begins anew in every pass would never end
     */
    public Optional<String> wait(SliceIntent intent, Supplier<Instant> hurtSince) {
        if (!freeze.repairs()) {
            return Optional.of(freeze.message());
        }
        boolean letsGo = intent.workload().letsLightMove();
        return switch (intent.replacement()) {
            case Replacement.Immediately immediately -> Optional.empty();
            case Replacement.WithWorkload with ->
                letsGo
                        ? Optional.empty()
                        : Optional.of("waits for the pods of the job to stop (recovery.replace: WithWorkload)");
            case Replacement.After after ->
                letsGo ? Optional.empty() : until(hurtSince.get().plus(after.delay()));
            case Replacement.Never never -> Optional.of("is not to be repaired (recovery.replace: Never)");
        };
    }

    private Optional<String> until(Instant due) {
        if (!now.isBefore(due)) {
            return Optional.empty();
        }
        opensAt = Optional.of(opensAt.filter(due::isAfter).orElse(due));
        return Optional.of("waits until " + due + " (recovery.replace: AfterSeconds)");
    }

    /** When the first hold-off of those asked about ends. */
    public Optional<Instant> opensAt() {
        return opensAt;
    }
}
