package dev.lightpath.app.job.plan;

import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.kueue.CheckAnswer;
import dev.lightpath.app.kueue.QueuedWorkload;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What to answer Kueue about a job whose workload holds quota and waits for our AdmissionCheck. A pure function, in the
 * words of the job's status.
 *
 * @param workload as it was read
 */
public record QueueAnswer(QueuedWorkload workload, CheckAnswer answer) {
    /**
     * So long a job that has no place keeps its quota: the job that it preempted may not have said yet that it gives
     * its place back.
     */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Longest that a job keeps its quota for a place that another job is giving back. */
    static final Duration LONG_PATIENCE = Duration.ofMinutes(2);

    /**
     * Empty where nothing is asked, or all is answered.
     *
     * @param told the status of the job by the same facts
     * @param givenBack whether a job on one of its fabrics is giving its place back; asked where it has none
     * @param costly whether a further try may take quota from others again; asked where it has no place
     */
    public static Optional<QueueAnswer> of(
            JobFacts facts, TrainingJobStatus told, BooleanSupplier givenBack, Predicate<QueuedWorkload> costly) {
        return facts.workload()
                .running()
                .filter(run -> !run.deleting())
                .flatMap(WorkloadFacts.Run::queued)
                .filter(QueuedWorkload::asks)
                .map(workload -> new QueueAnswer(workload, answer(facts, workload, told, givenBack, costly)));
    }

    private static CheckAnswer answer(
            JobFacts facts,
            QueuedWorkload workload,
            TrainingJobStatus told,
            BooleanSupplier givenBack,
            Predicate<QueuedWorkload> costly) {
        if (facts.workload().running().filter(WorkloadFacts.Run::elsewhere).isPresent()) {
            return CheckAnswer.ready("MultiKueue runs its pods in another cluster: light is asked for there");
        }
        if (workload.unfit().isPresent()) {
            return CheckAnswer.retry(workload.unfit().get());
        }
        Condition accepted = condition(told, ConditionType.ACCEPTED);
        Condition placed = condition(told, ConditionType.PLACED);
        Condition lit = condition(told, ConditionType.FABRIC_READY);
        if (is("False", accepted)) {
            return CheckAnswer.retry(accepted.getReason() + ": " + accepted.getMessage());
        }
        if (is("False", placed) && facts.current().stream().anyMatch(SliceFacts::neverFits)) {
            return CheckAnswer.retryMuchLater(placed.getReason() + ": " + placed.getMessage());
        }
        if (is("False", placed)) {
            Instant since = workload.reservedAt().orElse(Instant.EPOCH);
            String words = placed.getReason() + ": " + placed.getMessage();
            if (facts.now().isBefore(since.plus(PATIENCE))
                    || facts.now().isBefore(since.plus(LONG_PATIENCE)) && givenBack.getAsBoolean()) {
                return CheckAnswer.pending(words);
            }
            return costly.test(workload) ? CheckAnswer.retryMuchLater(words) : CheckAnswer.retry(words);
        }
        if (is("True", placed) && is("True", lit)) {
            return CheckAnswer.ready(placed.getMessage() + "; " + lit.getMessage());
        }
        return CheckAnswer.pending(is("True", placed) ? lit.getMessage() : placed.getMessage());
    }

    /** Whether a job has no place any more, and a record of one still: its pods end, or its light goes down. */
    public static boolean givesBack(@Nullable TrainingJobStatus told) {
        return told != null
                && told.slices().stream().anyMatch(slice -> slice.revision() != null)
                && told.conditions().stream()
                        .anyMatch(condition ->
                                ConditionType.PLACED.word().equals(condition.getType()) && is("False", condition));
    }

    /** When to look again though nothing was heard; empty where a watch tells. */
    public Optional<Duration> again(Instant now) {
        return workload.reservedAt()
                .map(since -> Duration.between(now, since.plus(PATIENCE)))
                .filter(Duration::isPositive);
    }

    private static boolean is(String status, Condition condition) {
        return status.equals(condition.getStatus());
    }

    private static Condition condition(TrainingJobStatus told, ConditionType type) {
        return told.conditions().stream()
                .filter(condition -> type.word().equals(condition.getType()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the status has no condition " + type.word()));
    }
}
