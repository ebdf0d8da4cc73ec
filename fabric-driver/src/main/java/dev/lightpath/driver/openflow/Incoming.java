package dev.lightpath.driver.openflow;

import dev.lightpath.driver.config.AdapterConfig.OpenFlowSwitchConfig;
import dev.lightpath.driver.session.LostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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

    /**
     * Waits until the device has connected.
     *
     * @throws LostException if it has not within a time; a connection that comes later is the next one
     */
    synchronized Connection next(Duration patience) throws InterruptedException, LostException {
        long end = System.nanoTime() + patience.toNanos();
        Connection next = waiting;
        while (next == null) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new LostException("no device with datapath " + OpenFlowSwitch.hex(config.datapath())
                        + " has connected to the driver for " + patience.toSeconds()
                        + " s: name the driver as its controller; the log tells of connections that were refused");
            }
            wait(left);
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
