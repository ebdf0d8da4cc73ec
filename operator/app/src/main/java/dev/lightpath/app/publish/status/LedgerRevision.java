package dev.lightpath.app.publish.status;

import dev.lightpath.crds.fabric.LedgerStatus;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.world.Lineage;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The revision of a fabric's records: one more whenever they changed. It moves only while all drivers are in contact
 * and remember nothing newer, so that no later revision hides that records were lost.
 */
public final class LedgerRevision {
    private LedgerRevision() {}

    /**
     * @param drivers of the fabric
     * @param role under which its light is held
     * @param before the status of the fabric as it is
     */
    public static @Nullable LedgerStatus next(
            FabricVerdict verdict,
            Lineage lineage,
            Collection<DriverState> drivers,
            String role,
            @Nullable OpticalFabricStatus before) {
        LedgerStatus told = before == null ? null : before.ledger();
        if (drivers.isEmpty()
                || verdict.ledgerDigest().isEmpty()
                || !drivers.stream().allMatch(DriverState::synced)) {
            return told;
        }
        if (verdict.newerDevices().filter(FabricVerdict.Newer::stops).isPresent()) {
            long found = verdict.newerDevices().get().revision();
            // a pass that had not heard of this status by then may have found what is told there
            return told == null || found <= revision(told, verdict)
                    ? told
                    : new LedgerStatus(told.revision(), told.digest(), found);
        }
        if (told == null) {
            long remembered = drivers.stream()
                    .mapToLong(driver -> driver.remembered(role))
                    .max()
                    .orElse(0);
            return new LedgerStatus(
                    Math.max(1, Math.max(remembered, lineage.acceptedRevision())), verdict.ledgerDigest(), null);
        }
        long revision = revision(told, verdict);
        // records may be again as they were while this status was not written: devices heard of what was between. What
        // is further ahead than that was told before the status was set back.
        boolean heard =
                drivers.stream().anyMatch(driver -> driver.told().getOrDefault(role, 0L) == told.revision() + 1);
        return new LedgerStatus(
                Math.max(heard ? told.revision() + 1 : revision, lineage.acceptedRevision()),
                verdict.ledgerDigest(),
                null);
    }

    private static long revision(LedgerStatus told, FabricVerdict verdict) {
        return told.digest().equals(verdict.ledgerDigest()) ? told.revision() : told.revision() + 1;
    }
}
