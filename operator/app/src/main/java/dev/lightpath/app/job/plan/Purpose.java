package dev.lightpath.app.job.plan;

import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.crds.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** What a job is to be given now. */
public sealed interface Purpose {
    /** Light and pods; unless it cannot be served as it is written. */
    record Serve(Optional<Acceptance> refusal) implements Purpose {
        /** Whether its pods wait for quota. */
        boolean queues() {
            return refusal.filter(why -> why.reason() == Reason.WAITING_FOR_QUOTA)
                    .isPresent();
        }
    }

    /**
     * Nothing: what it has goes back. A workload that was suspended after it had light, as Kueue does to preempt it, is
     * given light again once it may run, one that was deleted once there is another of its name, and one that is
     * another job's once that is gone.
     *
     * @param endsWorkload whether pods are to end too, or have ended
     */
    record Release(Reason reason, String message, boolean endsWorkload) implements Purpose {}

    static Purpose of(JobFacts facts) {
        if (facts.deleted()) {
            return new Release(Reason.RELEASING, "the job is being deleted", true);
        }
        Optional<WorkloadFacts.Ending> ending = ending(facts);
        if (ending.isPresent()) {
            Reason reason = reason(ending.get());
            return new Release(reason, ending.get().message(), reason == Reason.DEADLINE_EXCEEDED);
        }
        if (Deadline.left(facts.job(), facts.now()).filter(Duration::isZero).isPresent()) {
            return new Release(
                    Reason.DEADLINE_EXCEEDED,
                    "the job was placed for spec.activeDeadlineSeconds, "
                            + facts.job().getSpec().activeDeadlineSeconds() + " s",
                    true);
        }
        if (facts.job().getSpec().suspend()) {
            return new Release(Reason.SUSPENDED, "spec.suspend is true: set it to false to go on", true);
        }
        return Preemption.underWay(facts)
                .<Purpose>map(by -> new Release(Reason.PREEMPTED, Preemption.words(by), true))
                .or(() -> Acceptance.takenMeanwhile(facts).map(why -> new Release(Reason.WORKLOAD_TAKEN, why, false)))
                .or(() ->
                        Acceptance.suspendedAgain(facts).map(why -> new Release(Reason.WAITING_FOR_QUOTA, why, false)))
                .or(() ->
                        Acceptance.deletedMeanwhile(facts).map(why -> new Release(Reason.WORKLOAD_DELETED, why, false)))
                .orElseGet(() -> new Serve(Acceptance.refusal(facts)));
    }

    private static Reason reason(WorkloadFacts.Ending ending) {
        if (ending.succeeded()) {
            return Reason.JOB_COMPLETED;
        }
        return Stream.of(Reason.MAX_RESTARTS, Reason.DEADLINE_EXCEEDED)
                .filter(reason -> reason.word().equals(ending.reason()))
                .findFirst()
                .orElse(Reason.JOB_FAILED);
    }

    /** How the workload ended; what was once told stays true when the workload is gone. */
    private static Optional<WorkloadFacts.Ending> ending(JobFacts facts) {
        return WorkloadFacts.Ending.told(facts.job().getStatus())
                .or(() -> facts.workload().running().flatMap(WorkloadFacts.Run::ending));
    }
}
