package dev.lightpath.driver.contract;

import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;

/** What the parts of one device's control share. */
record DeviceParts(
        Surroundings surroundings,
        DeviceLedger memory,
        Mirror mirror,
        GuardedLine line,
        Fence fence,
        WriterLock writerLock,
        OperationBook book) {
    String deviceId() {
        return memory.deviceId();
    }

    Capabilities capabilities() {
        return mirror.view().description().capabilities();
    }
}
