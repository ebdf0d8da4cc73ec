package dev.lightpath.app.publish;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /** @param warning whether a person should look */
    record Happening(EventReason reason, boolean warning, String message) {}

    private FabricEvents() {}

    static List<Happening> between(@Nullable OpticalFabricStatus before, OpticalFabricStatus after) {
        List<Happening> happenings = new ArrayList<>();
        contact(before, after).ifPresent(happenings::add);
        became(before, after, ConditionType.IN_SYNC, Reason.FOREIGN_CIRCUITS, EventReason.FOREIGN_CIRCUIT)
                .ifPresent(happenings::add);
        became(before, after, ConditionType.READY, Reason.MASS_FAILURE, EventReason.MASS_FAILURE)
                .ifPresent(happenings::add);
        List<FaultRecord> old = before == null ? List.of() : before.faults();
        SortedSet<String> detected = subjects(after.faults());
        detected.removeAll(subjects(old));
        SortedSet<String> cleared = subjects(old);
        cleared.removeAll(subjects(after.faults()));
        if (!detected.isEmpty() && old.size() < MOST_FAULTS) {
            happenings.add(new Happening(EventReason.FAULT_DETECTED, true, named("faulty: ", detected)));
        }
        // a full list may have pushed out what still holds
        if (!cleared.isEmpty() && after.faults().size() < MOST_FAULTS) {
            happenings.add(new Happening(EventReason.FAULT_CLEARED, false, named("well again: ", cleared)));
        }
        return List.copyOf(happenings);
    }

    private static Optional<Happening> contact(@Nullable OpticalFabricStatus before, OpticalFabricStatus after) {
        Optional<Condition> was = condition(before, ConditionType.CONNECTED);
        Condition is = condition(after, ConditionType.CONNECTED).orElse(null);
        if (is == null) {
            return Optional.empty();
        }
        boolean wasThere = was.filter(FabricEvents::holds).isPresent();
        if (holds(is)) {
            return wasThere
                    ? Optional.empty()
                    : Optional.of(new Happening(EventReason.CONNECTED, false, is.getMessage()));
        }
        return wasThere
                ? Optional.of(new Happening(EventReason.DISCONNECTED, true, is.getReason() + ": " + is.getMessage()))
                : Optional.empty();
    }

    private static Optional<Happening> became(
            @Nullable OpticalFabricStatus before,
            OpticalFabricStatus after,
            ConditionType type,
            Reason reason,
            EventReason event) {
        if (condition(before, type)
                .filter(was -> reason.word().equals(was.getReason()))
                .isPresent()) {
            return Optional.empty();
        }
        return condition(after, type)
                .filter(is -> reason.word().equals(is.getReason()))
                .map(is -> new Happening(event, true, is.getMessage()));
    }

    private static boolean holds(Condition condition) {
        return "True".equals(condition.getStatus());
    }

    private static Optional<Condition> condition(@Nullable OpticalFabricStatus status, ConditionType type) {
        return status == null
                ? Optional.empty()
                : status.conditions().stream()
                        .filter(condition -> type.word().equals(condition.getType()))
                        .findFirst();
    }

    private static SortedSet<String> subjects(List<FaultRecord> faults) {
        SortedSet<String> subjects = new TreeSet<>();
        faults.forEach(fault -> subjects.add(fault.subject()));
        return subjects;
    }

    private static String named(String verb, SortedSet<String> subjects) {
        String some = String.join(", ", subjects.stream().limit(MOST_NAMED).toList());
        return verb
                + (subjects.size() <= MOST_NAMED ? some : some + " and " + (subjects.size() - MOST_NAMED) + " more");
    }
}
