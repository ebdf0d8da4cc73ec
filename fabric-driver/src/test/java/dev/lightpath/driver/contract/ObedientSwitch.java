package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** An adapter that tells what a test has it tell, and answers as the test says. */
final class ObedientSwitch implements Adapter {
    static final String DEVICE = "ocs-1";
    private static final String KIND = "obedient";

    private final AtomicReference<AdapterListener> listener = new AtomicReference<>();
    final AtomicInteger reads = new AtomicInteger();

    volatile CompletableFuture<Set<String>> named = CompletableFuture.completedFuture(Set.of(DEVICE));
    volatile Runnable again = () -> {};
    volatile Reads reading = List::of;
    volatile Shutters shutters = (port, closed) -> {};
    volatile Losses losses = List::of;
    /** Of the device behind it. */
    volatile String serial = "";

    /** What it answers to a read. */
    @FunctionalInterface
    interface Reads {
        List<NativeCircuit> answer() throws DeviceSilentException;
    }

    /** What it answers to a question for the factory's table. */
    @FunctionalInterface
    interface Losses {
        List<FactoryLoss> answer() throws DeviceSilentException;
    }

    /** What it does with its shutters. */
    @FunctionalInterface
    interface Shutters {
        void move(String port, boolean closed) throws DeviceSilentException;
    }

    static List<NativeCircuit> lit(String ingress, String egress) {
        return List.of(circuit(ingress, egress, OptionalDouble.empty()));
    }

    static NativeCircuit circuit(String ingress, String egress, OptionalDouble lossDb) {
        return new NativeCircuit(new CircuitPair(ingress, egress), CircuitState.CIRCUIT_STATE_CONNECTED, lossDb);
    }

    AdapterListener says() {
        return listener.get();
    }

    void describe(String id, int ports) {
        DeviceInventory.Builder inventory = DeviceInventory.newBuilder().setDeviceId(id);
        IntStream.rangeClosed(1, ports)
                .forEach(port -> inventory.addPorts(
                        Port.newBuilder().setName(Integer.toString(port)).setSide(PortSide.PORT_SIDE_BOTH)));
        says().described(new DeviceDescription(
                Device.newBuilder()
                        .setDeviceId(id)
                        .setAdapter(KIND)
                        .setSerial(serial)
                        .build(),
                Capabilities.newBuilder()
                        .setSidedness(Sidedness.SIDEDNESS_ONE_SIDED)
                        .setShutter(true)
                        .setInsertionLossData(true)
                        .build(),
                inventory.build()));
    }

    void present(String id, List<NativeCircuit> circuits) {
        says().present(id, new DeviceReading(circuits, List.of(), List.of(), Environment.getDefaultInstance()));
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public CompletableFuture<Set<String>> start(AdapterListener heard) {
        listener.set(heard);
        return named;
    }

    @Override
    public void again(String deviceId) {
        again.run();
    }

    @Override
    public List<NativeCircuit> read(String deviceId, CircuitSource source) throws DeviceSilentException {
        reads.incrementAndGet();
        return reading.answer();
    }

    @Override
    public List<MoveAnswer> move(String deviceId, List<Move> moves, Duration within) throws DeviceSilentException {
        throw new DeviceSilentException("it moves nothing");
    }

    @Override
    public void shutter(String deviceId, String port, boolean closed) throws DeviceSilentException {
        shutters.move(port, closed);
    }

    @Override
    public void probe(String deviceId) {}

    @Override
    public List<FactoryLoss> factoryLoss(String deviceId) throws DeviceSilentException {
        return losses.answer();
    }

    @Override
    public void close() {}
}
