package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the operator alone writes on a pod, when it lets it go to its place. The API server refuses pods that bring it
 * along from their template (policy {@code lightpath-pods}).
 */
final class PodPlace {
    private static final List<String> LABELS = List.of(LightpathLabels.ATTEMPT);
    private static final List<String> ANNOTATIONS =
            List.of(LightpathAnnotations.RANK, LightpathAnnotations.GROUP, LightpathAnnotations.RING_POSITION);

    private PodPlace() {}

    /** Takes it out of a template. */
    static void removeFrom(ObjectNode template) {
        if (template.at("/metadata/labels") instanceof ObjectNode labels) {
            labels.remove(LABELS);
        }
        if (template.at("/metadata/annotations") instanceof ObjectNode annotations) {
            annotations.remove(ANNOTATIONS);
        }
    }

    /** What a template that we do not make brings along. */
    static Optional<String> problem(JsonNode template) {
        return Stream.concat(
                        LABELS.stream()
                                .filter(template.at("/metadata/labels")::has)
                                .map(key -> "metadata.labels['" + key + "']"),
                        ANNOTATIONS.stream()
                                .filter(template.at("/metadata/annotations")::has)
                                .map(Json::annotation))
                .findFirst()
                .map(field -> "a pod template has " + field + ", which only the operator writes: leave it out");
    }
}
