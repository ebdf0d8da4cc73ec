package dev.lightpath.driver.adapter;

import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.util.List;

/** Gets what an adapter learns about its devices. Calls return quickly; calls about one device must not overlap. */
public interface AdapterListener {
    /** A device exists, or its description changed. First call about any device, unless it is {@link #silent}. */
    void described(DeviceDescription description);

    /** The device is no longer part of the installation. */
    void removed(String deviceId);

    /** It answers, and this is its full state. Precedes any other event after {@link #described} or {@link #silent}. */
    void present(String deviceId, DeviceReading reading);

    /** It does not answer. It may never have answered: then nothing is known of it yet but its name. */
    void silent(String deviceId, String detail);

    /**
     * The device's own log names somebody else who changed it, in a line for people. Precedes the circuits that were
     * changed. Most devices keep no such log.
     */
    default void changedBy(String deviceId, String who) {}

    /** The device says its circuits are these now. A hint: the driver reads the device when it did not expect them. */
    void circuits(String deviceId, List<NativeCircuit> circuits);

    /** These ports are now so. */
    void ports(String deviceId, List<PortStatus> ports);

    /** These are all present alarms. */
    void alarms(String deviceId, List<Alarm> alarms);

    /** Electric power and temperature now. */
    void environment(String deviceId, Environment environment);

    /** The device lost power since its last event. Precedes {@link #present}. */
    void powerCycled(String deviceId);
}
