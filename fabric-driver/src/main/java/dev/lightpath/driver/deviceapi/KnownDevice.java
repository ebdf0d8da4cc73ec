package dev.lightpath.driver.deviceapi;

import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.proto.device.v1alpha1.Circuit;
import dev.lightpath.proto.device.v1alpha1.Reading;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A device as its program described it. Checks everything else that the program says against that. */
final class KnownDevice {
    private String serial;
    private final Set<String> ports = new LinkedHashSet<>();
    private String powerOnId = "";
    private boolean replaced;

    KnownDevice(DeviceDescription description) {
        serial = description.device().getSerial();
        description.inventory().getPortsList().stream().map(Port::getName).forEach(ports::add);
    }

    /** This, after what was known of the device before. */
    KnownDevice after(KnownDevice before) {
        powerOnId = before.powerOnId;
        replaced = before.replaced || differ(before.serial, serial);
        serial = serial.isEmpty() ? before.serial : serial;
        return this;
    }

    /** Whether the device had no power since the last reading. */
    boolean lostPower(Reading reading) {
        String now = reading.getPowerOnId();
        boolean lost = replaced || differ(powerOnId, now);
        powerOnId = now.isEmpty() ? powerOnId : now;
        replaced = false;
        return lost;
    }

    /** Empty is a program that cannot tell, at least not now. */
    private static boolean differ(String before, String now) {
        return !before.isEmpty() && !now.isEmpty() && !before.equals(now);
    }

    DeviceReading reading(Reading said) throws UnusableException {
        Map<String, PortStatus> told = new LinkedHashMap<>();
        for (String port : ports) {
            told.put(
                    port,
                    PortStatus.newBuilder()
                            .setPort(port)
                            .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE)
                            .build());
        }
        ports(said.getPortsList()).forEach(port -> told.put(port.getPort(), port));
        return new DeviceReading(
                circuits(said.getCircuitsList()),
                new ArrayList<>(told.values()),
                said.getAlarmsList(),
                said.getEnvironment());
    }

    List<NativeCircuit> circuits(List<Circuit> circuits) throws UnusableException {
        for (Circuit circuit : circuits) {
            known(circuit.getKey().getIngress(), "a circuit");
            known(circuit.getKey().getEgress(), "a circuit");
        }
        return Translation.circuits(circuits);
    }

    List<PortStatus> ports(List<PortStatus> statuses) throws UnusableException {
        List<PortStatus> all = new ArrayList<>();
        for (PortStatus each : statuses) {
            known(each.getPort(), "the state of a port");
            PortStatus.Builder status = each.toBuilder().clearOverride();
            if (each.getAdminState() == PortAdminState.PORT_ADMIN_STATE_UNSPECIFIED) {
                status.setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE);
            }
            all.add(status.build());
        }
        return all;
    }

    private void known(String port, String where) throws UnusableException {
        if (!ports.contains(port)) {
            throw new UnusableException(
                    where + " names port '" + OneLine.of(port) + "', which the description does not have");
        }
    }
}
