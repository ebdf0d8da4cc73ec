package dev.lightpath.app.publish.status;

import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.Reason;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;

/** What happened to an object, as far as its conditions before and after tell it. */
record ConditionTurns(List<Condition> before, List<Condition> after) {

    /** A driver is found or lost; one that never was there is not lost. */
    Optional<ObjectEvent> contact() {
        Condition is = condition(after, ConditionType.CONNECTED).orElse(null);
        if (is == null) {
            return Optional.empty();
        }
        boolean wasThere = condition(before, ConditionType.CONNECTED)
                .filter(ConditionTurns::holds)
                .isPresent();
        if (holds(is)) {
            return wasThere
                    ? Optional.empty()
                    : Optional.of(new ObjectEvent(EventReason.CONNECTED, false, is.getMessage()));
        }
        return wasThere
                ? Optional.of(new ObjectEvent(EventReason.DISCONNECTED, true, is.getReason() + ": " + is.getMessage()))
                : Optional.empty();
    }

    /** A condition has a reason that it had not. */
    Optional<ObjectEvent> became(ConditionType type, Reason reason, EventReason event) {
        return became(type, reason.word(), event, true);
    }

    /** The same for any word. */
    Optional<ObjectEvent> became(ConditionType type, String reason, EventReason event, boolean warning) {
        if (condition(before, type)
                .filter(was -> reason.equals(was.getReason()))
                .isPresent()) {
            return Optional.empty();
        }
        return condition(after, type)
                .filter(is -> reason.equals(is.getReason()))
                .map(is -> new ObjectEvent(event, warning, is.getMessage()));
    }

    private static boolean holds(Condition condition) {
        return "True".equals(condition.getStatus());
    }

    private static Optional<Condition> condition(List<Condition> conditions, ConditionType type) {
        return conditions.stream()
                .filter(condition -> type.word().equals(condition.getType()))
                .findFirst();
    }
}
