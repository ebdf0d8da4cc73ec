package dev.lightpath.app.job.plan;

import dev.lightpath.app.job.facts.FabricFacts;
import dev.lightpath.app.job.facts.HookFacts;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.app.job.facts.Made;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleRun;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.TrafficFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.workload.LightFile;
import dev.lightpath.app.job.workload.PodHosts;
import dev.lightpath.app.measuring.QueriedTime;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.job.ClassPriority;
import dev.lightpath.crds.job.Model;
import dev.lightpath.crds.job.ModelPreset;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.Rates;
import dev.lightpath.crds.job.Recovery;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.ScaleUp;
import dev.lightpath.crds.job.TorusShape;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.job.agreement.Agreement;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.ChosenCircuits;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.Outlook;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.ScaleUpDemand;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A job of two groups of 8 GPUs on nodes of 4: nodes n0 to n3. Tests change what they are about. */
public final class SampleJob {
    public static final Instant NOW = Instant.parse("2026-05-01T10:00:00Z");
    public static final String UID = "5a1e0f9e-0000-4000-8000-000000000001";
    public static final String SLICE = JobNames.slice("train", "ring-a", 1, UID);
    public static final String GPU_RESOURCE = "nvidia.com/gpu";
    public static final String JOB_SET = JobNames.jobSet("train", UID);

    public int tensor = 8;

    public int data = 2;
    public int expert = 1;

    @Nullable
    ModelPreset preset = ModelPreset.GPT_7B;

    /** Replicas that are enough. */
    @Nullable
    Integer least;

    @Nullable
    public Integer microBatches;

    public boolean suspend;

    @Nullable
    Integer deadline;

    Agreement agreement;

    public boolean queued;
    public boolean deleted;
    boolean finalizer = true;
    public boolean scaleOut;

    /** Whether it asks for circuits that follow its traffic alone. */
    public boolean onSwitches;

    public boolean forceDelete = true;

    /** Chips of the torus that the job asks for instead of groups on a ring. */
    @Nullable
    String chips;

    @Nullable
    public Workload template;

    @Nullable
    public TrainingJobStatus status;

    public Optional<FabricFacts> fabric = Optional.of(SampleFabric.of("ring-a", true, 4, Optional.empty()));
    public final List<SliceFacts> slices = new ArrayList<>();
    public WorkloadFacts workload = new WorkloadFacts.LightOnly();
    public Optional<FabricFacts> beside = Optional.empty();
    public TrafficFacts traffic = TrafficFacts.none();
    public Optional<WorkloadFacts.Own> left = Optional.empty();
    public final Map<String, String> annotations = new TreeMap<>();
    Optional<QueriedTime> queried = Optional.empty();
    HookFacts hooks = HookFacts.none();

    @Nullable
    public Integer retention;

    @Nullable
    public String priorityClass;

    Optional<ClassPriority> classPriority = Optional.empty();

    public TrainingJob job() {
        TrainingJob job = new TrainingJob();
        job.setMetadata(new ObjectMetaBuilder()
                .withName("train")
                .withNamespace("team-a")
                .withUid(UID)
                .withGeneration(7L)
                .withResourceVersion("100")
                .withFinalizers(finalizer ? List.of(LightpathNames.FINALIZER) : List.of())
                .withDeletionTimestamp(deleted ? NOW.toString() : null)
                .withAnnotations(annotations)
                .withLabels(queued ? Map.of(JobSets.QUEUE_LABEL, "research") : null)
                .build());
        job.setSpec(new TrainingJobSpec(
                preset == null ? null : new Model(preset, null, null),
                new Parallelism(tensor, 1, data, expert, 1, least),
                microBatches,
                null,
                chips == null && !onSwitches ? new ScaleUp("ring-a") : null,
                scaleOut || onSwitches || chips != null
                        ? new ScaleOut(
                                "spine",
                                Rates.JOINT,
                                null,
                                null,
                                chips == null ? null : new TorusShape(chips),
                                ScaleOut.TIME_LIMIT_SECONDS,
                                null)
                        : null,
                template,
                3,
                null,
                new Recovery(null, 0, 45, forceDelete),
                0,
                priorityClass,
                suspend,
                deadline,
                retention,
                agreement));
        job.setStatus(status);
        return job;
    }

