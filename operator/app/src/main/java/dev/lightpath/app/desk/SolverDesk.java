package dev.lightpath.app.desk;

import dev.lightpath.app.loop.Desk;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.SearchLimits;
import dev.lightpath.planner.delta.TopologyPlanner;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few threads that answer questions, each within its time limit. An answer is remembered as long as it is among the last
 * thousand; a failure of the solver only for a minute, then it is tried again.
 */
public final class SolverDesk implements Desk, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SolverDesk.class);
    private static final int THREADS = 2;
    private static final int MOST_REMEMBERED = 1024;

    /** Bounds and simulations: far more than any time limit leaves room for, so that time decides. */
    private static final long MOST_NODES = 1L << 40;

    private static final Duration FAILURE_REMEMBERED = Duration.ofMinutes(1);

    private final TopologyPlanner planner;
    private final Runnable answered;
    private final LongSupplier nanoTime;
    private final ExecutorService workers;
    private final Map<String, AtomicBoolean> open = new HashMap<>();
    private final Map<String, Long> failedAtNanos = new HashMap<>();
    private final Map<String, TopologyAnswer> known = new LinkedHashMap<>(64, 0.75f, true);
    private SortedMap<String, TopologyAnswer> shown = Collections.emptySortedMap();
    private boolean closed;

    /**
     * @param answered run from any thread after each answer
     * @param nanoTime as {@link System#nanoTime}
     */
    public SolverDesk(TopologyPlanner planner, Runnable answered, LongSupplier nanoTime) {
        this.planner = planner;
        this.answered = answered;
        this.nanoTime = nanoTime;
        this.workers = Executors.newFixedThreadPool(
                THREADS,
                Thread.ofPlatform()
                        .name("solver-desk-", 0)
                        .daemon(true)
                        .priority(Thread.MIN_PRIORITY)
                        .factory());
    }

    @Override
    public synchronized SortedMap<String, TopologyAnswer> answers() {
        return shown;
    }

    @Override
    public synchronized void ask(SortedMap<String, TopologyQuestion> questions) {
        forgetFailures();
        open.forEach((digest, dropped) -> {
            if (!questions.containsKey(digest)) {
                dropped.set(true);
            }
        });
        questions.forEach((digest, question) -> {
            if (!closed && !open.containsKey(digest) && !known.containsKey(digest)) {
                AtomicBoolean dropped = new AtomicBoolean();
                open.put(digest, dropped);
                workers.execute(() -> work(digest, question, dropped));
            }
        });
    }

    private void forgetFailures() {
        long now = nanoTime.getAsLong();
        Set<String> old = new HashSet<>();
        failedAtNanos.forEach((digest, at) -> {
            if (now - at > FAILURE_REMEMBERED.toNanos()) {
                old.add(digest);
            }
        });
        if (!old.isEmpty()) {
            failedAtNanos.keySet().removeAll(old);
            known.keySet().removeAll(old);
            show();
        }
    }

    private void work(String digest, TopologyQuestion question, AtomicBoolean dropped) {
        if (dropped.get()) {
            drop(digest);
            return;
        }
        long began = nanoTime.getAsLong();
        long limit = question.timeLimit().toNanos();
        SearchLimits limits = SearchLimits.standard()
                .withNodes(MOST_NODES)
                .stoppingWhen(() -> dropped.get() || nanoTime.getAsLong() - began > limit);
        TopologyAnswer answer;
        boolean failed = false;
        try {
            answer = question.answer(planner, limits);
        } catch (RuntimeException | Error e) {
            LOG.atError().addKeyValue("question", digest).setCause(e).log("the choice of circuits failed");
            answer = new TopologyAnswer.None("the choice of circuits failed: " + e + "; it is tried again in a minute");
            failed = true;
        }
        if (dropped.get()) {
            drop(digest);
            return;
        }
        remember(digest, answer, failed);
        LOG.atInfo()
                .addKeyValue("question", digest)
                .addKeyValue("answer", answer)
                .addKeyValue("milliseconds", (nanoTime.getAsLong() - began) / 1_000_000)
                .log("circuits chosen");
        answered.run();
    }

    /** Somebody may have asked again while it was being dropped: the next pass begins it anew. */
    private void drop(String digest) {
        synchronized (this) {
            open.remove(digest);
        }
        answered.run();
    }

    private synchronized void remember(String digest, TopologyAnswer answer, boolean failed) {
        open.remove(digest);
        known.put(digest, answer);
        if (failed) {
            failedAtNanos.put(digest, nanoTime.getAsLong());
        }
        while (known.size() > MOST_REMEMBERED) {
            known.remove(known.keySet().iterator().next());
        }
        show();
    }

    private void show() {
        shown = Collections.unmodifiableSortedMap(new TreeMap<>(known));
    }

    /** Stops what runs; its answers are nobody's any more. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            open.values().forEach(dropped -> dropped.set(true));
        }
        workers.shutdownNow();
    }
}
