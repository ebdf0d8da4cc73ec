package dev.lightpath.app.driver;

import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One run of a driver's stream: watches its numbering, its boot id and its pulse. Everything is told to the link
 * together with this stream, so that what comes late from a stream that was given up is told apart.
 */
final class WatchStream implements ClientResponseObserver<WatchRequest, WatchResponse> {
    /** The reader of the stream. */
    interface Reader {
        /** The next message, in order. */
        void heard(WatchStream stream, WatchResponse message);

        /** Messages are missing before the one that is heard next. */
        void missed(WatchStream stream, long messages);

        /** The stream ended, or another run of the driver speaks on it. */
        void ended(WatchStream stream, Throwable why);
    }

    private final Reader reader;
    private final String bootId;
    private @Nullable ClientCallStreamObserver<WatchRequest> call;
    private boolean cancelled;
    private long lastSeq;
    private volatile long heardAtNanos = System.nanoTime();

    /** @param bootId of the run of the driver that was greeted */
    WatchStream(Reader reader, String bootId) {
        this.reader = reader;
        this.bootId = bootId;
    }

    /** Asks for all devices, and everything about them that is acted on. */
    static WatchRequest everything(Duration heartbeat) {
        return WatchRequest.newBuilder()
                .addKinds(StreamKind.STREAM_KIND_CIRCUITS)
                .addKinds(StreamKind.STREAM_KIND_PORTS)
                .addKinds(StreamKind.STREAM_KIND_RECEIVE_POWER)
                .addKinds(StreamKind.STREAM_KIND_ALARMS)
                .setHeartbeatInterval(com.google.protobuf.Duration.newBuilder()
                        .setSeconds(heartbeat.getSeconds())
                        .setNanos(heartbeat.getNano()))
                .setClientName("lightpath-operator")
                .build();
    }

    @Override
    public synchronized void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
        call = stream;
    }

    @Override
    public void onNext(WatchResponse message) {
        heardAtNanos = System.nanoTime();
        if (!message.getBootId().equals(bootId)) {
            reader.ended(
                    this,
                    new IllegalStateException(
                            "driver started again: boot " + message.getBootId() + " after " + bootId));
            return;
        }
        if (message.getSeq() <= lastSeq) {
            return; // delivered twice
        }
        if (message.getSeq() != lastSeq + 1) {
            reader.missed(this, message.getSeq() - lastSeq - 1);
        }
        lastSeq = message.getSeq();
        reader.heard(this, message);
    }

    @Override
    public void onError(Throwable failure) {
        reader.ended(this, failure);
    }

    @Override
    public void onCompleted() {
        reader.ended(this, new IllegalStateException("driver ended the stream"));
    }

    /** Since when nothing was heard. */
    Duration silence() {
        return Duration.ofNanos(System.nanoTime() - heardAtNanos);
    }

    void cancel() {
        ClientCallStreamObserver<WatchRequest> running;
        synchronized (this) {
            running = cancelled ? null : call;
            cancelled = true;
        }
        if (running != null) {
            running.cancel("given up", null);
        }
    }
}
