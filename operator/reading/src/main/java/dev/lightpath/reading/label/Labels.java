package dev.lightpath.reading.label;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Labels and annotations of an object that may have none. */
public final class Labels {
    private Labels() {}

    public static Optional<String> label(HasMetadata object, String key) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels == null ? Optional.empty() : Optional.ofNullable(labels.get(key));
    }

    public static Optional<String> annotation(HasMetadata object, String key) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? Optional.empty() : Optional.ofNullable(annotations.get(key));
    }

    /** The moment that an annotation names; empty when there is none or it is not RFC 3339. */
    public static Optional<Instant> moment(HasMetadata object, String key) {
        return annotation(object, key).flatMap(Labels::instant);
    }

    /** The number that an annotation names; 0 when there is none or it is no whole number above 0. */
    public static long number(HasMetadata object, String key) {
        try {
            return annotation(object, key)
                    .map(text -> Math.max(0, Long.parseLong(text)))
                    .orElse(0L);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    public static Optional<Instant> instant(String text) {
        try {
            return Optional.of(java.time.OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Whether the object's labels are selected. No selector and an empty one select everything. */
    public static boolean selected(HasMetadata object, @Nullable LabelSelector selector) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return LabelSelection.matches(selector, labels == null ? Map.of() : labels);
    }
}
