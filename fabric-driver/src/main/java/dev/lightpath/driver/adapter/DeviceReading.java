package dev.lightpath.driver.adapter;

import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.util.List;

/** All a device reports at one moment; ports in the device's order. */
public record DeviceReading(
        List<NativeCircuit> circuits, List<PortStatus> ports, List<Alarm> alarms, Environment environment) {
    /** Light that is weaker is none: meters that nothing enters show some least power. */
    public static final double LIT_DBM = -30;

    public DeviceReading {
        circuits = List.copyOf(circuits);
        ports = List.copyOf(ports);
        alarms = List.copyOf(alarms);
    }
}
