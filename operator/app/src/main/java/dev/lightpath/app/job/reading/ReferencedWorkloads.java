package dev.lightpath.app.job.reading;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.Page;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.app.job.facts.NodeStanding;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.workload.FirstRanks;
import dev.lightpath.app.job.workload.PodChain;
import dev.lightpath.app.job.workload.PodRanks;
import dev.lightpath.app.job.workload.PodTemplates;
import dev.lightpath.app.job.workload.ReplicatedOrder;
import dev.lightpath.app.job.workload.WorkerJobs;
import dev.lightpath.app.job.workload.WorkloadReading;
import dev.lightpath.app.kueue.Workloads;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.WorkloadReference;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.reading.pod.Controller;
import dev.lightpath.reading.pod.PodOwnership;
import dev.lightpath.reading.pod.WorkloadKind;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the workload that a job refers to, and its pods. */
final class ReferencedWorkloads {
    private final KubernetesClient client;
    private final Workloads queued;

    ReferencedWorkloads(KubernetesClient client, Workloads queued) {
        this.client = client;
        this.queued = queued;
    }

    /**
     * @param elder a job before it that refers to the same workload
     * @param slices of the job
     * @param listed hears of its pods as they were read
     */
    WorkloadFacts.Referenced read(
            TrainingJob job,
            WorkloadReference reference,
            Optional<String> elder,
            String gpuResource,
            List<SliceFacts> slices,
            Instant now,
            Consumer<List<Pod>> listed) {
        Optional<WorkloadKind> known = WorkloadKind.of(reference);
        String title = reference.kind() + " " + reference.name();
        if (known.isEmpty()) {
            return new WorkloadFacts.Referenced(title, false, Optional.empty(), List.of());
        }
        WorkloadKind kind = known.get();
        List<Pod> pods =
                pods(kind, job, kind == WorkloadKind.PODS ? job.getMetadata().getName() : reference.name());
        listed.accept(pods);
        if (elder.isPresent()) {
            return read(kind, job, reference, letGoFor(job, pods), gpuResource, slices, now)
                    .taken("spec.workload.ref: " + title + " is the workload of TrainingJob " + elder.get()
                            + ", which came first: a workload has one TrainingJob; delete one of them");
        }
        return read(kind, job, reference, pods, gpuResource, slices, now);
    }

    private WorkloadFacts.Referenced read(
            WorkloadKind kind,
            TrainingJob job,
            WorkloadReference reference,
            List<Pod> pods,
            String gpuResource,
            List<SliceFacts> slices,
            Instant now) {
        return switch (kind) {
            case JOB_SET, TRAIN_JOB, JOB -> indexed(job, reference, kind, pods, gpuResource, now);
            case LEADER_WORKER_SET, PYTORCH_JOB, MPI_JOB, RAY_CLUSTER ->
                counted(job, reference, kind, pods, gpuResource, slices, now);
            case PODS -> labelled(job, pods, gpuResource, slices, now);
        };
    }

    /** Those of a workload that another job has: the others are that job's, or will be. */
    private static List<Pod> letGoFor(TrainingJob job, List<Pod> pods) {
        return pods.stream()
                .filter(pod -> {
                    @Nullable Map<String, String> labels = pod.getMetadata().getLabels();
                    return labels != null && job.getMetadata().getName().equals(labels.get(LightpathLabels.JOB));
                })
                .toList();
    }

    /** Pods whose Job gives them completion indexes. */
    private WorkloadFacts.Referenced indexed(
            TrainingJob of,
            WorkloadReference reference,
            WorkloadKind kind,
            List<Pod> labelled,
            String gpuResource,
            Instant now) {
        Optional<JsonNode> found = kind == WorkloadKind.TRAIN_JOB
                ? object(WorkloadKind.JOB_SET, of, reference.name())
                        .filter(set -> isControlledBy(set, WorkloadKind.TRAIN_JOB.kind(), reference.name()))
                : object(kind, of, reference.name());
        // a TrainJob is not read: it may be there and have no JobSet, as without its runtime
        String title = (kind == WorkloadKind.TRAIN_JOB && found.isEmpty() ? "JobSet of " : "") + reference.kind() + " "
                + reference.name();
        WorkerJobs workers = WorkerJobs.of(reference, gpuResource);
        FirstRanks firstRanks = found.map(workload -> WorkloadReading.firstRanks(workload, workers))
                .orElse(FirstRanks.UNKNOWN);
        Optional<String> maker = found.flatMap(workload -> maker(workload, of));
        List<Pod> pods = new PodChain(client, of, reference.name(), found)
                .own(maker.isPresent() ? letGoFor(of, labelled) : labelled);
        WorkloadFacts.Referenced facts = new WorkloadFacts.Referenced(
                title,
                true,
                found.map(workload ->
                        queued(workload, queuedUid(kind, workload), WorkloadReading.run(workload, workers))),
                pods.stream()
                        .filter(pod -> WorkloadReading.isWorker(pod, firstRanks))
                        .map(pod -> WorkloadReading.pod(pod, firstRanks, now, this::lookWhereBound))
                        .toList(),
                waiting(pods.stream()
                        .filter(pod -> !WorkloadReading.isWorker(pod, firstRanks))
                        .toList()),
                found.flatMap(workers::problem),
                false,
                found.map(workload -> new WorkloadFacts.AskedWorkers(
                                WorkloadReading.templates(workload, workers),
                                OptionalInt.of(WorkloadReading.makes(workload, workers)),
                                WorkloadReading.ungated(workload, workers),
                                ReplicatedOrder.awaited(workload, workers)))
                        .orElse(WorkloadFacts.AskedWorkers.UNKNOWN));
        return maker.map(other -> facts.taken("spec.workload.ref: " + title + " was made for TrainingJob " + other
                        + " from its template: refer to a workload of your own"))
                .orElse(facts);
    }