    /** The step that lets a pod go, with what it is told. */
    JobStep ungate(String pod, RankedNode place, String position) {
        TreeMap<String, String> notes = new TreeMap<>(Map.of(
                "lightpath.dev/rank",
                Integer.toString(place.rank()),
                "lightpath.dev/group",
                place.groups(),
                "lightpath.dev/light",
                LightFile.of(facts()).text(place)));
        if (!position.isEmpty()) {
            notes.put("lightpath.dev/ring-position", position);
        }
        if (place.rank() == 0 && workload instanceof WorkloadFacts.Own) {
            int nodes = RankedNode.of(slices).size();
            notes.put("lightpath.dev/hostfile", new PodHosts(JOB_SET).file(nodes, 16 / nodes));
        }
        return new JobStep.Ungate(pod, place, 1, notes);
    }

    /** The step that takes its first slice away, as that is recorded now. */
    public JobStep deletion() {
        return slices.stream()
                .filter(slice -> slice.name().equals(SLICE))
                .map(JobStep.DeleteSlice::of)
                .findFirst()
                .orElseThrow();
    }

    public JobFacts facts() {
        return new JobFacts(
                NOW, job(), fabric, slices, workload, beside, traffic, List.of(), left, classPriority, queried, hooks);
    }

    public List<JobStep> steps() {
        return JobPlan.of(facts());
    }

    public TrainingJobStatus told() {
        return JobReport.of(facts(), steps(), Optional.empty());
    }

    /** Status and reason of a condition. */
    public String says(ConditionType type) {
        Condition condition = told().conditions().stream()
                .filter(each -> each.getType().equals(type.word()))
                .findFirst()
                .orElseThrow();
        return condition.getStatus() + " " + condition.getReason();
    }

    public String message(ConditionType type) {
        return told().conditions().stream()
                .filter(each -> each.getType().equals(type.word()))
                .findFirst()
                .orElseThrow()
                .getMessage();
    }

    public SampleJob waiting(Condition... conditions) {
        slices.add(slice(1, Optional.empty(), conditions));
        return this;
    }

    public SampleJob placed(Condition... more) {
        List<Condition> all = new ArrayList<>(List.of(more));
        all.add(condition(ConditionType.ALLOCATED, "True", "Satisfied"));
        slices.add(slice(1, Optional.of(allocation()), all.toArray(Condition[]::new)));
        return this;
    }

    public SampleJob lit() {
        return placed(
                condition(ConditionType.PROGRAMMED, "True", "Satisfied"),
                condition(ConditionType.QUALIFIED, "True", "Satisfied"),
                condition(ConditionType.READY, "True", "Satisfied"));
    }

    public SampleJob released() {
        slices.add(dark(1));
        return this;
    }

    /** A slice whose light was taken down. */
    public static SliceFacts dark(int attempt) {
        return slice(
                attempt,
                Optional.of(new Allocation(1, 2, null, List.of(), List.of(), null)),
                condition(ConditionType.READY, "False", "Released"));
    }

    public SampleJob own(PodFacts... pods) {
        template = new Workload(
                Serialization.unmarshal(
                        "{\"spec\":{\"containers\":[{\"name\":\"train\",\"image\":\"example/train:1\"}]}}",
                        com.fasterxml.jackson.databind.JsonNode.class),
                null);
        made(Optional.of(Made.unknown()), pods);
        return this;
    }

    /** Its JobSet, if there is one, was made so, and has these pods. */
    void made(Optional<Made> made, PodFacts... pods) {
        workload = new WorkloadFacts.Own(
                JOB_SET, made.map(of -> SampleRun.running().made(of).run()), List.of(pods), Optional.empty());
    }

    public SampleJob ended(boolean well, String reason) {
        workload = new WorkloadFacts.Own(
                JOB_SET,
                Optional.of(SampleRun.running().ended(well, reason, "it ended").run()),
                List.of(),
                Optional.empty());
        return this;
    }

    public static SliceFacts slice(int attempt, Optional<Allocation> allocation, Condition... conditions) {
        SampleSlice slice = SampleSlice.of(
                        JobNames.slice("train", "ring-a", attempt, UID),
                        "ring-a",
                        attempt,
                        new Demand(new ScaleUpDemand(2, 8), null, null))
                .says(conditions);
        return allocation.map(slice::recorded).orElse(slice).facts();
    }

