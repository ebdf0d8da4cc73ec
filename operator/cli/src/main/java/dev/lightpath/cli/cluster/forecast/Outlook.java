package dev.lightpath.cli.cluster.forecast;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.OperatorOptions;
import dev.lightpath.cli.cluster.access.OperatorView;
import dev.lightpath.cli.cluster.forecast.PlanReport.JobPlan;
import dev.lightpath.console.Look;
import dev.lightpath.console.ReadBack;
import dev.lightpath.console.Sight;
import dev.lightpath.console.forecast.FaultOutlook;
import dev.lightpath.console.forecast.Halt;
import dev.lightpath.console.forecast.Situation;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.ScaleUp;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.simulation.RingPreview;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.reading.JobPriority;
import dev.lightpath.reading.RefusedFabrics;
import dev.lightpath.reading.label.AllowedNamespaces;
import dev.lightpath.reading.pod.PodAttribution;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the operator would do next, simulated on one listing of everything it looks at. */
final class Outlook {
    private final Cluster cluster;
    private final OperatorOptions operator;
    private final Consumer<String> remark;
    private final Map<String, OpticalFabric> fabrics;
    private final List<OpticalSwitch> switches;
    private final Map<String, String> refused;
    private final List<Node> nodes;
    private final List<TrainingJob> jobs;
    private final List<FabricSlice> slices;
    private final PodAttribution pods;
    private final Map<String, Situation> situations = new HashMap<>();

    @Nullable
    private OperatorView view;

    @Nullable
    private BadInput unreachable;

    private Outlook(Cluster cluster, OperatorOptions operator, Consumer<String> remark) {
        this.cluster = cluster;
        this.operator = operator;
        this.remark = remark;
        this.fabrics = cluster.fabrics().stream()
                .collect(Collectors.toMap(fabric -> fabric.getMetadata().getName(), fabric -> fabric));
        this.switches = cluster.switches();
        this.nodes = cluster.nodes();
        this.refused = RefusedFabrics.of(fabrics.values(), switches, nodes);
        this.jobs = cluster.jobs(Optional.empty());
        this.slices = cluster.slices(Optional.empty());
        this.pods = cluster.attributed(jobs, slices, nodes);
    }

    /** @param remark takes lines for a person, beside the answer */
    static Outlook over(Cluster cluster, OperatorOptions operator, Consumer<String> remark) {
        return new Outlook(cluster, operator, remark);
    }

    /** A ring as it is, read once. */
    Situation situation(OpticalFabric fabric) {
        return situations.computeIfAbsent(
                fabric.getMetadata().getName(),
                name -> Situation.of(fabric, nodes, jobs, slices, pods, foreign(fabric)));
    }

    /** Where the jobs would go, those that go first first: each on what the ones before it leave. */
    PlanReport plans(List<TrainingJob> wishes, Instant now) {
        List<JobPlan> plans = new ArrayList<>();
        List<ScaleOutPlan> spines = new ArrayList<>();
        SpineOutlook spine = new SpineOutlook(cluster, fabrics, switches, nodes, jobs, slices, pods);
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
        return PlanReport.of(plans, spines);
    }

    /** All fabrics as they are, for a fault to strike. */
    FaultOutlook faults() {
        Look look = new Look(
                Instant.now(),
                Optional.empty(),
                List.copyOf(fabrics.values()),
                switches,
                jobs,
                slices,
                nodes,
                List.of(),
                Map.of(),
                Sight.ALL);
        return new FaultOutlook(look, pods, this::foreign, asking(), () -> false, remark);
    }

