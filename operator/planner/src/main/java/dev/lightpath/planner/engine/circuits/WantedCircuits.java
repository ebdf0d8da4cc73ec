package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.InvalidAllocation;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The circuits that the records ask for, for showing them beside those that are there. */
public final class WantedCircuits {
    private WantedCircuits() {}

    /** By device, loopbacks included, also of nodes that no slice holds. O(nodes * reach + members). */
    public static SortedMap<String, CrossConnects> of(World world, RingIntent ring) {
        RingState state = RingState.of(world, ring);
        List<SliceState> slices = new ArrayList<>(SliceState.of(world, ring));
        List<InvalidAllocation> invalid =
                InvalidAllocation.among(slices, ring.ring(), world.recording().keySet());
        invalid.forEach(each -> slices.remove(each.slice()));
        return RingPlanning.of(state, slices, invalid, Set.of(), Set.of()).wantedByDevice();
    }

    /** By switch, as the records of a fabric of optical switches say. Linear in circuits. */
    public static SortedMap<String, CrossConnects> of(World world, OcsIntent fabric) {
        SwitchedLight recorded = SwitchedLight.all(
                SliceState.of(world, fabric).stream().map(SliceState::circuits).toList());
        SortedMap<String, CrossConnects> wanted = new TreeMap<>();
        recorded.circuits().forEach((name, circuits) -> wanted.put(name, new CrossConnects(circuits)));
        return wanted;
    }
}
