package dev.lightpath.app.job.reading;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.Page;
import dev.lightpath.app.agreeing.AskedHooks;
import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.job.facts.FabricFacts;
import dev.lightpath.app.job.facts.FabricGeometry;
import dev.lightpath.app.job.facts.HookFacts;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.app.job.facts.LightRequest;
import dev.lightpath.app.job.facts.NodeStanding;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.TemplateProblem;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.plan.Acceptance;
import dev.lightpath.app.job.plan.Hooks;
import dev.lightpath.app.job.plan.Purpose;
import dev.lightpath.app.job.workload.FirstRanks;
import dev.lightpath.app.job.workload.GpuLimit;
import dev.lightpath.app.job.workload.JobSetDraft;
import dev.lightpath.app.job.workload.PodChain;
import dev.lightpath.app.job.workload.TemplateTrial;
import dev.lightpath.app.job.workload.WorkloadReading;
import dev.lightpath.app.kueue.Workloads;
import dev.lightpath.app.measuring.JobName;
import dev.lightpath.app.measuring.QueriedTime;
import dev.lightpath.app.measuring.QueriedTimes;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.policy.PortRange;
import dev.lightpath.crds.job.ClassPriority;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.job.WorkloadReference;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.JobPriority;
import dev.lightpath.reading.SliceParts;
import dev.lightpath.reading.TemplateSize;
import dev.lightpath.reading.acceptance.FabricKind;
import dev.lightpath.reading.label.AllowedNamespaces;
import dev.lightpath.reading.pod.Controller;
import dev.lightpath.reading.pod.JobNames;
import dev.lightpath.reading.pod.PodOwnership;
import dev.lightpath.reading.pod.WorkloadKind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Gathers the facts of a job. All but the pods of a job that is served are read back from the API server. */
public final class FactsReader {
    private static final ResourceDefinitionContext POD_TEMPLATES = new ResourceDefinitionContext.Builder()
            .withVersion("v1")
            .withKind("PodTemplate")
            .withPlural("podtemplates")
            .withNamespaced(true)
            .build();

    private final KubernetesClient client;
    private final TrafficFactsReader traffic;
    private final ReferencedWorkloads referenced;
    private final QueriedTimes measured;
    private final AskedHooks hooks;

    /**
     * @param queued where suspended workloads are looked up
     * @param measured what queries of fabrics tell
     * @param hooks where pods are asked whether light may move
     */
    public FactsReader(
            KubernetesClient client,
            TrafficFactsReader traffic,
            Workloads queued,
            QueriedTimes measured,
            AskedHooks hooks) {
        this.client = client;
        this.measured = measured;
        this.hooks = hooks;
        this.traffic = traffic;
        this.referenced = new ReferencedWorkloads(client, queued);
    }

    /** For those who need no recorded traffic: nobody is told when some was read. */
    public static FactsReader of(KubernetesClient client) {
        return new FactsReader(
                client,
                new TrafficFactsReader(
                        client, ReadingMarks.of(client), new TrafficReadings(job -> {}, System::nanoTime)),
                Workloads.none(client),
                new QueriedTimes(System::nanoTime),
                new AskedHooks(System::nanoTime));
    }

    /** @param job fresh from the API server */
    public JobFacts read(TrainingJob job, Watched watched, Instant now) {
        return read(job, watched, now, pods -> {});
    }

    /**
     * @param job fresh from the API server
     * @param listed hears of the pods of a workload that the job refers to, as they were read
     */
    public JobFacts read(TrainingJob job, Watched watched, Instant now, Consumer<List<Pod>> listed) {
        boolean begun = !watched.slices().isEmpty()
                || job.getStatus() != null
                || job.getMetadata().getFinalizers().contains(LightpathNames.FINALIZER);
        // slices are made after the finalizer; a list of them is a look at all slices of the namespace
        return read(job, begun ? slices(job, watched.slices()) : List.of(), watched, this::fabric, now, listed);
    }

