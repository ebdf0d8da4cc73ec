package dev.lightpath.driver.openflow;

import dev.lightpath.driver.config.AdapterConfig.OpenFlowSwitchConfig;
import org.jspecify.annotations.Nullable;

/** The connections of one device, which connects to the driver: the newest one counts. */
final class Incoming implements AutoCloseable {
    private final OpenFlowSwitchConfig config;
    private @Nullable Connection waiting;
    private @Nullable Connection served;

    Incoming(OpenFlowSwitchConfig config) {
        this.config = config;
    }

    OpenFlowSwitchConfig config() {
        return config;
    }

    /** The device has connected. */
    synchronized void connected(Connection connection) {
        end("the device connected again");
        waiting = connection;
        notifyAll();
    }

    /** Waits until the device has connected. */
    synchronized Connection next() throws InterruptedException {
        Connection next = waiting;
        while (next == null) {
            wait();
            next = waiting;
        }
        waiting = null;
        served = next;
        return next;
    }

    private void end(String why) {
        if (waiting != null) {
            waiting.end(why);
        }
        if (served != null) {
            served.end(why);
        }
    }

    @Override
    public synchronized void close() {
        end("the driver closed the connection");
    }
}
