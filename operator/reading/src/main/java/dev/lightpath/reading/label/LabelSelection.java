package dev.lightpath.reading.label;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The meaning of a label selector for one set of labels. */
public final class LabelSelection {
    private LabelSelection() {}

    /** An absent or empty selector matches everything; an unknown operator nothing. */
    public static boolean matches(@Nullable LabelSelector selector, Map<String, String> labels) {
        if (selector == null) {
            return true;
        }
        boolean equal = selector.getMatchLabels() == null
                || selector.getMatchLabels().entrySet().stream()
                        .allMatch(entry -> entry.getValue().equals(labels.get(entry.getKey())));
        return equal
                && (selector.getMatchExpressions() == null
                        || selector.getMatchExpressions().stream().allMatch(expression -> meets(labels, expression)));
    }

    private static boolean meets(Map<String, String> labels, LabelSelectorRequirement expression) {
        @Nullable String value = labels.get(expression.getKey());
        return switch (expression.getOperator()) {
            case "In" -> value != null && expression.getValues().contains(value);
            case "NotIn" -> value == null || !expression.getValues().contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> false;
        };
    }

    /** As kubectl takes it after {@code --selector}. */
    static String written(LabelSelector selector) {
        List<String> terms = new ArrayList<>();
        if (selector.getMatchLabels() != null) {
            new TreeMap<>(selector.getMatchLabels()).forEach((key, value) -> terms.add(key + "=" + value));
        }
        if (selector.getMatchExpressions() != null) {
            selector.getMatchExpressions().forEach(expression -> terms.add(written(expression)));
        }
        return String.join(",", terms);
    }

    private static String written(LabelSelectorRequirement expression) {
        String key = expression.getKey();
        return switch (expression.getOperator()) {
            case "In" -> key + " in (" + String.join(",", expression.getValues()) + ")";
            case "NotIn" -> key + " notin (" + String.join(",", expression.getValues()) + ")";
            case "Exists" -> key;
            case "DoesNotExist" -> "!" + key;
            default -> key + " " + expression.getOperator();
        };
    }
}
