package dev.lightpath.driver.session;

import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One device: connects, reports what the device is and does, and asks again at each event, or in each poll interval
 * without one. Where a device names its alarms itself, what it tells during a change is asked for after the change, or
 * a moment later: else the change would wait behind the answers. Only this loop calls the listener.
 */
final class SessionDevice implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionDevice.class);
    private static final Duration LEAST_BETWEEN = Duration.ofMillis(20);
    /** So long after a move the next one is not part of the same change any more. */
    private static final Duration QUIET = Duration.ofMillis(25);
    /** Unless it says that all is our own work, it may have told of a port of somebody else: that waits no longer. */
    static final Duration LATE = Duration.ofMillis(250);

    private final SwitchAddress address;
    private final AdapterListener listener;
    private final Duration late;
    private final Semaphore events = new Semaphore(0);
    private final CompletableFuture<Void> reported = new CompletableFuture<>();
    private final ToldOnce told = new ToldOnce();
    private final Thread thread = Thread.ofVirtual().name("device-session").unstarted(this::run);
    private volatile @Nullable SwitchSession session;
    private volatile String lost = "not connected yet";
    private volatile boolean closed;
    /** What it was told to be. */
    private @Nullable DeviceDescription described;

    private String serial = "";
    private List<Alarm> alarms = List.of();
    private long readNanos = System.nanoTime();
    /** Whether it told of something since it was read, and when first. */
    private boolean owed;

    private long owedNanos;
    /** Whether it is to say again what it is. */
    private final AtomicBoolean ignored = new AtomicBoolean();
    /** Moves that run. */
    private final AtomicInteger moving = new AtomicInteger();

    private volatile long movedNanos = System.nanoTime() - QUIET.toNanos();

    SessionDevice(SwitchAddress address, AdapterListener listener, Duration late) {
        this.address = address;
        this.listener = listener;
        this.late = late;
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
        AttemptPace pace = new AttemptPace();
        while (!closed) {
            long attempted = System.nanoTime();
            long begun = attempted;
            try (SwitchSession fresh = address.opener().open(events::release)) {
                try {
                    greet(fresh);
                    begun = System.nanoTime();
                    reported.complete(null);
                    while (!closed) {
                        report(fresh);
                    }
                } catch (LostException | RefusedException why) {
                    // a change that is under way on it says why, too
                    fresh.end(String.valueOf(why.getMessage()));
                    throw why;
                }
            } catch (LostException | RefusedException e) {
                silent(String.valueOf(e.getMessage()));
            } catch (InterruptedException stopping) {
                return;
            } catch (RuntimeException bug) {
                if (told.isNew(bug.toString())) {
                    LOG.atError()
                            .setCause(bug)
                            .addKeyValue("device", address.id())
                            .log("the device is not understood");
                }
                silent(String.valueOf(bug));
            }
            // a device that greets and then fails is not asked ten times a second
            boolean lasted = lasted(begun);
            session = null;
            reported.complete(null);
            if (!sleep(pace.after(since(attempted), lasted))) {
                return;
            }
        }
    }

    private void greet(SwitchSession fresh) throws LostException, RefusedException {
        ignored.set(false);
        describe(fresh);
        DeviceReading reading = fresh.reading();
        describeIfOther(fresh);
        present(fresh, reading);
    }

    private void describe(SwitchSession to) {
        DeviceDescription description = to.description();
        String number = description.device().getSerial();
        listener.described(description);
        if (described != null && to.isAnother(serial)) {
            listener.powerCycled(address.id());
        }
        described = description;
        serial = number.isEmpty() ? serial : number;
    }

    /** Parts of a device may be exchanged while its other parts work. Whether it is another now. */
    private boolean describeIfOther(SwitchSession to) {
        if (to.description().equals(described)) {
            return false;
        }
        describe(to);
        return true;
    }

    private void present(SwitchSession to, DeviceReading reading) {
        session = to;
        owed = false;
        alarms = reading.alarms();
        listener.present(address.id(), reading);
    }

    private void report(SwitchSession to) throws InterruptedException, LostException, RefusedException {
        Duration wait = owed ? QUIET : address.poll();
        boolean told = events.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS);
        events.drainPermits();
        if (closed) {
            return;
        }
        if (!to.whyOver().isEmpty()) {
            throw new LostException(to.whyOver());
        }
        // a reading takes a while, and may wait behind a change
        Optional<List<Alarm>> heard = to.heard();
        heard.ifPresent(this::tell);
        to.foreignWriters().forEach(who -> listener.changedBy(address.id(), who));
        if (ignored.getAndSet(false)) {
            listener.described(to.description());
            DeviceReading reading = to.reading();
            describeIfOther(to);
            present(to, reading);
            return;
        }
        if (told && !owed) {
            owed = true;
            owedNanos = System.nanoTime();
        }
        // alarms of other ports would wait where they come by the reading alone
        if (owed && heard.isPresent() && isChanging() && mayBeLate(to)) {
            return;
        }
        if (!pace()) {
            return;
        }
        owed = false;
        DeviceReading reading = to.reading();
        readNanos = System.nanoTime();
        if (describeIfOther(to)) {
            present(to, reading);
            return;
        }
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
        Duration left = LEAST_BETWEEN.minus(since(readNanos));
        return !left.isPositive() || sleep(left);
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private boolean mayBeLate(SwitchSession to) {
        return (to.heardOnlyOfDriver() || since(owedNanos).compareTo(late) < 0)
                && since(readNanos).compareTo(address.poll()) < 0;
    }

    private boolean isChanging() {
        return moving.get() > 0 || System.nanoTime() - movedNanos < QUIET.toNanos();
    }

    /** Says again what the device is and shows, soon. */
    void again() {
        ignored.set(true);
        events.release();
    }

    /** A move begins. */
    void moving() {
        moving.incrementAndGet();
    }

    /** One that began is over. */
    void moved() {
        movedNanos = System.nanoTime();
        moving.decrementAndGet();
    }

    /** The session is of no use any more: connect again. */
    void reconnect(SwitchSession broken, String why) {
        broken.end(why);
        events.release();
    }

    /** Whether the session was of use for a while. */
    private boolean lasted(long begun) {
        return session != null && System.nanoTime() - begun > AttemptPace.LONGEST.toNanos();
    }

    /** Logs why a device is not reached. That one is lost which was there is logged with its presence. */
    private void silent(String why) {
        if (closed) {
            return;
        }
        if (session == null && !why.equals(lost) && told.isNew(why)) {
            LOG.atWarn().addKeyValue("device", address.id()).log(why);
        }
        lost = why;
        listener.silent(address.id(), why);
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
