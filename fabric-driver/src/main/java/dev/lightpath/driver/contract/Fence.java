package dev.lightpath.driver.contract;

import com.google.rpc.Code;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.EpochMark;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.driver.ledger.LedgerRecord;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Lets the newest writer of the holding role through, and nobody else. */
final class Fence {
    private final DeviceLedger memory;
    private final Ledger ledger;
    private final Mirror mirror;

    Fence(DeviceLedger memory, Ledger ledger, Mirror mirror) {
        this.memory = memory;
        this.ledger = ledger;
        this.mirror = mirror;
    }

    /** A write that was let through; what it may have raised is to be awaited before it is answered. */
    final class Passage {
        private final CompletableFuture<Void> durable;
        private final boolean isRaised;

        private Passage(CompletableFuture<Void> durable, boolean isRaised) {
            this.durable = durable;
            this.isRaised = isRaised;
        }

        /** Until a raised epoch or a first holder is durable, and shown to whoever reads. */
        void await() {
            Durable.await(durable);
            if (isRaised) {
                mirror.remembered();
            }
        }
    }

    /** @throws ContractException PERMISSION_DENIED for another role or a lower epoch */
    void check(Fencing fencing) {
        String holding = memory.holdingRole();
        if (holding != null && !holding.equals(fencing.getRole())) {
            throw new ContractException(
                    Code.PERMISSION_DENIED,
                    ErrorReason.ERROR_REASON_FOREIGN_ROLE,
                    memory.deviceId() + " is held by role '" + holding
                            + "'; an admin can give it away with TransferScope",
                    Map.of("holding_role", holding));
        }
        EpochMark stored = memory.epoch(fencing.getRole());
        if (Long.compareUnsigned(fencing.getEpoch(), stored.epoch()) < 0) {
            throw new ContractException(
                    Code.PERMISSION_DENIED,
                    ErrorReason.ERROR_REASON_STALE_EPOCH,
                    memory.deviceId() + ": epoch " + Long.toUnsignedString(fencing.getEpoch())
                            + " is below the stored " + Long.toUnsignedString(stored.epoch()) + " of '"
                            + stored.holder() + "'",
                    Map.of(
                            "stored_epoch", Long.toUnsignedString(stored.epoch()),
                            "stored_holder", stored.holder()));
        }
    }

    /** Checks and remembers. */
    Passage pass(Fencing fencing) {
        synchronized (memory) {
            check(fencing);
            CompletableFuture<Void> durable = CompletableFuture.completedFuture(null);
            boolean isRaised = false;
            if (memory.holdingRole() == null) {
                durable = ledger.write(new LedgerRecord.Held(memory.deviceId(), fencing.getRole()));
                isRaised = true;
            }
            if (fencing.getEpoch() != memory.epoch(fencing.getRole()).epoch()) {
                durable = ledger.write(new LedgerRecord.EpochRaised(
                        memory.deviceId(), fencing.getRole(), fencing.getEpoch(), fencing.getHolder()));
                isRaised = true;
            }
            return new Passage(durable, isRaised);
        }
    }
}
