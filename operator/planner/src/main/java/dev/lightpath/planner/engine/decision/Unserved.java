package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;

/** Verdicts of slices about which no pass decides: on fabrics that are not there, or not as they ask for. */
public final class Unserved {
    private static final String FORCE =
            ", or annotate the slice lightpath.dev/force-release and its light stays as it is";

    private Unserved() {}

    /** A slice of a fabric that is not there, or that the ledger has not shown yet. */
    public static SliceVerdict verdict(World world, SliceIntent slice) {
        return new SliceVerdict(nowhere(world, slice), world.allocation(slice.id()), SliceVerdict.Light.none());
    }

    private static Placement nowhere(World world, SliceIntent slice) {
        String record = world.unreadable().records().get(slice.id());
        if (record != null) {
            return new Placement.Unplaced(ChangeFreeze.UNREADABLE_RECORD.reason(), record);
        }
        if (serves(world, slice) || isUnread(world, slice)) {
            return new Placement.Unplaced(Reason.READING, "its record is being read");
        }
        String fabric = "fabric " + slice.fabric();
        if (world.rings().containsKey(slice.fabric())) {
            return unserved(
                    world,
                    slice,
                    Reason.FABRIC_KIND_MISMATCH,
                    fabric + " has transceivers, the slice asks for optical switches",
                    ": describe it as it was and its light is taken down" + FORCE);
        }
        String contradiction = world.unreadable().fabrics().get(slice.fabric());
        return contradiction == null
                ? unserved(
                        world,
                        slice,
                        Reason.FABRIC_NOT_FOUND,
                        "there is no " + fabric,
                        ": create it again and its light is taken down" + FORCE)
                : unserved(world, slice, Reason.INVALID_WIRING, fabric + " is left alone: " + contradiction, "");
    }

    /** @param remedy after the reason, for a slice that is to go while its light may burn */
    private static Placement unserved(World world, SliceIntent slice, Reason reason, String why, String remedy) {
        // nothing was ever lit, or all of it was read back dark: whatever the fabric is now has no part in it
        return slice.wanted()
                ? new Placement.Unplaced(reason, why)
                : world.allocation(slice.id())
                        .filter(recorded -> !recorded.released())
                        .<Placement>map(recorded -> new Placement.Releasing(remaining(recorded), why + remedy))
                        .orElseGet(Placement.Released::new);
    }

    /** Whether a pass over its fabric gives a verdict as soon as its record is read. */
    private static boolean serves(World world, SliceIntent slice) {
        return world.ocsFabrics().containsKey(slice.fabric())
                || world.rings().containsKey(slice.fabric()) && slice.demand() instanceof Demand.ScaleUp;
    }

    /** Whether a slice that is to go may have a record that the ledger has not shown yet. */
    private static boolean isUnread(World world, SliceIntent slice) {
        return !slice.wanted() && !world.ledger().containsKey(slice.id());
    }

    /** Nodes or circuits that a record says may be lit. */
    private static int remaining(Allocation recorded) {
        return recorded.nodes().size()
                + recorded.releasing().size()
                + recorded.circuits().size()
                + recorded.darkening().size();
    }
}