    /** Pods of a controller that makes no Jobs: their order gives them ranks. */
    private WorkloadFacts.Referenced counted(
            TrainingJob of,
            WorkloadReference reference,
            WorkloadKind kind,
            List<Pod> labelled,
            String gpuResource,
            List<SliceFacts> slices,
            Instant now) {
        String title = reference.kind() + " " + reference.name();
        Optional<JsonNode> found = object(kind, of, reference.name());
        Optional<PodTemplates> templates = found.map(workload -> PodTemplates.of(kind, workload));
        Optional<String> uid =
                found.map(workload -> workload.at("/metadata/uid").asText());
        List<Pod> pods = labelled.stream()
                .filter(pod -> PodOwnership.mayBe(of, Controller.of(pod), Map.of())
                        && (!WorkloadReading.isGated(pod) || isProved(kind, pod, uid)))
                .toList();
        boolean byGpus = templates.filter(each -> each.byGpus(gpuResource)).isPresent();
        Optional<PodQueue> queue =
                found.flatMap(workload -> templates.map(each -> PodQueue.of(queued, workload, each.all(), pods)));
        return ranked(
                title,
                found.flatMap(workload -> templates.map(each -> {
                    WorkloadFacts.Run run = WorkloadReading.run(workload, each, gpuResource);
                    return queue.filter(PodQueue::held)
                            .map(holds -> holds.of(run))
                            .orElseGet(() -> queued(workload, run));
                })),
                pods,
                byGpus,
                gpuResource,
                slices,
                now,
                templates
                        .flatMap(each -> each.problem(gpuResource))
                        .map(problem -> "spec.workload.ref: " + title + ": " + problem)
                        .or(() -> found.filter(workload -> isUnqueued(kind, workload))
                                .map(workload -> "spec.workload.ref: " + title + " has the label " + JobSets.QUEUE_LABEL
                                        + ", and Kueue queues no " + kind.kind() + " of " + kind.apiVersion()
                                        + ": it would run without quota; omit the label to have that"))
                        .or(() -> queue.filter(PodQueue::split)
                                .map(split -> "spec.workload.ref: " + title + " has "
                                        + Counted.of(split.workloads().size(), "group", "groups")
                                        + ", and its queue admits each by itself: light is given to all pods of a job or to"
                                        + " none; write replicas: 1, or omit the label " + JobSets.QUEUE_LABEL)),
                templates.map(each -> each.training(gpuResource)).orElse(List.of()));
    }

    /** Kueue has no framework for MPIJobs of the Training Operator: those that it queues are of another API. */
    private boolean isUnqueued(WorkloadKind kind, JsonNode workload) {
        return kind == WorkloadKind.MPI_JOB
                && queued.isThere()
                && workload.at("/metadata/labels").has(JobSets.QUEUE_LABEL);
    }

    /** Pods that say themselves whose they are. */
    private WorkloadFacts.Referenced labelled(
            TrainingJob of, List<Pod> labelled, String gpuResource, List<SliceFacts> slices, Instant now) {
        String name = of.getMetadata().getName();
        List<Pod> pods = labelled.stream()
                .filter(pod -> !PodOwnership.isMadeFor(of, Controller.of(pod), Map.of()))
                .toList();
        boolean byGpus = pods.stream().anyMatch(pod -> PodTemplates.asks(pod, gpuResource));
        List<Pod> workers = workers(pods, byGpus, gpuResource);
        PodQueue queue = PodQueue.of(queued, of.getMetadata().getNamespace(), workers);
        return ranked(
                "group of pods " + name + " (label " + LightpathLabels.JOB + ")",
                workers.isEmpty() ? Optional.empty() : Optional.of(queue.of(WorkloadReading.run(workers))),
                pods,
                byGpus,
                gpuResource,
                slices,
                now,
                queue.split()
                        ? Optional.of("spec.workload.ref: its queue admits the pods of the group one by one: light is"
                                + " given to all pods of a job or to none; give all of them one group of Kueue (label"
                                + " kueue.x-k8s.io/pod-group-name), or omit the label " + JobSets.QUEUE_LABEL)
                        : Optional.empty(),
                List.of());
    }

