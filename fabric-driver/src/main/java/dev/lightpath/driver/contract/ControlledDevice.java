package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.driver.ledger.StoredOperation;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;

/** One device under the contract. Its methods block and may be called from any thread. */
public final class ControlledDevice {
    private final Surroundings surroundings;
    private final DeviceLedger memory;
    private final Mirror mirror;
    private final GuardedLine line;
    private final WriterLock writerLock;
    private final OperationBook book;
    private final DevicePoller poller;
    private final FactoryTable factory;
    private final Confirmations confirmations;
    private final Overrides overrides;
    private final Custody custody;
    private final Changes changes;

    ControlledDevice(DeviceDescription description, Adapter adapter, Surroundings surroundings) {
        this.surroundings = surroundings;
        this.memory = surroundings.ledger().device(description.deviceId());
        this.mirror = new Mirror(description, memory, surroundings.clock(), surroundings.changes());
        this.line = new GuardedLine(adapter, mirror);
        this.writerLock = new WriterLock(description.deviceId());
        this.book = new OperationBook(memory, surroundings, mirror, line);
        Fence fence = new Fence(memory, surroundings.ledger(), mirror);
        DeviceParts parts = new DeviceParts(surroundings, memory, mirror, line, fence, writerLock, book);
        this.poller = new DevicePoller(parts);
        this.factory = new FactoryTable(mirror, line);
        this.confirmations = new Confirmations(parts, poller);
        this.overrides = new Overrides(parts, poller);
        this.custody = new Custody(parts, poller);
        this.changes = new Changes(parts, poller, confirmations);
        confirmations.resume();
    }

    public DeviceView view() {
        return mirror.view();
    }

    Mirror mirror() {
        return mirror;
    }

    Adapter adapter() {
        return line.adapter();
    }

    void serveBy(Adapter adapter) {
        line.serveBy(adapter);
    }

    /** It was removed, and is part of the installation again. */
    void returned(DeviceDescription description, Adapter adapter) {
        line.serveBy(adapter);
        mirror.returned(description);
        confirmations.resume();
    }

    // ---- writes ----

    /** Carries out a change, or answers what became of it. */
    public ApplyCircuitsResponse apply(ApplyCircuitsRequest request, Writer caller) {
        return changes.apply(request, caller);
    }

    /** Keeps an operation that awaits its confirmation. */
    public Operation confirm(Fencing fencing, String operationId, Writer caller) {
        return confirmations.confirm(fencing, operationId, caller);
    }

    /** Rolls back an operation that awaits its confirmation. */
    public Operation cancel(Fencing fencing, String operationId, Writer caller) {
        return confirmations.cancel(fencing, operationId, caller);
    }

    /** Stores an override of a port. */
    public PortOverride override(SetPortOverrideRequest request, Writer caller) {
        return overrides.override(request, caller);
    }

    /**
     * Gives the device to another role.
     *
     * @param administers whether the caller is an admin of a device
     */
    public void transfer(TransferScopeRequest request, String caller, Predicate<String> administers) {
        custody.transfer(request, caller, administers);
    }

    // ---- reads ----

    /** What a change would do now. */
    public PlanCircuitsResponse plan(PlanCircuitsRequest request) {
        return changes.plan(request);
    }

    /** An operation as it is known, read back if its end was not seen. */
    public Operation operation(String role, String operationId) {
        StoredOperation stored = book.required(role, operationId);
        return writerLock.isRunning(operationId)
                ? stored.operation()
                : poller.resolved(stored).operation();
    }

    /** The view after reading the device's circuits now; {@code true} when it did not answer. */
    public ReadBack readBack() {
        try {
            SortedMap<CircuitPair, NativeCircuit> now = line.readBeside();
            DeviceView seen = mirror.view();
            return new ReadBack(
                    seen, now.keySet().equals(seen.circuits().keySet()) ? Optional.empty() : Optional.of(now), false);
        } catch (DeviceSilentException silent) {
            poller.lookAgainLater();
            return new ReadBack(mirror.view(), Optional.empty(), true);
        }
    }

    /** What a read showed: the view, circuits that are newer than the view, and whether the device was silent. */
    public record ReadBack(DeviceView view, Optional<SortedMap<CircuitPair, NativeCircuit>> newer, boolean silent) {}

    /** Circuits of the device's configuration. */
    public List<NativeCircuit> configured() throws DeviceSilentException {
        return line.adapter().read(memory.deviceId(), CircuitSource.CIRCUIT_SOURCE_CONFIG);
    }

    /** Returns when the device has answered. */
    public void probe() throws DeviceSilentException {
        line.adapter().probe(memory.deviceId());
    }

    /** Factory loss table, in the device's order, of the ports that it has. */
    public List<FactoryLoss> factoryLoss() throws DeviceSilentException {
        return factory.entries();
    }

    /** UNAVAILABLE, reason DEVICE_SILENT. */
    public static ContractException silent(String deviceId, DeviceSilentException silent) {
        return ContractException.silent(deviceId, String.valueOf(silent.getMessage()));
    }

    // ---- events of the ledger ----

    /** All state is durable again after it was not. Reports what could not be reported meanwhile. */
    void caughtUp(List<StoredOperation> late) {
        late.forEach(stored -> mirror.operation(stored.operation()));
        mirror.remembered();
        if (memory.unsettled().stream().anyMatch(StoredOperation::isOpen)) {
            poller.lookAgainLater();
        }
    }

    // ---- events of the adapter ----

    void present(DeviceReading reading) {
        poller.present(reading);
        factory.told(reading.circuits());
    }

    /** Somebody else changed it, by the device's own log. */
    void changedBy(String who) {
        surroundings.audit().change(who, "changed by others", memory.deviceId(), Fencing.getDefaultInstance(), "");
        mirror.changedBy(who);
    }

    void hint(List<NativeCircuit> circuits) {
        poller.hint(circuits);
        factory.told(circuits);
    }
}
