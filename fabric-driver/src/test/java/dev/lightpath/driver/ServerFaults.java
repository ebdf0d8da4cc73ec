package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Faults;
import dev.lightpath.conformance.bench.Inapplicable;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** Faults of a device that is a process of others: it is stopped, and the ways to it are slow. */
final class ServerFaults implements Faults {
    /** A change takes so many answers at least. */
    private static final int ANSWERS = 3;

    /** An adapter may take a device for silent that needs longer for an answer. */
    private static final long LATEST_MILLIS = 2000;

    private static final int PATIENCE_SECONDS = 60;

    /** What can be done to a server by its own means. */
    interface Own extends Faults {
        Process process();

        /** Between it and the driver. */
        List<CutProxy> ways();
    }

    private final Own own;
    private boolean stopped;

    ServerFaults(Own own) {
        this.own = own;
    }

    static Inapplicable unknown(Fault fault) {
        return new Inapplicable(
                JudgedDriver.NO_SUCH_FAULT + " " + fault.getClass().getSimpleName());
    }

    /** Of a protocol that tells nothing of it: another number of the device alone would be told. */
    static Inapplicable untold(Fault fault) {
        return new Inapplicable(JudgedDriver.NO_SUCH_FAULT + " that it tells of: "
                + fault.getClass().getSimpleName());
    }

    static void signal(String name, Process process) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    @Override
    public void inject(Fault fault) throws Exception {
        if (fault instanceof Fault.Silence) {
            signal("STOP", own.process());
            stopped = true;
        } else if (fault instanceof Fault.SlowMoves(long millis)) {
            if (millis / ANSWERS > LATEST_MILLIS) {
                throw new Inapplicable(JudgedDriver.NO_SUCH_FAULT + ": a move that takes " + millis + " ms");
            }
            // a driver that is not connected yet would not be slowed
            Awaitility.await("the driver to be connected, so that it can be slowed")
                    .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                    .until(() -> own.ways().stream()
                                    .filter(way -> way.delay(millis / ANSWERS))
                                    .count()
                            > 0);
        } else {
            own.inject(fault);
        }
    }

    @Override
    public void mend() throws Exception {
        if (stopped) {
            signal("CONT", own.process());
            stopped = false;
        }
        own.ways().forEach(way -> way.delay(0));
        own.mend();
    }
}
