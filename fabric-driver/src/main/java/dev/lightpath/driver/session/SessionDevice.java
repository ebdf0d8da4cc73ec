package dev.lightpath.driver.session;

import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One device: connects, reports what the device is and does, and asks again at each event, or in each poll interval
 * without one. Only this loop calls the listener.
 */
final class SessionDevice implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionDevice.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LEAST_BETWEEN = Duration.ofMillis(20);

    private final SwitchAddress address;
    private final AdapterListener listener;
    private final Semaphore events = new Semaphore(0);
    private final CompletableFuture<Void> reported = new CompletableFuture<>();
    private final ToldOnce told = new ToldOnce();
    private final Thread thread = Thread.ofVirtual().name("device-session").unstarted(this::run);
    private volatile @Nullable SwitchSession session;
    private volatile String lost = "not connected yet";
    private volatile boolean closed;
    private boolean described;
    private String serial = "";
    private List<Alarm> alarms = List.of();
    private long readNanos = System.nanoTime();

    SessionDevice(SwitchAddress address, AdapterListener listener) {
        this.address = address;
        this.listener = listener;
    }

    /** Completes when the device was reported, or could not be reached. */
    CompletableFuture<Void> start() {
        thread.start();
        return reported.completeOnTimeout(null, address.first().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The session as it is now. */
    SwitchSession session() throws DeviceSilentException {
        SwitchSession now = session;
        if (now == null) {
            throw new DeviceSilentException(lost);
        }
        return now;
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        while (!closed) {
            long begun = System.nanoTime();
            try (SwitchSession fresh = address.opener().open(events::release)) {
                greet(fresh);
                begun = System.nanoTime();
                reported.complete(null);
                while (!closed) {
                    report(fresh);
                }
            } catch (LostException | RefusedException e) {
                silent(String.valueOf(e.getMessage()), lasted(begun));
            } catch (InterruptedException stopping) {
                return;
            } catch (RuntimeException bug) {
                if (told.isNew(bug.toString())) {
                    LOG.atError()
                            .setCause(bug)
                            .addKeyValue("device", address.id())
                            .log("the device is not understood");
                }
                silent(String.valueOf(bug), lasted(begun));
            }
            // a device that greets and then fails is not asked ten times a second
            boolean lasted = lasted(begun);
            pause = lasted ? FIRST_PAUSE : pause;
            session = null;
            reported.complete(null);
            if (!sleep(pause)) {
                return;
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
        }
    }

    private void greet(SwitchSession fresh) throws LostException, RefusedException {
        DeviceDescription description = fresh.description();
        String number = description.device().getSerial();
        listener.described(description);
        if (described && fresh.isAnother(serial)) {
            listener.powerCycled(address.id());
        }
        described = true;
        serial = number.isEmpty() ? serial : number;
        DeviceReading reading = fresh.reading();
        session = fresh;
        alarms = reading.alarms();
        listener.present(address.id(), reading);
    }

    private void report(SwitchSession to) throws InterruptedException, LostException, RefusedException {
        var unused = events.tryAcquire(address.poll().toMillis(), TimeUnit.MILLISECONDS);
        events.drainPermits();
        if (closed) {
            return;
        }
        if (!to.whyOver().isEmpty()) {
            throw new LostException(to.whyOver());
        }
        // a reading takes a while, and may wait behind a change
        to.heard().ifPresent(this::tell);
        to.foreignWriters().forEach(who -> listener.changedBy(address.id(), who));
        if (!pace()) {
            return;
        }
        DeviceReading reading = to.reading();
        readNanos = System.nanoTime();
        tell(reading.alarms());
        listener.ports(address.id(), reading.ports());
        listener.circuits(address.id(), reading.circuits());
    }

    private void tell(List<Alarm> now) {
        if (!now.equals(alarms)) {
            alarms = now;
            listener.alarms(address.id(), now);
        }
    }

    /** A device may log that it was asked, and tell that: it is not asked for ever without a pause. */
    private boolean pace() {
        long left = LEAST_BETWEEN.toNanos() - (System.nanoTime() - readNanos);
        return left <= 0 || sleep(Duration.ofNanos(left));
    }

    /** The session is of no use any more: connect again. */
    void reconnect(SwitchSession broken, String why) {
        broken.end(why);
        events.release();
    }

    /** Whether the session was of use for a while. */
    private boolean lasted(long begun) {
        return session != null && System.nanoTime() - begun > LONGEST_PAUSE.toNanos();
    }

    /** @param lasted whether the session was of use for a while; what fails again at once is told once */
    private void silent(String why, boolean lasted) {
        if (closed) {
            return;
        }
        if (lasted || !why.equals(lost)) {
            LOG.atWarn().addKeyValue("device", address.id()).log(why);
        }
        lost = why;
        if (described) {
            listener.silent(address.id(), why);
        }
    }

    private boolean sleep(Duration time) {
        try {
            Thread.sleep(time);
            return !closed;
        } catch (InterruptedException stopping) {
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
