package dev.lightpath.app.job;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.CarriedAllocation;
import dev.lightpath.crds.job.PlacementSummary;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.SliceReference;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.AllocationOrigin;
import dev.lightpath.crds.slice.ChosenCircuits;
import dev.lightpath.planner.engine.SliceVerdict;
import dev.lightpath.reading.AllocationCodec;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The status of a job: conditions first, each by the first thing that stands in its way. */
record JobReport(JobFacts facts, Purpose purpose, int attempt, List<JobStep> steps) {
    /** Characters of carried records; a slice whose record does not fit hangs on its finalizer, and is served as it is. */
    static final int MOST_CARRIED = 900_000;

    /** In the message of Placed: what moved last, and why. */
    static final String LAST_CHANGE = "; last change: ";

    /** Ends the message of a release that is over. */
    static final String NOTHING_LIT = "; nothing is lit for it";

    TrainingJobStatus status() {
        List<SliceFacts> current = serving();
        boolean placed = isPlaced(current);
        return new TrainingJobStatus(
                facts.job().getMetadata().getGeneration(),
                conditions(current),
                facts.job().getSpec().parallelism().gpus(),
                nodes(current),
                attempt == 0 ? null : attempt,
                references(),
                placed ? placement(current) : null,
                placed ? prediction(current) : null,
                carried());
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
                .findFirst()
                .orElse(null);
    }

    /** Records of slices deleted by hand, until the slice that comes after has its own. */
    private List<CarriedAllocation> carried() {
        List<CarriedAllocation> carried = new ArrayList<>();
        boolean serves = purpose instanceof Purpose.Serve;
        int room = MOST_CARRIED;
        for (SliceFacts slice : facts.slices()) {
            if (serves && slice.carriedOver() && slice.attempt() == attempt) {
                String text = AllocationCodec.text(slice.allocation().orElseThrow());
                room -= text.length();
                if (room >= 0) {
                    carried.add(new CarriedAllocation(slice.name(), slice.fabric(), slice.attempt(), text));
                }
            }
        }
        for (CarriedAllocation before : JobPlan.carried(facts)) {
            boolean written = facts.slices().stream()
                    .anyMatch(slice -> slice.name().equals(before.slice())
                            && slice.allocation().isPresent());
            if (!written) {
                carried.add(before);
            }
        }
        return carried;
    }

    /** How the workload ended, if the status says so. */
    static Optional<WorkloadFacts.Ending> toldEnding(@Nullable TrainingJobStatus status) {
        if (status == null) {
            return Optional.empty();
        }
        for (Condition condition : status.conditions()) {
            boolean complete = ConditionType.COMPLETE.word().equals(condition.getType());
            boolean failed = ConditionType.FAILED.word().equals(condition.getType());
            if ((complete || failed) && "True".equals(condition.getStatus())) {
                return Optional.of(new WorkloadFacts.Ending(complete, condition.getReason(), condition.getMessage()));
            }
        }
        return Optional.empty();
    }

    private List<Condition> conditions(List<SliceFacts> current) {
        Finding accepted = accepted();
        Finding placed = placed(current);
        Finding lit = fabricReady(current);
        Finding ready = ready(List.of(accepted, placed, lit), current);
        boolean stalled = isStalled(ready);
        Finding reconciling = !ready.holds() && !stalled && !isSettled()
                ? new Finding("True", ready.reason(), ready.message())
                : Finding.no(Reason.SATISFIED, "nothing is under way");
        ConditionTable table = new ConditionTable(
                facts.job().getStatus(), facts.job().getMetadata().getGeneration(), facts.now());
        put(table, ConditionType.ACCEPTED, accepted);
        put(table, ConditionType.PLACED, placed);
        put(table, ConditionType.FABRIC_READY, lit);
        put(table, ConditionType.READY, ready);
        put(table, ConditionType.COMPLETE, ended(true));
        put(table, ConditionType.FAILED, ended(false));
        put(table, ConditionType.RECONCILING, reconciling);
        put(
                table,
                ConditionType.STALLED,
                stalled
                        ? new Finding("True", ready.reason(), ready.message())
                        : Finding.no(Reason.SATISFIED, "nothing needs a person"));
        return table.conditions();
    }

