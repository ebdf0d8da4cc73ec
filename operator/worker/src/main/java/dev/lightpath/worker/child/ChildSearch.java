package dev.lightpath.worker.child;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lightpath.proto.solver.v1alpha1.Question;
import dev.lightpath.proto.solver.v1alpha1.Solution;
import dev.lightpath.worker.wire.SearchCodec;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One search in a process of its own. Thread-safe. */
public final class ChildSearch {
    private static final long POLL_MILLIS = 20;

    /** 128 and the signal KILL. */
    private static final int KILLED = 137;

    /** How the process ended. */
    public sealed interface Outcome {
        /** By a solution, which nobody has checked. */
        record Solved(Solution solution) implements Outcome {}

        /** The question was none. */
        record Refused(String why) implements Outcome {}

        /** There was no process: the machine has none to give. */
        record NotStarted(String why) implements Outcome {}

        /** Without an answer, by itself. */
        record Ended(String how) implements Outcome {}

        /** By somebody on its machine, as by the kernel where memory is short. */
        record Lost(String how) implements Outcome {}

        /** We ended it: it did not stop in time. */
        record Late(String why) implements Outcome {}

        /** We ended it: nobody waits for its answer. */
        record Killed() implements Outcome {}
    }

    private final List<String> command;
    private final Duration longest;
    private final Duration grace;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean written;
    private volatile boolean killed;

    /**
     * @param command starts the process
     * @param longest after which it is ended, whoever waits for it
     * @param grace how long it may take to give its best answer once it is asked to stop
     */
    public ChildSearch(List<String> command, Duration longest, Duration grace) {
        this.command = List.copyOf(command);
        this.longest = longest;
        this.grace = grace;
    }

    /** Asks for the best answer so far; also before the process is started. */
    public void stop() {
        stopped.countDown();
    }

    /** Ends the process; also before it is started. */
    public void kill() {
        killed = true;
    }

    /**
     * Starts the process and waits for its end; it is gone when this returns. Once for each search.
     *
     * @param question is taken out, so that a search which runs does not hold it
     */
    public Outcome run(AtomicReference<@Nullable Question> question) {
        Process child;
        try {
            child = new ProcessBuilder(command).start();
        } catch (IOException e) {
            return new Outcome.NotStarted("its process did not start: " + e.getMessage());
        }
        try {
            CompletableFuture<String> complaint = reading(() -> lastLine(child.getErrorStream()));
            // on a thread of its own: a process that does not read its question would hold us up
            Thread.ofVirtual().start(() -> tell(child.getOutputStream(), question));
            CompletableFuture<byte[]> answer = reading(() -> bytes(child.getInputStream()));
            return await(child, answer, complaint);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome.Killed();
        } finally {
            child.destroyForcibly();
            awaitEnd(child);
            stopped.countDown();
        }
    }

    private Outcome await(Process child, CompletableFuture<byte[]> answer, CompletableFuture<String> complaint)
            throws InterruptedException {
        long began = System.nanoTime();
        long asked = 0;
        while (!child.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            long now = System.nanoTime();
            if (killed) {
                return new Outcome.Killed();
            }
            if (now - began > longest.toNanos()) {
                return new Outcome.Late("it took longer than " + longest.toSeconds() + " s, the most of a worker");
            }
            if (written && stopped.getCount() == 0 && asked == 0) {
                asked = now;
            }
            if (asked != 0 && now - asked > grace.toNanos()) {
                return new Outcome.Late("it did not stop " + grace.toMillis() + " ms after it was asked to");
            }
        }
        int code = child.exitValue();
        if (code == SearchChild.NO_QUESTION) {
            return new Outcome.Refused(complaint.join());
        }
        if (code == KILLED) {
            return new Outcome.Lost("its process was killed: " + complaint.join());
        }
        if (code != 0) {
            return new Outcome.Ended("its process ended with code " + code + ": " + complaint.join());
        }
        try {
            return new Outcome.Solved(Solution.parseFrom(answer.join()));
        } catch (InvalidProtocolBufferException e) {
            return new Outcome.Ended("its process wrote no solution: " + e.getMessage());
        }
    }

    /** Not by {@link Process#onExit}: it needs a thread of the common pool, which others may hold. */
    private static void awaitEnd(Process child) {
        boolean interrupted = false;
        while (child.isAlive()) {
            try {
                child.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> CompletableFuture<T> reading(Supplier<T> what) {
        CompletableFuture<T> read = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> read.complete(what.get()));
        return read;
    }

    /** The question first, whole; then, once somebody stops the search, the end of standard input. */
    private void tell(OutputStream to, AtomicReference<@Nullable Question> question) {
        try (to) {
            ask(to, question);
            written = true;
            stopped.await();
        } catch (IOException gone) {
            // its exit code tells more
        } catch (InterruptedException never) {
            Thread.currentThread().interrupt();
        }
    }

    private static void ask(OutputStream to, AtomicReference<@Nullable Question> question) throws IOException {
        Question asked = Objects.requireNonNull(question.getAndSet(null), "the question of this search");
        BufferedOutputStream out = new BufferedOutputStream(to, 1 << 16);
        asked.writeDelimitedTo(out);
        out.flush();
    }

    private static byte[] bytes(InputStream from) {
        try {
            return from.readNBytes(SearchCodec.MOST_SOLUTION_BYTES);
        } catch (IOException gone) {
            return new byte[0];
        }
    }

    private static String lastLine(InputStream from) {
        String last = "it said nothing";
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    last = line.strip();
                }
            }
        } catch (IOException gone) {
            // what was read before tells enough
        }
        return last;
    }
}
