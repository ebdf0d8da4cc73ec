package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;

/**
 * Why nobody cares for a slice on the fabric that it names.
 *
 * @param why for people
 * @param burning for people, of a slice that is to go while its light may burn
 */
public record Unserved(Reason reason, String why, String burning) {
    private static final String FORCE =
            ", or annotate the slice lightpath.dev/force-release and its light stays as it is";

    public static Unserved of(World world, SliceIntent slice) {
        String fabric = "fabric " + slice.fabric();
        if (world.rings().containsKey(slice.fabric())) {
            String other = fabric + " has transceivers, the slice asks for optical switches";
            return new Unserved(
                    Reason.FABRIC_KIND_MISMATCH,
                    other,
                    other + ": describe it as it was and its light is taken down" + FORCE);
        }
        String contradiction = world.illegible().fabrics().get(slice.fabric());
        if (contradiction != null) {
            String alone = fabric + " is left alone: " + contradiction;
            return new Unserved(Reason.INVALID_WIRING, alone, alone);
        }
        String missing = "there is no " + fabric;
        return new Unserved(
                Reason.FABRIC_NOT_FOUND, missing, missing + ": create it again and its light is taken down" + FORCE);
    }
}
