package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.List;
import java.util.SortedMap;

/**
 * The slices of one fabric in one pass.
 *
 * @param decided those that are decided about, in order of precedence
 * @param undecided what the others are told
 */
public record FabricSlices(List<SliceState> decided, SortedMap<SliceId, SliceVerdict> undecided) {
    /** All but those whose namespace may hold no more of the fabric. */
    public static FabricSlices of(World world, FabricIntent fabric) {
        SortedMap<SliceId, SliceVerdict> overQuota = OverQuota.on(world, fabric.name());
        return without(SliceState.of(world, fabric), overQuota);
    }

    /** Those of these slices that are not told anything yet are decided about: the same list if that is all of them. */
    public static FabricSlices without(List<SliceState> all, SortedMap<SliceId, SliceVerdict> undecided) {
        return new FabricSlices(
                undecided.isEmpty()
                        ? all
                        : all.stream()
                                .filter(slice -> !undecided.containsKey(slice.id()))
                                .toList(),
                undecided);
    }
}
