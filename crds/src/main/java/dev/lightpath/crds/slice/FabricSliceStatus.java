package dev.lightpath.crds.slice;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.lightpath.crds.job.PlacementSummary;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was granted, and how far it is lit. */
@JsonClassDescription("What was granted, and how far it is lit.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FabricSliceStatus(
        @JsonPropertyDescription("Generation of the spec that this status answers.") @Min(0) @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("What holds, one entry per type; Ready is the summary.") @Size(max = 32)
        List<Condition> conditions,

        @JsonPropertyDescription("The record of the allocation: written before the first device is changed.") @Nullable
        Allocation allocation,

        @JsonPropertyDescription("How much of the allocation the devices have taken.") @Nullable
        Programmed programmed,

        @JsonPropertyDescription("How good the place is.") @Nullable
        PlacementSummary placement,

        @JsonPropertyDescription("""
                What can help. Elsewhere: no repair fits and the whole job can be placed anew. OnlySilent: the \
                circuits still to be read back dark are on devices that do not answer, refuse or cannot move. \
                Never: the fabric could not hold it even if it were healthy and free. Wider: there is room for more of \
                its replicas once none of its pods runs.\
                """) @Nullable Outlook outlook,

        @JsonPropertyDescription("Revision of the allocation that this status is about, except the allocation itself.")
        @Min(1)
        @Nullable
        Long observedRevision,

        @JsonPropertyDescription("""
                The job of higher priority that is to have this place, as namespace/name, or `another namespace`: the \
                job of this slice ends and waits again.\
                """) @Nullable String preemptor) {

    /** Of a slice whose place no other job is to have. */
    public FabricSliceStatus(
            @Nullable Long observedGeneration,
            List<Condition> conditions,
            @Nullable Allocation allocation,
            @Nullable Programmed programmed,
            @Nullable PlacementSummary placement,
            @Nullable Outlook outlook,
            @Nullable Long observedRevision) {
        this(observedGeneration, conditions, allocation, programmed, placement, outlook, observedRevision, null);
    }

    /** Of a slice whose place is not judged. */
    public FabricSliceStatus(
            @Nullable Long observedGeneration,
            List<Condition> conditions,
            @Nullable Allocation allocation,
            @Nullable Programmed programmed) {
        this(observedGeneration, conditions, allocation, programmed, null, null, null);
    }

    /** The same, which says nothing of the revision that it speaks of. */
    public FabricSliceStatus withoutObservedRevision() {
        return new FabricSliceStatus(
                observedGeneration, conditions, allocation, programmed, placement, outlook, null, preemptor);
    }

    /** The same without conditions and without the allocation. */
    public FabricSliceStatus figures() {
        return new FabricSliceStatus(
                observedGeneration, List.of(), null, programmed, placement, outlook, observedRevision, preemptor);
    }

    public FabricSliceStatus {
        conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
    }
}
