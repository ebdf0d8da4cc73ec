package dev.lightpath.crds.job;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.job.measurement.Measurement;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** State of the job. */
@JsonClassDescription("State of the job.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record TrainingJobStatus(
        @JsonPropertyDescription("Generation of the spec that this status answers.") @Min(0) @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("What holds, one entry per type; Ready is the summary.") @Size(max = 32)
        List<Condition> conditions,

        @JsonPropertyDescription("GPUs of the job.") @Min(0) @Nullable
        Integer gpus,

        @JsonPropertyDescription("Nodes of the job.") @Min(0) @Nullable
        Integer nodes,

        @JsonPropertyDescription("Placement of the whole job that counts now, from 1.") @Min(0) @Nullable
        Integer attempt,

        @JsonPropertyDescription("FabricSlices of this attempt.") @Size(max = 64)
        List<SliceReference> slices,

        @JsonPropertyDescription("Where the job stands.") @Nullable
        PlacementSummary placement,

        @JsonPropertyDescription("What the planner expects of the topology.") @Nullable
        Prediction prediction,

        @JsonPropertyDescription("Which job took its place, until it has one again.") @Nullable
        Preempted preempted,

        @JsonPropertyDescription("What its PriorityClass said; omitted for a job that names none.") @Nullable
        ClassPriority classPriority,

        @JsonPropertyDescription(
                "Replicas of a job with parallelism.minimumData, while it has a place; omitted for other jobs.")
        @Nullable
        JobWidth width,

        @JsonPropertyDescription("""
                How often the pods of spec.workload.template were started again since the job got its place; omitted: \
                never.\
                """) @Min(0) @Nullable Integer restarts,

        @JsonPropertyDescription("""
                What the job told of its iterations; omitted for jobs that tell nothing, and for those whose circuits \
                do not follow their traffic.\
                """) @Nullable Measurement measurement) {

    /** Of a job whose pods were never started again, and that told nothing of its iterations. */
    public TrainingJobStatus(
            @Nullable Long observedGeneration,
            List<Condition> conditions,
            @Nullable Integer gpus,
            @Nullable Integer nodes,
            @Nullable Integer attempt,
            List<SliceReference> slices,
            @Nullable PlacementSummary placement,
            @Nullable Prediction prediction,
            @Nullable Preempted preempted,
            @Nullable ClassPriority classPriority,
            @Nullable JobWidth width) {
        this(
                observedGeneration,
                conditions,
                gpus,
                nodes,
                attempt,
                slices,
                placement,
                prediction,
                preempted,
                classPriority,
                width,
                null,
                null);
    }

    /** Of a job that has all of its replicas or none. */
    public TrainingJobStatus(
            @Nullable Long observedGeneration,
            List<Condition> conditions,
            @Nullable Integer gpus,
            @Nullable Integer nodes,
            @Nullable Integer attempt,
            List<SliceReference> slices,
            @Nullable PlacementSummary placement,
            @Nullable Prediction prediction,
            @Nullable Preempted preempted,
            @Nullable ClassPriority classPriority) {
        this(
                observedGeneration,
                conditions,
                gpus,
                nodes,
                attempt,
                slices,
                placement,
                prediction,
                preempted,
                classPriority,
                null);
    }

    /** Of a job whose place no other job took, and which names no PriorityClass. */
    public TrainingJobStatus(
            @Nullable Long observedGeneration,
            List<Condition> conditions,
            @Nullable Integer gpus,
            @Nullable Integer nodes,
            @Nullable Integer attempt,
            List<SliceReference> slices,
            @Nullable PlacementSummary placement,
            @Nullable Prediction prediction) {
        this(observedGeneration, conditions, gpus, nodes, attempt, slices, placement, prediction, null, null);
    }

    public TrainingJobStatus {
        conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
        slices = List.copyOf(requireNonNullElse(slices, List.of()));
    }
}
