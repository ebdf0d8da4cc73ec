package dev.lightpath.console.forecast;

import dev.lightpath.console.Look;
import dev.lightpath.console.forecast.PlanReport.JobPlan;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.ScaleUp;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.simulation.PlacementPreview;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.reading.JobDemand;
import dev.lightpath.reading.JobPriority;
import dev.lightpath.reading.RefusedFabrics;
import dev.lightpath.reading.SliceIntentReader;
import dev.lightpath.reading.acceptance.FabricKind;
import dev.lightpath.reading.acceptance.Misfit;
import dev.lightpath.reading.label.AllowedNamespaces;
import dev.lightpath.reading.pod.PodAttribution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Where the operator would place jobs next, simulated on one look at everything. */
public final class JobOutlook {
    private final Look look;
    private final PodAttribution pods;
    private final Function<OpticalFabric, Set<String>> foreign;
    private final NamedObjects named;
    private final Map<String, OpticalFabric> fabrics;
    private final Map<String, String> refused;
    private final Promises promises;
    private final SpineOutlook spine;
    private final Map<String, Situation> situations = new HashMap<>();

    /**
     * Linear in all objects.
     *
     * @param look slices named in answers are those that its sight shows
     * @param foreign nodes of a ring with light that nobody planned
     * @param solver answers a question about circuits between pods
     */
    public JobOutlook(
            Look look,
            PodAttribution pods,
            Function<OpticalFabric, Set<String>> foreign,
            Function<TopologyQuestion, TopologyAnswer> solver,
            NamedObjects named) {
        this.look = look;
        this.pods = pods;
        this.foreign = foreign;
        this.named = named;
        this.fabrics = look.fabrics().stream()
                .collect(Collectors.toMap(fabric -> fabric.getMetadata().getName(), fabric -> fabric));
        this.refused = RefusedFabrics.of(look.fabrics(), look.switches(), look.nodes());
        this.promises = new Promises(look, pods);
        this.spine = new SpineOutlook(look, fabrics, promises, pods, foreign, solver, named);
    }

    /**
     * Where the jobs would go, those that go first first: each on what the ones before it leave.
     *
     * @param wishes as the API server would store them
     * @throws BadInput when one asks for what no preview shows, or a fabric that one names contradicts itself
     */
    public PlanReport plans(List<TrainingJob> wishes) {
        Instant now = look.at();
        List<JobPlan> plans = new ArrayList<>();
        List<ScaleOutPlan> spines = new ArrayList<>();
        wishes.stream()
                .map(this::withItsClass)
                .sorted(Comparator.comparingInt(
                                (TrainingJob job) -> JobPriority.of(job).value())
                        .reversed())
                .forEach(job -> {
                    if (job.getSpec().scaleOut() == null) {
                        plans.add(plan(job, now.plusNanos(plans.size())));
                    } else {
                        spines.add(spine.plan(job, now, fabric -> refusal(job, fabric)));
                    }
                });
        PlanReport report = PlanReport.of(plans, spines);
        return wishes.stream().allMatch(job -> job.getSpec().workload() == null)
                ? report
                : report.noting(
                        "of pods, templates and queues only what the jobs themselves say is looked at: what else is"
                                + " wrong with them, or quota that they wait for, keeps a job from being placed");
    }

    private JobPlan plan(TrainingJob job, Instant now) {
        TrainingJobSpec spec = job.getSpec();
        ScaleUp scaleUp = spec.scaleUp();
        String name = job.getMetadata().getName();
        String namespace = job.getMetadata().getNamespace();
        if (scaleUp == null) {
            throw new BadInput("TrainingJob " + name + ": spec: neither scaleUp nor scaleOut, allowed: one or both");
        }
        int gpus = spec.parallelism().gpus();
        OpticalFabric fabric = fabrics.get(scaleUp.fabric());
        Optional<Misfit> refusal = fabric == null
                ? Optional.of(Misfit.noFabric("spec.scaleUp.fabric", scaleUp.fabric()))
                : Misfit.onRing(FabricKind.of(fabric), spec).or(() -> refusal(job, fabric));
        if (fabric == null || refusal.isPresent()) {
            Misfit why = refusal.orElseThrow();
            return JobPlan.unplaced(
                    namespace, name, scaleUp.fabric(), gpus, why.reason().word(), why.message(), null);
        }
        Situation situation = situation(fabric);
        SliceIntent wish = held(situation, namespace, name).orElseGet(() -> wish(job, scaleUp, now));
        PlacementPreview preview = PlacementPreview.of(
                Snapshot.of(now, situation.ring(), situation.slices(), situation.ledger(), situation.faulty()), wish);
        if (preview instanceof PlacementPreview.Placed placed) {
            promises.promise(List.of(wish), placed.steps());
        }
        return JobPlan.of(wish.id(), name, scaleUp.fabric(), gpus, preview, Halt.of(fabric), look.sight());
    }