    /**
     * A job without a workload, as watches show it. What is shown may be late, so nothing may be made or taken away by
     * it.
     *
     * @param slices of the job and of earlier ones of its name, with their parts
     * @param fabrics by name
     * @return empty where a part of a record is not shown
     */
    public Optional<JobFacts> shown(
            TrainingJob job, List<FabricSlice> slices, Function<String, Optional<OpticalFabric>> fabrics, Instant now) {
        SortedMap<String, FabricSlice> objects = new TreeMap<>();
        slices.forEach(slice -> objects.put(slice.getMetadata().getName(), slice));
        List<SliceFacts> facts = objects.values().stream()
                .filter(slice -> isOf(slice, job) && !SliceParts.isPart(slice))
                .map(slice -> SliceFacts.of(slice, objects::get))
                .toList();
        return facts.stream().allMatch(SliceFacts::whole)
                ? Optional.of(read(job, facts, new Watched(List.of(), Set.of(), Set.of()), fabrics, now, pods -> {}))
                : Optional.empty();
    }

    private JobFacts read(
            TrainingJob job,
            List<SliceFacts> slices,
            Watched watched,
            Function<String, Optional<OpticalFabric>> fabrics,
            Instant now,
            Consumer<List<Pod>> listed) {
        String namespace = job.getMetadata().getNamespace();
        List<LightRequest> requests = LightRequest.all(job.getSpec(), Optional.empty());
        Optional<OpticalFabric> fabric =
                requests.stream().findFirst().map(LightRequest::fabric).flatMap(fabrics);
        Optional<OpticalFabric> second =
                requests.stream().skip(1).findFirst().map(LightRequest::fabric).flatMap(fabrics);
        Optional<FabricFacts> beside = second.map(found -> facts(found, namespace));
        Optional<FabricFacts> fabricFacts = fabric.map(found -> facts(found, namespace));
        WorkloadFacts workload = workload(job, watched, slices, fabricFacts, now, listed);
        // of a spec that was changed before the job had a place
        List<FabricFacts> others = slices.stream()
                .map(SliceFacts::fabric)
                .distinct()
                .filter(name ->
                        requests.stream().noneMatch(request -> request.fabric().equals(name)))
                .flatMap(name -> fabrics.apply(name).stream())
                .map(found -> facts(found, namespace))
                .toList();
        JobFacts facts = new JobFacts(
                now,
                job,
                fabricFacts,
                slices,
                workload,
                beside,
                TrafficFactsReader.kept(job, slices),
                others,
                left(job, watched, now),
                classPriority(job),
                Optional.empty(),
                HookFacts.none());
        JobFacts read =
                isReadFor(facts) ? facts.with(traffic.read(job, slices, requests.size() > 1 ? second : fabric)) : facts;
        return hooked(read.with(queried(read)), fabrics);
    }

    /** With what the hook of a job came to. A job that is asked nothing is forgotten there. */
    private JobFacts hooked(JobFacts facts, Function<String, Optional<OpticalFabric>> fabrics) {
        Map<String, List<PortRange>> ports = new HashMap<>();
        Hooks.announced(facts).stream()
                .map(SliceFacts::fabric)
                .distinct()
                .forEach(name -> fabrics.apply(name)
                        .map(found -> found.getSpec().policy().agreementHooks())
                        .ifPresent(allowed -> ports.put(name, allowed.ports())));
        JobFacts allowed = facts.with(new HookFacts(ports, Map.of()));
        var metadata = facts.job().getMetadata();
        return facts.with(new HookFacts(
                ports, hooks.wanted(metadata.getNamespace(), metadata.getName(), Hooks.questions(allowed))));
    }

    /** Of the fabric whose circuits follow its traffic. */
    private Optional<QueriedTime> queried(JobFacts facts) {
        var metadata = facts.job().getMetadata();
        @Nullable ScaleOut scaleOut = facts.job().getSpec().scaleOut();
        List<SliceFacts> current = facts.current();
        return scaleOut == null
                ? Optional.empty()
                : measured.of(
                        new JobName(metadata.getNamespace(), metadata.getName()),
                        scaleOut.fabric(),
                        current.stream().allMatch(SliceFacts::shines)
                                ? current.stream()
                                        .map(slice -> slice.name() + " "
                                                + slice.allocation()
                                                        .map(Allocation::revision)
                                                        .orElse(0L))
                                        .toList()
                                : List.of());
    }

