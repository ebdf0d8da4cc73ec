package dev.lightpath.reading.pod;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Optional;

/** The object that made another and looks after it: its controlling ownerReference, which a label cannot forge. */
public record Controller(String kind, String name, String uid) {

    /** Empty for an object without a controller. */
    public static Optional<Controller> of(HasMetadata object) {
        List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
        return owners == null
                ? Optional.empty()
                : owners.stream()
                        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                        .findFirst()
                        .map(owner -> new Controller(owner.getKind(), owner.getName(), owner.getUid()));
    }
}
