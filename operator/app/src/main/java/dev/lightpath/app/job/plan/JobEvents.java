package dev.lightpath.app.job.plan;

import dev.lightpath.app.conditions.AgreementVerdict;
import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a job between two of its statuses. Read off the statuses themselves, so a restarted operator tells
 * nothing twice.
 */
public final class JobEvents {
    /** Reasons why light is not ready that mean: it has to be made first. */
    private static final Set<String> LIGHT_TO_MAKE = Set.of(
            Reason.PENDING.word(),
            Reason.PROGRAMMING.word(),
            Reason.REJECTED.word(),
            Reason.INDETERMINATE.word(),
            Reason.DEGRADED.word(),
            Reason.SUSPENDED.word(),
            Reason.WAITING_FOR_QUOTA.word(),
            Reason.WORKLOAD_DELETED.word(),
            Reason.WORKLOAD_TAKEN.word(),
            Reason.RELEASING.word());

    /** Reasons why a job has no place any more that mean: it is to have none. */
    private static final Set<String> GIVES_BACK = Set.of(
            Reason.RELEASING.word(),
            Reason.SUSPENDED.word(),
            Reason.WAITING_FOR_QUOTA.word(),
            Reason.JOB_COMPLETED.word(),
            Reason.MAX_RESTARTS.word(),
            Reason.DEADLINE_EXCEEDED.word(),
            Reason.JOB_FAILED.word());

    private JobEvents() {}

    public static List<ObjectEvent> between(@Nullable TrainingJobStatus before, TrainingJobStatus after) {
        List<ObjectEvent> happenings = new ArrayList<>();
        accepted(before, after).ifPresent(happenings::add);
        placement(before, after).ifPresent(happenings::add);
        reason(before, after, ConditionType.PLACED, Reason.SOLVER_FAILED, EventReason.SOLVER_FAILED)
                .ifPresent(happenings::add);
        reason(before, after, ConditionType.PLACED, Reason.SLICE_DELETED, EventReason.SLICE_DELETED)
                .ifPresent(happenings::add);
        preempted(before, after).ifPresent(happenings::add);
        programmed(before, after).ifPresent(happenings::add);
        became(before, after, ConditionType.FABRIC_READY, EventReason.QUALIFIED).ifPresent(happenings::add);
        reason(before, after, ConditionType.READY, Reason.DEGRADED, EventReason.DEGRADED)
                .ifPresent(happenings::add);
        became(before, after, ConditionType.READY, EventReason.READY).ifPresent(happenings::add);
        darkness(before, after).ifPresent(happenings::add);
        hook(before, after).ifPresent(happenings::add);
        released(before, after).ifPresent(happenings::add);
        return List.copyOf(happenings);
    }

    /** A contradiction is told also when it comes later. */
    private static Optional<ObjectEvent> accepted(@Nullable TrainingJobStatus before, TrainingJobStatus after) {
        boolean contradicts = condition(after, ConditionType.ACCEPTED)
                .filter(is -> Reason.TEMPLATE_CONTRADICTS.word().equals(is.getReason()))
                .isPresent();
        return contradicts
                ? reason(before, after, ConditionType.ACCEPTED, Reason.TEMPLATE_CONTRADICTS, EventReason.ACCEPTED)
                : became(before, after, ConditionType.ACCEPTED, EventReason.ACCEPTED);
    }

    /** The devices have taken what they were told: what is left is to prove the light. */
    private static Optional<ObjectEvent> programmed(@Nullable TrainingJobStatus before, TrainingJobStatus after) {
        boolean was = condition(before, ConditionType.FABRIC_READY)
                .filter(known -> holds(known) || !LIGHT_TO_MAKE.contains(known.getReason()))
                .isPresent();
        return was
                ? Optional.empty()
                : condition(after, ConditionType.FABRIC_READY)
                        .filter(is -> holds(is) || Reason.QUALIFYING.word().equals(is.getReason()))
                        .map(is -> new ObjectEvent(
                                EventReason.PROGRAMMED, false, "the devices have taken the light of the job"));
    }

    private static Optional<ObjectEvent> preempted(@Nullable TrainingJobStatus before, TrainingJobStatus after) {
        return after.preempted() == null || before != null && after.preempted().equals(before.preempted())
                ? Optional.empty()
                : Optional.of(new ObjectEvent(EventReason.PREEMPTED, true, Preemption.words(after.preempted())));
    }

    /** What was announced to the job, and what ended the waiting: the message names slice and revision. */
    private static Optional<ObjectEvent> darkness(@Nullable TrainingJobStatus before, TrainingJobStatus after) {
        Optional<Condition> was = condition(before, ConditionType.AGREED);
        String known = was.map(Condition::getMessage).orElse("");
        boolean asked = was.filter(of -> !holds(of) && isAnnounced(of)).isPresent();
        boolean over = was.filter(JobEvents::holds).isPresent();
        return condition(after, ConditionType.AGREED)
                .filter(is -> isAnnounced(is) && !known.equals(is.getMessage()) && (asked || !isOff(is)))
                .filter(is -> !over
                        || !holds(is)
                        || !AgreementVerdict.announced(known).equals(AgreementVerdict.announced(is.getMessage())))
                .map(is -> new ObjectEvent(darkness(is), false, is.getMessage()));
    }

