package dev.lightpath.app.publish.status;

import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.opticalswitch.OpticalSwitchStatus;
import dev.lightpath.crds.opticalswitch.PortCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a switch between two of its statuses, at most one event of each kind, never one per port. Read off
 * the statuses themselves, so a restarted operator tells nothing twice.
 */
final class SwitchEvents {
    private SwitchEvents() {}

    static List<ObjectEvent> between(@Nullable OpticalSwitchStatus before, OpticalSwitchStatus after) {
        ConditionTurns turns = new ConditionTurns(before == null ? List.of() : before.conditions(), after.conditions());
        List<ObjectEvent> happenings = new ArrayList<>();
        turns.contact().ifPresent(happenings::add);
        turns.became(ConditionType.IN_SYNC, Reason.FOREIGN_CIRCUITS, EventReason.FOREIGN_CIRCUIT)
                .ifPresent(happenings::add);
        faults(failed(before), failed(after), after).ifPresent(happenings::add);
        turns.became(ConditionType.READY, SwitchStatusProjector.DRAINED, EventReason.DRAINED, false)
                .ifPresent(happenings::add);
        return List.copyOf(happenings);
    }

    private static Optional<ObjectEvent> faults(int was, int is, OpticalSwitchStatus after) {
        if (is == was) {
            return Optional.empty();
        }
        Integer all = after.ports() == null ? null : after.ports().total();
        String now = is + " of " + (all == null ? 0 : all) + " wired and reserved ports count as failed";
        return Optional.of(
                is > was
                        ? new ObjectEvent(
                                EventReason.FAULT_DETECTED, true, now + ", " + (is - was) + " more than before")
                        : new ObjectEvent(
                                EventReason.FAULT_CLEARED, false, now + ", " + (was - is) + " are well again"));
    }

    private static int failed(@Nullable OpticalSwitchStatus status) {
        PortCounts ports = status == null ? null : status.ports();
        Integer failed = ports == null ? null : ports.failed();
        return failed == null ? 0 : failed;
    }
}
