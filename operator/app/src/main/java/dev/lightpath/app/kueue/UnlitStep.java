package dev.lightpath.app.kueue;

import java.time.Duration;
import java.time.Instant;

/** What to do about a Workload beside what a TrainingJob answers. */
sealed interface UnlitStep {
    /** So long a TrainingJob that names the workload, or its word, may come later than the workload. */
    Duration JOB_AWAITED = Duration.ofSeconds(2);

    /** A TrainingJob that answers it, and is perhaps about to go, is looked for again. */
    Duration JOB_MAY_GO = Duration.ofSeconds(30);

    /** Nothing before a watch shows a change. */
    record Leave() implements UnlitStep {}

    /** No later than that. */
    record LookAgain(Duration in) implements UnlitStep {}

    record Answer(CheckAnswer answer) implements UnlitStep {}

    /**
     * It had no place, and is let back into its queue when it is time.
     *
     * @param refused whether it stays out of its queue beyond that time
     */
    record Tend(NoPlace noPlace, boolean refused) implements UnlitStep {}

    /** Somebody else let it back into its queue: whoever takes it out later means that. */
    record Forget() implements UnlitStep {}

    /** A pure function. */
    static UnlitStep of(QueuedWorkload workload, Standing standing, Instant now) {
        if (workload.active() && workload.noPlace().isPresent()) {
            return new Forget();
        }
        return switch (standing) {
            case Standing.Answered job ->
                workload.asks() || workload.parked().isPresent() ? new LookAgain(JOB_MAY_GO) : new Leave();
            case Standing.Nobody none -> {
                if (workload.gated()) {
                    yield unanswered(workload, now, CheckAnswer.retry(workload.unlit()));
                }
                yield workload.parked().isPresent() || !workload.asks()
                        ? unanswered(workload, now, lightless(": no TrainingJob names it"))
                        : new Answer(lightless(": no TrainingJob names it"));
            }
            case Standing.ByLabel job ->
                job.refusal().isEmpty()
                                && (workload.gated() && job.gated() || !job.told())
                                && workload.parked().isEmpty()
                        ? workload.asks() ? new LookAgain(JOB_AWAITED) : new Leave()
                        : unanswered(
                                workload,
                                now,
                                job.refusal().map(CheckAnswer::retry).orElseGet(() -> lightless("")));
        };
    }

    /** Tended, or answered once it was waited for; at once where that was in vain before. */
    private static UnlitStep unanswered(QueuedWorkload workload, Instant now, CheckAnswer answer) {
        if (workload.parked().isPresent()) {
            return new Tend(workload.parked().get(), answer.state() == CheckState.RETRY);
        }
        if (!workload.asks()) {
            return new Leave();
        }
        boolean again = workload.checks().stream().anyMatch(check -> check.retries() > 0);
        Duration left = Duration.between(
                now, workload.reservedAt().orElse(Instant.EPOCH).plus(JOB_AWAITED));
        return again || left.isNegative() ? new Answer(answer) : new LookAgain(left.plusMillis(1));
    }

    private static CheckAnswer lightless(String why) {
        return CheckAnswer.ready("its pods wait for no light" + why);
    }
}
