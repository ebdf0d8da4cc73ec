package dev.lightpath.app.objects;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Optional;

/**
 * JSON patches (RFC 6902) of the operator's finalizer. They hold only for the version that was read. If another client
 * wrote meanwhile, for example a record, the API server refuses.
 */
public final class FinalizerPatch {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String PATH = "/metadata/finalizers";

    private FinalizerPatch() {}

    /** Empty when it is there. */
    public static Optional<String> adding(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        if (metadata.getFinalizers().contains(LightpathNames.FINALIZER)) {
            return Optional.empty();
        }
        ArrayNode patch = onVersion(metadata);
        ObjectNode add = patch.addObject().put("op", "add");
        if (metadata.getFinalizers().isEmpty()) {
            add.put("path", PATH).putArray("value").add(LightpathNames.FINALIZER);
        } else {
            add.put("path", PATH + "/-").put("value", LightpathNames.FINALIZER);
        }
        return Optional.of(patch.toString());
    }

    /** Empty when it is not there. */
    public static Optional<String> removing(HasMetadata object) {
        List<String> finalizers = object.getMetadata().getFinalizers();
        int place = finalizers.indexOf(LightpathNames.FINALIZER);
        if (place < 0) {
            return Optional.empty();
        }
        ArrayNode patch = onVersion(object.getMetadata());
        patch.addObject().put("op", "remove").put("path", PATH + "/" + place);
        return Optional.of(patch.toString());
    }

    private static ArrayNode onVersion(ObjectMeta metadata) {
        ArrayNode patch = JSON.arrayNode();
        patch.addObject()
                .put("op", "test")
                .put("path", "/metadata/resourceVersion")
                .put("value", metadata.getResourceVersion());
        return patch;
    }
}
