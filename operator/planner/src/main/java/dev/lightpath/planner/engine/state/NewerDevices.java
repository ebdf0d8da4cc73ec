package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.World;
import java.util.Collection;
import java.util.Optional;

/**
 * Devices that were written to under an epoch which this installation never gave, or that remember a later revision of
 * the records: the API server was set back to an older state, the ConfigMap of the epoch was lost, or a second operator
 * writes under the same role. Which of these, only a person can tell.
 */
final class NewerDevices {
    private NewerDevices() {}

    /**
     * What a person has to know before changes of the fabric go on; empty when nothing stands against it. O(drivers),
     * and O(slices) where devices remember more than was told.
     */
    static Optional<FabricVerdict.Newer> of(World world, FabricIntent intent) {
        String fabric = intent.name();
        String role = intent.role();
        Collection<String> drivers = intent.drivers();
        Lineage lineage = intent.policy().lineage();
        long revision = newerRevision(world, fabric, role, drivers, lineage);
        for (String driver : drivers) {
            EpochMark mark = world.driver(driver).strange().get(role);
            if (mark != null && mark.epoch() > lineage.acceptedEpoch()) {
                return newer(
                        revision,
                        "driver " + driver + ": its devices were written to under " + mark
                                + ", which this installation never gave: its records may be older than the light, or a second"
                                + " operator writes",
                        fabric);
            }
            if (mark != null && mark.epoch() >= world.nextStage().epoch()) {
                return Optional.of(new FabricVerdict.Newer(
                        "driver " + driver + ": " + mark + " was accepted; waiting for an epoch above it", revision));
            }
        }
        return revision == 0
                ? Optional.empty()
                : newer(
                        revision,
                        "devices remember revision " + revision + " of the records, which are of revision "
                                + lineage.revision()
                                + " here: they are older than the light, or a second operator writes",
                        fabric);
    }

    /** 0 when devices remember none that is above that of the records. */
    private static long newerRevision(
            World world, String fabric, String role, Collection<String> drivers, Lineage lineage) {
        long remembered = lineage.newer();
        for (String driver : drivers) {
            remembered = Math.max(remembered, world.driver(driver).revisions().getOrDefault(role, 0L));
        }
        if (lineage.revision() == 0 || remembered <= Math.max(lineage.revision(), lineage.acceptedRevision())) {
            return 0;
        }
        boolean found = remembered == lineage.newer() || remembered > world.ledgerRevision(fabric, lineage);
        return found ? remembered : 0;
    }

    private static Optional<FabricVerdict.Newer> newer(long revision, String why, String fabric) {
        return Optional.of(new FabricVerdict.Newer(
                why + "; no light is moved. When no other operator writes: kubectl lightpath accept-devices fabric/"
                        + fabric,
                revision));
    }
}
