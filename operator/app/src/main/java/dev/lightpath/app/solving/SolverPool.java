package dev.lightpath.app.solving;

import dev.lightpath.app.loop.Solving;
import dev.lightpath.app.loop.SolvingMeter;
import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.delta.SearchFailed;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.planner.delta.simulation.BuiltIteration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions, two at a time and up to two more beside those that take long, in turns between namespaces
 * ({@link SearchTurns}), each on a thread of its own and within its time limit. One more place is for repairs. A solve
 * that does not stop when it is asked to is left alone after a grace; one that does not stop or crashes is answered by
 * circuits that follow the traffic, told, and tried again later and later (ADR 64). An answer is remembered as long as
 * it is among the last eight thousand: several for each of more jobs than a fabric is made for.
 */
public final class SolverPool implements Solving, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SolverPool.class);
    private static final int MOST_AT_ONCE = 2;

    /** So many that take long leave their place to others, whose jobs may wait for a repair. */
    private static final int MOST_LONG = 2;

    /** From here on a search takes long. */
    static final Duration LONG = Duration.ofSeconds(1);

    private static final int MOST_REMEMBERED = 8192;

    /** Of the iterations that answers bring along. */
    private static final long MOST_BYTES = 32L << 20;

    /** Threads that do not stop: from here on nothing is searched. */
    static final int MOST_ABANDONED = 4;

    /** Threads that do not stop or may not: none is begun beyond these, not even for circuits by traffic. */
    static final int MOST_THREADS = 2 * MOST_ABANDONED;

    /** Processes, one after the other, that may end during a search before the next one takes it for a failure. */
    private static final int MOST_ENDS = 1;

    private static final String ENDED =
            "the operator ended again and again while it searched this, or something else at the same time: see the log of its previous"
                    + " container; if memory ran out, raise resources.limits.memory";

    /** For the way out of a search, on a machine that has others to do. */
    public static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final Duration FIRST_RETRY = Duration.ofMinutes(1);
    private static final Duration LAST_RETRY = Duration.ofHours(1);

    /** A failure of a question, and how many there were one after the other. */
    private record Failure(int count, long atNanos) {
        boolean isOver(long nowNanos) {
            return nowNanos - atNanos > pause().toNanos();
        }

        Duration pause() {
            Duration pause = FIRST_RETRY.multipliedBy(1L << Math.min(count - 1, 10));
            return pause.compareTo(LAST_RETRY) < 0 ? pause : LAST_RETRY;
        }
    }

    private final TopologyPlanner planner;
    private final Runnable answered;
    private final SolvingMeter meter;
    private final AbandonedSearches abandoned;
    private final SearchMarks marks;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService watch;
    private final SearchTurns waiting = new SearchTurns();
    /** By the last pass, by digest. */
    private SortedMap<String, Asked> asked = Collections.emptySortedMap();

    private final Map<String, Solve> running = new HashMap<>();
    private final Map<String, Failure> failures = new HashMap<>();
    private final SequencedMap<String, TopologyAnswer> known = new LinkedHashMap<>(64, 0.75f, true);
    private SortedMap<String, TopologyAnswer> shown = Collections.emptySortedMap();
    private boolean closed;

    /**
     * @param answered run from any thread after each answer
     * @param abandoned those of the process, which outlive a pool
     * @param marks what was searched when processes before this one ended
     * @param nanoTime as {@link System#nanoTime}
     */
    public SolverPool(
            TopologyPlanner planner,
            Runnable answered,
            SolvingMeter meter,
            AbandonedSearches abandoned,
            SearchMarks marks,
            LongSupplier nanoTime) {
        this.planner = planner;
        this.answered = answered;
        this.meter = meter;
        this.abandoned = abandoned;
        this.marks = marks;
        this.nanoTime = nanoTime;
        this.watch = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("solver-watch").daemon(true).factory());
    }

    @Override
    public synchronized SortedMap<String, TopologyAnswer> answers() {
        return shown;
    }

    @Override
    public synchronized void ask(SortedMap<String, Asked> questions) {
        if (closed) {
            return;
        }
        waiting.retain(questions);
        asked = questions;
        running.forEach((digest, solve) -> {
            if (!questions.containsKey(digest)) {
                solve.drop(nanoTime.getAsLong());
            }
        });
        questions.forEach((digest, question) -> {
            if (!running.containsKey(digest) && isOpen(digest)) {
                waiting.add(digest, question);
            }
        });
        begin();
    }

    private boolean isOpen(String digest) {
        Failure failure = failures.get(digest);
        return failure == null
                ? !known.containsKey(digest)
                : failure.isOver(nanoTime.getAsLong()) && !abandoned.hangs(digest, nanoTime.getAsLong());
    }

    private void begin() {
        while (!closed && !waiting.isEmpty()) {
            Optional<String> next = waiting.next(underWay(), room());
            if (next.isEmpty()) {
                return;
            }
            String digest = next.get();
            Solve solve = new Solve(Objects.requireNonNull(asked.get(digest)).question(), planner, nanoTime);
            if (abandoned.hangs(digest, nanoTime.getAsLong())) {
                begin(digest, solve.instead("a search for it has not stopped"));
            } else if (marks.ends(digest) > MOST_ENDS && !failures.containsKey(digest)) {
                begin(digest, solve.instead(ENDED));
            } else if (abandoned.late(nanoTime.getAsLong()) < MOST_ABANDONED) {
                begin(digest, solve);
            } else {
                begin(
                        digest,
                        solve.instead("searches before it have not stopped; restart the operator to be rid of them"));
            }
        }
    }

    /** What runs; what is being dropped holds its place for nobody. */
    private List<Asked> underWay() {
        List<Asked> underWay = new ArrayList<>();
        running.forEach((digest, solve) -> underWay.add(Optional.ofNullable(asked.get(digest))
                .orElseGet(() -> Asked.by("", Asked.Urgency.NEEDED, solve.question()))));
        return underWay;
    }

    /**
     * How many may run, so that no more than the most are left alone even if none of them stops. Beyond them, answers
     * take no thread.
     */
    private int room() {
        int threads = abandoned.threads();
        int left = (threads < MOST_ABANDONED ? MOST_ABANDONED : MOST_THREADS) - threads;
        long nowNanos = nanoTime.getAsLong();
        long takingLong = running.values().stream()
                .filter(solve -> solve.elapsed(nowNanos).compareTo(LONG) > 0)
                .count();
        int most = MOST_AT_ONCE + (int) Math.min(MOST_LONG, takingLong);
        return left > 0 ? Math.min(most, left) : most;
    }

    private void begin(String digest, Solve solve) {
        boolean ends = solve.isInstead() && marks.ends(solve.mark()) > MOST_ENDS;
        boolean allowed = !ends && abandoned.threads() + running.size() < MOST_THREADS;
        running.put(digest, solve);
        if (!allowed) {
            // told from elsewhere, since whoever listens may not be called under our lock
            watch.execute(() -> ended(digest, solve, new Solve.Outcome.Answer(solve.none())));
            return;
        }
        try {
            solve.start(marks, outcome -> ended(digest, solve, outcome));
        } catch (OutOfMemoryError e) {
            // no thread is to be had
            watch.execute(() -> ended(digest, solve, new Solve.Outcome.Crash(e)));
        }
        look(digest, solve);
    }

    private void look(String digest, Solve solve) {
        watch.schedule(
                () -> {
                    try {
                        watch(digest, solve);
                    } catch (RuntimeException | Error e) {
                        LOG.atError()
                                .addKeyValue("question", digest)
                                .setCause(e)
                                .log("a search is not watched any more");
                    }
                },
                BETWEEN_LOOKS.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void watch(String digest, Solve solve) {
        boolean news;
        synchronized (this) {
            if (closed || running.get(digest) != solve) {
                return;
            }
            if (!solve.isOverdue(nanoTime.getAsLong(), GRACE)) {
                look(digest, solve);
                begin();
                return;
            }
            running.remove(digest);
            leave(solve, nanoTime.getAsLong());
            LOG.atError()
                    .addKeyValue("question", digest)
                    .addKeyValue("abandoned", abandoned.threads())
                    .log("a choice of circuits did not stop and was left alone");
            news = solve.dropped() ? dropped() : failed(digest, solve, solve.overdue(GRACE));
        }
        if (news) {
            answered.run();
        }
    }

    private void leave(Solve solve, long lateFromNanos) {
        abandoned.add(solve, lateFromNanos);
        solve.abandon();
    }

    /** A thread has ended, by an answer or by what it died of. */
    private void ended(String digest, Solve solve, Solve.Outcome outcome) {
        boolean news;
        synchronized (this) {
            if (running.get(digest) != solve) {
                abandoned.ended(solve);
                return;
            }
            running.remove(digest);
            news = solve.dropped()
                    ? dropped()
                    : switch (outcome) {
                        case Solve.Outcome.Answer answer -> remember(digest, solve, answer.answer());
                        case Solve.Outcome.Crash(SearchFailed elsewhere) -> {
                            LOG.atWarn()
                                    .addKeyValue("question", digest)
                                    .log("a choice of circuits failed: " + elsewhere.getMessage());
                            yield failed(digest, solve, String.valueOf(elsewhere.getMessage()));
                        }
                        case Solve.Outcome.Crash crash -> {
                            LOG.atError()
                                    .addKeyValue("question", digest)
                                    .setCause(crash.cause())
                                    .log("a choice of circuits crashed");
                            yield failed(
                                    digest,
                                    solve,
                                    "it crashed by " + crash.cause().getClass().getSimpleName());
                        }
                    };
        }
        if (news) {
            answered.run();
        }
    }

    /** Somebody may have asked again while it was being dropped: the next pass begins it anew. */
    private boolean dropped() {
        begin();
        return true;
    }

    /**
     * What the search could not, a thread of its own can: circuits by traffic. If not even that, there are none.
     *
     * @return whether there is an answer
     */
    private boolean failed(String digest, Solve solve, String why) {
        if (solve.isInstead()) {
            return remember(digest, solve, solve.none());
        }
        begin(digest, solve.instead(why));
        return false;
    }

    private boolean remember(String digest, Solve solve, TopologyAnswer answer) {
        known.put(digest, answer);
        if (answer instanceof TopologyAnswer.Failed) {
            Failure failure = new Failure(
                    Optional.ofNullable(failures.get(digest))
                                    .map(Failure::count)
                                    .orElse(Math.max(0, marks.ends(digest) - MOST_ENDS - 1))
                            + 1,
                    nanoTime.getAsLong());
            failures.put(digest, failure);
            watch.schedule(answered, failure.pause().toMillis() + 1, TimeUnit.MILLISECONDS);
        } else {
            failures.remove(digest);
        }
        holdIterations(known, MOST_BYTES);
        forgotten(known).forEach(failures::remove);
        shown = Collections.unmodifiableSortedMap(new TreeMap<>(known));
        Duration elapsed = solve.elapsed(nanoTime.getAsLong());
        meter.solved(answer, elapsed);
        LOG.atInfo()
                .addKeyValue("question", digest)
                .addKeyValue("answer", answer)
                .addKeyValue("milliseconds", elapsed.toMillis())
                .log("circuits chosen");
        begin();
        return true;
    }

    /** Of the latest answers as much as there is room for: passes hold what they use (ADR 64). */
    static void holdIterations(SequencedMap<String, TopologyAnswer> answers, long most) {
        long bytes = 0;
        for (Map.Entry<String, TopologyAnswer> each :
                answers.sequencedEntrySet().reversed()) {
            long of = each.getValue().built().map(BuiltIteration::bytes).orElse(0L);
            if (bytes + of > most) {
                each.setValue(each.getValue().bare());
            } else {
                bytes += of;
            }
        }
    }

    /** The oldest of more answers than are remembered, which are taken out. */
    static List<String> forgotten(SequencedMap<String, TopologyAnswer> answers) {
        List<String> oldest = new ArrayList<>();
        while (answers.size() > MOST_REMEMBERED) {
            String first = answers.keySet().iterator().next();
            answers.remove(first);
            oldest.add(first);
        }
        return oldest;
    }

    /** Stops what runs; its answers are nobody's any more. */
    @Override
    public synchronized void close() {
        closed = true;
        waiting.clear();
        long nowNanos = nanoTime.getAsLong();
        running.values().forEach(solve -> {
            solve.drop(nowNanos);
            leave(solve, nowNanos + GRACE.toNanos());
        });
        running.clear();
        watch.shutdownNow();
    }
}