    /** What a pod answered, or why it was not asked. */
    private static Optional<ObjectEvent> hook(@Nullable TrainingJobStatus before, TrainingJobStatus after) {
        String known = condition(before, ConditionType.HOOK_ANSWERED)
                .map(Condition::getMessage)
                .orElse("");
        return condition(after, ConditionType.HOOK_ANSWERED)
                .filter(is -> !known.equals(is.getMessage()))
                .map(is -> Reason.HOOK_FAILED.word().equals(is.getReason())
                        ? new ObjectEvent(EventReason.HOOK_FAILED, true, is.getMessage())
                        : new ObjectEvent(EventReason.HOOK_ANSWERED, false, is.getMessage()));
    }

    private static boolean isAnnounced(Condition agreed) {
        return !Reason.NOT_ANNOUNCED.word().equals(agreed.getReason());
    }

    private static boolean isOff(Condition agreed) {
        return Reason.NOT_NEEDED.word().equals(agreed.getReason());
    }

    private static EventReason darkness(Condition agreed) {
        if (isOff(agreed)) {
            return EventReason.DARKNESS_CANCELLED;
        }
        return holds(agreed) ? EventReason.DARKNESS_BEGINS : EventReason.DARKNESS_ANNOUNCED;
    }

    /** Of a job that is gone: its last light went before it. */
    public static ObjectEvent gone() {
        return new ObjectEvent(EventReason.RELEASED, false, "the job is deleted; nothing is lit for it");
    }

    private static Optional<ObjectEvent> placement(@Nullable TrainingJobStatus before, TrainingJobStatus after) {
        Optional<Condition> is = condition(after, ConditionType.PLACED);
        Optional<Condition> was = condition(before, ConditionType.PLACED);
        if (is.filter(JobEvents::holds).isEmpty()) {
            return reason(before, after, ConditionType.PLACED, Reason.INSUFFICIENT_CAPACITY, EventReason.UNPLACEABLE);
        }
        String message = is.get().getMessage();
        if (was.filter(JobEvents::holds).isEmpty()) {
            boolean anew = after.attempt() != null && after.attempt() > 1;
            return Optional.of(new ObjectEvent(anew ? EventReason.REPLACED : EventReason.PLACED, false, message));
        }
        int change = replicas(after) - replicas(before);
        if (before != null && before.width() != null && change != 0) {
            return Optional.of(
                    new ObjectEvent(change < 0 ? EventReason.SHRUNK : EventReason.GROWN, change < 0, message));
        }
        return moved(before, after)
                ? Optional.of(new ObjectEvent(EventReason.REPAIRED, false, message))
                : Optional.empty();
    }

    private static int replicas(@Nullable TrainingJobStatus status) {
        return status == null || status.width() == null ? 0 : status.width().replicas();
    }

    /** Whether a slice that was there has a later allocation. */
    private static boolean moved(@Nullable TrainingJobStatus before, TrainingJobStatus after) {
        return before != null
                && after.slices().stream()
                        .anyMatch(is -> before.slices().stream()
                                .anyMatch(
                                        was -> was.name().equals(is.name()) && isLater(was.revision(), is.revision())));
    }

    /** Whether there was a revision, and there is one after it. */
    public static boolean isLater(@Nullable Long was, @Nullable Long is) {
        return was != null && is != null && is > was;
    }

    private static Optional<ObjectEvent> released(@Nullable TrainingJobStatus before, TrainingJobStatus after) {
        return before == null || before.conditions().isEmpty() || isDark(before) || !isDark(after)
                ? Optional.empty()
                : condition(after, ConditionType.PLACED)
                        .map(is -> new ObjectEvent(
                                EventReason.RELEASED,
                                condition(after, ConditionType.FAILED)
                                        .filter(JobEvents::holds)
                                        .isPresent(),
                                is.getMessage()));
    }

    /** Whether all that the job had was given back, and nothing is under way any more. */
    private static boolean isDark(TrainingJobStatus status) {
        return condition(status, ConditionType.PLACED)
                        .filter(is -> GIVES_BACK.contains(is.getReason()))
                        .isPresent()
                && condition(status, ConditionType.RECONCILING)
                        .filter(JobEvents::holds)
                        .isEmpty();
    }

    private static Optional<ObjectEvent> became(
            @Nullable TrainingJobStatus before, TrainingJobStatus after, ConditionType type, EventReason event) {
        return condition(before, type).filter(JobEvents::holds).isPresent()
                ? Optional.empty()
                : condition(after, type)
                        .filter(JobEvents::holds)
                        .map(is -> new ObjectEvent(event, false, is.getMessage()));
    }

    private static Optional<ObjectEvent> reason(
            @Nullable TrainingJobStatus before,
            TrainingJobStatus after,
            ConditionType type,
            Reason reason,
            EventReason event) {
        return condition(before, type)
                        .filter(was -> reason.word().equals(was.getReason()))
                        .isPresent()
                ? Optional.empty()
                : condition(after, type)
                        .filter(is -> reason.word().equals(is.getReason()))
                        .map(is -> new ObjectEvent(event, true, is.getMessage()));
    }

    private static boolean holds(Condition condition) {
        return "True".equals(condition.getStatus());
    }

    private static Optional<Condition> condition(@Nullable TrainingJobStatus status, ConditionType type) {
        return status == null
                ? Optional.empty()
                : status.conditions().stream()
                        .filter(condition -> type.word().equals(condition.getType()))
                        .findFirst();
    }
}
