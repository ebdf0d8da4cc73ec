package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** State of a fabric's records. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record LedgerStatus(
        @JsonPropertyDescription("""
                Grows whenever the records change, and never falls. Every change of circuits tells it to its device.\
                """) @Min(1) long revision,

        @JsonPropertyDescription("Names the records of this revision.") @Size(max = 64)
        String digest,

        @JsonPropertyDescription("""
                A revision that devices remember and that these records never had. Until a person accepts it nothing \
                is changed (LedgerOlderThanDevices).\
                """) @Min(1) @Nullable Long newer) {}
