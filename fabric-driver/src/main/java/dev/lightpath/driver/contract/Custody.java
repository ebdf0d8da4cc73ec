package dev.lightpath.driver.contract;

import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.LedgerRecord;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import java.util.Map;

/** Which role holds the device. */
final class Custody {
    private final Surroundings surroundings;
    private final DeviceLedger memory;
    private final Mirror mirror;
    private final Turns turns;

    Custody(DeviceParts parts) {
        surroundings = parts.surroundings();
        memory = parts.memory();
        mirror = parts.mirror();
        turns = parts.turns();
    }

    /** Gives the device to another role. */
    void transfer(TransferScopeRequest request, String caller) {
        RequestShape.name("from_role", request.getFromRole());
        RequestShape.name("to_role", request.getToRole());
        turns.take(new Turns.Running("transfer", 0));
        try {
            String holding = memory.holdingRole();
            if (!request.getFromRole().equals(holding)) {
                throw ContractException.precondition(
                        ErrorReason.ERROR_REASON_FOREIGN_ROLE,
                        memory.deviceId() + " is held by "
                                + (holding == null ? "nobody" : "role '" + holding + "'") + ", not by '"
                                + request.getFromRole() + "'",
                        Map.of("holding_role", holding == null ? "" : holding));
            }
            Durable.await(surroundings.ledger().write(new LedgerRecord.Held(memory.deviceId(), request.getToRole())));
            mirror.remembered();
            surroundings
                    .audit()
                    .change(
                            caller,
                            "transfer",
                            memory.deviceId(),
                            Fencing.newBuilder().setRole(request.getFromRole()).build(),
                            "to " + request.getToRole());
        } finally {
            turns.release();
        }
    }
}
