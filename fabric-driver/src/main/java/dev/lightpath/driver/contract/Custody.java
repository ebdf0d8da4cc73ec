package dev.lightpath.driver.contract;

import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.driver.ledger.LedgerRecord;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Which role holds the device. */
final class Custody {
    private final Surroundings surroundings;
    private final DeviceLedger memory;
    private final Mirror mirror;
    private final WriterLock writerLock;
    private final DevicePoller poller;

    Custody(DeviceParts parts, DevicePoller poller) {
        surroundings = parts.surroundings();
        memory = parts.memory();
        mirror = parts.mirror();
        writerLock = parts.writerLock();
        this.poller = poller;
    }

    /**
     * Gives the device to another role.
     *
     * @param administers whether the caller is an admin of a device
     */
    void transfer(TransferScopeRequest request, String caller, Predicate<String> administers) {
        RequestShape.name("from_role", request.getFromRole());
        RequestShape.name("to_role", request.getToRole());
        writerLock.take(new WriterLock.Running("transfer", 0));
        try {
            Durable.require(surroundings.ledger());
            String holding = memory.holdingRole();
            if (!request.getFromRole().equals(holding)) {
                throw ContractException.precondition(
                        ErrorReason.ERROR_REASON_FOREIGN_ROLE,
                        memory.deviceId() + " is held by "
                                + (holding == null ? "nobody" : "role '" + holding + "'") + ", not by '"
                                + request.getFromRole() + "'",
                        Map.of("holding_role", holding == null ? "" : holding));
            }
            CompletableFuture<Void> durable;
            synchronized (memory) {
                durable = give(request, administers);
            }
            Durable.await(durable);
            mirror.remembered();
            surroundings
                    .audit()
                    .change(
                            caller,
                            "transfer",
                            memory.deviceId(),
                            Fencing.newBuilder().setRole(request.getFromRole()).build(),
                            "to " + request.getToRole()
                                    + (request.hasHighestEpoch()
                                            ? ", epoch " + Long.toUnsignedString(request.getHighestEpoch())
                                            : ""));
        } finally {
            poller.release();
        }
    }

    /** Whose certificate wrote under the role before does not count any more, on no device of the caller's. */
    private CompletableFuture<Void> give(TransferScopeRequest request, Predicate<String> administers) {
        Ledger ledger = surroundings.ledger();
        String role = request.getToRole();
        for (DeviceLedger device : ledger.devices()) {
            if (device.writer(role) != null && administers.test(device.deviceId())) {
                var unused = ledger.write(new LedgerRecord.Claimed(device.deviceId(), role, ""));
            }
        }
        if (request.hasHighestEpoch()) {
            var unused =
                    ledger.write(new LedgerRecord.EpochRaised(memory.deviceId(), role, request.getHighestEpoch(), ""));
        }
        return ledger.write(new LedgerRecord.Held(memory.deviceId(), role));
    }
}
