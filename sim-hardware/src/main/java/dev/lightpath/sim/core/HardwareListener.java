package dev.lightpath.sim.core;

import dev.lightpath.sim.core.Report.AlarmView;
import dev.lightpath.sim.core.Report.ConnectionView;
import dev.lightpath.sim.core.Report.PortView;

/** Gets the devices' own reports, lies included, in the order of events. */
public interface HardwareListener {
    /**
     * A connection was made, broken or changed its state.
     *
     * @param seq number of the event within this run of the device's management
     */
    void connection(int device, long seq, ConnectionView connection);

    /** State or light of a port changed. */
    void port(int device, long seq, PortView port);

    /** What circuits of a device lose has changed, or may have. */
    default void loss(int device) {}

    /** An alarm was raised or cleared. */
    void alarm(int device, long seq, AlarmView alarm, boolean raised);

    /** Temperature or electric power changed. */
    void environment(int device, long seq, double temperatureCelsius, double powerWatts);

    /** The management fell silent. */
    void silent(int device, long seq);

    /** The management answers again, perhaps as another run. */
    void answering(int device);

    /**
     * A fault of calls ends the streams of a device.
     *
     * @param device -1: of all devices
     */
    default void dropped(int device) {}
}
