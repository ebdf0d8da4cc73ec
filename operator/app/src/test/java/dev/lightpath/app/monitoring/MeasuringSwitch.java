package dev.lightpath.app.monitoring;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A switch that measures the loss of its circuit and the modules of its ports, as devices of vendors may and emulated
 * ones do not.
 */
final class MeasuringSwitch implements Adapter {
    private static final String NAME = "measuring-1";
    private static final List<NativeCircuit> CIRCUITS = List.of(
            new NativeCircuit(new CircuitPair("1", "2"), CircuitState.CIRCUIT_STATE_CONNECTED, OptionalDouble.of(1.5)));

    @Override
    public String kind() {
        return "measuring";
    }

    @Override
    public CompletableFuture<Set<String>> start(AdapterListener listener) {
        listener.described(new DeviceDescription(
                Device.newBuilder()
                        .setDeviceId(NAME)
                        .setKind(DeviceKind.DEVICE_KIND_SWITCH)
                        .setAdapter(kind())
                        .build(),
                Capabilities.getDefaultInstance(),
                DeviceInventory.getDefaultInstance()));
        listener.present(
                NAME,
                new DeviceReading(
                        CIRCUITS, List.of(port("1"), port("2")), List.of(), Environment.getDefaultInstance()));
        return CompletableFuture.completedFuture(Set.of(NAME));
    }

    private static PortStatus port(String name) {
        return PortStatus.newBuilder()
                .setPort(name)
                .setOperState(PortOperState.PORT_OPER_STATE_OK)
                .setPreFecBitErrorRatio(1e-6)
                .setTemperatureCelsius(48)
                .build();
    }

    @Override
    public List<NativeCircuit> read(String deviceId, CircuitSource source) {
        return CIRCUITS;
    }

    @Override
    public List<MoveAnswer> move(String deviceId, List<Move> moves, Duration within) {
        throw new UnsupportedOperationException("it is only looked at");
    }

    @Override
    public void shutter(String deviceId, String port, boolean closed) {
        throw new UnsupportedOperationException("it is only looked at");
    }

    @Override
    public void probe(String deviceId) {}

    @Override
    public List<FactoryLoss> factoryLoss(String deviceId) {
        return List.of();
    }

    @Override
    public void close() {}
}
