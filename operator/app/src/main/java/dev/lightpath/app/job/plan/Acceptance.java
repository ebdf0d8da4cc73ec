package dev.lightpath.app.job.plan;

import dev.lightpath.app.job.facts.FabricFacts;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.app.job.facts.Made;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.kueue.Kueue;
import dev.lightpath.app.kueue.QueuedWorkload;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.job.WorkloadReference;
import dev.lightpath.reading.acceptance.Misfit;
import dev.lightpath.reading.pod.WorkloadKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a job cannot be served as it is written.
 *
 * @param message what, where, what is allowed
 * @param passing whether it goes away without a change of the job: what is missing may come
 */
public record Acceptance(Reason reason, String message, boolean passing) {

    /** Empty when the job makes sense on its fabric. */
    public static Optional<Acceptance> refusal(JobFacts facts) {
        return size(facts)
                .or(() -> ofFabrics(facts))
                .or(() -> experts(facts))
                .or(() -> priority(facts))
                .or(() -> traffic(facts))
                .or(() -> workload(facts))
                .or(() -> queued(facts))
                .or(() -> elsewhere(facts))
                .or(() -> quota(facts));
    }

    /** A JobSet that is there was made of a template that was allowed then. */
    private static Optional<Acceptance> size(JobFacts facts) {
        return facts.workload().running().isPresent()
                ? Optional.empty()
                : Misfit.ofTemplate(facts.job()).map(Acceptance::lasting);
    }

    /** Why its fabrics do not serve it, whatever its traffic and its pods are. */
    public static Optional<Acceptance> ofFabrics(JobFacts facts) {
        TrainingJobSpec spec = facts.job().getSpec();
        ScaleOut scaleOut = spec.scaleOut();
        if (scaleOut != null && scaleOut.torus() != null && spec.scaleUp() != null) {
            return because(
                    Reason.NOT_SUPPORTED, "spec.scaleOut.torus: a torus has its own links inside a cube; omit scaleUp");
        }
        if (spec.scaleUp() != null) {
            Optional<Acceptance> ring = fabric(
                            facts.fabric(),
                            "spec.scaleUp.fabric",
                            spec.scaleUp().fabric())
                    .or(() -> Misfit.onRing(facts.fabric().orElseThrow().kind(), spec)
                            .map(Acceptance::lasting));
            if (ring.isPresent()) {
                return ring;
            }
        }
        if (scaleOut != null) {
            Optional<FabricFacts> named = spec.scaleUp() == null ? facts.fabric() : facts.scaleOut();
            Optional<Acceptance> switches = fabric(named, "spec.scaleOut.fabric", scaleOut.fabric())
                    .or(() -> Misfit.onSwitches(named.orElseThrow().kind(), spec, scaleOut)
                            .map(Acceptance::lasting));
            if (switches.isPresent()) {
                return switches;
            }
        }
        return scaleOut != null && scaleOut.traffic() != null && scaleOut.torus() != null
                ? because(
                        Reason.NOT_SUPPORTED,
                        "spec.scaleOut.traffic: a torus does not follow the traffic; omit one of them")
                : Optional.empty();
    }

    private static Optional<Acceptance> experts(JobFacts facts) {
        return isGranted(facts)
                ? Optional.empty()
                : Misfit.ofExperts(facts.job().getSpec()).map(Acceptance::lasting);
    }

    /** A job that has a place keeps it whatever becomes of the class. */
    private static Optional<Acceptance> priority(JobFacts facts) {
        @Nullable String named = facts.job().getSpec().priorityClassName();
        return named == null || facts.classPriority().isPresent() || isGranted(facts)
                ? Optional.empty()
                : Optional.of(of(Misfit.noPriorityClass(named), true));
    }

    /** What is recorded may be mended without a change of the job, and is read in turns. */
    private static Optional<Acceptance> traffic(JobFacts facts) {
        return facts.traffic()
                .problem()
                .map(problem -> new Acceptance(Reason.INVALID_TRAFFIC, problem, true))
                .or(() -> facts.traffic().awaited().map(what -> new Acceptance(Reason.READING_TRAFFIC, what, true)));
    }

    private static Optional<Acceptance> fabric(Optional<FabricFacts> found, String asked, String name) {
        return found.isEmpty()
                ? Optional.of(lasting(Misfit.noFabric(asked, name)))
                : found.get().forbidden().flatMap(why -> because(Reason.NAMESPACE_NOT_ALLOWED, why));
    }