    /** A ring as the jobs before leave it. */
    private Situation situation(OpticalFabric fabric) {
        return situations.computeIfAbsent(
                fabric.getMetadata().getName(),
                name -> Situation.of(fabric, look.nodes(), promises.on(fabric), pods, foreign.apply(fabric)));
    }

    /** One that the operator has not seen yet, with what its PriorityClass says now. */
    private TrainingJob withItsClass(TrainingJob job) {
        JobPriority.unread(job)
                .flatMap(named::priorityClass)
                .map(JobPriority::read)
                .ifPresent(read -> job.setStatus(
                        TrainingJobStatus.builder().classPriority(read).build()));
        return job;
    }

    /** What the operator would say of the job, apart from what each of its fabrics gives. */
    private Optional<Misfit> refusal(TrainingJob job, OpticalFabric fabric) {
        Optional<String> unread = JobPriority.unread(job);
        if (unread.isPresent()) {
            return Optional.of(Misfit.noPriorityClass(unread.get()));
        }
        if (job.getSpec().suspend()) {
            return Optional.of(new Misfit(Reason.SUSPENDED, "spec.suspend is true: set it to false to go on"));
        }
        String claimed = refused.get(fabric.getMetadata().getName());
        if (claimed != null) {
            return Optional.of(new Misfit(
                    Reason.INVALID_WIRING, "fabric " + fabric.getMetadata().getName() + ": " + claimed));
        }
        String namespace = job.getMetadata().getNamespace();
        return AllowedNamespaces.refusal(
                        fabric, namespace, () -> named.namespace(namespace).orElse(null))
                .map(why -> new Misfit(Reason.NAMESPACE_NOT_ALLOWED, why))
                .or(() -> Misfit.inQueue(job))
                .or(() -> isGranted(job)
                        ? Optional.empty()
                        : Misfit.ofTemplate(job).or(() -> Misfit.ofExperts(job.getSpec())));
    }

    private boolean isGranted(TrainingJob job) {
        return look.slices().stream()
                .anyMatch(slice -> slice.getSpec().job() != null
                        && slice.getSpec().job().name().equals(job.getMetadata().getName())
                        && slice.getMetadata()
                                .getNamespace()
                                .equals(job.getMetadata().getNamespace())
                        && slice.getStatus() != null
                        && slice.getStatus().allocation() != null);
    }

    /** The wish of a job that is in the cluster already. */
    private static Optional<SliceIntent> held(Situation situation, String namespace, String job) {
        return situation.slices().values().stream()
                .filter(slice -> slice.wanted()
                        && slice.job().name().equals(job)
                        && slice.job().namespace().equals(namespace))
                .max(Comparator.comparingInt(SliceIntent::attempt));
    }

    private static SliceIntent wish(TrainingJob job, ScaleUp scaleUp, Instant now) {
        String namespace = job.getMetadata().getNamespace();
        String name = job.getMetadata().getName();
        TrainingJobSpec spec = job.getSpec();
        return new SliceIntent(
                new SliceId(namespace, name + "-" + scaleUp.fabric() + "-1"),
                new JobId(namespace, name, "planned"),
                1,
                scaleUp.fabric(),
                SliceIntentReader.scaleUp(
                        java.util.Objects.requireNonNull(JobDemand.scaleUp(spec).scaleUp())),
                JobPriority.of(job).value(),
                now,
                true,
                spec.workload() == null ? new Workload.LightOnly() : new Workload.Pods(new TreeSet<>(), false),
                new Replacement.WithWorkload(),
                false);
    }
}
