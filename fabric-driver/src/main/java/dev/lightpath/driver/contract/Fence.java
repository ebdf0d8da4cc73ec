package dev.lightpath.driver.contract;

import com.google.rpc.Code;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.EpochMark;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.driver.ledger.LedgerRecord;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Admits only the holding role, with the highest epoch. */
final class Fence {
    /** Most that an epoch may be above the stored one. Elections raise it by one. */
    static final long MOST_RAISED = 1L << 20;

    private final DeviceLedger memory;
    private final Ledger ledger;
    private final Mirror mirror;

    Fence(DeviceLedger memory, Ledger ledger, Mirror mirror) {
        this.memory = memory;
        this.ledger = ledger;
        this.mirror = mirror;
    }

    /** An admitted write. The epoch that it may have raised must be durable before it is answered. */
    final class Passage {
        private final CompletableFuture<Void> durable;
        private final boolean isRaised;

        private Passage(CompletableFuture<Void> durable, boolean isRaised) {
            this.durable = durable;
            this.isRaised = isRaised;
        }

        /** Waits until a raised epoch or a first holder is durable and visible to readers. */
        void await() {
            Durable.await(durable);
            if (isRaised) {
                mirror.remembered();
            }
        }
    }

    /**
     * @throws ContractException PERMISSION_DENIED for another role, a role that belongs to another certificate name, a
     *     lower epoch, the stored one of another holder, or one too far above the stored one
     */
    void check(Fencing fencing, Writer writer) {
        String holding = memory.holdingRole();
        if (holding != null && !holding.equals(fencing.getRole())) {
            throw new ContractException(
                    Code.PERMISSION_DENIED,
                    ErrorReason.ERROR_REASON_FOREIGN_ROLE,
                    memory.deviceId() + " is held by role '" + holding
                            + "'; an admin can give it away with TransferScope",
                    Map.of("holding_role", holding));
        }
        checkOwner(fencing.getRole(), writer);
        EpochMark stored = memory.epoch(fencing.getRole());
        boolean isLower = Long.compareUnsigned(fencing.getEpoch(), stored.epoch()) < 0;
        if (isLower || stored.isOfAnother(fencing)) {
            throw new ContractException(
                    Code.PERMISSION_DENIED,
                    ErrorReason.ERROR_REASON_STALE_EPOCH,
                    memory.deviceId() + ": epoch " + Long.toUnsignedString(fencing.getEpoch())
                            + (isLower ? " is below the stored " + Long.toUnsignedString(stored.epoch()) : "")
                            + (isLower ? " of '" : " was shown first by '") + stored.holder() + "'",
                    Map.of(
                            "stored_epoch", Long.toUnsignedString(stored.epoch()),
                            "stored_holder", stored.holder()));
        }
        // no epoch follows the highest there is: one that is far off would end the fencing of the role
        if (stored.epoch() != 0 && Long.compareUnsigned(fencing.getEpoch() - stored.epoch(), MOST_RAISED) > 0) {
            throw new ContractException(
                    Code.PERMISSION_DENIED,
                    ErrorReason.ERROR_REASON_EPOCH_TOO_HIGH,
                    memory.deviceId() + ": epoch " + Long.toUnsignedString(fencing.getEpoch()) + " is more than "
                            + MOST_RAISED + " above the stored " + Long.toUnsignedString(stored.epoch())
                            + "; an admin can set the stored one with TransferScope",
                    Map.of("stored_epoch", Long.toUnsignedString(stored.epoch())));
        }
    }

    /** A role whose writers no rule names belongs to the certificate name that wrote under it first. */
    private void checkOwner(String role, Writer writer) {
        if (writer.claim().isEmpty()) {
            return;
        }
        Optional<String> owner = ledger.writerOf(memory.deviceId(), role);
        if (owner.isPresent() && !owner.equals(writer.claim())) {
            throw new ContractException(
                    Code.PERMISSION_DENIED,
                    ErrorReason.ERROR_REASON_NOT_AUTHORISED,
                    memory.deviceId() + ": role '" + role + "' belongs to '" + owner.get()
                            + "', which wrote under it first; fencingRoles in driver.yaml or TransferScope can change that",
                    Map.of("device_id", memory.deviceId()));
        }
    }

    /**
     * Checks and remembers.
     *
     * @throws ContractException as {@link #check}; RESOURCE_EXHAUSTED when there is something to remember and no disk
     *     for it
     */
    Passage pass(Fencing fencing, Writer writer) {
        // the first write under a role is one step on all devices: two names must not both be the first
        if (writer.claim().isPresent() && memory.writer(fencing.getRole()) == null) {
            synchronized (ledger) {
                return passHere(fencing, writer);
            }
        }
        return passHere(fencing, writer);
    }

    private Passage passHere(Fencing fencing, Writer writer) {
        synchronized (memory) {
            check(fencing, writer);
            Optional<String> claim = memory.writer(fencing.getRole()) == null ? writer.claim() : Optional.empty();
            boolean isFirst = memory.holdingRole() == null;
            EpochMark stored = memory.epoch(fencing.getRole());
            boolean isNamed = stored.holder().isEmpty() && !fencing.getHolder().isEmpty();
            boolean isOther = fencing.getEpoch() != stored.epoch() || isNamed;
            CompletableFuture<Void> durable = CompletableFuture.completedFuture(null);
            if (claim.isPresent() || isFirst || isOther) {
                Durable.require(ledger);
            }
            if (claim.isPresent()) {
                durable = ledger.write(new LedgerRecord.Claimed(memory.deviceId(), fencing.getRole(), claim.get()));
            }
            if (isFirst) {
                durable = ledger.write(new LedgerRecord.Held(memory.deviceId(), fencing.getRole()));
            }
            if (isOther) {
                durable = ledger.write(new LedgerRecord.EpochRaised(
                        memory.deviceId(), fencing.getRole(), fencing.getEpoch(), fencing.getHolder()));
            }
            return new Passage(durable, isFirst || isOther);
        }
    }
}
