package dev.lightpath.app.cluster;

import org.jspecify.annotations.Nullable;

/** Resource versions of one resource are comparable since Kubernetes 1.35, and always were with etcd. */
public final class ResourceVersion {
    private ResourceVersion() {}

    /** Higher for what was written later; 0 for what is no version. */
    public static long number(@Nullable String version) {
        return version != null && version.matches("[0-9]{1,18}") ? Long.parseLong(version) : 0;
    }
}