    private WorkloadFacts.Referenced ranked(
            String title,
            Optional<WorkloadFacts.Run> run,
            List<Pod> pods,
            boolean byGpus,
            String gpuResource,
            List<SliceFacts> slices,
            Instant now,
            Optional<String> problem,
            List<JsonNode> templates) {
        List<Pod> workers = workers(pods, byGpus, gpuResource);
        int attempt = slices.stream().mapToInt(SliceFacts::attempt).max().orElse(0);
        int nodes = RankedNode.of(slices.stream()
                        .filter(slice -> slice.attempt() == attempt)
                        .toList())
                .size();
        Map<String, Integer> ranks = PodRanks.of(workers, nodes, attempt);
        return new WorkloadFacts.Referenced(
                title,
                true,
                run,
                workers.stream()
                        .map(pod -> WorkloadReading.pod(pod, rank(pod, ranks), now, this::lookWhereBound))
                        .toList(),
                waiting(pods.stream().filter(pod -> !workers.contains(pod)).toList()),
                problem,
                true,
                new WorkloadFacts.AskedWorkers(templates));
    }

    private static OptionalInt rank(Pod pod, Map<String, Integer> ranks) {
        @Nullable Integer rank = ranks.get(pod.getMetadata().getName());
        return rank == null ? OptionalInt.empty() : OptionalInt.of(rank);
    }

    private static List<Pod> workers(List<Pod> pods, boolean byGpus, String gpuResource) {
        return pods.stream()
                .filter(pod -> !byGpus || PodTemplates.asks(pod, gpuResource))
                .toList();
    }

    /** Names of those that wait behind the gate. */
    private static List<String> waiting(List<Pod> pods) {
        return pods.stream()
                .filter(WorkloadReading::isGated)
                .map(pod -> pod.getMetadata().getName())
                .sorted()
                .toList();
    }

    /**
     * A name may have had several objects. Pods of a LeaderWorkerSet are controlled by its StatefulSets, which are not
     * read.
     */
    private static boolean isProved(WorkloadKind kind, Pod pod, Optional<String> uid) {
        return kind == WorkloadKind.LEADER_WORKER_SET
                || Controller.of(pod).map(Controller::uid).equals(uid);
    }

    /** The other TrainingJob that controls an object. */
    private static Optional<String> maker(JsonNode object, TrainingJob job) {
        for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
            if (owner.path("controller").asBoolean()
                    && owner.path("kind").asText().equals(TrainingJob.KIND)
                    && !owner.path("uid").asText().equals(job.getMetadata().getUid())) {
                return Optional.of(owner.path("name").asText());
            }
        }
        return Optional.empty();
    }

    private static boolean isControlledBy(JsonNode object, String kind, String name) {
        for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
            if (owner.path("controller").asBoolean()
                    && owner.path("kind").asText().equals(kind)
                    && owner.path("name").asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** What its queue says of one that is suspended: of those that run nothing is asked. */
    WorkloadFacts.Run queued(JsonNode workload, WorkloadFacts.Run run) {
        return queued(workload, workload.at("/metadata/uid").asText(), run);
    }

    private WorkloadFacts.Run queued(JsonNode workload, String uid, WorkloadFacts.Run run) {
        return run.suspended()
                ? run.with(queued.of(workload.at("/metadata/namespace").asText(), uid))
                : run;
    }

    /** What waits in a queue is the TrainJob, not its JobSet. */
    private static String queuedUid(WorkloadKind kind, JsonNode workload) {
        for (JsonNode owner : workload.path("metadata").path("ownerReferences")) {
            if (kind == WorkloadKind.TRAIN_JOB && owner.path("controller").asBoolean()) {
                return owner.path("uid").asText();
            }
        }
        return workload.at("/metadata/uid").asText();
    }

    private List<Pod> pods(WorkloadKind kind, TrainingJob job, String name) {
        return Page.all(
                client.pods().inNamespace(job.getMetadata().getNamespace()).withLabel(kind.label(), name));
    }

    private Optional<JsonNode> object(WorkloadKind kind, TrainingJob job, String name) {
        int slash = kind.apiVersion().indexOf('/');
        ResourceDefinitionContext context = new ResourceDefinitionContext.Builder()
                .withGroup(kind.group())
                .withVersion(kind.apiVersion().substring(slash + 1))
                .withKind(kind.kind())
                .withPlural(kind.plural())
                .withNamespaced(true)
                .build();
        return Optional.ofNullable(client.genericKubernetesResources(context)
                        .inNamespace(job.getMetadata().getNamespace())
                        .withName(name)
                        .get())
                .map(object -> client.getKubernetesSerialization().convertValue(object, JsonNode.class));
    }

    /** Nobody asks for the node that an unbound pod waits for. */
    private NodeStanding lookWhereBound(String node, Pod pod) {
        return pod.getSpec().getNodeName() == null
                ? NodeStanding.WELL
                : NodeStanding.of(client.nodes().withName(node).get(), pod);
    }
}
