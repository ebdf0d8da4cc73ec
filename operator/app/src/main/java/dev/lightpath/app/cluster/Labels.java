package dev.lightpath.app.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Labels and annotations of an object that may have none. */
final class Labels {
    private Labels() {}

    static Optional<String> label(HasMetadata object, String key) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels == null ? Optional.empty() : Optional.ofNullable(labels.get(key));
    }

    static Optional<String> annotation(HasMetadata object, String key) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? Optional.empty() : Optional.ofNullable(annotations.get(key));
    }

    /** The moment that an annotation names; empty when there is none or it is not RFC 3339. */
    static Optional<Instant> moment(HasMetadata object, String key) {
        return annotation(object, key).flatMap(Labels::instant);
    }

    static Optional<Instant> instant(String text) {
        try {
            return Optional.of(java.time.OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Whether the object's labels are selected. No selector and an empty one select everything. */
    static boolean selected(HasMetadata object, @Nullable LabelSelector selector) {
        if (selector == null) {
            return true;
        }
        if (selector.getMatchLabels() != null) {
            for (Map.Entry<String, String> wanted : selector.getMatchLabels().entrySet()) {
                if (!label(object, wanted.getKey())
                        .filter(wanted.getValue()::equals)
                        .isPresent()) {
                    return false;
                }
            }
        }
        if (selector.getMatchExpressions() == null) {
            return true;
        }
        return selector.getMatchExpressions().stream().allMatch(expression -> meets(object, expression));
    }

    /** An unknown operator selects nothing. */
    private static boolean meets(HasMetadata object, LabelSelectorRequirement expression) {
        Optional<String> value = label(object, expression.getKey());
        return switch (expression.getOperator()) {
            case "In" -> value.filter(expression.getValues()::contains).isPresent();
            case "NotIn" -> value.filter(expression.getValues()::contains).isEmpty();
            case "Exists" -> value.isPresent();
            case "DoesNotExist" -> value.isEmpty();
            default -> false;
        };
    }
}
