package dev.lightpath.app.publish.status;

import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.planner.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a fabric between two of its statuses, at most one event of each kind, never one per port. Read off
 * the statuses themselves, so a restarted operator tells nothing twice.
 */
final class FabricEvents {
    private static final int MOST_NAMED = 8;
    private static final int MOST_FAULTS = 64;

    private FabricEvents() {}

    static List<ObjectEvent> between(@Nullable OpticalFabricStatus before, OpticalFabricStatus after) {
        List<ObjectEvent> happenings = new ArrayList<>();
        ConditionTurns turns = new ConditionTurns(before == null ? List.of() : before.conditions(), after.conditions());
        turns.contact().ifPresent(happenings::add);
        turns.became(ConditionType.IN_SYNC, Reason.FOREIGN_CIRCUITS, EventReason.FOREIGN_CIRCUIT)
                .ifPresent(happenings::add);
        turns.became(ConditionType.READY, Reason.MASS_FAILURE, EventReason.MASS_FAILURE)
                .ifPresent(happenings::add);
        List<FaultRecord> old = before == null ? List.of() : before.faults();
        SortedSet<String> detected = subjects(after.faults());
        detected.removeAll(subjects(old));
        SortedSet<String> cleared = subjects(old);
        cleared.removeAll(subjects(after.faults()));
        if (!detected.isEmpty() && old.size() < MOST_FAULTS) {
            happenings.add(new ObjectEvent(EventReason.FAULT_DETECTED, true, named("faulty: ", detected)));
        }
        // a full list may have pushed out what still holds
        if (!cleared.isEmpty() && after.faults().size() < MOST_FAULTS) {
            happenings.add(new ObjectEvent(EventReason.FAULT_CLEARED, false, named("well again: ", cleared)));
        }
        return List.copyOf(happenings);
    }

    private static SortedSet<String> subjects(List<FaultRecord> faults) {
        SortedSet<String> subjects = new TreeSet<>();
        faults.forEach(fault -> subjects.add(fault.subject()));
        return subjects;
    }

    private static String named(String verb, SortedSet<String> subjects) {
        return verb + Words.first(MOST_NAMED, subjects);
    }
}
