package dev.lightpath.app;

import dev.lightpath.crds.FieldManager;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/** How a part of an object is written, by each writer under its own name. */
public final class Patches {
    private Patches() {}

    /** Server-side apply, which takes over fields that others own. */
    public static PatchContext apply(FieldManager writer) {
        return new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(writer.word())
                .withForce(true)
                .build();
    }

    /** JSON merge patch (RFC 7386). */
    public static PatchContext merge(FieldManager writer) {
        return new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(writer.word())
                .build();
    }

    /** Strategic merge patch, which the API server takes of its own kinds only. */
    public static PatchContext strategic(FieldManager writer) {
        return new PatchContext.Builder()
                .withPatchType(PatchType.STRATEGIC_MERGE)
                .withFieldManager(writer.word())
                .build();
    }

    /** JSON patch (RFC 6902), which may test what was read. */
    public static PatchContext json(FieldManager writer) {
        return new PatchContext.Builder()
                .withPatchType(PatchType.JSON)
                .withFieldManager(writer.word())
                .build();
    }
}