    private static Optional<Acceptance> workload(JobFacts facts) {
        return switch (facts.workload()) {
            case WorkloadFacts.LightOnly none -> Optional.empty();
            case WorkloadFacts.Own own ->
                own.problem()
                        .flatMap(problem ->
                                because(Reason.INVALID_TEMPLATE, "spec.workload.template: " + problem.words()));
            case WorkloadFacts.Referenced referenced ->
                referenced.supported()
                        ? missing(facts, referenced)
                                .or(() -> referenced.taken().map(by -> new Acceptance(Reason.WORKLOAD_TAKEN, by, true)))
                                .or(() -> referenced
                                        .problem()
                                        .map(problem -> new Acceptance(Reason.INVALID_TEMPLATE, problem, true)))
                                .or(() -> ungated(facts, referenced))
                        : because(
                                Reason.NOT_SUPPORTED,
                                "spec.workload.ref: " + referenced.title()
                                        + " is not supported; name a JobSet, Job, TrainJob, LeaderWorkerSet,"
                                        + " PyTorchJob, MPIJob, RayCluster or pods (kind Pod)");
        };
    }

    private static Optional<Acceptance> queued(JobFacts facts) {
        return Misfit.inQueue(facts.job()).map(Acceptance::lasting);
    }

    /** Light is neither placed nor held for pods that nobody has asked for yet. */
    private static Optional<Acceptance> missing(JobFacts facts, WorkloadFacts.Referenced referenced) {
        return isGranted(facts) || referenced.run().isPresent()
                ? Optional.empty()
                : Optional.of(new Acceptance(
                        Reason.INVALID_TEMPLATE,
                        "spec.workload.ref: there is no " + referenced.title() + " in namespace "
                                + facts.job().getMetadata().getNamespace()
                                + "; nothing is placed before it is there: "
                                + (names(facts.job(), WorkloadKind.TRAIN_JOB)
                                        ? "create the TrainJob, with the scheduling gate lightpath.dev/circuits; if that is"
                                                + " there, its conditions say why it has no JobSet"
                                        : "create it, with the scheduling gate lightpath.dev/circuits, and the job goes"
                                                + " on"),
                        true));
    }

    /** Pods without the gate wait for no light, and run anywhere. */
    private static Optional<Acceptance> ungated(JobFacts facts, WorkloadFacts.Referenced referenced) {
        return isGranted(facts) || referenced.run().filter(run -> !run.gated()).isEmpty()
                ? Optional.empty()
                : Optional.of(new Acceptance(
                        Reason.GATE_MISSING,
                        PodStanding.gateMissing(referenced) + "; nothing is placed before: make it anew with the gate,"
                                + " which pods that run cannot get",
                        true));
    }

    /**
     * Why a job gives back what it was granted: its workload was deleted, and the last pod that used its light is gone.
     * Pods that are no object of a kind stay a workload while none of them is there: who makes them may end all of them
     * before it makes others.
     */
    static Optional<String> deletedMeanwhile(JobFacts facts) {
        return isGranted(facts)
                        && !namesPods(facts.job())
                        && facts.workload() instanceof WorkloadFacts.Referenced referenced
                        && referenced.supported()
                        && referenced.run().isEmpty()
                        && referenced.pods().stream().noneMatch(PodFacts::usesLight)
                ? Optional.of("spec.workload.ref: there is no " + referenced.title()
                        + " any more; its nodes and light go back, and the job starts anew once there is one")
                : Optional.empty();
    }

    /** Why a job gives back what it was granted: another was first, as of two that were made together. */
    static Optional<String> takenMeanwhile(JobFacts facts) {
        return isGranted(facts) && facts.workload() instanceof WorkloadFacts.Referenced referenced
                ? referenced.taken()
                : Optional.empty();
    }

    /** Whether its workload is pods that are no object of a kind. */
    public static boolean namesPods(TrainingJob job) {
        return names(job, WorkloadKind.PODS);
    }

    private static boolean names(TrainingJob job, WorkloadKind kind) {
        @Nullable Workload named = job.getSpec().workload();
        @Nullable WorkloadReference reference = named == null ? null : named.ref();
        return reference != null && WorkloadKind.of(reference).equals(Optional.of(kind));
    }

