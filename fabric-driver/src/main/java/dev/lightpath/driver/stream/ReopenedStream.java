package dev.lightpath.driver.stream;

import dev.lightpath.driver.tls.CallFailure;
import dev.lightpath.driver.tls.ExpiredCertificate;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream of messages that is opened again whenever it ends, until closed. One thread opens it and takes in its
 * messages. A stream that says nothing for four heartbeats is ended: a half-open connection does not even say that it
 * is gone.
 */
public final class ReopenedStream<M> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReopenedStream.class);
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 500;
    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final Duration LONGEST_SILENCE = BEAT.multipliedBy(4);
    /** A stream that is back within this time was never away: one lost packet is not the death of every device. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** How often the peer is asked to say something. */
    public static final com.google.protobuf.Duration HEARTBEAT = com.google.protobuf.Duration.newBuilder()
            .setSeconds(BEAT.toSeconds())
            .build();

    /** Who opens the stream and takes in what it says, on the stream's thread. */
    public interface Reader<M> {
        /** Opens the stream by a blocking call. */
        Iterator<M> open();

        void take(M message);

        /** The stream is away for longer than the grace. Told after each failed attempt to open it. */
        void lost(String why);

        /** The stream said nothing for too long, and is about to be ended. Told on a thread of its own. */
        default void silent() {}

        /** Once a heartbeat, on a thread of its own. */
        default void beat() {}
    }

    private final String peer;
    private final Reader<M> reader;
    private final Thread thread;
    private final AtomicReference<Context.@Nullable CancellableContext> open = new AtomicReference<>();
    /** Since when the stream's thread waits for a message; 0 while it takes one in, however long that takes. */
    private volatile long waitingSinceNanos;

    private volatile boolean closed;
    private long lostSinceNanos;
    private long pauseMillis = FIRST_PAUSE_MILLIS;

    /**
     * Does nothing before {@link #start}.
     *
     * @param name of its threads and in the log
     * @param peer as sentences name it
     */
    public ReopenedStream(String name, String peer, Reader<M> reader) {
        this.peer = peer;
        this.reader = reader;
        this.thread = Thread.ofPlatform().name(name).daemon(true).unstarted(this::run);
    }

    public void start() {
        thread.start();
        Thread.ofVirtual().name(thread.getName() + "-watchdog").start(this::watchOver);
    }

    /** The peer has listed everything: the next attempt to open the stream does not wait long. */
    public void settled() {
        pauseMillis = FIRST_PAUSE_MILLIS;
    }

    /** Ends the stream, which is opened again: it begins anew with all there is. */
    public void again() {
        Context.CancellableContext context = open.get();
        if (context != null) {
            context.cancel(new IllegalStateException("the stream is to begin anew"));
        }
    }

    private void watchOver() {
        while (!closed) {
            try {
                Thread.sleep(BEAT);
            } catch (InterruptedException stopping) {
                return;
            }
            endIfSilent();
            reader.beat();
        }
    }

    private void endIfSilent() {
        Context.CancellableContext context = open.get();
        long since = waitingSinceNanos;
        if (context != null && since != 0 && System.nanoTime() - since > LONGEST_SILENCE.toNanos()) {
            reader.silent();
            context.cancel(new IllegalStateException(peer + "'s stream fell silent"));
        }
    }

    private void run() {
        while (!closed) {
            try {
                read();
                lost(peer + " ended the stream");
            } catch (StatusRuntimeException ended) {
                String why = ExpiredCertificate.line(ended.getStatus().getCause())
                        .orElseGet(() -> CallFailure.line(ended.getStatus()));
                boolean reached = ended.getStatus().getCode() != Status.Code.UNAVAILABLE;
                lost(reached ? peer + " ended the stream with " + why : why);
            } catch (RuntimeException bug) {
                LOG.atError()
                        .setCause(bug)
                        .addKeyValue("stream", thread.getName())
                        .log(peer + "'s stream is not understood; opening it again");
                lost(String.valueOf(bug));
            }
            pause();
        }
    }

    private void read() {
        Context.CancellableContext context = Context.ROOT.withCancellation();
        waitingSinceNanos = System.nanoTime() | 1;
        open.set(context);
        Context before = context.attach();
        try {
            Iterator<M> messages = reader.open();
            while (messages.hasNext()) {
                waitingSinceNanos = 0;
                lostSinceNanos = 0;
                reader.take(messages.next());
                waitingSinceNanos = System.nanoTime() | 1;
            }
        } finally {
            open.set(null);
            context.detach(before);
            context.cancel(null);
        }
    }

    private void lost(String why) {
        if (lostSinceNanos == 0) {
            lostSinceNanos = System.nanoTime() | 1;
        } else if (!closed && System.nanoTime() - lostSinceNanos > GRACE.toNanos()) {
            reader.lost(why);
        }
    }

    private void pause() {
        try {
            Thread.sleep(pauseMillis);
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        Context.CancellableContext context = open.get();
        if (context != null) {
            context.cancel(null);
        }
        thread.interrupt();
    }
}
