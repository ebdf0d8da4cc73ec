package dev.lightpath.app.job.facts;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.PlacementSummary;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.Outlook;
import dev.lightpath.reading.AnnouncementCodec;
import dev.lightpath.reading.SliceParts;
import dev.lightpath.reading.label.SliceLabels;
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
 * @param outlook what there is to hope for, as the planner told
 * @param whole false where parts of its record are missing: the first part alone is then the allocation
 * @param labelled whether it carries the labels that the operator gave it
 * @param observedRevision of which record its conditions speak: they are told after the record is written
 * @param preemptor the job that is to have its place, as namespace/name
 */
public record SliceFacts(
        String name,
        String fabric,
        int attempt,
        Demand demand,
        List<Condition> conditions,
        Optional<Allocation> allocation,
        boolean deleting,
        boolean forceRelease,
        Optional<PlacementSummary> placement,
        Optional<Outlook> outlook,
        boolean whole,
        boolean labelled,
        Optional<Long> observedRevision,
        Optional<String> preemptor) {

    public SliceFacts {
        conditions = List.copyOf(conditions);
    }

    /** @param named gives the slices beside it, null where there is none */
    public static SliceFacts of(FabricSlice slice, Function<String, @Nullable FabricSlice> named) {
        @Nullable FabricSliceStatus status = slice.getStatus();
        @Nullable Map<String, String> annotations = slice.getMetadata().getAnnotations();
        var job = slice.getSpec().job();
        @Nullable Allocation first = status == null ? null : status.allocation();
        Optional<Allocation> joined = joined(slice, named);
        return new SliceFacts(
                slice.getMetadata().getName(),
                slice.getSpec().fabric(),
                job == null ? 0 : job.attempt(),
                slice.getSpec().demand(),
                status == null ? List.of() : status.conditions(),
                joined.or(() -> Optional.ofNullable(first)),
                slice.getMetadata().getDeletionTimestamp() != null,
                annotations != null && annotations.containsKey(LightpathAnnotations.FORCE_RELEASE),
                status == null ? Optional.empty() : Optional.ofNullable(status.placement()),
                status == null ? Optional.empty() : Optional.ofNullable(status.outlook()),
                first == null || joined.isPresent(),
                SliceLabels.missing(slice).isEmpty(),
                status == null ? Optional.empty() : Optional.ofNullable(status.observedRevision()),
                status == null ? Optional.empty() : Optional.ofNullable(status.preemptor()));
    }

    /** Empty without a record, or where parts of it are missing: then the planner says so in the conditions. */
    private static Optional<Allocation> joined(FabricSlice slice, Function<String, @Nullable FabricSlice> named) {
        try {
            return slice.getStatus() == null || slice.getStatus().allocation() == null
                    ? Optional.empty()
                    : Optional.of(SliceParts.joined(slice, named));
        } catch (IllegalArgumentException incomplete) {
            return Optional.empty();
        }
    }

    /** Whether no repair fits and the planner knows another place for the whole job. */
    public boolean asksForAnotherPlace() {
        return outlook.equals(Optional.of(Outlook.ELSEWHERE)) && readyReason(Reason.DEGRADED.word());
    }

    /** Whether no light of it is left but what silent devices may still have. */
    public boolean leavesOnlySilence() {
        return outlook.equals(Optional.of(Outlook.ONLY_SILENT)) && readyReason(Reason.RELEASING.word());
    }

    /** Whether it has a place, and all light that it left and that is not yet dark is where nobody can make it so. */
    public boolean leftOnlySilence() {
        return outlook.equals(Optional.of(Outlook.ONLY_SILENT)) && placed() && isToldOfItsRecord();
    }

    /** Whether it has fewer replicas than its job wants, and the planner adds more once no pod of the job runs. */
    public boolean grows() {
        return outlook.equals(Optional.of(Outlook.WIDER)) && placed() && isToldOfItsRecord();
    }

    /** Whether waiting for a place is in vain. */
    public boolean neverFits() {
        return outlook.equals(Optional.of(Outlook.NEVER)) && allocation.isEmpty();
    }

    /** Whether this version cannot read what it was given. */
    public boolean isUnreadable() {
        return readyReason(Reason.NEWER_FORMAT.word());
    }

    public Optional<Condition> condition(ConditionType type) {
        return conditions.stream()
                .filter(condition -> type.word().equals(condition.getType()))
                .findFirst();
    }

    public boolean holds(ConditionType type) {
        return Conditions.isTrue(conditions, type);
    }

    /** What it serves. */
    public LightRequest request() {
        return new LightRequest(fabric, demand);
    }

    /** Whether it has a place; a condition from before its record was emptied is none. */
    public boolean placed() {
        return holds(ConditionType.ALLOCATED)
                && allocation
                        .filter(recorded -> !recorded.groups().isEmpty()
                                || !recorded.circuits().isEmpty())
                        .isPresent();
    }

    /** What was announced of its record; empty where nothing was. */
    public Optional<Announcement> announcement() {
        return allocation
                .map(recorded -> recorded.announcement())
                .filter(announced -> announced.open() || announced.answer() != null);
    }

    /** This slice once what was announced of it has moved. */
    public SliceFacts moved() {
        return new SliceFacts(
                name,
                fabric,
                attempt,
                demand,
                conditions,
                allocation.flatMap(AnnouncementCodec::moved).or(() -> allocation),
                deleting,
                forceRelease,
                placement,
                outlook,
                whole,
                labelled,
                observedRevision,
                preemptor);
    }

    /** Whether its light burns where its record has it now, and has proved itself there. */
    public boolean shines() {
        return holds(ConditionType.READY) && isToldOfItsRecord();
    }

    /** Whether this is what was read before a later record was written to the same slice. */
    public boolean isOlderThan(FabricSlice watched) {
        @Nullable FabricSliceStatus status = watched.getStatus();
        @Nullable Allocation later = status == null ? null : status.allocation();
        return later != null
                && name.equals(watched.getMetadata().getName())
                && allocation
                        .filter(recorded -> recorded.revision() < later.revision())
                        .isPresent();
    }

    /** Whether pods of it may have to be waited for that never run: a fault has struck it, or it is given up. */
    public boolean waitsForPods() {
        return readyReason(Reason.FAULT_PENDING.word())
                || readyReason(Reason.DEGRADED.word())
                || readyReason(Reason.RELEASING.word());
    }

    private boolean isToldOfItsRecord() {
        return allocation.isPresent() && observedRevision.equals(allocation.map(Allocation::revision));
    }

    /**
     * Whether its light burns and has proved itself. A fault that waits for its repair, or a missing route, does not
     * put it out.
     */
    public boolean lit() {
        return placed()
                && (holds(ConditionType.READY)
                        || (readyReason(Reason.FAULT_PENDING.word()) || readyReason(Reason.AWAITING_ROUTES.word()))
                                && holds(ConditionType.PROGRAMMED)
                                && holds(ConditionType.QUALIFIED));
    }

    /** Why its light does not burn as it should: the summary first. What is not known yet is no reason. */
    public Optional<Condition> obstacle() {
        return Stream.of(ConditionType.READY, ConditionType.PROGRAMMED, ConditionType.QUALIFIED)
                .flatMap(type -> condition(type).stream())
                .filter(condition -> !"True".equals(condition.getStatus()))
                .filter(condition -> !Reason.PENDING.word().equals(condition.getReason()))
                .findFirst();
    }

    /**
     * Whether nothing of it burns any more; the word of a record that was written since, or of a slice of the same
     * name, is none.
     */
    public boolean released() {
        return readyReason(EventReason.RELEASED.word())
                && allocation.filter(recorded -> !recorded.released()).isEmpty();
    }

    boolean readyReason(String reason) {
        return condition(ConditionType.READY)
                .filter(condition -> "False".equals(condition.getStatus()) && reason.equals(condition.getReason()))
                .isPresent();
    }

    /**
     * Whether nothing of it burns, or what may burn is in quarantine. Light that no planner looks after, because its
     * fabric is gone and nothing was granted, has nothing to release.
     */
    public boolean mayGo(Optional<FabricFacts> fabric) {
        return released() || forceRelease && quarantined(fabric) || allocation.isEmpty() && fabric.isEmpty();
    }

    /** Whether the fabric has taken note of what it leaves behind, or has no one to take note. */
    private boolean quarantined(Optional<FabricFacts> fabric) {
        return fabric.isEmpty()
                || allocation
                        .filter(allocation -> !fabric.get().holdsAllOf(allocation))
                        .isEmpty();
    }
}
