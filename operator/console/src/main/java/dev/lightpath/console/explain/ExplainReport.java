package dev.lightpath.console.explain;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.report.DegradingLight;
import dev.lightpath.console.report.Fabrics;
import dev.lightpath.console.report.JobTree;
import dev.lightpath.console.report.PodCircuits;
import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.fabric.DegradingPort;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.PlacementSummary;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.Reconfiguration;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.measurement.Measurement;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.engine.traffic.InterruptionCost;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.reading.LearntReader;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why a job's light is as it is: the JSON document of {@code explain}.
 *
 * @param contradiction what its template says otherwise than its spec; null where nothing
 * @param prediction as the operator told it
 * @param measurement what the job told of its iterations, and what was learnt; null where it told nothing
 * @param scaleUp slices with groups on a ring, as {@code tree} shows them
 * @param scaleOut slices with circuits that follow the job's traffic
 * @param degrading ports of its circuits whose light gets worse
 * @param notes what there is nothing to explain of
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExplainReport(
        String namespace,
        String name,
        ShownCondition ready,
        @Nullable String contradiction,
        @Nullable PlacementSummary placement,
        @Nullable Prediction prediction,
        @Nullable Measurement measurement,
        List<JobTree.SliceBranch> scaleUp,
        List<ScaleOutReport> scaleOut,
        List<Worse> degrading,
        List<String> notes) {

    /** A port of a slice's circuits whose light gets worse. */
    public record Worse(String slice, String fabric, DegradingPort port) {}

    public ExplainReport {
        // an operator of before does not tell them
        degrading = List.copyOf(Objects.requireNonNullElse(degrading, List.of()));
    }

    public static ExplainReport of(
            TrainingJob job,
            List<FabricSlice> slices,
            List<OpticalFabric> fabrics,
            List<OpticalSwitch> switches,
            Fabrics known,
            SearchLimits limits) {
        TrainingJobStatus status = job.getStatus();
        List<ScaleOutReport> scaleOut = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<FabricSlice> own =
                slices.stream().filter(slice -> serves(slice, job)).toList();
        for (FabricSlice slice : own) {
            ScaleOutDemand demand = slice.getSpec().demand() == null
                    ? null
                    : slice.getSpec().demand().scaleOut();
            Optional<Allocation> allocation = allocation(slice, slices);
            String name = slice.getMetadata().getName();
            if (demand == null) {
                continue;
            }
            if (demand.torus() != null) {
                notes.add("slice " + name
                        + ": a twisted torus, whose circuits follow from its shape and not from traffic");
            } else if (allocation.isEmpty()) {
                notes.add("slice " + name + ": no circuits have been recorded yet");
            } else {
                scaleOut.add(explained(
                        slice, demand, allocation.get(), slices, fabrics, switches, LearntReader.speeds(job), limits));
            }
        }
        if (job.getSpec().scaleOut() == null) {
            notes.add("the job has no scaleOut: no circuits between pods to explain");
        }
        if (own.isEmpty()) {
            notes.add("no slice: nothing has been granted yet");
        }
        List<Worse> degrading = new ArrayList<>();
        own.forEach(slice -> degrading.addAll(worse(slice, slices, fabrics)));
        fabrics.stream()
                .filter(fabric -> DegradingLight.unnamed(fabric) > 0)
                .filter(fabric -> own.stream()
                        .anyMatch(slice -> slice.getSpec()
                                .fabric()
                                .equals(fabric.getMetadata().getName())))
                .forEach(fabric -> notes.add("fabric " + fabric.getMetadata().getName() + ": "
                        + DegradingLight.unnamed(fabric) + " more ports get worse than its status names"));
        (status == null ? List.<Condition>of() : status.conditions())
                .stream()
                        .filter(condition -> ConditionType.AGREED.word().equals(condition.getType())
                                || ConditionType.MEASURED.word().equals(condition.getType())
                                        && "False".equals(condition.getStatus()))
                        .forEach(agreed -> notes.add(agreed.getMessage()));
        own.forEach(slice -> allocation(slice, slices)
                .ifPresent(recorded -> notes.addAll(drained(recorded, switches, until(job, slice)))));
        lost(status == null ? null : status.prediction(), job.getSpec().reconfiguration())
                .ifPresent(notes::add);
        List<JobTree.SliceBranch> rings = JobTree.of(job, slices, known, List.of()).slices().stream()
                .filter(branch -> known.rings().containsKey(branch.fabric()))
                .toList();
        List<ShownCondition> told = status == null ? List.of() : ShownCondition.of(status.conditions());
        return new ExplainReport(
                job.getMetadata().getNamespace(),
                job.getMetadata().getName(),
                ShownCondition.find(told, ConditionType.READY),
                ShownCondition.contradiction(told),
                status == null ? null : status.placement(),
                status == null ? null : status.prediction(),
                status == null ? null : status.measurement(),
                rings,
                scaleOut,
                degrading,
                notes);
    }

    /** Ports of the recorded circuits of a slice. On a ring all ports of its nodes count. */
    private static List<Worse> worse(FabricSlice slice, List<FabricSlice> slices, List<OpticalFabric> fabrics) {
        String name = slice.getSpec().fabric();
        OpticalFabric fabric = fabrics.stream()
                .filter(each -> each.getMetadata().getName().equals(name))
                .findFirst()
                .orElse(null);
        Allocation allocation = allocation(slice, slices).orElse(null);
        if (fabric == null || allocation == null) {
            return List.of();
        }
        Set<String> ports = new HashSet<>();
        allocation.circuits().forEach(on -> {
            ports.add(on.opticalSwitch());
            on.circuits().forEach(circuit -> {
                for (String port : circuit.split("-", 2)) {
                    ports.add(on.opticalSwitch() + "/" + port);
                }
            });
        });
        Set<String> nodes = new HashSet<>();
        if (fabric.getSpec().ocsTrx() != null) {
            allocation.groups().forEach(group -> nodes.addAll(group.nodes()));
        }
        return DegradingLight.ports(fabric).stream()
                .filter(port -> ports.contains(port.port())
                        || nodes.contains(port.port().split("/", 2)[0]))
                .map(port -> new Worse(slice.getMetadata().getName(), name, port))
                .toList();
    }

    private static ScaleOutReport explained(
            FabricSlice slice,
            ScaleOutDemand demand,
            Allocation allocation,
            List<FabricSlice> slices,
            List<OpticalFabric> fabrics,
            List<OpticalSwitch> switches,
            Speeds speeds,
            SearchLimits limits) {
        String name = slice.getMetadata().getName();
        String fabricName = slice.getSpec().fabric();
        Optional<OpticalFabric> fabric = fabrics.stream()
                .filter(each -> each.getMetadata().getName().equals(fabricName))
                .findFirst();
        Optional<OcsWiring> wiring = fabric.flatMap(each -> PodCircuits.wiring(each, switches));
        Ocs ocs = fabric.map(each -> each.getSpec().ocs()).orElse(null);
        if (wiring.isEmpty() || ocs == null) {
            return new ScaleOutReport(
                    name,
                    fabricName,
                    List.of(),
                    null,
                    null,
                    "fabric " + fabricName + " has no pods on optical switches");
        }
        List<Allocation> all = slices.stream()
                .filter(each -> each.getSpec().fabric().equals(fabricName) && !SliceParts.isPart(each))
                .flatMap(each -> allocation(each, slices).stream())
                .toList();
        return ScaleOutReport.of(
                name,
                fabricName,
                ocs,
                demand,
                allocation,
                PodCircuits.of(wiring.get(), List.of(allocation)),
                PodCircuits.of(wiring.get(), all),
                speeds,
                limits);
    }

    /**
     * Switches that are to be emptied and carry circuits of the job, and until when. Their own status counts jobs, and
     * names none.
     */
    private static List<String> drained(Allocation allocation, List<OpticalSwitch> switches, String until) {
        return allocation.circuits().stream()
                .filter(on -> !on.circuits().isEmpty()
                        && switches.stream()
                                .anyMatch(of -> of.getMetadata().getName().equals(on.opticalSwitch())
                                        && of.getSpec().drained()))
                .map(on -> "switch " + on.opticalSwitch() + " is drained and has "
                        + Counted.of(on.circuits().size(), "circuit") + " of the job " + until)
                .toList();
    }

    /** Nothing but room is waited for where the job has no pods. A torus moves as it is repaired. */
    private static String until(TrainingJob job, FabricSlice slice) {
        Demand demand = slice.getSpec().demand();
        boolean podless = job.getSpec().workload() == null;
        if (demand != null && demand.scaleOut() != null && demand.scaleOut().torus() != null) {
            return "until there is room elsewhere and recovery.replace lets a torus move";
        }
        return switch (job.getSpec().reconfiguration()) {
            case NEVER -> "until the job ends (reconfiguration Never)";
            case AT_RESTART ->
                podless
                        ? "until there is room elsewhere"
                        : "until there is room elsewhere while no pod of the job runs (reconfiguration AtRestart)";
            case LIVE -> "until there is room elsewhere (reconfiguration Live)";
        };
    }

    /** What faults or neighbours took, and when it comes back. */
    private static Optional<String> lost(@Nullable Prediction prediction, Reconfiguration reconfiguration) {
        String best = prediction == null ? null : prediction.bestSeconds();
        String now = prediction == null ? null : prediction.iterationSeconds();
        if (best == null || now == null) {
            return Optional.empty();
        }
        double bestSeconds = Double.parseDouble(best);
        double loss = bestSeconds > 0 ? Double.parseDouble(now) / bestSeconds - 1 : 0;
        return loss > InterruptionCost.LEAST_GAIN
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "an iteration is %.3g %% longer than at best (%s s): lost circuits come back %s",
                        100 * loss,
                        best,
                        returns(reconfiguration)))
                : Optional.empty();
    }

    /** By what the job allows. */
    private static String returns(Reconfiguration reconfiguration) {
        return switch (reconfiguration) {
            case NEVER -> "to healed or free ports; reconfiguration Never moves no other light for them";
            case AT_RESTART ->
                "to healed or free ports; reconfiguration AtRestart moves other light for them while no pod runs";
            case LIVE -> "to healed or free ports, or when ten minutes of iterations pay for moving other light";
        };
    }

    private static boolean serves(FabricSlice slice, TrainingJob job) {
        return slice.getSpec().job() != null
                && Objects.equals(slice.getSpec().job().uid(), job.getMetadata().getUid())
                && !SliceParts.isPart(slice);
    }

    private static Optional<Allocation> allocation(FabricSlice slice, List<FabricSlice> all) {
        if (slice.getStatus() == null || slice.getStatus().allocation() == null) {
            return Optional.empty();
        }
        return Optional.of(SliceParts.readable(slice, all));
    }
}
