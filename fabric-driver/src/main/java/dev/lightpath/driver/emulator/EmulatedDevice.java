package dev.lightpath.driver.emulator;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.emulator.v1alpha1.Alarm;
import dev.lightpath.proto.emulator.v1alpha1.Connection;
import dev.lightpath.proto.emulator.v1alpha1.ConnectionState;
import dev.lightpath.proto.emulator.v1alpha1.Device;
import dev.lightpath.proto.emulator.v1alpha1.DeviceEvent;
import dev.lightpath.proto.emulator.v1alpha1.DeviceSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The stream's state of one device, and its last description. Guarded by the stream. */
final class EmulatedDevice {
    private record AlarmName(AlarmKind kind, String where) {}

    private Device plate = Device.getDefaultInstance();
    private @Nullable Device described;
    private boolean answering;
    private boolean lostPower;
    private String bootId = "";
    private long seq;
    private int powerCycles = -1;
    private final Map<CircuitPair, Connection> connections = new TreeMap<>();
    private final Map<String, PortStatus> ports = new LinkedHashMap<>();
    private final Map<AlarmName, dev.lightpath.proto.driver.v1alpha1.Alarm> alarms = new LinkedHashMap<>();
    private Environment environment = Environment.getDefaultInstance();

    /** Replaces everything; the device answers. */
    void take(DeviceSnapshot snapshot) {
        lostPower |= powerCycles >= 0
                && (snapshot.getPowerCycles() != powerCycles
                        || !snapshot.getDevice().getSerial().equals(plate.getSerial()));
        answering = true;
        plate = snapshot.getDevice();
        bootId = snapshot.getBootId();
        seq = snapshot.getSeq();
        powerCycles = snapshot.getPowerCycles();
        connections.clear();
        snapshot.getConnectionsList().forEach(this::connection);
        ports.clear();
        snapshot.getPortsList().forEach(p -> port(Translation.port(p)));
        alarms.clear();
        snapshot.getAlarmsList().forEach(this::raised);
        environment = Environment.newBuilder()
                .setTemperatureCelsius(snapshot.getTemperatureCelsius())
                .setPowerWatts(snapshot.getPowerWatts())
                .build();
    }

    /** Its emulator was started again, which is a loss of power whatever the device counts. */
    void beganAnew() {
        lostPower = true;
    }

    /** It no longer answers, until the next {@link #take}. */
    void fallSilent() {
        answering = false;
    }

    /** Whether the stream last reported that it answers. */
    boolean isAnswering() {
        return answering;
    }

    /** It was described when this stood on its nameplate. */
    void described(Device then) {
        described = then;
    }

    void forgetDescription() {
        described = null;
    }

    /** False when it never was described, or since then was replaced or got other firmware. */
    boolean isDescribed() {
        return described != null && isOf(described);
    }

    /** Whether this is the nameplate of the hardware and firmware that the stream last reported. */
    boolean isOf(Device other) {
        return other.getSerial().equals(plate.getSerial())
                && other.getFirmware().equals(plate.getFirmware());
    }

    /** Whether it lost power and that was not reported yet. True once. */
    boolean tellPowerLoss() {
        boolean tell = lostPower;
        lostPower = false;
        return tell;
    }

    /** True when the event is newer than the known state; it is then counted. */
    boolean isNews(DeviceEvent event) {
        if (!event.getBootId().equals(bootId) || event.getSeq() <= seq) {
            return event.hasSilent();
        }
        seq = event.getSeq();
        return true;
    }

    void connection(Connection connection) {
        CircuitPair pair = new CircuitPair(connection.getIngress(), connection.getEgress());
        if (connection.getState() == ConnectionState.CONNECTION_STATE_BLOCKED) {
            connections.remove(pair);
        } else {
            connections.put(pair, connection);
        }
    }

    void port(PortStatus port) {
        ports.put(port.getPort(), port);
    }

    void raised(Alarm alarm) {
        var raised = Translation.alarm(alarm);
        alarms.put(new AlarmName(raised.getKind(), raised.getWhere()), raised);
    }

    void cleared(Alarm alarm) {
        var cleared = Translation.alarm(alarm);
        alarms.remove(new AlarmName(cleared.getKind(), cleared.getWhere()));
    }

    void environment(Environment now) {
        environment = now;
    }

    List<NativeCircuit> circuits() {
        return Translation.circuits(connections.values());
    }

    List<dev.lightpath.proto.driver.v1alpha1.Alarm> alarms() {
        return List.copyOf(alarms.values());
    }

    DeviceReading reading() {
        return new DeviceReading(circuits(), new ArrayList<>(ports.values()), alarms(), environment);
    }
}
