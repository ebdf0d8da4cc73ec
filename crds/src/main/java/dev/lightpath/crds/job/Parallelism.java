package dev.lightpath.crds.job;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How the model is split over GPUs. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "!has(self.minimumData) || self.minimumData <= self.data",
        message = "minimumData is the fewest replicas that the job runs with: write at most data, or omit it")
@ValidationRule(
        value = "self.tensor * self.pipeline * self.data * self.context <= 1048576",
        message = "tensor * pipeline * data * context is the number of GPUs and must be at most 1048576")
public record Parallelism(
        @JsonPropertyDescription("Tensor-parallel degree: GPUs of one group.") @Required @Min(1) @Max(16384)
        int tensor,

        @JsonPropertyDescription("Pipeline stages.") @Default("1") @Min(1) @Max(16384)
        Integer pipeline,

        @JsonPropertyDescription("Data-parallel replicas.") @Default("1") @Min(1) @Max(16384)
        Integer data,

        @JsonPropertyDescription("Expert-parallel degree, inside the data-parallel ranks.")
        @Default("1")
        @Min(1)
        @Max(16384)
        Integer expert,

        @JsonPropertyDescription("Context-parallel degree.") @Default("1") @Min(1) @Max(16384)
        Integer context,

        @JsonPropertyDescription("""
                Data-parallel replicas that are enough: with fewer than data the job starts, and goes on where lost nodes \
                cannot be replaced. It grows when its pods next restart. Only with workload.template, and with scaleUp or \
                scaleOut alone, where circuits follow the model's traffic; omitted: all of data.\
                """) @Min(1) @Max(16384) @Nullable
        Integer minimumData) {

    /** All replicas or none. */
    public Parallelism(int tensor, Integer pipeline, Integer data, Integer expert, Integer context) {
        this(tensor, pipeline, data, expert, context, null);
    }

    public Parallelism {
        pipeline = requireNonNullElse(pipeline, 1);
        data = requireNonNullElse(data, 1);
        expert = requireNonNullElse(expert, 1);
        context = requireNonNullElse(context, 1);
    }

    /** Whether fewer replicas than data are enough. */
    public boolean elastic() {
        return minimumData != null && minimumData < data;
    }

    /** The same with so many replicas. */
    public Parallelism withData(int replicas) {
        return new Parallelism(tensor, pipeline, replicas, expert, context, minimumData);
    }

    /** Tensor-parallel groups of one replica: pipeline * context. */
    public int groupsPerReplica() {
        return Math.multiplyExact(pipeline, context);
    }

    /** GPUs of the job: tensor * pipeline * data * context. */
    public int gpus() {
        return Math.multiplyExact(tensor, groups());
    }

    /** Tensor-parallel groups of the job: pipeline * data * context. */
    public int groups() {
        return Math.multiplyExact(Math.multiplyExact(pipeline, data), context);
    }
}
