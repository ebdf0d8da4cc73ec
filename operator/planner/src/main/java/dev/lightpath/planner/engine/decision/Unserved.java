package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;

/**
 * Why no pass decides about a slice on the fabric that it names.
 *
 * @param why for people
 * @param burning for people, of a slice that is to go while its light may burn
 */
public record Unserved(Reason reason, String why, String burning) {
    private static final String FORCE =
            ", or annotate the slice lightpath.dev/force-release and its light stays as it is";

    private static Unserved of(World world, SliceIntent slice) {
        String fabric = "fabric " + slice.fabric();
        if (world.rings().containsKey(slice.fabric())) {
            String other = fabric + " has transceivers, the slice asks for optical switches";
            return new Unserved(
                    Reason.FABRIC_KIND_MISMATCH,
                    other,
                    other + ": describe it as it was and its light is taken down" + FORCE);
        }
        String contradiction = world.unreadable().fabrics().get(slice.fabric());
        if (contradiction != null) {
            String alone = fabric + " is left alone: " + contradiction;
            return new Unserved(Reason.INVALID_WIRING, alone, alone);
        }
        String missing = "there is no " + fabric;
        return new Unserved(
                Reason.FABRIC_NOT_FOUND, missing, missing + ": create it again and its light is taken down" + FORCE);
    }

    /** A slice of a fabric that is not there, or that the ledger has not shown yet. */
    public static SliceVerdict verdict(World world, SliceIntent slice) {
        return new SliceVerdict(nowhere(world, slice), world.allocation(slice.id()), SliceVerdict.Light.none());
    }

    private static SliceVerdict.Placement nowhere(World world, SliceIntent slice) {
        String record = world.unreadable().records().get(slice.id());
        if (record != null) {
            return new SliceVerdict.Placement.Unplaced(ChangeFreeze.UNREADABLE_RECORD.reason(), record);
        }
        if (serves(world, slice) || isUnread(world, slice)) {
            return new SliceVerdict.Placement.Unplaced(Reason.READING, "its record is being read");
        }
        Unserved unserved = of(world, slice);
        if (slice.wanted()) {
            return new SliceVerdict.Placement.Unplaced(unserved.reason(), unserved.why());
        }
        // nothing was ever lit, or all of it was read back dark: whatever the fabric is now has no part in it
        return world.allocation(slice.id())
                .filter(recorded -> !recorded.released())
                .<SliceVerdict.Placement>map(
                        recorded -> new SliceVerdict.Placement.Releasing(remaining(recorded), unserved.burning()))
                .orElseGet(SliceVerdict.Placement.Released::new);
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
