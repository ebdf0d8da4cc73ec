package dev.lightpath.crds.slice;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a record is to have instead of what it has. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AnnouncedMove(
        @JsonPropertyDescription("Groups that change, by index; the others stay.") @Size(max = 65536)
        List<GroupAllocation> groups,

        @JsonPropertyDescription("Circuits on optical circuit switches that go dark.") @Size(max = 1024)
        List<SwitchCircuits> dark,

        @JsonPropertyDescription("Circuits on optical circuit switches that are made.") @Size(max = 1024)
        List<SwitchCircuits> lit,

        @JsonPropertyDescription("How the move came about, and why.") @Nullable
        AllocationOrigin origin,

        @JsonPropertyDescription("Circuits that follow a job's traffic, as counts between pods of the fabric.")
        @Nullable
        ChosenCircuits chosen,

        @JsonPropertyDescription("""
                Uid of the TrainingJob without a place that is to get the room. Once it waits no more, nothing moves. Absent \
                where the light moves for another reason.\
                """) @Size(min = 1, max = 64) @Nullable
        String roomFor,

        @JsonPropertyDescription("""
                Number of further slices that have groups and circuits of this move, numbered from 63 downwards and named \
                by its revision. Absent where they stand here.\
                """) @Min(1) @Max(63) @Nullable
        Integer parts) {

    public AnnouncedMove {
        groups = List.copyOf(requireNonNullElse(groups, List.of()));
        dark = List.copyOf(requireNonNullElse(dark, List.of()));
        lit = List.copyOf(requireNonNullElse(lit, List.of()));
    }
}
