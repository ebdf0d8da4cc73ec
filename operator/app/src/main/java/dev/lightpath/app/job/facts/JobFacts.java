package dev.lightpath.app.job.facts;

import dev.lightpath.app.measuring.QueriedTime;
import dev.lightpath.crds.job.ClassPriority;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.reading.JobPriority;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * All that a plan for a job depends on, read at one moment.
 *
 * @param job as the API server has it; never changed by the plan
 * @param fabric the one of scaleUp, else of scaleOut; empty when there is none of the name
 * @param slices all of the job, of all attempts
 * @param scaleOut the fabric of scaleOut beside that of scaleUp; empty when the job asks for one only, or there is none
 *     of the name
 * @param traffic what is recorded of its traffic
 * @param others fabrics that the job does not ask for and that slices of it are of
 * @param left the JobSet that was made for it of a template that it names no more, and its pods; empty where both are
 *     gone
 * @param classPriority of the PriorityClass that it names; empty if it names none, or there is none of the name
 * @param queried what the query of a fabric tells of its iterations with the light that it has
 * @param hooks what is known of its hook
 */
public record JobFacts(
        Instant now,
        TrainingJob job,
        Optional<FabricFacts> fabric,
        List<SliceFacts> slices,
        WorkloadFacts workload,
        Optional<FabricFacts> scaleOut,
        TrafficFacts traffic,
        List<FabricFacts> others,
        Optional<WorkloadFacts.Own> left,
        Optional<ClassPriority> classPriority,
        Optional<QueriedTime> queried,
        HookFacts hooks) {

    public JobFacts {
        slices = slices.stream()
                .sorted(Comparator.comparingInt(SliceFacts::attempt).thenComparing(SliceFacts::name))
                .toList();
        others = List.copyOf(others);
    }

    /** Of a job of which nothing was made, as a watch shows it: nothing else is known. */
    public static JobFacts ofWatched(TrainingJob job, Instant now) {
        return new JobFacts(
                now,
                job,
                Optional.empty(),
                List.of(),
                new WorkloadFacts.LightOnly(),
                Optional.empty(),
                TrafficFacts.none(),
                List.of(),
                Optional.empty(),
                JobPriority.told(job),
                Optional.empty(),
                HookFacts.none());
    }

    /** The same, with what was read of its traffic. */
    public JobFacts with(TrafficFacts read) {
        return with(slices, read, queried, hooks);
    }

    /** The same, with what a query tells of its iterations. */
    public JobFacts with(Optional<QueriedTime> told) {
        return with(slices, traffic, told, hooks);
    }

    /** The same, with what is known of its hook. */
    public JobFacts with(HookFacts known) {
        return with(slices, traffic, queried, known);
    }

    /** The same once all light has moved that waits for the agreement of the job. */
    public JobFacts moved() {
        return with(slices.stream().map(SliceFacts::moved).toList(), traffic, queried, hooks);
    }

    private JobFacts with(List<SliceFacts> light, TrafficFacts read, Optional<QueriedTime> told, HookFacts known) {
        return new JobFacts(
                now, job, fabric, light, workload, scaleOut, read, others, left, classPriority, told, known);
    }

    /**
     * The pods that may use circuits: those of the workload that the job names now, and of what was made for it before.
     */
    public List<PodFacts> workers() {
        return Stream.concat(workload.workers().stream(), left.stream().flatMap(set -> set.pods().stream()))
                .distinct()
                .toList();
    }

    /** What it asks for. */
    public List<LightRequest> requests() {
        return LightRequest.all(job.getSpec(), traffic.recorded());
    }

    /** The fabric that a slice is of; empty when there is none of the name. */
    public Optional<FabricFacts> fabricOf(SliceFacts slice) {
        return Stream.concat(Stream.concat(fabric.stream(), scaleOut.stream()), others.stream())
                .filter(found -> found.name().equals(slice.fabric()))
                .findFirst();
    }

    /** The extended resource that counts the GPUs of its nodes; of a fabric that is gone the usual one. */
    public String gpuResource() {
        return fabric.map(FabricFacts::gpuResource).orElse(FabricFacts.GPU_RESOURCE);
    }

    /** Whether a fabric of it stands still, as much of it failed at once and may be back. */
    public boolean massFailure() {
        return Stream.concat(fabric.stream(), scaleOut.stream()).anyMatch(FabricFacts::massFailure);
    }

    /** Nodes that it takes once it is placed; empty while its fabric is not there. */
    public Optional<Integer> nodesWanted() {
        return fabric.map(of -> NodesWanted.of(
                job.getSpec(),
                of.gpusPerNode(),
                scaleOut.or(() -> fabric)
                        .map(FabricFacts::geometry)
                        .filter(FabricGeometry.Switches.class::isInstance)
                        .map(FabricGeometry.Switches.class::cast)));
    }

    /** Whether a fabric of it has fewer GPUs that can be used than it wants, whoever has them now. */
    public boolean lacksGpus() {
        int wanted = job.getSpec().parallelism().gpus();
        return Stream.concat(fabric.stream(), scaleOut.stream())
                .anyMatch(of -> of.usableGpus().orElse(wanted) < wanted);
    }

    /** Replicas that an elastic job has a place for; empty for others. */
    public OptionalInt replicas() {
        return Replicas.of(job, current());
    }

    /** The job in the size that it has: what counts its pods, GPUs and ranks asks this one. */
    public TrainingJob sized() {
        return Replicas.sized(job, replicas());
    }

    public boolean deleted() {
        return job.getMetadata().getDeletionTimestamp() != null;
    }

    /** The newest attempt that has slices, 0 without any. */
    public int attempt() {
        return slices.isEmpty() ? 0 : slices.getLast().attempt();
    }

    /** Slices of the newest attempt. */
    public List<SliceFacts> current() {
        return slices.stream().filter(slice -> slice.attempt() == attempt()).toList();
    }

    /** Slices of older attempts. */
    public List<SliceFacts> superseded() {
        return slices.stream().filter(slice -> slice.attempt() != attempt()).toList();
    }
}
