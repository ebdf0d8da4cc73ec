package dev.lightpath.app.job;

import dev.lightpath.app.publish.SliceStatusProjector;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.PlacementSummary;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A slice of a job, read back from the API server.
 *
 * @param allocation the ledger, empty until the planning loop granted something
 * @param deleting true once somebody deleted it; its light and its ledger stay as long as it is wanted
 * @param forceRelease true once a person lets it go though its light may burn on
 * @param placement how good its place is, as the planner told
 */
record SliceFacts(
        String name,
        String fabric,
        int attempt,
        Demand demand,
        List<Condition> conditions,
        Optional<Allocation> allocation,
        boolean deleting,
        boolean forceRelease,
        Optional<PlacementSummary> placement) {

    SliceFacts {
        conditions = List.copyOf(conditions);
    }

    /** @param named gives the slices beside it, null where there is none */
    static SliceFacts of(FabricSlice slice, Function<String, @Nullable FabricSlice> named) {
        @Nullable FabricSliceStatus status = slice.getStatus();
        @Nullable Map<String, String> annotations = slice.getMetadata().getAnnotations();
        var job = slice.getSpec().job();
        return new SliceFacts(
                slice.getMetadata().getName(),
                slice.getSpec().fabric(),
                job == null ? 0 : job.attempt(),
                slice.getSpec().demand(),
                status == null ? List.of() : status.conditions(),
                status == null || status.allocation() == null
                        ? Optional.empty()
                        : Optional.of(SliceParts.joined(slice, named)),
                slice.getMetadata().getDeletionTimestamp() != null,
                annotations != null && annotations.containsKey(LightpathAnnotations.FORCE_RELEASE),
                status == null ? Optional.empty() : Optional.ofNullable(status.placement()));
    }

    /** Whether no repair fits and the planner knows another place for the whole job. */
    boolean asksForAnotherPlace() {
        return condition(ConditionType.READY)
                .filter(condition -> "False".equals(condition.getStatus())
                        && Reason.DEGRADED.word().equals(condition.getReason())
                        && condition.getMessage().endsWith(SliceStatusProjector.RELOCATABLE))
                .isPresent();
    }

    /** Whether somebody deleted it and may not have it: its record is carried over to the slice that comes after it. */
    boolean carriedOver() {
        return deleting && !forceRelease && allocation.isPresent() && !released();
    }

    Optional<Condition> condition(ConditionType type) {
        return conditions.stream()
                .filter(condition -> type.word().equals(condition.getType()))
                .findFirst();
    }

    boolean holds(ConditionType type) {
        return condition(type)
                .filter(condition -> "True".equals(condition.getStatus()))
                .isPresent();
    }

    boolean placed() {
        return allocation.isPresent() && holds(ConditionType.ALLOCATED);
    }

    /** Whether its light burns and has proved itself; a fault that waits for its repair does not put it out. */
    boolean lit() {
        return placed()
                && (holds(ConditionType.READY)
                        || readyReason(Reason.FAULT_PENDING.word())
                                && holds(ConditionType.PROGRAMMED)
                                && holds(ConditionType.QUALIFIED));
    }

    /** Why its light does not burn as it should: the summary, unless that speaks of a fault to come. */
    Optional<Condition> obstacle() {
        return Stream.of(ConditionType.READY, ConditionType.PROGRAMMED, ConditionType.QUALIFIED)
                .flatMap(type -> condition(type).stream())
                .filter(condition -> "False".equals(condition.getStatus()))
                .filter(condition -> !Reason.FAULT_PENDING.word().equals(condition.getReason()))
                .findFirst();
    }

    /** Whether nothing of it burns any more. */
    boolean released() {
        return readyReason(JobPlan.RELEASED);
    }

    boolean readyReason(String reason) {
        return condition(ConditionType.READY)
                .filter(condition -> "False".equals(condition.getStatus()) && reason.equals(condition.getReason()))
                .isPresent();
    }
}
