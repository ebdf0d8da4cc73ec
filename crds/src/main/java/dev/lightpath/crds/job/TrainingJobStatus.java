package dev.lightpath.crds.job;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.job.agreement.HookAgreement;
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
                """) @Nullable Measurement measurement,

        @JsonPropertyDescription("Moves of its light that a pod of it agreed to by spec.agreement.hook.")
        @Size(max = 64)
        List<HookAgreement> agreed) {

    public TrainingJobStatus {
        conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
        slices = List.copyOf(requireNonNullElse(slices, List.of()));
        agreed = List.copyOf(requireNonNullElse(agreed, List.of()));
    }

    /** One that says nothing yet. */
    public static Builder builder() {
        return new Builder();
    }

    /** The same, to be changed. */
    public Builder edit() {
        return builder()
                .observedGeneration(observedGeneration)
                .conditions(conditions)
                .gpus(gpus)
                .nodes(nodes)
                .attempt(attempt)
                .slices(slices)
                .placement(placement)
                .prediction(prediction)
                .preempted(preempted)
                .classPriority(classPriority)
                .width(width)
                .restarts(restarts)
                .measurement(measurement)
                .agreed(agreed);
    }

    /** A status by the names of its fields; each is empty until it is set. Not thread-safe. */
    public static final class Builder {
        private @Nullable Long observedGeneration;
        private List<Condition> conditions = List.of();
        private @Nullable Integer gpus;
        private @Nullable Integer nodes;
        private @Nullable Integer attempt;
        private List<SliceReference> slices = List.of();
        private @Nullable PlacementSummary placement;
        private @Nullable Prediction prediction;
        private @Nullable Preempted preempted;
        private @Nullable ClassPriority classPriority;
        private @Nullable JobWidth width;
        private @Nullable Integer restarts;
        private @Nullable Measurement measurement;
        private List<HookAgreement> agreed = List.of();

        private Builder() {}

        public Builder observedGeneration(@Nullable Long value) {
            observedGeneration = value;
            return this;
        }

        public Builder conditions(List<Condition> value) {
            conditions = value;
            return this;
        }

        public Builder gpus(@Nullable Integer value) {
            gpus = value;
            return this;
        }

        public Builder nodes(@Nullable Integer value) {
            nodes = value;
            return this;
        }

        public Builder attempt(@Nullable Integer value) {
            attempt = value;
            return this;
        }

        public Builder slices(List<SliceReference> value) {
            slices = value;
            return this;
        }

        public Builder placement(@Nullable PlacementSummary value) {
            placement = value;
            return this;
        }

        public Builder prediction(@Nullable Prediction value) {
            prediction = value;
            return this;
        }

        public Builder preempted(@Nullable Preempted value) {
            preempted = value;
            return this;
        }

        public Builder classPriority(@Nullable ClassPriority value) {
            classPriority = value;
            return this;
        }

        public Builder width(@Nullable JobWidth value) {
            width = value;
            return this;
        }

        public Builder restarts(@Nullable Integer value) {
            restarts = value;
            return this;
        }

        public Builder measurement(@Nullable Measurement value) {
            measurement = value;
            return this;
        }

        public Builder agreed(List<HookAgreement> value) {
            agreed = value;
            return this;
        }

        public TrainingJobStatus build() {
            return new TrainingJobStatus(
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
                    restarts,
                    measurement,
                    agreed);
        }
    }
}