    /** What a user recorded may take seconds to read: only what is to be served, and may be, is worth that. */
    private static boolean isReadFor(JobFacts facts) {
        return facts.traffic().recorded().isEmpty()
                && Purpose.of(facts) instanceof Purpose.Serve
                && Acceptance.ofFabrics(facts).isEmpty();
    }

    /** Read once, as Kubernetes does for a pod. */
    private Optional<ClassPriority> classPriority(TrainingJob job) {
        return JobPriority.told(job)
                .or(() -> JobPriority.unread(job)
                        .flatMap(name -> Optional.ofNullable(client.scheduling()
                                .v1()
                                .priorityClasses()
                                .withName(name)
                                .get()))
                        .map(JobPriority::read));
    }

    private Optional<OpticalFabric> fabric(String name) {
        return Optional.ofNullable(
                client.resources(OpticalFabric.class).withName(name).get());
    }

    /** Slices of these names; where there are none, those that carry its label, and those that its status names. */
    public List<SliceFacts> named(TrainingJob job, Set<String> names) {
        if (names.isEmpty()) {
            return slices(job, names);
        }
        var all = client.resources(FabricSlice.class)
                .inNamespace(job.getMetadata().getNamespace());
        SortedMap<String, FabricSlice> objects = new TreeMap<>();
        names.forEach(
                name -> Optional.ofNullable(all.withName(name).get()).ifPresent(slice -> objects.put(name, slice)));
        return facts(job, objects);
    }

    /** A slice whose label somebody took is found by its name. */
    private List<SliceFacts> slices(TrainingJob job, Set<String> names) {
        var all = client.resources(FabricSlice.class)
                .inNamespace(job.getMetadata().getNamespace());
        SortedMap<String, FabricSlice> objects = new TreeMap<>();
        all.withLabel(LightpathLabels.JOB, job.getMetadata().getName())
                .list()
                .getItems()
                .forEach(slice -> objects.put(slice.getMetadata().getName(), slice));
        SortedSet<String> others = new TreeSet<>(names);
        if (job.getStatus() != null) {
            job.getStatus().slices().forEach(slice -> others.add(slice.name()));
        }
        others.removeAll(objects.keySet());
        for (String name : others) {
            @Nullable FabricSlice slice = all.withName(name).get();
            if (slice != null) {
                objects.put(name, slice);
            }
        }
        return facts(job, objects);
    }

    /** @param objects by name, some of the parts of the job's records among them */
    private List<SliceFacts> facts(TrainingJob job, SortedMap<String, FabricSlice> objects) {
        return objects.values().stream()
                .filter(slice -> isOf(slice, job) && !SliceParts.isPart(slice))
                .map(slice -> SliceFacts.of(slice, name -> {
                    @Nullable FabricSlice part = objects.get(name);
                    return part == null
                            ? client.resources(FabricSlice.class)
                                    .inNamespace(job.getMetadata().getNamespace())
                                    .withName(name)
                                    .get()
                            : part;
                }))
                .toList();
    }

    private static boolean isOf(FabricSlice slice, TrainingJob job) {
        var owner = slice.getSpec().job();
        return owner != null && owner.uid().equals(job.getMetadata().getUid());
    }

    private FabricFacts facts(OpticalFabric fabric, String namespace) {
        var ocsTrx = fabric.getSpec().ocsTrx();
        var ocs = fabric.getSpec().ocs();
        FabricKind kind = FabricKind.of(fabric);
        return new FabricFacts(
                kind.name(),
                kind.transceivers(),
                kind.gpusPerNode(),
                AllowedNamespaces.refusal(
                        fabric,
                        namespace,
                        () -> client.namespaces().withName(namespace).get()),
                quarantined(fabric),
                massFailure(fabric),
                usableGpus(fabric),
                ocsTrx != null ? ocsTrx.gpuResource() : ocs != null ? ocs.gpuResource() : FabricFacts.GPU_RESOURCE,
                kind.tori(),
                kind.logical(),
                FabricGeometry.of(fabric));
    }

