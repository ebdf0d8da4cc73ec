package dev.lightpath.app.publish.status;

import static java.util.Objects.requireNonNull;

import dev.lightpath.app.conditions.AgreementVerdict;
import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.app.conditions.RoutesVerdict;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.PlacementSummary;
import dev.lightpath.crds.job.Preempted;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.Outlook;
import dev.lightpath.crds.slice.Programmed;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict.Light;
import dev.lightpath.planner.engine.decision.SliceVerdict.Obstacle;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.reading.AllocationCodec;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The status of a FabricSlice but for its allocation, which is the ledger's (spec: kubernetes, 4 and 5). */
public final class SliceStatusProjector {
    /** Ready is False for this reason once all light of the slice is down. */
    public static final String RELEASED = EventReason.RELEASED.word();

    private static final Set<String> NEEDS_A_PERSON = Set.of(
            Reason.INVALID_PARALLELISM.word(),
            Reason.FABRIC_NOT_FOUND.word(),
            Reason.MASS_FAILURE.word(),
            Reason.HELD_BY_ANOTHER_ROLE.word(),
            Reason.LEDGER_OLDER_THAN_DEVICES.word(),
            Reason.AWAITING_ADOPTION.word(),
            Reason.DEGRADED.word(),
            Reason.INVALID_WIRING.word(),
            Reason.NEWER_FORMAT.word(),
            Reason.RECORD_REFUSED.word(),
            Reason.NOT_SUPPORTED.word());

    private static final Set<String> AT_REST = Set.of(RELEASED, Reason.FABRIC_PAUSED.word());

    private SliceStatusProjector() {}

    /**
     * The allocation of the result is always null: another field manager owns it.
     *
     * @param id of the slice: what is told is told to those who may read in its namespace
     * @param before the status the object has now, null when it has none
     * @param generation of the object
     */
    public static FabricSliceStatus project(
            SliceId id, SliceVerdict verdict, @Nullable FabricSliceStatus before, long generation, Instant now) {
        Verdict allocated = allocated(verdict);
        Optional<Verdict> agreed = agreed(id, verdict);
        Verdict programmed = programmed(verdict, allocated);
        Verdict qualified = qualified(verdict, programmed, before);
        Optional<Verdict> routed = allocated.holds() ? RoutesVerdict.of(verdict, qualified) : Optional.empty();
        Verdict ready = ready(verdict, allocated, programmed, qualified, routed);
        boolean stalled = !ready.holds()
                && (NEEDS_A_PERSON.contains(ready.reason())
                        || verdict.placement() instanceof Placement.Unplaced unplaced && unplaced.forever());
        boolean reconciling = !ready.holds() && !stalled && !AT_REST.contains(ready.reason());
        Conditions conditions = Conditions.since(before == null ? List.of() : before.conditions(), generation, now)
                .with(ConditionType.READY, ready)
                .with(ConditionType.ALLOCATED, allocated)
                .with(ConditionType.PROGRAMMED, programmed)
                .with(ConditionType.QUALIFIED, qualified);
        Conditions routing =
                routed.map(of -> conditions.with(ConditionType.ROUTED, of)).orElse(conditions);
        return new FabricSliceStatus(
                generation,
                agreed.map(of -> routing.with(ConditionType.AGREED, of))
                        .orElse(routing)
                        .summed(ready, reconciling, stalled)
                        .list(),
                null,
                lit(verdict),
                placement(verdict),
                outlook(verdict),
                verdict.allocation().map(Allocation::revision).orElse(null),
                verdict.preemptor()
                        .map(by ->
                                by.namespace().equals(id.namespace()) ? by.toString() : Preempted.BY_ANOTHER_NAMESPACE)
                        .orElse(null));
    }

    private static @Nullable Outlook outlook(SliceVerdict verdict) {
        @Nullable Outlook left = verdict.leftOnlySilence() ? Outlook.ONLY_SILENT : null;
        return switch (verdict.placement()) {
            case Placement.Faulted faulted -> faulted.degraded() && faulted.relocatable() ? Outlook.ELSEWHERE : left;
            case Placement.Unplaced unplaced -> unplaced.forever() ? Outlook.NEVER : null;
            case Placement.Releasing releasing -> releasing.onlySilent() ? Outlook.ONLY_SILENT : null;
            // pods that hang are let go by the other word, and none grows under them
            case Placement.Placed placed -> left == null && placed.wider() ? Outlook.WIDER : left;
            case Placement.Released released -> null;
        };
    }

    private static @Nullable Programmed lit(SliceVerdict verdict) {
        Light light = verdict.light();
        return switch (verdict.placement()) {
            case Placement.Placed placed -> new Programmed(light.total(), light.lit(), light.failed());
            case Placement.Faulted faulted -> new Programmed(light.total(), light.lit(), light.failed());
            case Placement.Unplaced unplaced -> null;
            case Placement.Releasing releasing -> null;
            case Placement.Released released -> null;
        };
    }

    private static @Nullable PlacementSummary placement(SliceVerdict verdict) {
        return verdict.siting()
                .map(siting -> new PlacementSummary(
                        verdict.allocation()
                                .map(allocation -> allocation.groups().size())
                                .orElse(null),
                        String.format(Locale.ROOT, "%.4f", siting.crossTorRatio()),
                        siting.spareNodes()))
                .orElse(null);
    }

