package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Groups on a ring or line of transceivers. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "has(self.minimumGroups) == has(self.groupsPerReplica)",
        message = "write both of minimumGroups and groupsPerReplica, or none: then all groups are given or none")
@ValidationRule(
        value = "!has(self.minimumGroups) || !has(self.groupsPerReplica) || (self.minimumGroups <= self.groups"
                + " && self.groups % self.groupsPerReplica == 0 && self.minimumGroups % self.groupsPerReplica == 0)",
        message =
                "groups and minimumGroups are whole replicas of groupsPerReplica, and minimumGroups is at most groups")
public record ScaleUpDemand(
        @JsonPropertyDescription("Groups.") @Required @Min(1) @Max(1048576)
        int groups,

        @JsonPropertyDescription("GPUs of each group.") @Required @Min(1) @Max(1048576)
        int gpusPerGroup,

        @JsonPropertyDescription("Groups that are enough; omitted: all.") @Min(1) @Max(1048576) @Nullable
        Integer minimumGroups,

        @JsonPropertyDescription("Fewer groups than wanted are given in whole replicas of so many.")
        @Min(1)
        @Max(1048576)
        @Nullable
        Integer groupsPerReplica) {

    /** All groups or none. */
    public ScaleUpDemand(int groups, int gpusPerGroup) {
        this(groups, gpusPerGroup, null, null);
    }
}