    /** A fabric as a namespace sees it; empty when there is none of that name. */
    public Optional<FabricFacts> fabric(String name, String namespace) {
        return fabric(name).map(found -> facts(found, namespace));
    }

    private static OptionalInt usableGpus(OpticalFabric fabric) {
        return fabric.getStatus() == null || fabric.getStatus().gpus() == null
                ? OptionalInt.empty()
                : OptionalInt.of(fabric.getStatus().gpus().usable());
    }

    private static boolean massFailure(OpticalFabric fabric) {
        return fabric.getStatus() != null
                && Conditions.isFor(fabric.getStatus().conditions(), ConditionType.READY, Reason.MASS_FAILURE.word());
    }

    /** Ports written device/port, and their devices. */
    private static SortedSet<String> quarantined(OpticalFabric fabric) {
        SortedSet<String> devices = new TreeSet<>();
        if (fabric.getStatus() != null) {
            fabric.getStatus().quarantinedPorts().stream()
                    .filter(port -> port.lastIndexOf('/') > 0)
                    .forEach(port -> {
                        devices.add(port);
                        devices.add(port.substring(0, port.lastIndexOf('/')));
                    });
        }
        return devices;
    }

    private WorkloadFacts workload(
            TrainingJob job,
            Watched watched,
            List<SliceFacts> slices,
            Optional<FabricFacts> fabric,
            Instant now,
            Consumer<List<Pod>> listed) {
        @Nullable Workload workload = job.getSpec().workload();
        if (workload == null) {
            return new WorkloadFacts.LightOnly();
        }
        @Nullable WorkloadReference reference = workload.ref();
        String namespace = job.getMetadata().getNamespace();
        if (reference != null) {
            return referenced.read(
                    job,
                    reference,
                    watched.elder(),
                    fabric.map(FabricFacts::gpuResource).orElse(FabricFacts.GPU_RESOURCE),
                    slices,
                    now,
                    listed);
        }
        String name = JobNames.jobSet(job);
        Optional<JsonNode> found = jobSet(namespace, name);
        Optional<JsonNode> jobSet = found.filter(set -> isControlled(set, job));
        // at each start of a job some pods are not bound yet: their nodes are looked at where somebody waits for them
        boolean awaited = slices.stream().anyMatch(SliceFacts::waitsForPods);
        BiFunction<String, Pod, NodeStanding> look = awaited ? this::look : this::lookWhereBound;
        Optional<TemplateProblem> problem = leaves(job)
                        || jobSet.isPresent()
                        || TemplateSize.of(job) > TemplateSize.MOST
                        || !TemplateTrial.isDue(job, slices)
                ? Optional.empty()
                : found.map(stranger -> TemplateProblem.ofCluster("JobSet " + name
                                + " is there and is not of this job: delete it, or create the job under another name"))
                        .or(() -> fabric.flatMap(
                                facts -> templateProblem(job, facts.gpuResource(), facts.gpusPerNode())));
        return new WorkloadFacts.Own(
                name,
                jobSet.map(set -> referenced.queued(set, WorkloadReading.run(set))),
                new PodChain(client, job, name, jobSet)
                        .own(pods(job, watched)).stream()
                                .map(pod -> WorkloadReading.pod(pod, FirstRanks.ALONE, now, look))
                                .toList(),
                problem);
    }

