package dev.lightpath.driver.contract;

import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.ledger.DeviceLedger;

/** What the parts of one device's control share. */
record DeviceParts(
        Surroundings surroundings,
        DeviceLedger memory,
        Mirror mirror,
        GuardedLine line,
        Fence fence,
        WriterLock writerLock,
        OperationBook book) {}
