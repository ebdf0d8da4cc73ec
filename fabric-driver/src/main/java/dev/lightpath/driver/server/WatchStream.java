package dev.lightpath.driver.server;

import dev.lightpath.driver.config.Access;
import dev.lightpath.driver.contract.ControlledDevice;
import dev.lightpath.driver.contract.Fleet;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.contract.view.ScopeFilter;
import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.driver.contract.view.ViewChange;
import dev.lightpath.driver.http.Meters;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.AvailabilityChanged;
import dev.lightpath.proto.driver.v1alpha1.Heartbeat;
import dev.lightpath.proto.driver.v1alpha1.Synced;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One client's stream. Changes wait in a bounded queue; when it is full they are dropped, and the devices concerned are
 * sent as snapshots once the client has caught up. A virtual thread sends, at the pace the client reads.
 */
final class WatchStream {
    private final Fleet fleet;
    private final WatchScope scope;
    private final Events events;
    private final Caller caller;
    /** What the rules granted when the stream began. Once they grant something else it ends. */
    private final List<Access.Rule> granted;

    private final ServerCallStreamObserver<WatchResponse> client;
    private final String bootId;
    private final Clock clock;
    private final Meters meters;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Backlog queue;
    private final Set<String> lossy = new TreeSet<>();
    private long droppedCount;
    private long skippedNumbers;
    private boolean cancelled;

    private final Map<String, Long> sentVersions = new HashMap<>();
    private long seq;
    private long sentNanos = System.nanoTime();

    WatchStream(
            Fleet fleet,
            WatchScope scope,
            Caller caller,
            ServerCallStreamObserver<WatchResponse> client,
            String bootId,
            Clock clock,
            Meters meters,
            int limit) {
        this.fleet = fleet;
        this.scope = scope;
        this.events = new Events(scope);
        this.caller = caller;
        this.granted = caller.granted();
        this.client = client;
        this.bootId = bootId;
        this.clock = clock;
        this.meters = meters;
        this.queue = new Backlog(limit, Backlog.MOST_BYTES);
        client.setOnReadyHandler(this::wake);
        client.setOnCancelHandler(() -> {
            lock.lock();
            try {
                cancelled = true;
            } finally {
                lock.unlock();
            }
            wake();
        });
    }

    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes a change, or counts it as dropped. Never blocks on the client. */
    void offer(ViewChange change) {
        String id = change.after().deviceId();
        if (scope.of(id).isEmpty()) {
            return;
        }
        lock.lock();
        try {
            if (!lossy.contains(id) && queue.offer(change)) {
                changed.signalAll();
            } else {
                lossy.add(id);
                droppedCount++;
                skippedNumbers++;
                meters.dropped();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends until the client goes away. */
    void run() {
        try {
            scope.named().keySet().stream()
                    .filter(id -> fleet.find(id).isEmpty())
                    .forEach(this::sendRemoved);
            snapshots(fleet.devices().keySet());
            while (true) {
                ViewChange change = next();
                if (change != null) {
                    send(change);
                } else {
                    resync();
                }
                if (untilHeartbeatNanos() <= 0) {
                    send(WatchResponse.newBuilder()
                            .setHeartbeat(Heartbeat.newBuilder().setDeviceCount(deviceCount())));
                }
            }
        } catch (Gone clientLeft) {
            if (isRuledOut()) {
                client.onError(Status.PERMISSION_DENIED
                        .withDescription("the rules for '" + caller.name() + "' were changed; watch again")
                        .asRuntimeException());
            }
        }
    }

    private boolean isRuledOut() {
        return !cancelled && !caller.granted().equals(granted);
    }

    /** Ends the sending thread. */
    private static final class Gone extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** Counts what was sent to the client, not what happened: many changes send nothing. */
    private long untilHeartbeatNanos() {
        return scope.heartbeat().toNanos() - (System.nanoTime() - sentNanos);
    }

    /** The next change; null when none came until a heartbeat is due, or when snapshots are due. */
    private @Nullable ViewChange next() throws Gone {
        lock.lock();
        try {
            long left = untilHeartbeatNanos();
            while (queue.isEmpty() && lossy.isEmpty() && !cancelled && !isRuledOut() && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (cancelled || isRuledOut()) {
                throw new Gone();
            }
            return queue.poll();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new Gone();
        } finally {
            lock.unlock();
        }
    }

    private void resync() throws Gone {
        Set<String> due;
        lock.lock();
        try {
            due = new TreeSet<>(lossy);
            lossy.clear();
        } finally {
            lock.unlock();
        }
        if (!due.isEmpty()) {
            snapshots(due);
        }
    }

    private void snapshots(Set<String> ids) throws Gone {
        for (String id : ids) {
            Optional<ScopeFilter> filter = scope.of(id);
            if (filter.isEmpty()) {
                continue;
            }
            Optional<ControlledDevice> device = fleet.find(id);
            if (device.isEmpty()) {
                sendRemovedNow(id);
                continue;
            }
            DeviceView view = device.get().view();
            sentVersions.put(id, view.version());
            send(Events.snapshot(view, filter.get()));
        }
        send(WatchResponse.newBuilder().setSynced(Synced.newBuilder().setDeviceCount(deviceCount())));
    }

    private void send(ViewChange change) throws Gone {
        String id = change.after().deviceId();
        boolean isNew = change.before() == null;
        if (!isNew && change.after().version() <= sentVersions.getOrDefault(id, 0L)) {
            return;
        }
        Optional<ScopeFilter> filter = scope.of(id);
        if (filter.isPresent()) {
            sentVersions.put(id, change.after().version());
            List<WatchResponse.Builder> messages = events.of(change, filter.get());
            for (WatchResponse.Builder message : messages) {
                message.setObservedAt(Times.wire(change.at()));
                send(message);
            }
        }
    }

    private void sendRemoved(String id) {
        try {
            sendRemovedNow(id);
        } catch (Gone clientLeft) {
            wake();
        }
    }

    private void sendRemovedNow(String id) throws Gone {
        send(WatchResponse.newBuilder()
                .setAvailabilityChanged(AvailabilityChanged.newBuilder()
                        .setDeviceId(id)
                        .setAvailability(Availability.AVAILABILITY_REMOVED)
                        .setSince(Times.wire(clock.instant()))
                        .setDetail("the driver has no such device")));
    }

    private void send(WatchResponse.Builder message) throws Gone {
        lock.lock();
        try {
            while (!client.isReady() && !cancelled && !isRuledOut()) {
                var unused = changed.await(1, TimeUnit.SECONDS);
            }
            if (cancelled || isRuledOut()) {
                throw new Gone();
            }
            seq += skippedNumbers + 1;
            skippedNumbers = 0;
            message.setBootId(bootId).setSeq(seq).setDropped(droppedCount);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new Gone();
        } finally {
            lock.unlock();
        }
        if (!message.hasObservedAt()) {
            message.setObservedAt(Times.wire(clock.instant()));
        }
        client.onNext(message.build());
        sentNanos = System.nanoTime();
    }

    private int deviceCount() {
        return (int) fleet.devices().keySet().stream()
                .filter(id -> scope.of(id).isPresent())
                .count();
    }
}
