package dev.lightpath.planner.engine.switches;

import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import java.util.List;
import java.util.Optional;

/**
 * What a slice could be given.
 *
 * @param members its groups; empty when there is nothing to give
 * @param light its circuits
 * @param missing links of it that have no place
 * @param why in words, when anything is missing
 * @param lacksPorts whether there is nothing to give for want of ports that others have
 */
record AllocationOffer(
        Optional<List<Allocation.Group>> members, SwitchedLight light, int missing, String why, boolean lacksPorts) {

    AllocationOffer(Optional<List<Allocation.Group>> members, SwitchedLight light, int missing, String why) {
        this(members, light, missing, why, false);
    }

    static AllocationOffer none(String why) {
        return new AllocationOffer(Optional.empty(), SwitchedLight.none(), 0, why);
    }

    static AllocationOffer withoutPorts(String why) {
        return new AllocationOffer(Optional.empty(), SwitchedLight.none(), 0, why, true);
    }
}
