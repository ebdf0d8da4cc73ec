package dev.lightpath.console.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.fabric.CircuitCounts;
import dev.lightpath.crds.fabric.DriverStatus;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.GpuCounts;
import dev.lightpath.crds.fabric.NodeCounts;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.fabric.OpticalHealthStatus;
import dev.lightpath.crds.job.PlacementSummary;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.OpticalSwitchStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.crds.slice.Programmed;
import dev.lightpath.reading.SliceParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything at one glance, from the statuses that the operator wrote: the JSON document of {@code status}.
 *
 * @param leader the operator that writes these statuses; null for a user who may not read the Lease
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StatusReport(
        @Nullable Leader leader,
        List<FabricLine> fabrics,
        List<SwitchLine> switches,
        List<JobLine> jobs,
        List<SliceLine> slices) {

    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record FabricLine(
            String name,
            String kind,
            boolean paused,
            ShownCondition ready,
            @Nullable NodeCounts nodes,
            @Nullable GpuCounts gpus,
            @Nullable CircuitCounts circuits,
            @Nullable DriverStatus driver,
            List<FaultRecord> faults,
            @Nullable OpticalHealthStatus opticalHealth,
            List<ShownCondition> conditions) {}

    public record SwitchLine(
            String name, String fabric, boolean drained, ShownCondition ready, List<ShownCondition> conditions) {}

    /** @param gpus wished, also before the job is placed */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record JobLine(
            String namespace,
            String name,
            int gpus,
            @Nullable Integer nodes,
            @Nullable Integer attempt,
            @Nullable PlacementSummary placement,
            @Nullable Prediction prediction,
            List<String> fabrics,
            ShownCondition ready,
            List<ShownCondition> conditions) {}

    /** @param releasing nodes and circuits whose light is not yet read back down */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SliceLine(
            String namespace,
            String name,
            String fabric,
            @Nullable String job,
            @Nullable Integer attempt,
            @Nullable Long revision,
            @Nullable Programmed programmed,
            int releasing,
            ShownCondition ready) {}

    /** A slice whose record is in several parts is one. O(all slices) for each part but the first. */
    public static StatusReport of(
            Optional<Leader> leader,
            List<OpticalFabric> fabrics,
            List<OpticalSwitch> switches,
            List<TrainingJob> jobs,
            List<FabricSlice> slices) {
        return new StatusReport(
                leader.orElse(null),
                fabrics.stream().map(StatusReport::line).toList(),
                switches.stream().map(StatusReport::line).toList(),
                jobs.stream().map(StatusReport::line).toList(),
                slices.stream()
                        .filter(slice -> !SliceParts.isPart(slice))
                        .map(slice -> line(slice, slices))
                        .toList());
    }

    private static FabricLine line(OpticalFabric fabric) {
        OpticalFabricStatus status = fabric.getStatus();
        List<ShownCondition> conditions = status == null ? List.of() : ShownCondition.of(status.conditions());
        return new FabricLine(
                fabric.getMetadata().getName(),
                fabric.getSpec().ocsTrx() != null ? "ocsTrx" : "ocs",
                fabric.getSpec().paused(),
                ShownCondition.find(conditions, ConditionType.READY),
                status == null ? null : status.nodes(),
                status == null ? null : status.gpus(),
                status == null ? null : status.circuits(),
                status == null ? null : status.driver(),
                status == null ? List.of() : status.faults(),
                status == null ? null : status.opticalHealth(),
                conditions);
    }

    private static SwitchLine line(OpticalSwitch osw) {
        OpticalSwitchStatus status = osw.getStatus();
        List<ShownCondition> conditions = status == null ? List.of() : ShownCondition.of(status.conditions());
        return new SwitchLine(
                osw.getMetadata().getName(),
                osw.getSpec().fabric(),
                osw.getSpec().drained(),
                ShownCondition.find(conditions, ConditionType.READY),
                conditions);
    }

    private static JobLine line(TrainingJob job) {
        TrainingJobStatus status = job.getStatus();
        List<ShownCondition> conditions = status == null ? List.of() : ShownCondition.of(status.conditions());
        List<String> fabrics = new ArrayList<>();
        if (job.getSpec().scaleUp() != null) {
            fabrics.add(job.getSpec().scaleUp().fabric());
        }
        if (job.getSpec().scaleOut() != null) {
            fabrics.add(job.getSpec().scaleOut().fabric());
        }
        return new JobLine(
                job.getMetadata().getNamespace(),
                job.getMetadata().getName(),
                job.getSpec().parallelism().gpus(),
                status == null ? null : status.nodes(),
                status == null ? null : status.attempt(),
                status == null ? null : status.placement(),
                status == null ? null : status.prediction(),
                fabrics,
                ShownCondition.find(conditions, ConditionType.READY),
                conditions);
    }

    private static SliceLine line(FabricSlice slice, List<FabricSlice> all) {
        FabricSliceStatus status = slice.getStatus();
        Allocation allocation = status == null || status.allocation() == null ? null : SliceParts.readable(slice, all);
        JobReference job = slice.getSpec().job();
        int releasing = allocation == null || allocation.releasing() == null
                ? 0
                : allocation.releasing().nodes().size()
                        + allocation.releasing().circuits().stream()
                                .mapToInt(circuits -> circuits.circuits().size())
                                .sum();
        return new SliceLine(
                slice.getMetadata().getNamespace(),
                slice.getMetadata().getName(),
                slice.getSpec().fabric(),
                job == null ? null : job.name(),
                job == null ? null : job.attempt(),
                allocation == null ? null : allocation.revision(),
                status == null ? null : status.programmed(),
                releasing,
                ShownCondition.find(
                        status == null ? List.of() : ShownCondition.of(status.conditions()), ConditionType.READY));
    }

    /** Whether the slice serves the attempt of a job that counts now. */
    public boolean serves(SliceLine slice) {
        return jobs.stream()
                .anyMatch(job -> job.namespace().equals(slice.namespace())
                        && job.name().equals(slice.job())
                        && java.util.Objects.equals(job.attempt(), slice.attempt()));
    }

    /** Whether the slice's job says the same already. */
    public boolean told(SliceLine slice) {
        return jobs.stream()
                .anyMatch(job -> job.namespace().equals(slice.namespace())
                        && job.name().equals(slice.job())
                        && job.ready().sentence().equals(slice.ready().sentence()));
    }
}
