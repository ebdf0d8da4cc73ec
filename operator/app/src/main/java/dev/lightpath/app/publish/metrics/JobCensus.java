package dev.lightpath.app.publish.metrics;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.reading.LightReturned;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts TrainingJobs by state, and times each from its creation to its first Ready. Told from the jobs themselves. A
 * job that had a place when it was first looked at is timed only if it was created since the counting began: else it
 * may have been Ready before. Serves one thread.
 */
public final class JobCensus {
    /** What a job can be counted as; every one is shown, so that a state without jobs is a 0. */
    static final List<String> STATES = List.of(
            "complete", "degraded", "failed", "pending", "programming", "ready", "refused", "releasing", "suspended");

    /**
     * What is remembered of a job.
     *
     * @param timedFrom when it was created, empty once it was Ready or when that is not known
     * @param planned the attempt whose prediction was told, 0 for none
     * @param preempted the last attempt whose place another job took, 0 for none
     */
    private record Known(Optional<Instant> timedFrom, int planned, int preempted) {}

    /** A version of a job, and all that follows from it and from those before it. */
    private record Counted(TrainingJob job, String state, Known known) {
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(TrainingJob now) {
            return job == now;
        }
    }

    private final FabricMetrics metrics;
    /** By uid. */
    private Map<String, Counted> counted = new HashMap<>();
    /** Since when jobs are counted without a gap; what happened to them before is not known. */
    private Optional<Instant> began = Optional.empty();

    public JobCensus(FabricMetrics metrics) {
        this.metrics = metrics;
    }

    /** Another process may have led since the last count. */
    public void anew() {
        began = Optional.empty();
    }

    /** Looks at all jobs there are. Linear; a job that did not change since is not looked at again. */
    public void take(Collection<TrainingJob> jobs, Instant now) {
        Instant since = began.orElse(Instant.MAX);
        began = began.or(() -> Optional.of(now));
        SortedMap<String, Integer> states = new TreeMap<>();
        STATES.forEach(state -> states.put(state, 0));
        Map<String, Counted> next = new HashMap<>();
        for (TrainingJob job : jobs) {
            String uid = job.getMetadata().getUid();
            @Nullable Counted before = counted.get(uid);
            Counted each = before != null && before.isOf(job)
                    ? before
                    : new Counted(
                            job,
                            state(job),
                            looked(job, before == null ? first(job, since, now) : before.known(), now));
            states.merge(each.state(), 1, Integer::sum);
            next.put(uid, each);
        }
        counted = next;
        metrics.jobs(states);
        metrics.each(jobs);
    }

    private static Known first(TrainingJob job, Instant since, Instant now) {
        if (holds(job, ConditionType.PLACED)) {
            Optional<Instant> created = created(job).filter(time -> !time.isBefore(since));
            return new Known(created, created.isPresent() ? 0 : attempt(job), preempted(job));
        }
        Instant created = created(job).orElse(now);
        // the API server tells whole seconds; the watch tells the moment
        boolean fresh = !now.isBefore(created) && now.isBefore(created.plusSeconds(1));
        return new Known(Optional.of(fresh ? now : created), 0, preempted(job));
    }

    private Known looked(TrainingJob job, Known before, Instant now) {
        Optional<Instant> timedFrom = before.timedFrom();
        if (timedFrom.isPresent() && holds(job, ConditionType.READY)) {
            Duration elapsed = Duration.between(timedFrom.get(), now);
            metrics.applyToReady(elapsed.isNegative() ? Duration.ZERO : elapsed);
            timedFrom = Optional.empty();
        }
        int planned = before.planned();
        Optional<Prediction> prediction = prediction(job);
        if (prediction.isPresent() && planned != attempt(job)) {
            planned = attempt(job);
            tell(prediction.get());
        }
        int preempted = Math.max(before.preempted(), preempted(job));
        if (preempted > before.preempted()) {
            metrics.preempted();
        }
        return new Known(timedFrom, planned, preempted);
    }

    private void tell(Prediction prediction) {
        String time = prediction.normalizedCommunicationTime();
        Integer ports = prediction.ports();
        Integer budget = prediction.portBudget();
        if (time != null && time.matches("[0-9]+(\\.[0-9]+)?") && ports != null && budget != null) {
            metrics.planned(Double.parseDouble(time), budget - ports);
        }
    }

    /** One of {@link #STATES}. */
    public static String state(TrainingJob job) {
        Optional<Condition> ending = LightReturned.ending(job.getStatus());
        if (ending.isPresent()) {
            return ConditionType.COMPLETE.word().equals(ending.get().getType()) ? "complete" : "failed";
        }
        if (job.getMetadata().getDeletionTimestamp() != null) {
            return "releasing";
        }
        if (holds(job, ConditionType.READY)) {
            return "ready";
        }
        Optional<Condition> accepted = condition(job, ConditionType.ACCEPTED);
        if (accepted.filter(told -> Reason.SUSPENDED.word().equals(told.getReason()))
                .isPresent()) {
            return "suspended";
        }
        if (hasLostLight(job, ConditionType.READY) || hasLostLight(job, ConditionType.FABRIC_READY)) {
            return "degraded";
        }
        if (accepted.filter(told -> "False".equals(told.getStatus())).isPresent()) {
            return "refused";
        }
        return holds(job, ConditionType.PLACED) ? "programming" : "pending";
    }

    private static boolean hasLostLight(TrainingJob job, ConditionType says) {
        return condition(job, says)
                .filter(told -> Reason.DEGRADED.word().equals(told.getReason())
                        || Reason.FAULT_PENDING.word().equals(told.getReason()))
                .isPresent();
    }

    private static boolean holds(TrainingJob job, ConditionType type) {
        TrainingJobStatus status = job.getStatus();
        return status != null && Conditions.isTrue(status.conditions(), type);
    }

    private static Optional<Condition> condition(TrainingJob job, ConditionType type) {
        TrainingJobStatus status = job.getStatus();
        return status == null
                ? Optional.empty()
                : status.conditions().stream()
                        .filter(condition -> type.word().equals(condition.getType()))
                        .findFirst();
    }

    private static Optional<Prediction> prediction(TrainingJob job) {
        return Optional.ofNullable(job.getStatus()).map(TrainingJobStatus::prediction);
    }

    private static int attempt(TrainingJob job) {
        TrainingJobStatus status = job.getStatus();
        Integer attempt = status == null ? null : status.attempt();
        return attempt == null ? 0 : attempt;
    }

    private static int preempted(TrainingJob job) {
        TrainingJobStatus status = job.getStatus();
        return status == null || status.preempted() == null
                ? 0
                : status.preempted().attempt();
    }

    private static Optional<Instant> created(TrainingJob job) {
        String created = job.getMetadata().getCreationTimestamp();
        return created == null ? Optional.empty() : Optional.of(Instant.parse(created));
    }
}