    /** Nothing is placed here for pods that run in another cluster. */
    private static Optional<Acceptance> elsewhere(JobFacts facts) {
        return facts.workload()
                .running()
                .filter(WorkloadFacts.Run::elsewhere)
                .map(run -> new Acceptance(
                        Reason.NOT_SUPPORTED,
                        "spec.workload: MultiKueue runs its pods in another cluster (spec.managedBy "
                                + Kueue.MULTIKUEUE + "), and nothing is placed in this one: create the TrainingJob"
                                + " there, with workload.ref",
                        true));
    }

    /** Nothing is placed for pods that their queue does not let run yet. */
    private static Optional<Acceptance> quota(JobFacts facts) {
        return isGranted(facts) ? Optional.empty() : quotaAwaited(facts).map(Acceptance::waiting);
    }

    /**
     * Why a job gives back what it was granted: its workload is suspended again, so none of its pods may run. Kueue
     * preempts so, and the preempting job waits for these nodes.
     */
    static Optional<String> suspendedAgain(JobFacts facts) {
        return !isGranted(facts)
                        || facts.workload()
                                .running()
                                .filter(WorkloadFacts.Run::awaitsQuota)
                                .isEmpty()
                ? Optional.empty()
                : quotaAwaited(facts).map(what -> what + "; its nodes and light go back once its pods have ended");
    }

    /**
     * Whether a job that had no place stays out of its queue until its fabric has nodes enough: Kueue might preempt
     * others for it, and all of them could not make the place. Pods may have Workloads that nobody asks about that.
     */
    public static boolean staysOut(JobFacts facts) {
        return facts.lacksGpus() && !namesPods(facts.job());
    }

    private static Optional<String> quotaAwaited(JobFacts facts) {
        Optional<WorkloadFacts.Run> run = facts.workload().running();
        boolean suspended = run.filter(WorkloadFacts.Run::awaitsQuota).isPresent();
        Optional<QueuedWorkload> queued = run.flatMap(WorkloadFacts.Run::queued);
        String before = queued.flatMap(QueuedWorkload::parked)
                .map(had -> "; when it had quota " + had.told(staysOut(facts)))
                .or(() -> queued.flatMap(QueuedWorkload::waits).map(why -> "; " + why))
                .orElse("");
        Optional<String> awaited = switch (facts.workload()) {
            case WorkloadFacts.LightOnly none -> Optional.empty();
            case WorkloadFacts.Own own ->
                queue(facts.job(), run)
                        .map(queue -> "JobSet " + own.name() + " waits for quota in queue " + queue + " (label "
                                + JobSets.QUEUE_LABEL + ")")
                        .or(() -> suspended
                                ? Optional.of("JobSet " + own.name() + " is suspended (its spec.suspend)")
                                : Optional.empty());
            case WorkloadFacts.Referenced referenced ->
                suspended
                        ? Optional.of("spec.workload.ref: " + referenced.title()
                                + (run.filter(WorkloadFacts.Run::podsHeld).isPresent()
                                        ? " waits for quota in its queue"
                                        : " is suspended, as by a queue that has no quota for it"))
                        : Optional.empty();
        };
        return awaited.map(what -> what + before);
    }

    /** In which the JobSet waits or, made anew for another label, will. */
    private static Optional<String> queue(TrainingJob job, Optional<WorkloadFacts.Run> run) {
        return run.isEmpty()
                ? Made.queue(job)
                : run.filter(WorkloadFacts.Run::awaitsQuota)
                        .flatMap(waiting ->
                                Made.queue(job).or(() -> waiting.made().queue().filter(queue -> !queue.isBlank())));
    }

    private static boolean isGranted(JobFacts facts) {
        return facts.slices().stream().anyMatch(slice -> slice.allocation().isPresent());
    }

    private static Acceptance waiting(String what) {
        return new Acceptance(Reason.WAITING_FOR_QUOTA, what + "; it is given nodes and light once it may run", true);
    }

    private static Acceptance lasting(Misfit misfit) {
        return of(misfit, false);
    }

    private static Acceptance of(Misfit misfit, boolean passing) {
        return new Acceptance(misfit.reason(), misfit.message(), passing);
    }

    private static Optional<Acceptance> because(Reason reason, String message) {
        return Optional.of(new Acceptance(reason, message, false));
    }
}