    /** The same, whose conditions speak of its first record and not of the one that it has. */
    static SliceFacts recordedAnew(SliceFacts slice) {
        Allocation first = slice.allocation().orElseThrow();
        return SampleSlice.like(slice)
                .recorded(new Allocation(first.format(), 2, null, first.groups(), List.of(), first.releasing()))
                .toldOf(Optional.of(1L))
                .facts();
    }

    /** The same, whose light of an earlier revision goes yet. */
    static SliceFacts leaving(Releasing going, SliceFacts slice) {
        Allocation kept = slice.allocation().orElseThrow();
        return SampleSlice.like(slice)
                .recorded(new Allocation(
                        kept.format(), kept.revision(), kept.parts(), kept.groups(), kept.circuits(), going))
                .toldOf(slice.observedRevision())
                .facts();
    }

    static SliceFacts ofAttempt(int attempt, SliceFacts slice) {
        return slice(attempt, slice.allocation(), slice.conditions().toArray(Condition[]::new));
    }

    static SliceFacts expecting(Outlook outlook, SliceFacts slice) {
        return SampleSlice.like(slice).expecting(Optional.of(outlook)).facts();
    }

    /** The same, whose place another job is to have. */
    static SliceFacts preemptedBy(String job, SliceFacts slice) {
        return SampleSlice.like(slice).preemptedBy(job).facts();
    }

    /** The same, that a person lets go. */
    static SliceFacts forced(SliceFacts slice) {
        return SampleSlice.like(slice).forced().facts();
    }

    public static Allocation allocation() {
        return new Allocation(
                1,
                1,
                null,
                List.of(
                        new GroupAllocation(0, List.of("n0", "n1"), List.of(0, 1)),
                        new GroupAllocation(1, List.of("n3", "n2"), List.of(3, 2))),
                List.of(),
                null);
    }

    /** The first groups of a record, without circuits. */
    static Allocation narrowed(Allocation record, int groups) {
        return new Allocation(
                record.format(), record.revision(), null, record.groups().subList(0, groups), List.of(), null);
    }

    /** Of circuits that follow its traffic. */
    static Allocation chosen() {
        return chosen("0.7");
    }

    /** @param seconds of an iteration */
    static Allocation chosen(String seconds) {
        Allocation plain = allocation();
        return new Allocation(
                plain.format(),
                plain.revision(),
                plain.parts(),
                plain.groups(),
                plain.circuits(),
                plain.releasing(),
                plain.origin(),
                new ChosenCircuits("digest", List.of(1, 2), new Prediction(seconds, "0.7", "1.0", 6, 8, true)));
    }

    public static Condition condition(ConditionType type, String status, String reason) {
        return new ConditionBuilder()
                .withType(type.word())
                .withStatus(status)
                .withReason(reason)
                .withMessage(reason + " it is")
                .build();
    }

    public static PodFacts gated(int rank) {
        return new PodFacts(
                "p" + rank, OptionalInt.of(rank), "", true, PodFacts.Phase.PENDING, false, false, Optional.empty(), "");
    }

    /** On the node of its rank. */
    public static PodFacts running(int rank) {
        return running(rank, RankedNode.of(allocation()).get(rank).node());
    }

    public static PodFacts running(int rank, String node) {
        return new PodFacts(
                "p" + rank,
                OptionalInt.of(rank),
                node,
                false,
                PodFacts.Phase.RUNNING,
                false,
                false,
                Optional.empty(),
                "");
    }

    /** Let go to a node and not bound yet. */
    static PodFacts unbound(int rank, String node, boolean down) {
        return waiting(rank, new PodFacts.Waiting(node, down, false, "17"));
    }

    /** Let go to a node that keeps it out by now. */
    public static PodFacts barred(int rank, String node) {
        return waiting(rank, new PodFacts.Waiting(node, false, true, "17"));
    }

    private static PodFacts waiting(int rank, PodFacts.Waiting where) {
        return new PodFacts(
                "p" + rank,
                OptionalInt.of(rank),
                "",
                false,
                PodFacts.Phase.PENDING,
                false,
                false,
                Optional.of(where),
                "");
    }

    public static PodFacts hanging(int rank, String node) {
        return new PodFacts(
                "p" + rank,
                OptionalInt.of(rank),
                node,
                false,
                PodFacts.Phase.RUNNING,
                true,
                true,
                Optional.empty(),
                "");
    }
}
