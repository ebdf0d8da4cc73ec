package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.LedgerRecord;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import java.util.Map;

/** States of ports that a person or caller set; they override the device's own. */
final class Overrides {
    private final Surroundings surroundings;
    private final DeviceLedger memory;
    private final Mirror mirror;
    private final GuardedLine line;
    private final Fence fence;
    private final WriterLock writerLock;
    private final DevicePoller poller;

    Overrides(DeviceParts parts, DevicePoller poller) {
        surroundings = parts.surroundings();
        memory = parts.memory();
        mirror = parts.mirror();
        line = parts.line();
        fence = parts.fence();
        writerLock = parts.writerLock();
        this.poller = poller;
    }

    /** Stores an override of a port. */
    PortOverride override(SetPortOverrideRequest request, Writer caller) {
        RequestShape.check(request.getFencing());
        if (request.getOverride() == PortOverride.PORT_OVERRIDE_UNSPECIFIED
                || request.getOverride() == PortOverride.UNRECOGNIZED) {
            throw ContractException.malformed("override", "allowed are NONE, OUT_OF_SERVICE and SHUTTERED");
        }
        if (request.getReason().length() > 256) {
            throw ContractException.malformed("reason", "allowed are up to 256 characters");
        }
        mirror.ports().requirePort(request.getPort());
        fence.pass(request.getFencing(), caller).await();
        writerLock.take(new WriterLock.Running("", request.getFencing().getEpoch()));
        try {
            fence.check(request.getFencing(), caller);
            Durable.require(surroundings.ledger());
            set(request, caller.name());
            return request.getOverride();
        } finally {
            poller.release();
        }
    }

    /**
     * Moves the shutter where that is part of it. Whether a call that is not answered closed it is unknown: the port is
     * out of service from before, and opened when that is lifted.
     */
    private void set(SetPortOverrideRequest request, String caller) {
        boolean close = request.getOverride() == PortOverride.PORT_OVERRIDE_SHUTTERED;
        if (close && !mirror.view().description().capabilities().getShutter()) {
            throw ContractException.precondition(
                    ErrorReason.ERROR_REASON_NOT_SUPPORTED,
                    memory.deviceId() + " has no shutters; use OUT_OF_SERVICE",
                    Map.of("capability", "shutter"));
        }
        boolean mayBeShut = memory.mayBeShut(request.getPort());
        if (close && !mayBeShut) {
            remember(request, PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE, true, caller);
        }
        if (close || mayBeShut) {
            try {
                line.adapter().shutter(memory.deviceId(), request.getPort(), close);
            } catch (DeviceSilentException silent) {
                throw ContractException.silent(memory.deviceId(), String.valueOf(silent.getMessage()));
            }
        }
        remember(request, request.getOverride(), close, caller);
    }

    private void remember(SetPortOverrideRequest request, PortOverride override, boolean mayBeShut, String caller) {
        Durable.await(surroundings
                .ledger()
                .write(new LedgerRecord.Overridden(
                        memory.deviceId(), request.getPort(), override, request.getReason(), mayBeShut)));
        mirror.remembered();
        surroundings
                .audit()
                .change(
                        caller,
                        "override",
                        memory.deviceId(),
                        request.getFencing(),
                        request.getPort() + " " + override.name() + " " + request.getReason());
    }
}
