package dev.lightpath.app.publish.status;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitchStatus;
import dev.lightpath.crds.slice.FabricSliceStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * Whether a status that was projected says anything that the one before it does not. Conditions of other writers stand
 * there too, so conditions are looked for; all else is compared as a whole.
 */
final class StatusNews {
    private StatusNews() {}

    /** Whether more than how light fares that is not lost differs. */
    static boolean isNews(OpticalFabricStatus before, OpticalFabricStatus after) {
        return areNews(before.conditions(), after.conditions())
                || cameOrWent(before.conditions(), after.conditions(), ConditionType.INSECURE)
                || Conditions.isTrue(before.conditions(), ConditionType.UNGUARDED)
                        != Conditions.isTrue(after.conditions(), ConditionType.UNGUARDED)
                || cameOrWent(before.conditions(), after.conditions(), ConditionType.MEASUREMENTS_READ)
                || !before.figures().equals(after.figures());
    }

    /** Whether more than how many ports get worse differs. */
    static boolean isNews(OpticalSwitchStatus before, OpticalSwitchStatus after) {
        return areNews(before.conditions(), after.conditions())
                || cameOrWent(before.conditions(), after.conditions(), ConditionType.INSECURE)
                || !before.figures().equals(after.figures());
    }

    /** Whether more than the allocation differs, which others write. */
    static boolean isNews(FabricSliceStatus before, FabricSliceStatus after) {
        return areNews(before.conditions(), after.conditions())
                || cameOrWent(before.conditions(), after.conditions(), ConditionType.ROUTED)
                || cameOrWent(before.conditions(), after.conditions(), ConditionType.AGREED)
                || !before.figures().equals(after.figures());
    }

    /** A condition that is to go is not among those that come. */
    private static boolean areNews(List<Condition> before, List<Condition> after) {
        return !Conditions.contained(after, before);
    }

    private static boolean cameOrWent(List<Condition> before, List<Condition> after, ConditionType type) {
        return Conditions.has(before, type) != Conditions.has(after, type);
    }
}