    /**
     * The JobSet of a template that the job names no more. The API server is asked only where a watch shows something
     * of it: jobs that never had one are many. One that the job refers to stays until the job goes: nobody would make
     * it again.
     */
    private Optional<WorkloadFacts.Own> left(TrainingJob job, Watched watched, Instant now) {
        @Nullable Workload workload = job.getSpec().workload();
        @Nullable WorkloadReference reference = workload == null ? null : workload.ref();
        String name = JobNames.jobSet(job);
        boolean kept = reference != null
                && WorkloadKind.of(reference).filter(WorkloadKind::hasJobSet).isPresent()
                && reference.name().equals(name)
                && job.getMetadata().getDeletionTimestamp() == null;
        boolean seen = watched.jobSets().contains(name)
                || watched.pods().stream().anyMatch(pod -> PodOwnership.isMadeFor(job, Controller.of(pod), Map.of()));
        if (workload != null && reference == null || kept || !seen) {
            return Optional.empty();
        }
        Optional<JsonNode> jobSet =
                jobSet(job.getMetadata().getNamespace(), name).filter(set -> isControlled(set, job));
        List<PodFacts> pods = new PodChain(client, job, name, jobSet)
                .made(pods(job, watched)).stream()
                        .map(pod -> WorkloadReading.pod(pod, FirstRanks.ALONE, now, this::lookWhereBound))
                        .toList();
        return jobSet.isPresent() || pods.stream().anyMatch(PodFacts::usesLight)
                ? Optional.of(new WorkloadFacts.Own(name, jobSet.map(WorkloadReading::run), pods, Optional.empty()))
                : Optional.empty();
    }

    private static boolean leaves(TrainingJob job) {
        return job.getMetadata().getDeletionTimestamp() != null || job.getSpec().suspend();
    }

    /** Those that carry its label: light of a job that goes waits for all that are there. */
    private List<Pod> pods(TrainingJob job, Watched watched) {
        return leaves(job)
                ? Page.all(client.pods()
                        .inNamespace(job.getMetadata().getNamespace())
                        .withLabel(LightpathLabels.JOB, job.getMetadata().getName()))
                : watched.pods();
    }

    private static boolean isControlled(JsonNode object, TrainingJob job) {
        for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
            if (job.getMetadata().getUid().equals(owner.path("uid").asText())) {
                return true;
            }
        }
        return false;
    }

    private Optional<JsonNode> jobSet(String namespace, String name) {
        return Optional.ofNullable(client.genericKubernetesResources(JobSets.CONTEXT)
                        .inNamespace(namespace)
                        .withName(name)
                        .get())
                .map(this::json);
    }

    private JsonNode json(HasMetadata resource) {
        return client.getKubernetesSerialization().convertValue(resource, JsonNode.class);
    }

    /**
     * Lets the API server judge the JobSet and its pods without making them. A PodTemplate is judged like a pod, and is
     * the least that may be asked for: it runs nothing.
     */
    private Optional<TemplateProblem> templateProblem(TrainingJob job, String gpuResource, int gpusPerNode) {
        int nodes = Math.ceilDiv(job.getSpec().parallelism().gpus(), gpusPerNode);
        try {
            Optional<String> limit = GpuLimit.problem(job, gpuResource, gpusPerNode);
            if (limit.isPresent()) {
                return limit.map(TemplateProblem::ofTemplate);
            }
            client.genericKubernetesResources(JobSets.CONTEXT)
                    .inNamespace(job.getMetadata().getNamespace())
                    .resource(JobSetDraft.of(job, nodes, gpuResource))
                    .dryRun()
                    .fieldValidation(FieldValidateable.Validation.STRICT)
                    .create();
            client.genericKubernetesResources(POD_TEMPLATES)
                    .inNamespace(job.getMetadata().getNamespace())
                    .resource(JobSetDraft.podTemplate(job, nodes, gpuResource))
                    .dryRun()
                    .fieldValidation(FieldValidateable.Validation.STRICT)
                    .create();
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.ofNullable(e.getMessage()).map(TemplateProblem::ofTemplate);
        } catch (KubernetesClientException e) {
            return TemplateProblem.answered(e);
        }
    }

    private NodeStanding look(String node, Pod pod) {
        return NodeStanding.of(client.nodes().withName(node).get(), pod);
    }

    /** Nobody asks for the node that an unbound pod waits for. */
    private NodeStanding lookWhereBound(String node, Pod pod) {
        return pod.getSpec().getNodeName() == null ? NodeStanding.WELL : look(node, pod);
    }
}
