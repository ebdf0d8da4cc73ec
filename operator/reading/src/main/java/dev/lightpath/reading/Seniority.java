package dev.lightpath.reading;

import static java.util.Objects.requireNonNullElse;

import dev.lightpath.crds.fabric.OpticalFabric;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Of two fabrics that want one thing the older has it. */
final class Seniority {
    private Seniority() {}

    /** Fabrics that say what they are, the oldest first, those of one second by name. */
    static List<OpticalFabric> oldestFirst(Collection<OpticalFabric> fabrics) {
        return fabrics.stream()
                .filter(fabric -> fabric.getSpec() != null)
                .sorted(Comparator.comparing((OpticalFabric fabric) ->
                                requireNonNullElse(fabric.getMetadata().getCreationTimestamp(), ""))
                        .thenComparing(fabric -> fabric.getMetadata().getName()))
                .toList();
    }
}
