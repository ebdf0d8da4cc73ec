package dev.lightpath.console.picture;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.Look;
import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.SliceParts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A slice that holds a part of a fabric.
 *
 * @param namespace null, as all names, for a viewer who may not see it
 * @param job null too for the static topology of a fabric
 * @param revision of its record
 * @param why how this revision came about
 * @param ready how it stands
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Tenant(
        @Nullable String namespace,
        @Nullable String slice,
        @Nullable String job,
        @Nullable Integer attempt,
        @Nullable Long revision,
        @Nullable String why,
        @Nullable ShownCondition ready) {

    private static final Tenant HIDDEN = new Tenant(null, null, null, null, null, null, null);

    /** A slice with its whole record. */
    record Holding(Tenant tenant, FabricSlice slice, Allocation allocation) {}

    /** The slices with a record on a fabric, by namespace and name. */
    static List<Holding> on(String fabric, Look look) {
        List<Holding> holdings = new ArrayList<>();
        for (FabricSlice slice : look.slices()) {
            if (slice.getSpec().fabric().equals(fabric)
                    && !SliceParts.isPart(slice)
                    && slice.getStatus() != null
                    && slice.getStatus().allocation() != null) {
                Allocation allocation = SliceParts.readable(slice, look.slices());
                holdings.add(new Holding(of(slice, allocation, look), slice, allocation));
            }
        }
        return holdings;
    }

    private static Tenant of(FabricSlice slice, Allocation allocation, Look look) {
        String namespace = slice.getMetadata().getNamespace();
        if (!look.sight().shows(namespace)) {
            return HIDDEN;
        }
        var job = slice.getSpec().job();
        return new Tenant(
                namespace,
                slice.getMetadata().getName(),
                job == null ? null : job.name(),
                job == null ? null : job.attempt(),
                allocation.revision(),
                allocation.origin() == null
                        ? null
                        : allocation.origin().why() + " (" + allocation.origin().planner() + ")",
                ShownCondition.find(
                        slice.getStatus() == null
                                ? List.of()
                                : ShownCondition.of(slice.getStatus().conditions()),
                        ConditionType.READY));
    }
}