    /** DELTA, with a line for a person who waits. */
    private Function<TopologyQuestion, TopologyAnswer> asking() {
        Function<TopologyQuestion, TopologyAnswer> solver = new TimedSolver(System::nanoTime);
        return question -> {
            remark.accept("lightpath: asking DELTA for circuits between "
                    + question.ports().size() + " pods ...");
            return solver.apply(question);
        };
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
        Optional<Refusal> refusal = fabric == null
                ? Optional.of(new Refusal(
                        Reason.FABRIC_NOT_FOUND, "spec.scaleUp.fabric: there is no OpticalFabric " + scaleUp.fabric()))
                : noRing(fabric).or(() -> refusal(job, fabric));
        if (fabric == null || refusal.isPresent()) {
            Refusal why = refusal.orElseThrow();
            return JobPlan.unplaced(
                    namespace, name, scaleUp.fabric(), gpus, why.reason().word(), why.message(), null);
        }
        Situation situation = situation(fabric);
        SliceIntent wish = held(situation, namespace, name).orElseGet(() -> wish(job, scaleUp, now));
        RingPreview preview = RingPreview.of(
                Snapshot.of(now, situation.ring(), situation.slices(), situation.ledger(), situation.faulty()), wish);
        if (preview instanceof RingPreview.Placed placed) {
            situation.slices().put(wish.id(), wish);
            placed.steps()
                    .forEach(step -> situation
                            .ledger()
                            .put(step.slice(), new LedgerEntry(Optional.of(step.allocation()), "planned")));
        }
        return JobPlan.of(wish.id(), name, scaleUp.fabric(), gpus, preview, Halt.of(fabric));
    }

    record Refusal(Reason reason, String message) {}

    static Optional<Refusal> noRing(OpticalFabric fabric) {
        return fabric.getSpec().ocsTrx() != null
                ? Optional.empty()
                : Optional.of(new Refusal(
                        Reason.FABRIC_KIND_MISMATCH,
                        "spec.scaleUp.fabric: " + fabric.getMetadata().getName()
                                + " has optical circuit switches (ocs); scaleUp needs transceivers (ocsTrx)"));
    }

    /** One that the operator has not seen yet, with what its PriorityClass says now. */
    private TrainingJob withItsClass(TrainingJob job) {
        JobPriority.unread(job)
                .flatMap(cluster::priorityClass)
                .map(JobPriority::read)
                .ifPresent(read -> job.setStatus(
                        new TrainingJobStatus(null, List.of(), null, null, null, List.of(), null, null, null, read)));
        return job;
    }

    private Optional<Refusal> refusal(TrainingJob job, OpticalFabric fabric) {
        Optional<String> unread = JobPriority.unread(job);
        if (unread.isPresent()) {
            return Optional.of(new Refusal(
                    Reason.PRIORITY_CLASS_NOT_FOUND,
                    "spec.priorityClassName: there is no PriorityClass " + unread.get()));
        }
        if (job.getSpec().suspend()) {
            return Optional.of(new Refusal(Reason.SUSPENDED, "spec.suspend is true: set it to false to go on"));
        }
        String claimed = refused.get(fabric.getMetadata().getName());
        if (claimed != null) {
            return Optional.of(new Refusal(
                    Reason.INVALID_WIRING, "fabric " + fabric.getMetadata().getName() + ": " + claimed));
        }
        String namespace = job.getMetadata().getNamespace();
        return AllowedNamespaces.refusal(
                        fabric,
                        namespace,
                        () -> cluster.client().namespaces().withName(namespace).get())
                .map(why -> new Refusal(Reason.NAMESPACE_NOT_ALLOWED, why));
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
                new Demand.ScaleUp(
                        spec.parallelism().groups(), spec.parallelism().tensor()),
                JobPriority.of(job).value(),
                now,
                true,
                spec.workload() == null ? new Workload.LightOnly() : new Workload.Pods(new TreeSet<>(), false),
                new Replacement.WithWorkload(),
                false);
    }

    /** Nodes with light that nobody planned: only the operator knows them. */
    private Set<String> foreign(OpticalFabric fabric) {
        var circuits = fabric.getStatus() == null ? null : fabric.getStatus().circuits();
        if (circuits == null || circuits.foreign() == 0) {
            return Set.of();
        }
        String name = fabric.getMetadata().getName();
        try {
            return view().fabrics().stream()
                    .filter(known -> known.name().equals(name))
                    .flatMap(known -> ReadBack.devices(known.foreign()).stream())
                    .collect(Collectors.toSet());
        } catch (BadInput unreachable) {
            remark.accept("lightpath: fabric " + name + " has " + Counted.of(circuits.foreign(), "circuit")
                    + " that nobody planned; on which nodes is not known here, so that the operator may place"
                    + " jobs elsewhere: " + unreachable.getMessage());
            return Set.of();
        }
    }

    /** Asked for once, whether it comes or not. */
    private OperatorView view() {
        if (unreachable != null) {
            throw unreachable;
        }
        if (view == null) {
            try {
                view = operator.view(cluster);
            } catch (BadInput none) {
                unreachable = none;
                throw none;
            }
        }
        return view;
    }
}
