package dev.lightpath.reading.label;

import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Namespace;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which namespaces a fabric is open to. */
public final class AllowedNamespaces {
    private AllowedNamespaces() {}

    /**
     * Why jobs of a namespace may not use a fabric, in one line for a person; empty when they may.
     *
     * @param labels of the namespace
     */
    public static Optional<String> refusal(OpticalFabric fabric, String namespace, Map<String, String> labels) {
        @Nullable LabelSelector allowed = fabric.getSpec().allowedNamespaces();
        return allowed == null || LabelSelection.matches(allowed, labels)
                ? Optional.empty()
                : Optional.of("namespace " + namespace + " may not use OpticalFabric "
                        + fabric.getMetadata().getName()
                        + ": its spec.allowedNamespaces takes namespaces with labels "
                        + LabelSelection.written(allowed));
    }

    /**
     * The same, with labels read where the fabric asks for any.
     *
     * @param found gives the namespace, null where there is none
     */
    public static Optional<String> refusal(
            OpticalFabric fabric, String namespace, Supplier<@Nullable Namespace> found) {
        if (fabric.getSpec().allowedNamespaces() == null) {
            return Optional.empty();
        }
        @Nullable Namespace there = found.get();
        @Nullable
        Map<String, String> labels = there == null ? null : there.getMetadata().getLabels();
        return refusal(fabric, namespace, labels == null ? Map.of() : labels);
    }
}
