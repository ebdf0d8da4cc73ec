package dev.lightpath.conformance.bench;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import io.grpc.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The device under test, and everything a requirement does with it. What it changes is put back by
 * {@link Housekeeping}.
 */
public final class Bench {
    private final Calls calls;
    private final Terms terms;
    private final DeviceUnderTest device;
    private final Layout layout;
    private final String runId;
    private final List<String> unconfirmed = new ArrayList<>();
    private final Set<String> overridden = new TreeSet<>();
    private final AtomicInteger watchings = new AtomicInteger();
    private Optional<Done> first = Optional.empty();
    private Optional<Boolean> patient = Optional.empty();
    private Optional<Fault> hurtBy = Optional.empty();
    private long epoch;
    private int operations;

    /** A change and how it ended. */
    public record Done(ApplyCircuitsRequest request, Operation operation) {}

    Bench(Calls calls, Terms terms, DeviceUnderTest device, Layout layout, String runId, long epoch) {
        this.calls = calls;
        this.terms = terms;
        this.device = device;
        this.layout = layout;
        this.runId = runId;
        this.epoch = epoch;
    }

    public Calls calls() {
        return calls;
    }

    public Terms terms() {
        return terms;
    }

    public DeviceUnderTest device() {
        return device;
    }

    public String deviceId() {
        return device.id();
    }

    public Layout layout() {
        return layout;
    }

    public String role() {
        return terms.role();
    }

    public long epoch() {
        return epoch;
    }

    /** The next epoch, which is the kit's from now on. */
    public long raiseEpoch() {
        return ++epoch;
    }

    /** An epoch so far above, which is the kit's from now on. */
    public long raiseEpoch(int step) {
        epoch += step;
        return epoch;
    }

    /** An operation id nobody used before. */
    public String newId() {
        return runId + "-" + ++operations;
    }

    public Fencing fencing() {
        return Fencing.newBuilder()
                .setRole(role())
                .setEpoch(epoch)
                .setHolder("lightpath-driver-conformance")
                .build();
    }

    /** A change of nothing yet. */
    public Change change() {
        return new Change(
                this,
                ApplyCircuitsRequest.newBuilder()
                        .setDeviceId(deviceId())
                        .setFencing(fencing())
                        .setOperationId(newId())
                        .setScope(layout.scope()));
    }

