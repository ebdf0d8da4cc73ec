package dev.lightpath.app.job.plan;

import dev.lightpath.app.conditions.AgreementVerdict;
import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.app.job.facts.FabricFacts;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.Replicas;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.measured.Measurements;
import dev.lightpath.app.job.measured.SpeedFitting;
import dev.lightpath.app.job.measured.TrafficModel;
import dev.lightpath.app.job.workload.TemplateContradictions;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.PlacementSummary;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.Preempted;
import dev.lightpath.crds.job.SliceReference;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.ChosenCircuits;
import dev.lightpath.reading.AgreementReader;
import dev.lightpath.reading.LightReturned;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The status of a job: conditions first, each by the first thing that stands in its way.
 *
 * @param steps that are taken
 * @param refusal of the step after them
 */
public record JobReport(
        JobFacts facts, Purpose purpose, int attempt, List<JobStep> steps, Optional<StepsTaken.Refusal> refusal) {
    /** Reasons of a release that a change of the job, or of what it needs, takes away. */
    private static final Set<Reason> NOT_ACCEPTED =
            Set.of(Reason.SUSPENDED, Reason.WAITING_FOR_QUOTA, Reason.WORKLOAD_DELETED, Reason.WORKLOAD_TAKEN);

    /** What to tell once these steps are taken; nothing is learnt. */
    public static TrainingJobStatus of(JobFacts facts, List<JobStep> steps, Optional<StepsTaken.Refusal> refusal) {
        return of(facts, steps, refusal, SpeedFitting.NONE);
    }

    /**
     * What to tell once these steps are taken.
     *
     * @param fitting learns from what was measured
     */
    public static TrainingJobStatus of(
            JobFacts facts, List<JobStep> steps, Optional<StepsTaken.Refusal> refusal, SpeedFitting fitting) {
        Purpose purpose = Purpose.of(facts);
        return new JobReport(facts, purpose, Attempt.newest(facts, purpose, steps), steps, refusal).status(fitting);
    }

    /**
     * The first status by what watches show of a job, which may be late. A status is an order to the planner, too: none
     * is told that gives up a place, or answers what was announced.
     *
     * @return empty where the job has to be read first
     */
    public static Optional<TrainingJobStatus> ofShown(JobFacts shown, SpeedFitting fitting) {
        if (!JobPlan.of(shown).isEmpty()) {
            return Optional.empty();
        }
        TrainingJobStatus told = of(shown, List.of(), Optional.empty(), fitting);
        boolean takesNothing = Objects.equals(told.attempt(), shown.attempt())
                && told.preempted() == null
                && told.agreed().isEmpty()
                && !LightReturned.by(told);
        return takesNothing ? Optional.of(told) : Optional.empty();
    }

    private TrainingJobStatus status(SpeedFitting fitting) {
        List<SliceFacts> current = serving();
        boolean placed = isPlaced(current);
        int restarts = Restarts.of(facts);
        HookReport hook = HookReport.of(facts);
        Measurements measured = Measurements.of(
                facts,
                TrafficModel.of(facts, placed ? current : List.of()),
                current.stream().allMatch(SliceFacts::shines),
                fitting);
        return TrainingJobStatus.builder()
                .observedGeneration(facts.job().getMetadata().getGeneration())
                .conditions(conditions(current, measured, hook))
                .gpus((placed ? facts.sized() : facts.job())
                        .getSpec()
                        .parallelism()
                        .gpus())
                .nodes(nodes(current))
                .attempt(attempt == 0 ? null : attempt)
                .slices(references())
                .placement(placed ? placement(current) : null)
                .prediction(prediction(current))
                .preempted(preempted(placed))
                .classPriority(facts.classPriority().orElse(null))
                .width((placed ? Replicas.width(facts) : Replicas.lastKnown(facts)).orElse(null))
                .restarts(restarts == 0 ? null : restarts)
                .measurement(measured.kept())
                .agreed(hook.agreed())
                .build();
    }

    /**
     * Told from the moment at which it gives its place up until it has one again. As long as its JobSet may not be
     * deleted it has given up nothing, and keeps its place once nobody waits for it any more.
     */
    private @Nullable Preempted preempted(boolean placed) {
        boolean keptSoFar = placed
                && facts.workload() instanceof WorkloadFacts.Own own
                && refusal.filter(of -> of.step().equals(new JobStep.DeleteJobSet(own.name())))
                        .isPresent();
        return keptSoFar ? null : preemptedSoFar(placed);
    }

    private @Nullable Preempted preemptedSoFar(boolean placed) {
        return Preemption.underWay(facts)
                .or(() -> placed ? Optional.empty() : Preemption.told(facts))
                .orElse(null);
    }

    private PlacementSummary placement(List<SliceFacts> current) {
        Optional<PlacementSummary> told =
                current.stream().flatMap(slice -> slice.placement().stream()).findFirst();
        return new PlacementSummary(
                groups(current),
                told.map(PlacementSummary::crossTorRatio).orElse(null),
                told.map(PlacementSummary::spareNodes).orElse(null));
    }

    private static @Nullable Prediction prediction(List<SliceFacts> current) {
        return current.stream()
                .flatMap(slice -> slice.allocation().stream())
                .flatMap(allocation -> Optional.ofNullable(allocation.chosen()).stream())
                .map(ChosenCircuits::prediction)
                .map(Prediction::rounded)
                .findFirst()
                .orElse(null);
    }

    private List<Condition> conditions(List<SliceFacts> current, Measurements measured, HookReport hook) {
        Verdict accepted = accepted();
        Verdict placed = placed(current);
        Verdict lit = fabricReady(current);
        Verdict standing = ready(List.of(accepted, placed, lit), current);
        Verdict ready = new Verdict(standing.status(), standing.reason(), standing.message() + waits().untold());
        boolean stalled = isStalled(ready);
        @Nullable TrainingJobStatus before = facts.job().getStatus();
        @Nullable Long generation = facts.job().getMetadata().getGeneration();
        Conditions conditions = Conditions.since(
                        before == null ? List.of() : before.conditions(),
                        generation == null ? 0 : generation,
                        facts.now())
                .with(ConditionType.ACCEPTED, accepted)
                .with(ConditionType.PLACED, placed)
                .with(ConditionType.FABRIC_READY, lit)
                .with(ConditionType.READY, ready)
                .with(ConditionType.COMPLETE, ended(true))
                .with(ConditionType.FAILED, ended(false));
        Conditions told = measured.verdict()
                .or(() -> Measurements.withoutEffect(facts.job()))
                .map(of -> conditions.with(ConditionType.MEASURED, of))
                .orElse(conditions);
        Conditions asked =
                agreed(current).map(of -> told.with(ConditionType.AGREED, of)).orElse(told);
        return hook.verdict()
                .map(of -> asked.with(ConditionType.HOOK_ANSWERED, of))
                .orElse(asked)
                .summed(ready, !ready.holds() && !stalled && !isSettled(), stalled)
                .list();
    }

    /** Of what was announced to the job; of two announcements the one that waits. */
    private Optional<Verdict> agreed(List<SliceFacts> current) {
        List<String> slices = facts.slices().stream().map(SliceFacts::name).toList();
        List<Verdict> verdicts = current.stream()
                .flatMap(slice -> slice
                        .announcement()
                        .map(announced -> AgreementVerdict.of(
                                facts.job(),
                                slices,
                                slice.name(),
                                slice.allocation().orElseThrow(),
                                announced))
                        .stream())
                .toList();
        Optional<Verdict> asked = verdicts.stream()
                .filter(verdict -> !verdict.holds())
                .findFirst()
                .or(() -> verdicts.stream().findFirst());
        return asked.filter(verdict -> !verdict.holds())
                .or(() -> AgreementReader.unannounced(facts.job(), slices, latest(current))
                        .map(says -> AgreementVerdict.unannounced(facts.job(), says, asked))
                        .or(() -> asked));
    }

    /** Of each slice with a record the revision that it has, or that was announced of it. */
    private static Map<String, Long> latest(List<SliceFacts> current) {
        Map<String, Long> latest = new TreeMap<>();
        current.forEach(slice -> slice.allocation()
                .ifPresent(recorded -> latest.put(
                        slice.name(),
                        Math.max(
                                recorded.revision(),
                                slice.announcement().map(Announcement::revision).orElse(0L)))));
        return latest;
    }

    private Verdict accepted() {
        return switch (purpose) {
            case Purpose.Serve serve ->
                serve.refusal()
                        .map(refusal -> Verdict.fails(refusal.reason(), refusal.message()))
                        .orElseGet(this::sensible);
            case Purpose.Release release ->
                NOT_ACCEPTED.contains(release.reason())
                        ? Verdict.fails(release.reason(), release.message())
                        : Verdict.holds("the job was accepted");
        };
    }

    private Verdict sensible() {
        @Nullable Integer nodes = nodes(serving());
        List<String> contradictions = nodes == null || nodes == 0 ? List.of() : contradictions(nodes);
        String named = facts.workload() instanceof WorkloadFacts.Referenced referenced
                ? referenced.title()
                : "spec.workload.template";
        return contradictions.isEmpty()
                ? Verdict.holds("the job makes sense on its fabric")
                : Verdict.because(
                        Reason.TEMPLATE_CONTRADICTS.word(),
                        named + " is taken as it is: " + String.join("; ", contradictions));
    }

    private List<String> contradictions(int nodes) {
        int gpusPerNode = facts.fabric().map(FabricFacts::gpusPerNode).orElse(0);
        return facts.workload() instanceof WorkloadFacts.Referenced referenced
                ? Stream.concat(
                                PodStanding.miscount(referenced, nodes, gpus()).map(count -> "it " + count).stream(),
                                TemplateContradictions.of(
                                        facts.job(),
                                        referenced.asked().templates(),
                                        nodes,
                                        gpusPerNode,
                                        facts.gpuResource())
                                        .stream())
                        .toList()
                : TemplateContradictions.of(
                        isPlaced(serving()) ? facts.sized() : facts.job(), nodes, gpusPerNode, facts.gpuResource());
    }

    private int gpus() {
        return facts.job().getSpec().parallelism().gpus();
    }

    /** Whether its workload makes another number of pods than it has nodes: nobody makes the others. */
    private boolean isMiscounted(Verdict ready) {
        List<RankedNode> ranked = RankedNode.of(serving());
        return ready.reason().equals(Reason.PODS_PENDING.word())
                && !ranked.isEmpty()
                && facts.workload() instanceof WorkloadFacts.Referenced referenced
                && PodStanding.miscount(referenced, ranked.size(), gpus()).isPresent();
    }

    private Waits waits() {
        return new Waits(facts, purpose, refusal);
    }

    private Verdict placed(List<SliceFacts> current) {
        if (purpose instanceof Purpose.Release release) {
            return Verdict.fails(release.reason(), waits().ofRelease());
        }
        Optional<Verdict> refused = waits().refusedSlice();
        if (refused.isPresent()) {
            return refused.get();
        }
        List<SliceFacts> without =
                current.stream().filter(slice -> !slice.placed()).toList();
        if (!without.isEmpty()) {
            // of two fabrics one may wait for what the other refuses
            return without.stream()
                    .flatMap(slice -> slice.condition(ConditionType.ALLOCATED).stream())
                    .filter(allocated -> "False".equals(allocated.getStatus()) && !isOfBefore(allocated))
                    .map(this::unplaced)
                    .findFirst()
                    .orElseGet(() -> awaiting("waits for the planner's word on slice "
                            + without.getFirst().name()));
        }
        if (isPlaced(current)) {
            return new PlacedReport(facts, current).verdict();
        }
        return facts.attempt() > 0 && facts.attempt() < attempt
                ? Verdict.pending(givenUp() + waits().forPods())
                : awaiting("no slice is granted yet");
    }

    /**
     * The planner takes a slice without a record for one that is not wanted as long as it reads the job's status of
     * before, as of one that waited for quota: that is no word on a place.
     */
    private static boolean isOfBefore(Condition allocated) {
        return EventReason.RELEASED.word().equals(allocated.getReason());
    }

    private Verdict unplaced(Condition allocated) {
        return stillPreempted(allocated.getMessage())
                .filter(taken -> Reason.INSUFFICIENT_CAPACITY.word().equals(allocated.getReason()))
                .orElseGet(() -> Verdict.fails(allocated.getReason(), allocated.getMessage()));
    }

    private Verdict awaiting(String what) {
        return stillPreempted(what).orElseGet(() -> Verdict.pending(what));
    }

    /** A job whose place was taken says so until it has one again. */
    private Optional<Verdict> stillPreempted(String why) {
        return Preemption.told(facts)
                .map(taken ->
                        Verdict.fails(Reason.PREEMPTED, Preemption.words(taken) + "; it waits for another: " + why));
    }

    /** What becomes of a job whose newest light goes. */
    private String givenUp() {
        boolean refused =
                purpose instanceof Purpose.Serve serve && serve.refusal().isPresent();
        return refused
                ? "the light of attempt " + facts.attempt()
                        + " goes down; no new place is asked for before the job is accepted"
                : "the whole job is placed anew as attempt " + attempt + "; the light of attempt " + facts.attempt()
                        + " goes down first";
    }

    private Verdict fabricReady(List<SliceFacts> current) {
        if (purpose instanceof Purpose.Release release) {
            return Verdict.fails(release.reason(), waits().ofRelease());
        }
        if (!isPlaced(current)) {
            return Verdict.pending("the job has no place yet");
        }
        for (SliceFacts slice : current) {
            if (!slice.lit()) {
                return slice.obstacle()
                        .map(obstacle -> standing(Verdict.fails(obstacle.getReason(), obstacle.getMessage())))
                        .orElse(Verdict.fails(
                                Reason.PROGRAMMING, "the light of slice " + slice.name() + " is on its way"));
            }
        }
        return Verdict.holds("the light burns and is qualified");
    }

    /** A fabric that stands still because too much of it failed is the first thing to know. */
    private Verdict standing(Verdict finding) {
        return Stream.of(facts.fabric(), facts.scaleOut())
                .flatMap(Optional::stream)
                .filter(FabricFacts::massFailure)
                .findFirst()
                .map(fabric -> Verdict.fails(
                        Reason.MASS_FAILURE,
                        "fabric " + fabric.name()
                                + " stands still after a mass failure, as its condition Ready says; of this job: "
                                + finding.message()))
                .orElse(finding);
    }

    private Verdict ready(List<Verdict> before, List<SliceFacts> current) {
        if (purpose instanceof Purpose.Release release) {
            return Verdict.fails(release.reason(), waits().ofRelease());
        }
        Optional<Verdict> refused = waits().refusedPods();
        if (refused.isPresent()) {
            return refused.get();
        }
        for (Verdict finding : before) {
            if (!finding.holds()) {
                return Verdict.fails(finding.reason(), finding.message());
            }
        }
        for (SliceFacts slice : current) {
            if (!slice.holds(ConditionType.READY)) {
                return slice.condition(ConditionType.READY)
                        .map(ready -> standing(Verdict.fails(ready.getReason(), ready.getMessage())))
                        .orElse(Verdict.fails(Reason.PENDING, "waits for slice " + slice.name()));
            }
        }
        if (facts.left().isPresent()) {
            return Verdict.fails(
                    Reason.PODS_PENDING,
                    "JobSet " + facts.left().get().name() + ", made of an earlier spec.workload, ends first"
                            + waits().forPods());
        }
        if (facts.replicas().isPresent()
                && facts.workload() instanceof WorkloadFacts.Own own
                && JobPlan.isOutdated(own, facts)) {
            return Verdict.fails(
                    Reason.PODS_PENDING,
                    "JobSet " + own.name() + " of another number of replicas ends, and one of "
                            + facts.replicas().getAsInt() + " takes its place" + waits().forPods());
        }
        Optional<Verdict> pods = PodStanding.of(facts.workload(), RankedNode.of(current), gpus());
        if (pods.isPresent()) {
            return pods.get();
        }
        return Verdict.holds("the light is qualified" + (isLightOnly() ? "" : " and all pods run"));
    }

    private Verdict ended(boolean well) {
        if (purpose instanceof Purpose.Release release
                && (release.reason() == Reason.JOB_COMPLETED) == well
                && (well || isFailure(release.reason()))) {
            return Verdict.because(release.reason().word(), release.message());
        }
        return WorkloadFacts.Ending.told(facts.job().getStatus())
                .filter(ending -> ending.succeeded() == well)
                .map(ending -> Verdict.because(ending.reason(), ending.message()))
                .orElse(Verdict.fails(
                        Reason.PENDING,
                        isLightOnly() ? "there is no workload that could end" : "the workload has not ended so"));
    }

    private boolean isStalled(Verdict ready) {
        return switch (purpose) {
            case Purpose.Serve serve ->
                serve.refusal().filter(refusal -> !refusal.passing()).isPresent()
                        || ready.reason().equals(Reason.GATE_MISSING.word())
                        || isToBeMadeAnew(serve)
                        || isMiscounted(ready)
                        || serving().stream().anyMatch(slice -> slice.neverFits() || slice.isUnreadable());
            case Purpose.Release release -> isSettled() && isFailure(release.reason());
        };
    }

    /** Whether its workload is there and cannot be used as it is. */
    private boolean isToBeMadeAnew(Purpose.Serve serve) {
        return serve.refusal()
                        .filter(refusal -> refusal.reason() == Reason.INVALID_TEMPLATE)
                        .isPresent()
                && facts.workload() instanceof WorkloadFacts.Referenced referenced
                && referenced.run().isPresent();
    }

    private static boolean isFailure(Reason reason) {
        return reason == Reason.MAX_RESTARTS || reason == Reason.JOB_FAILED || reason == Reason.DEADLINE_EXCEEDED;
    }

    private boolean isSettled() {
        return purpose instanceof Purpose.Release && facts.slices().isEmpty() && steps.isEmpty();
    }

    private boolean isLightOnly() {
        return facts.workload() instanceof WorkloadFacts.LightOnly;
    }

    /** Slices that serve the attempt; none while an older one goes. */
    private List<SliceFacts> serving() {
        return facts.attempt() == attempt ? facts.current() : List.of();
    }

    private static boolean isPlaced(List<SliceFacts> current) {
        return !current.isEmpty() && current.stream().allMatch(SliceFacts::placed);
    }

    private List<SliceReference> references() {
        List<SliceReference> references = new ArrayList<>();
        serving()
                .forEach(slice -> references.add(new SliceReference(
                        slice.name(),
                        slice.fabric(),
                        slice.allocation().map(Allocation::revision).orElse(null))));
        for (JobStep step : steps) {
            if (step instanceof JobStep.CreateSlice create) {
                references.add(new SliceReference(create.name(), create.fabric(), null));
            }
        }
        return references;
    }

    private @Nullable Integer nodes(List<SliceFacts> current) {
        if (isPlaced(current)) {
            return RankedNode.of(current).size();
        }
        return facts.nodesWanted().orElse(null);
    }

    /** Tensor-parallel groups; of a torus its one group of cubes. */
    private int groups(List<SliceFacts> current) {
        boolean traffic = current.stream()
                .flatMap(slice -> slice.allocation().stream())
                .anyMatch(allocation -> allocation.chosen() != null);
        return traffic
                ? facts.job().getSpec().parallelism().groups()
                : current.stream()
                        .flatMap(slice -> slice.allocation().stream())
                        .mapToInt(allocation -> allocation.groups().size())
                        .sum();
    }
}
