package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.time.InstantSource;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what a process that stands by would decide now, and does nothing of it. The first passes of a process take
 * many times as long as later ones, because what plans is not compiled yet; these are made before anybody waits for
 * them. Nothing of them is kept. Not for use by several threads.
 */
public final class Rehearsal {
    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
    /** After so many passes over a large cluster they take as long as later ones. */
    private static final int PASSES = 5;
    /** So often drivers are waited for that are out of contact. */
    private static final int PATIENCE = 60;

    private final Cluster cluster;
    private final Supplier<SortedMap<SliceId, LedgerEntry>> records;
    private final Supplier<SortedMap<String, DriverState>> drivers;
    private final InstantSource clock;
    private int left = PASSES;
    private int waits = PATIENCE;

    public Rehearsal(
            Cluster cluster,
            Supplier<SortedMap<SliceId, LedgerEntry>> records,
            Supplier<SortedMap<String, DriverState>> drivers,
            InstantSource clock) {
        this.cluster = cluster;
        this.records = records;
        this.drivers = drivers;
        this.clock = clock;
    }

    /** Makes a pass, or waits for drivers. Returns whether there is another one to make. */
    public boolean pass() {
        try {
            boolean all = drivers.get().values().stream().allMatch(DriverState::synced);
            if (!all && waits > 0) {
                waits--;
                return true;
            }
            var unused = FabricEngine.deliberate(look());
            left--;
            return left > 0;
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            // whoever leads says so; a process that does may see another world
            LOG.atDebug().setCause(e).log("a pass before any term failed");
            return false;
        }
    }

    private World look() {
        SortedMap<SliceId, LedgerEntry> entries = records.get();
        DesiredState desired = cluster.read();
        return World.atRest(
                clock.instant(),
                new StageId(1, 1),
                desired.rings(),
                desired.ocsFabrics(),
                desired.slices(),
                entries,
                drivers.get());
    }
}
