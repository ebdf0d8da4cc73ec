package dev.lightpath.sim.wire;

import dev.lightpath.proto.emulator.v1alpha1.DeviceEvent;
import dev.lightpath.proto.emulator.v1alpha1.Heartbeat;
import dev.lightpath.proto.emulator.v1alpha1.Synced;
import dev.lightpath.proto.emulator.v1alpha1.WatchResponse;
import dev.lightpath.sim.core.fault.FaultKind;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayDeque;
import java.util.BitSet;

/**
 * One stream with a bounded buffer. A device is either up to date on it, its events queued one by one, or owed a
 * snapshot; what happens to it until then is in that snapshot.
 */
final class Watcher {
    private static final int BUFFERED_EVENTS = 8192;
    private static final int MESSAGES_AT_ONCE = 256;

    private final ServerCallStreamObserver<WatchResponse> out;
    private final BitSet devices;
    private final boolean named;
    private final long heartbeatNanos;
    private final String bootId;
    private final Codec codec;
    private final Calls calls;
    private final ArrayDeque<Queued> events = new ArrayDeque<>();
    private final BitSet owed;
    private boolean syncing = true;
    private long seq;
    private long dropped;
    private long lastSentNanoTime = System.nanoTime();
    private boolean ended;

    private record Queued(int device, DeviceEvent event) {}

    Watcher(
            ServerCallStreamObserver<WatchResponse> out,
            BitSet devices,
            boolean named,
            long heartbeatNanos,
            String bootId,
            Codec codec,
            Calls calls) {
        this.out = out;
        this.devices = devices;
        this.named = named;
        this.heartbeatNanos = heartbeatNanos;
        this.bootId = bootId;
        this.codec = codec;
        this.calls = calls;
        owed = (BitSet) devices.clone();
    }

    boolean watches(int device) {
        return devices.get(device);
    }

    /** Whether this stream is about a device, or about all with -1. */
    boolean concerns(int device) {
        return device < 0 || (named && devices.get(device));
    }

    boolean ended() {
        return ended || out.isCancelled();
    }

    void offer(int device, DeviceEvent event) {
        if (owed.get(device)) {
            return;
        }
        if (events.size() >= BUFFERED_EVENTS || silenced(device)) {
            dropped++;
            owe(device);
            return;
        }
        events.add(new Queued(device, event));
    }

    /** A snapshot of a device is due. */
    void owe(int device) {
        owed.set(device);
        syncing = true;
    }

    /**
     * Sends what the reader has room for.
     *
     * @return whether there is more to send at once
     */
    boolean drain() {
        for (int sent = 0; sent < MESSAGES_AT_ONCE; sent++) {
            if (ended() || !out.isReady() || silenced(-1)) {
                return false;
            }
            if (!sendNext()) {
                return false;
            }
        }
        return true;
    }

    void heartbeat(long nowNanos) {
        if (!ended() && out.isReady() && !silenced(-1) && System.nanoTime() - lastSentNanoTime >= heartbeatNanos) {
            send(WatchResponse.newBuilder().setHeartbeat(Heartbeat.newBuilder().setAt(codec.at(nowNanos))));
        }
    }

    void end(Status status) {
        if (!ended()) {
            ended = true;
            out.onError(new StatusException(status));
        }
    }

    private boolean sendNext() {
        Queued next = events.poll();
        if (next != null) {
            if (silenced(next.device)) {
                dropped++;
                owe(next.device);
            } else {
                send(WatchResponse.newBuilder().setEvent(next.event));
            }
            return true;
        }
        int device = owed.nextSetBit(0);
        while (device >= 0 && silenced(device)) {
            device = owed.nextSetBit(device + 1);
        }
        if (device >= 0) {
            owed.clear(device);
            send(WatchResponse.newBuilder().setSnapshot(codec.snapshot(device)));
            return true;
        }
        if (syncing && owed.isEmpty()) {
            syncing = false;
            send(WatchResponse.newBuilder().setSynced(Synced.newBuilder().setDeviceCount(devices.cardinality())));
            return true;
        }
        return false;
    }

    private boolean silenced(int device) {
        return calls.faulty(device, FaultKind.CALL_HALF_OPEN);
    }

    private void send(WatchResponse.Builder message) {
        lastSentNanoTime = System.nanoTime();
        out.onNext(message.setEmulatorBootId(bootId)
                .setStreamSeq(++seq)
                .setDropped(dropped)
                .build());
    }
}
