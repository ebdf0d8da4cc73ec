package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Models known by name; their shapes are those of the papers. */
public enum ModelPreset {
    /** GPT with 7 billion parameters. */
    @JsonProperty("gpt-7b")
    GPT_7B,

    /** Megatron with 177 billion parameters. */
    @JsonProperty("megatron-177b")
    MEGATRON_177B,

    /** Mixtral, 8 experts of 22 billion. */
    @JsonProperty("mixtral-8x22b")
    MIXTRAL_8X22B,

    /** Megatron with 462 billion parameters. */
    @JsonProperty("megatron-462b")
    MEGATRON_462B,

    /** DeepSeek with 671 billion parameters, 37 billion active. */
    @JsonProperty("deepseek-671b")
    DEEPSEEK_671B;

    /** Whether it has no experts. */
    public boolean dense() {
        return switch (this) {
            case GPT_7B, MEGATRON_177B, MEGATRON_462B -> true;
            case MIXTRAL_8X22B, DEEPSEEK_671B -> false;
        };
    }
}
