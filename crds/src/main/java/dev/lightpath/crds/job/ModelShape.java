package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The sizes of a transformer that decide its traffic. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "!has(self.activeParameters) || self.activeParameters <= self.totalParameters",
        message = "activeParameters must be at most totalParameters")
@ValidationRule(
        value = "self.vocabularySize * self.hiddenSize < self.totalParameters",
        message = "totalParameters must be above vocabularySize * hiddenSize: so many has the embedding alone")
@ValidationRule(
        value = "type(self.effectiveTeraflopsPerGpu) == int ? int(self.effectiveTeraflopsPerGpu) > 0 "
                + "&& int(self.effectiveTeraflopsPerGpu) <= 1000000 : "
                + "string(self.effectiveTeraflopsPerGpu)"
                + ".matches('^([1-9][0-9]{0,5}([.][0-9]{1,6})?|0[.][0-9]{0,5}[1-9])$')",
        message = "effectiveTeraflopsPerGpu must be above 0 and at most 1000000: a whole number, "
                + "or a decimal as a string, for example \"432.8\"")
public record ModelShape(
        @JsonPropertyDescription("Layers.") @Required @Min(1) @Max(65536)
        int layers,

        @JsonPropertyDescription("Width of the residual stream.") @Required @Min(1) @Max(1048576)
        int hiddenSize,

        @JsonPropertyDescription("Attention heads of a layer.") @Required @Min(1) @Max(65536)
        int attentionHeads,

        @JsonPropertyDescription("Width of queries and keys of one head.") @Required @Min(1) @Max(65536)
        int headDimension,

        @JsonPropertyDescription("Width of values of one head; omitted: headDimension.") @Min(1) @Max(65536) @Nullable
        Integer valueHeadDimension,

        @JsonPropertyDescription("""
                Tokens of the vocabulary. The embedding has vocabularySize * hiddenSize parameters, and of these a token \
                looks up one row only.\
                """) @Required @Min(1) @Max(16777216)
        int vocabularySize,

        @JsonPropertyDescription("Parameters, all of them.") @Required @Min(1) @Max(1e15)
        long totalParameters,

        @JsonPropertyDescription("""
                Parameters that work on one token; omitted: all but those of the embedding. Write it for a model with \
                experts, and for one whose output layer shares the embedding: then all work on each token.\
                """) @Min(1) @Max(1e15) @Nullable
        Long activeParameters,

        @JsonPropertyDescription("Sustained TFLOP/s of one GPU: a whole number, or a decimal as a string.") @Required
        IntOrString effectiveTeraflopsPerGpu) {

    /** Sustained TFLOP/s of one GPU. */
    public BigDecimal effectiveTeraflops() {
        Integer whole = effectiveTeraflopsPerGpu.getIntVal();
        return whole == null ? new BigDecimal(effectiveTeraflopsPerGpu.getStrVal()) : BigDecimal.valueOf(whole);
    }

    /** Width of values of one head. */
    public int valueHeadWidth() {
        return valueHeadDimension == null ? headDimension : valueHeadDimension;
    }

    /** Parameters that work on one token. */
    public long parametersPerToken() {
        return activeParameters == null ? allButTheEmbedding() : activeParameters;
    }

    /** Whether it has no experts: each parameter works on each token, that of an embedding apart. */
    boolean dense() {
        return parametersPerToken() == totalParameters || parametersPerToken() == allButTheEmbedding();
    }

    private long allButTheEmbedding() {
        return totalParameters - (long) vocabularySize * hiddenSize;
    }
}
