package dev.lightpath.app.conditions;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import org.jspecify.annotations.Nullable;

/** What a slice tells of its light being out. */
public final class Darkness {
    private Darkness() {}

    /**
     * Whether it is told to be released. The word of an earlier record, or of a slice of the same name that is gone, is
     * none.
     */
    public static boolean isReleased(FabricSlice slice) {
        @Nullable FabricSliceStatus status = slice.getStatus();
        return status != null
                && (status.allocation() == null || status.allocation().released())
                && Conditions.isFor(status.conditions(), ConditionType.READY, EventReason.RELEASED.word());
    }
}
