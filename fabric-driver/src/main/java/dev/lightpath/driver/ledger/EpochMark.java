package dev.lightpath.driver.ledger;

import dev.lightpath.proto.driver.v1alpha1.Fencing;

/**
 * Highest epoch seen of a role on a device, and who showed it first.
 *
 * @param holder empty when the writer gave no name, or an administrator set the epoch
 */
public record EpochMark(long epoch, String holder) {
    /** Whether the writer shows this epoch, and another holder showed it before. */
    public boolean isOfAnother(Fencing fencing) {
        return fencing.getEpoch() == epoch
                && !holder.isEmpty()
                && !fencing.getHolder().isEmpty()
                && !holder.equals(fencing.getHolder());
    }
}
