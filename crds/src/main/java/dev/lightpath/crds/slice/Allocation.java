package dev.lightpath.crds.slice;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was granted to one slice: the truth about what was meant. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Allocation(
        @JsonPropertyDescription("""
                Format of this record. The operator reads the current and the previous one; an unknown newer one \
                stops all its writes.\
                """) @Required @Min(1) int format,

        @JsonPropertyDescription("Raised by each repair of the slice.") @Required @Min(1)
        long revision,

        @JsonPropertyDescription("""
                Number of parts that this slice is split into. Part 0 has it and is written last; a revision \
                without it is void. Omitted on other parts; on a slice of one part 1 or omitted.\
                """) @Min(1) @Max(64) @Nullable
        Integer parts,

        @JsonPropertyDescription("Nodes of each group.") @Size(max = 65536)
        List<GroupAllocation> groups,

        @JsonPropertyDescription("Circuits on optical circuit switches.") @Size(max = 1024)
        List<SwitchCircuits> circuits,

        @JsonPropertyDescription("""
                Circuits of earlier revisions that have not yet been read back released; they are taken down \
                without further conditions.\
                """) @Nullable Releasing releasing,

        @JsonPropertyDescription("How this revision came about: what moved last, and why.") @Nullable
        AllocationOrigin origin,

        @JsonPropertyDescription("Circuits that follow a job's traffic, as counts between pods of the fabric.")
        @Nullable
        ChosenCircuits chosen,

        @JsonPropertyDescription("""
                That light of running pods is to move on purpose, or what came of the last such announcement. Absent \
                where the job does not ask to be asked (spec.agreement of a TrainingJob), or nothing of the kind moved.\
                """) @Nullable Announcement announcement) {

    /** The format that this version writes; it reads this one and the one before it. */
    public static final int CURRENT_FORMAT = 1;

    /** A record that was not announced. */
    public Allocation(
            int format,
            long revision,
            @Nullable Integer parts,
            List<GroupAllocation> groups,
            List<SwitchCircuits> circuits,
            @Nullable Releasing releasing,
            @Nullable AllocationOrigin origin,
            @Nullable ChosenCircuits chosen) {
        this(format, revision, parts, groups, circuits, releasing, origin, chosen, null);
    }

    /** A record of light that follows no job's traffic. */
    public Allocation(
            int format,
            long revision,
            @Nullable Integer parts,
            List<GroupAllocation> groups,
            List<SwitchCircuits> circuits,
            @Nullable Releasing releasing,
            @Nullable AllocationOrigin origin) {
        this(format, revision, parts, groups, circuits, releasing, origin, null);
    }

    /** An allocation without a recorded origin. */
    public Allocation(
            int format,
            long revision,
            @Nullable Integer parts,
            List<GroupAllocation> groups,
            List<SwitchCircuits> circuits,
            @Nullable Releasing releasing) {
        this(format, revision, parts, groups, circuits, releasing, null);
    }

    public Allocation {
        groups = List.copyOf(requireNonNullElse(groups, List.of()));
        circuits = List.copyOf(requireNonNullElse(circuits, List.of()));
    }

    /** Whether it plans no light, and none of earlier revisions is left to be taken down. */
    public boolean released() {
        return groups.isEmpty() && circuits.isEmpty() && releasing == null;
    }
}
