package dev.lightpath.console.report;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A condition as it is shown. */
public record ShownCondition(String type, String status, String reason, String message) {

    public static List<ShownCondition> of(List<Condition> conditions) {
        return conditions.stream()
                .map(condition -> new ShownCondition(
                        condition.getType(),
                        condition.getStatus(),
                        Objects.requireNonNullElse(condition.getReason(), ""),
                        Objects.requireNonNullElse(condition.getMessage(), "")))
                .toList();
    }

    /** The condition of this type; an unwritten one if there is none. */
    public static ShownCondition find(List<ShownCondition> conditions, ConditionType type) {
        return conditions.stream()
                .filter(condition -> condition.type().equals(type.word()))
                .findFirst()
                .orElseGet(() -> new ShownCondition(
                        type.word(), "Unknown", "NotReported", "the operator has not reported on it: is it running?"));
    }

    /** What a job's template says otherwise than its spec; null where nothing. */
    public static @Nullable String contradiction(List<ShownCondition> conditions) {
        ShownCondition accepted = find(conditions, ConditionType.ACCEPTED);
        return accepted.reason().equals(Reason.TEMPLATE_CONTRADICTS.word()) ? accepted.sentence() : null;
    }

    public boolean holds() {
        return "True".equals(status);
    }

    /** {@code yes}, or the reason why not. */
    public String word() {
        return holds() ? "yes" : reason;
    }

    /** The reason, and what it means. */
    public String sentence() {
        return message.isEmpty() ? reason : reason + ": " + message;
    }
}