    private static void put(ConditionTable table, ConditionType type, Finding finding) {
        table.put(type, finding.status(), finding.reason(), finding.message());
    }

    private Finding accepted() {
        return switch (purpose) {
            case Purpose.Serve serve ->
                serve.refusal()
                        .map(refusal -> Finding.no(refusal.reason(), refusal.message()))
                        .orElse(Finding.yes("the job makes sense on its fabric"));
            case Purpose.Release release ->
                release.reason() == Reason.SUSPENDED
                        ? Finding.no(release.reason(), release.message())
                        : Finding.yes("the job was accepted");
        };
    }

    private Finding placed(List<SliceFacts> current) {
        if (purpose instanceof Purpose.Release release) {
            return Finding.no(release.reason(), waiting());
        }
        List<SliceFacts> without =
                current.stream().filter(slice -> !slice.placed()).toList();
        if (!without.isEmpty()) {
            // of two fabrics one may wait for what the other refuses
            return without.stream()
                    .flatMap(slice -> slice.condition(ConditionType.ALLOCATED).stream())
                    .filter(allocated -> "False".equals(allocated.getStatus()))
                    .map(allocated -> Finding.no(allocated.getReason(), allocated.getMessage()))
                    .findFirst()
                    .orElseGet(() -> Finding.unknown("waits for the planner's word on slice "
                            + without.getFirst().name()));
        }
        if (isPlaced(current)) {
            return Finding.yes("the job has " + JobPlan.ranked(current).size() + " nodes" + origin(current));
        }
        return facts.attempt() > 0 && facts.attempt() < attempt
                ? Finding.unknown("the whole job is placed anew as attempt " + attempt + "; the light of attempt "
                        + facts.attempt() + " goes down first")
                : Finding.unknown("no slice is granted yet");
    }

    /** What moved last, and why. */
    private static String origin(List<SliceFacts> current) {
        return current.stream()
                .flatMap(slice -> slice.allocation().stream())
                .filter(allocation -> allocation.revision() > 1)
                .flatMap(allocation -> Optional.ofNullable(allocation.origin()).stream()
                        .map(origin -> LAST_CHANGE + told(allocation, origin)))
                .findFirst()
                .orElse("");
    }

    private static String told(Allocation allocation, AllocationOrigin origin) {
        String what = allocation.circuits().isEmpty() ? " bundles, " : " circuits, ";
        return origin.planner() + ", " + origin.bundles() + what + origin.why();
    }

    private Finding fabricReady(List<SliceFacts> current) {
        if (purpose instanceof Purpose.Release release) {
            return Finding.no(release.reason(), waiting());
        }
        if (!isPlaced(current)) {
            return Finding.unknown("the job has no place yet");
        }
        for (SliceFacts slice : current) {
            if (!slice.lit()) {
                return slice.obstacle()
                        .map(obstacle -> standing(Finding.no(obstacle.getReason(), obstacle.getMessage())))
                        .orElse(Finding.no(
                                Reason.PROGRAMMING, "the light of slice " + slice.name() + " is on its way"));
            }
        }
        return Finding.yes("the light burns and is qualified");
    }

    /** A fabric that stands still because too much of it failed is the first thing to know. */
    private Finding standing(Finding finding) {
        return Stream.of(facts.fabric(), facts.scaleOut())
                .flatMap(Optional::stream)
                .filter(fabric -> fabric.massFailure().isPresent())
                .findFirst()
                .map(fabric -> Finding.no(
                        Reason.MASS_FAILURE,
                        "fabric " + fabric.name() + ": " + fabric.massFailure().get() + "; of this job: "
                                + finding.message()))
                .orElse(finding);
    }