    /** Makes these circuits, by one change where the device takes as many items at once; what the last change told. */
    public Operation makeAll(int... lanes) {
        Change all = change();
        for (int lane : lanes) {
            all.make(lane);
        }
        if (all.items() <= device.mostItems()) {
            return all.apply();
        }
        return Arrays.stream(lanes)
                .mapToObj(lane -> change().make(lane).apply())
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    /** Raises the kit's epoch above whatever the driver has stored for its role. */
    void fenceIn() {
        Refusal.ofCall(() -> {
                    var unused = calls.circuits().applyCircuits(change().request());
                })
                .filter(refusal -> refusal.metadata().containsKey("stored_epoch"))
                .ifPresent(stale -> epoch = Long.parseUnsignedLong(stale.detail("stored_epoch")) + 1);
    }

    /** The first change of this run that was applied for good, by the kit's role. */
    public Optional<Done> first() {
        return first;
    }

    void applied(ApplyCircuitsRequest request, Operation operation) {
        if (first.isEmpty()
                && !request.hasRollbackAfter()
                && request.getFencing().getRole().equals(role())) {
            first = Optional.of(new Done(request, operation));
        }
    }

    void awaitsConfirmation(String operationId) {
        unconfirmed.add(operationId);
    }

    List<String> unconfirmed() {
        return unconfirmed;
    }

    Set<String> overridden() {
        return overridden;
    }

    /** The circuits that touch a scope, read from the hardware now. */
    public DeviceCircuits read(Scope scope) {
        return calls.circuits()
                .getCircuits(GetCircuitsRequest.newBuilder()
                        .addDevices(
                                DeviceScope.newBuilder().setDeviceId(deviceId()).setScope(scope))
                        .setSource(CircuitSource.CIRCUIT_SOURCE_HARDWARE)
                        .build())
                .getDevices(0);
    }

    public DeviceCircuits read() {
        return read(layout.scope());
    }

    /** What the device shows on the scratch ports besides resting positions, as text, in order. */
    public List<String> shown() {
        return Circuits.texts(Circuits.keys(read().getCircuitsList()).stream()
                .filter(k -> !layout.isRest(k))
                .toList());
    }

    /** The device shows these circuits on the scratch ports, and no others. */
    public void expectShown(CircuitKey... circuits) {
        Expect.equal("circuits read back", Circuits.texts(List.of(circuits)), shown());
    }

    /** The i-th circuits and no others. */
    public void expectMade(int... lanes) {
        CircuitKey[] expected = new CircuitKey[lanes.length];
        for (int i = 0; i < lanes.length; i++) {
            expected[i] = layout.circuit(lanes[i]);
        }
        expectShown(expected);
    }

    public Operation operation(String role, String operationId) {
        return calls.circuits()
                .getOperation(GetOperationRequest.newBuilder()
                        .setDeviceId(deviceId())
                        .setRole(role)
                        .setOperationId(operationId)
                        .build())
                .getOperation();
    }

    public Operation operation(String operationId) {
        return operation(role(), operationId);
    }

    /** Says something about a port; lifted again afterwards. */
    public PortOverride override(String port, PortOverride what) {
        overridden.add(port);
        return overrideOnce(port, what);
    }

    /** As {@link #override}, and not lifted: for what is refused. */
    public PortOverride overrideOnce(String port, PortOverride what) {
        return calls.circuits()
                .setPortOverride(SetPortOverrideRequest.newBuilder()
                        .setDeviceId(deviceId())
                        .setFencing(fencing())
                        .setPort(port)
                        .setOverride(what)
                        .setReason("conformance")
                        .build())
                .getOverride();
    }

    /** The device as ListDevices has it now. */
    public Device listed() {
        return calls
                .inventory()
                .listDevices(
                        ListDevicesRequest.newBuilder().addDeviceIds(deviceId()).build())
                .getDevicesList()
                .stream()
                .findFirst()
                .orElseThrow(() -> new Unmet("ListDevices to name " + deviceId(), "it does not"));
    }

    public WatchRequest.Builder watchRequest() {
        return WatchRequest.newBuilder()
                .setClientName("lightpath-driver-conformance")
                .addDevices(DeviceScope.newBuilder().setDeviceId(deviceId()).setScope(layout.scope()));
    }

    public Watching watch(WatchRequest request) {
        return begun(() -> Watching.start(calls.channel(), request, terms.patience(), watchings));
    }

    /**
     * Waits as a driver says that is busy with others; one that stays so while the kit watches serves no more streams.
     */
    private Watching begun(Supplier<Watching> start) {
        long deadline = System.nanoTime() + terms.patience().toNanos();
        while (true) {
            Watching watching = start.get();
            Optional<Duration> busy = watching.awaitBeginning().flatMap(Refusal::busyFor);
            if (busy.isEmpty()) {
                return watching;
            }
            watching.close();
            if (System.nanoTime() - deadline >= 0) {
                if (watchings.get() > 0) {
                    throw new Inapplicable("the driver serves " + watchings.get()
                            + " stream(s) at a time: one more stays refused with BUSY");
                }
                throw new Unmet("a stream to begin within " + terms.patience().toMillis() + " ms", "it stays BUSY");
            }
            pause(busy.get());
        }
    }

    /** A stream that takes its first message and then none until told to read on. */
    public Watching watchSlowly(Channel channel) {
        return begun(() -> Watching.start(channel, watchRequest().build(), terms.patience(), 1, watchings));
    }

    /** A stream of the device under test that has its snapshot. */
    public Watching watch() {
        Watching watching = watch(watchRequest().build());
        watching.awaitSynced();
        return watching;
    }

    /** Asks until the answer is right; not met when it never is. */
    public <T> T await(String expected, Supplier<T> question, Predicate<T> right) {
        return await(expected, terms.patience(), question, right);
    }

    /** As {@link #await(String, Supplier, Predicate)}, for so long. */
    public <T> T await(String expected, Duration patience, Supplier<T> question, Predicate<T> right) {
        List<T> last = new ArrayList<>();
        return Waiting.until(
                        patience,
                        () -> {
                            T answer = question.get();
                            last.clear();
                            last.add(answer);
                            return answer;
                        },
                        right)
                .orElseThrow(() -> new Unmet(
                        expected + " within " + patience.toMillis() + " ms",
                        last.isEmpty() ? "no answer" : Expect.words(last.getFirst())));
    }

    /** Lets time pass, for what must not happen in it. */
    public void pause(Duration time) {
        Waiting.pause(time);
    }

    /**
     * This time, or that of so many of the device's longest moves, as far as it says how long they are, if they are
     * longer.
     */
    public Duration atLeast(Duration least, int moves) {
        Duration all = Terms.longestMove(device.capabilities()).multipliedBy(moves);
        return all.compareTo(least) > 0 ? all : least;
    }

    /** Whether the driver waits for moves longer than the device's own; found out once in a run. */
    public boolean isPatient(Callable<Boolean> trial) throws Exception {
        if (patient.isEmpty()) {
            patient = Optional.of(trial.call());
        }
        return patient.get();
    }

    /** A circuit that cannot be made, beside the first: on an element the kit kills, or at a port that is broken. */
    public CircuitKey failing() throws Exception {
        if (terms.faults().isPresent()) {
            faults().inject(new Fault.DeadElement(layout.circuit(1).getEgress()));
            return layout.circuit(1);
        }
        return layout.failing()
                .orElseThrow(
                        () -> new Inapplicable(
                                "needs an element that fails: --broken-port, --fault-command, or --emulator for an emulated device"));
    }

    /** The last fault since the device was mended; empty: none. */
    public Optional<Fault> hurtBy() {
        return hurtBy;
    }

    public Faults faults() {
        Faults given = terms.faults()
                .orElseThrow(() -> new Inapplicable(
                        "needs a way to hurt the device: --fault-command, or --emulator for an emulated one"));
        return new Faults() {
            @Override
            public void inject(Fault fault) throws Exception {
                given.inject(fault);
                hurtBy = Optional.of(fault);
            }

            @Override
            public void mend() throws Exception {
                given.mend();
                hurtBy = Optional.empty();
            }
        };
    }

    public String bootId() {
        return calls.identity()
                .getDriverInfo(GetDriverInfoRequest.getDefaultInstance())
                .getBootId();
    }

    /** Restarts the driver and waits until it answers and hears the device. */
    public void restartDriver() throws Exception {
        requireRestart();
        String before = bootId();
        terms.restart().orElseThrow().restart();
        calls.reconnect();
        Duration patience = terms.patience().multipliedBy(3);
        String after = Waiting.until(patience, this::bootId, id -> !id.isEmpty())
                .orElseThrow(() -> new Unmet("the driver to answer after its restart", "no answer in " + patience));
        if (after.equals(before)) {
            after = Waiting.until(terms.patience(), this::bootId, id -> !id.equals(before))
                    .orElse(before);
        }
        Expect.that(
                !after.equals(before),
                "a new boot_id after the restart command",
                "the same " + before + ": the driver did not restart, or hides it");
        var unused = await(
                deviceId() + " PRESENT after the restart",
                () -> listed().getAvailability(),
                Availability.AVAILABILITY_PRESENT::equals);
    }

    /** @throws Inapplicable when the kit cannot restart the driver */
    public void requireRestart() {
        if (terms.restart().isEmpty()) {
            throw new Inapplicable("needs --restart-command");
        }
    }
}