    private static Verdict allocated(SliceVerdict verdict) {
        return switch (verdict.placement()) {
            case Placement.Placed placed ->
                placed.unsolved()
                        .map(why -> Verdict.because(Reason.SOLVER_FAILED.word(), granted(verdict) + "; " + why))
                        .orElseGet(() -> Verdict.holds(granted(verdict)));
            case Placement.Faulted faulted -> Verdict.holds(granted(verdict));
            case Placement.Unplaced unplaced ->
                ConditionReason.of(unplaced.reason()) == Reason.PENDING
                        ? Verdict.unknown(Reason.PENDING.word(), unplaced.message())
                        : Verdict.fails(ConditionReason.of(unplaced.reason()), unplaced.message());
            case Placement.Releasing releasing ->
                Verdict.fails(
                        Reason.RELEASING.word(),
                        (onSwitches(verdict)
                                        ? Counted.of(releasing.remaining(), "circuit is", "circuits are")
                                        : Counted.of(releasing.remaining(), "node is", "nodes are"))
                                + " not yet dark: "
                                + (releasing.onlySilent()
                                        ? "on devices that do not answer, refuse or cannot move; "
                                        : "")
                                + releasing.waitsFor());
            case Placement.Released released -> Verdict.fails(RELEASED, "nothing of it is lit");
        };
    }

    private static boolean onSwitches(SliceVerdict verdict) {
        return verdict.allocation()
                .filter(record ->
                        !record.circuits().isEmpty() || !record.darkening().isEmpty())
                .isPresent();
    }

    private static String granted(SliceVerdict verdict) {
        return verdict.allocation()
                .map(allocation -> !allocation.circuits().isEmpty()
                        ? Counted.of(allocation.circuits().size(), "circuit") + " on "
                                + Counted.of(allocation.circuits().circuits().size(), "switch") + ", revision "
                                + allocation.revision()
                        : Counted.of(allocation.groups().size(), "group") + " on "
                                + Counted.of(allocation.nodes().size(), "node") + ", revision " + allocation.revision()
                                + allocation
                                        .origin()
                                        .map(origin -> " (" + origin.planner().word() + ", "
                                                + Counted.of(origin.bundles(), "bundle") + ": " + origin.why() + ")")
                                        .orElse(""))
                .orElse("recorded");
    }

    /** Of what was announced to the job. Its light is judged as it is recorded: as the job has it. */
    private static Optional<Verdict> agreed(SliceId id, SliceVerdict verdict) {
        return verdict.allocation()
                .filter(recorded -> recorded.announcement().isPresent())
                .map(AllocationCodec::write)
                .map(recorded -> AgreementVerdict.of(id.name(), recorded, requireNonNull(recorded.announcement())));
    }

    private static Verdict programmed(SliceVerdict verdict, Verdict allocated) {
        if (!allocated.holds()) {
            return allocated;
        }
        Light light = verdict.light();
        Obstacle obstacle = light.obstacle().orElse(null);
        Reason hindered = obstacle == null ? null : ConditionReason.of(obstacle.reason());
        if (obstacle != null && hindered == Reason.DRIVER_UNREACHABLE) {
            return Verdict.unknown(hindered.word(), obstacle.message());
        }
        if (light.programmed()) {
            return Verdict.holds(Counted.of(light.total(), "circuit is read back", "circuits are read back"));
        }
        String progress = Counted.part(light.lit(), light.total(), "circuit is made", "circuits are made");
        if (obstacle == null || hindered == null || hindered == Reason.QUALIFYING) {
            return Verdict.fails(Reason.PROGRAMMING.word(), progress);
        }
        return Verdict.fails(hindered, progress + "; " + obstacle.message());
    }

    private static Verdict qualified(SliceVerdict verdict, Verdict programmed, @Nullable FabricSliceStatus before) {
        if (!programmed.holds()) {
            return programmed;
        }
        Light light = verdict.light();
        boolean undecidable = light.obstacle()
                .filter(obstacle -> ConditionReason.of(obstacle.reason()) == Reason.INVALID_WIRING)
                .isPresent();
        if (undecidable && wasQualified(before)) {
            return Verdict.holds("it was before the wiring was described otherwise");
        }
        if (light.qualified()) {
            return Verdict.holds("both ends of " + Counted.of(light.links(), "link") + " hear each other");
        }
        String progress = Counted.part(light.qualifiedLinks(), light.links(), "link qualifies", "links qualify");
        return light.obstacle()
                .map(obstacle ->
                        Verdict.fails(ConditionReason.of(obstacle.reason()), progress + "; " + obstacle.message()))
                .orElseGet(() -> Verdict.fails(Reason.QUALIFYING.word(), progress));
    }

    private static boolean wasQualified(@Nullable FabricSliceStatus before) {
        return before != null
                && before.conditions().stream()
                        .anyMatch(condition -> condition.getType().equals(ConditionType.QUALIFIED.word())
                                && condition.getStatus().equals("True"));
    }

    private static Verdict ready(
            SliceVerdict verdict, Verdict allocated, Verdict programmed, Verdict qualified, Optional<Verdict> routed) {
        if (verdict.placement() instanceof Placement.Faulted faulted) {
            String message = faulted.message();
            return faulted.degraded()
                    ? Verdict.fails(
                            Reason.DEGRADED.word(),
                            faulted.relocatable() ? message + "; the whole job can be placed anew" : message)
                    : Verdict.fails(Reason.FAULT_PENDING.word(), message);
        }
        if (!allocated.holds()) {
            return allocated;
        }
        if (!programmed.holds()) {
            return programmed;
        }
        if (!qualified.holds()) {
            return qualified;
        }
        return routed.filter(of -> !of.holds()).orElse(Verdict.holds("every link is lit and qualified"));
    }
}