    private Finding ready(List<Finding> before, List<SliceFacts> current) {
        if (purpose instanceof Purpose.Release release) {
            return Finding.no(release.reason(), waiting());
        }
        for (Finding finding : before) {
            if (!finding.holds()) {
                return Finding.no(finding.reason(), finding.message());
            }
        }
        for (SliceFacts slice : current) {
            if (!slice.holds(ConditionType.READY)) {
                return slice.condition(ConditionType.READY)
                        .map(ready -> standing(Finding.no(ready.getReason(), ready.getMessage())))
                        .orElse(Finding.no(Reason.PENDING, "waits for slice " + slice.name()));
            }
        }
        Optional<Finding> pods = PodStanding.of(facts.workload(), JobPlan.ranked(current));
        if (pods.isPresent()) {
            return pods.get();
        }
        return Finding.yes("the light is qualified" + (isLightOnly() ? "" : " and all pods run"));
    }

    private Finding ended(boolean well) {
        if (purpose instanceof Purpose.Release release
                && (release.reason() == Reason.JOB_COMPLETED) == well
                && (well || release.reason() == Reason.MAX_RESTARTS || release.reason() == Reason.JOB_FAILED)) {
            return new Finding("True", release.reason().word(), release.message());
        }
        return toldEnding(facts.job().getStatus())
                .filter(ending -> ending.succeeded() == well)
                .map(ending -> new Finding("True", ending.reason(), ending.message()))
                .orElse(Finding.no(
                        Reason.PENDING,
                        isLightOnly() ? "there is no workload that could end" : "the workload has not ended so"));
    }

    /** What a release waits for, or that it is over. */
    private String waiting() {
        if (!(purpose instanceof Purpose.Release release)) {
            return "";
        }
        List<PodFacts> pods =
                facts.workload().workers().stream().filter(PodFacts::usesLight).toList();
        if (!pods.isEmpty()) {
            return release.message() + "; waits for " + pods.size() + " pods to end, first "
                    + pods.getFirst().name();
        }
        if (release.endsWorkload()
                && facts.workload() instanceof WorkloadFacts.Own own
                && own.run().isPresent()) {
            return release.message() + "; waits for JobSet " + own.name() + " to go";
        }
        if (!facts.slices().isEmpty()) {
            SliceFacts slice = facts.slices().getFirst();
            return release.message() + "; waits for the light of slice " + slice.name() + " to go down"
                    + slice.condition(ConditionType.READY)
                            .map(Condition::getMessage)
                            .filter(message -> !message.isBlank())
                            .map(message -> ": " + message)
                            .orElse("");
        }
        return release.message() + NOTHING_LIT;
    }

    private boolean isStalled(Finding ready) {
        return switch (purpose) {
            case Purpose.Serve serve ->
                serve.refusal().filter(refusal -> !refusal.passing()).isPresent()
                        || ready.reason().equals(Reason.GATE_MISSING.word())
                        || ready.message().endsWith(SliceVerdict.Placement.Unplaced.NEVER_FITS);
            case Purpose.Release release ->
                isSettled() && (release.reason() == Reason.MAX_RESTARTS || release.reason() == Reason.JOB_FAILED);
        };
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
        serving().forEach(slice -> references.add(new SliceReference(slice.name(), slice.fabric())));
        for (JobStep step : steps) {
            if (step instanceof JobStep.CreateSlice create) {
                references.add(new SliceReference(create.name(), create.fabric()));
            }
        }
        return references;
    }

    private @Nullable Integer nodes(List<SliceFacts> current) {
        if (isPlaced(current)) {
            return JobPlan.ranked(current).size();
        }
        int gpus = facts.job().getSpec().parallelism().gpus();
        return facts.fabric()
                .map(fabric -> Math.ceilDiv(gpus, fabric.gpusPerNode()))
                .orElse(null);
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
