package dev.lightpath.app.solving;

import dev.lightpath.app.BackgroundThread;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.planner.delta.search.SearchLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One try to answer a question, on a thread of its own: by the search, or instead of it by circuits that need none. */
final class Solve {
    static final String FAILED = "the choice of circuits failed: ";
    private static final String BY_TRAFFIC = "-by-traffic";

    /** Bounds and simulations: far more than any time limit leaves room for, so that time decides. */
    private static final long MOST_NODES = 1L << 40;

    /** How a thread ended. */
    sealed interface Outcome {
        record Answer(TopologyAnswer answer) implements Outcome {}

        record Crash(Throwable cause) implements Outcome {}
    }

    private final TopologyQuestion question;
    private final TopologyPlanner planner;
    private final Optional<String> why;
    private final LongSupplier nanoTime;
    private long beganNanos;
    private volatile boolean dropped;
    private volatile long droppedNanos;
    private @Nullable Thread thread;

    Solve(TopologyQuestion question, TopologyPlanner planner, LongSupplier nanoTime) {
        this(question, planner, Optional.empty(), nanoTime);
    }

    private Solve(TopologyQuestion question, TopologyPlanner planner, Optional<String> why, LongSupplier nanoTime) {
        this.question = question;
        this.planner = planner;
        this.why = why;
        this.nanoTime = nanoTime;
        this.beganNanos = nanoTime.getAsLong();
    }

    /** The answer without a search. */
    Solve instead(String reason) {
        return new Solve(question, planner, Optional.of(FAILED + reason), nanoTime);
    }

    TopologyQuestion question() {
        return question;
    }

    String digest() {
        return question.digest();
    }

    /** What {@link SearchMarks} name it by: circuits by traffic end a process for other reasons than a search does. */
    String mark() {
        return isInstead() ? digest() + BY_TRAFFIC : digest();
    }

    boolean isInstead() {
        return why.isPresent();
    }

    /** The answer to what is not searched any more and for which nothing else is computed. */
    TopologyAnswer none() {
        return new TopologyAnswer.Failed(why.orElse(FAILED + "it cannot be searched"), Optional.empty());
    }

    /**
     * @param marks where the thread says what it searches, as long as it does
     * @param ended told from the thread, whatever happens on it
     */
    void start(SearchMarks marks, Consumer<Outcome> ended) {
        beganNanos = nanoTime.getAsLong();
        Thread own = BackgroundThread.of("solver-search-" + question.digest(), () -> ended.accept(marked(marks)));
        thread = own;
        own.start();
    }

    private Outcome marked(SearchMarks marks) {
        marks.begin(mark());
        Outcome outcome = outcome();
        marks.end(mark(), outcome instanceof Outcome.Answer && !dropped);
        return outcome;
    }

    private Outcome outcome() {
        try {
            return new Outcome.Answer(
                    why.isPresent()
                            ? question.unsolved(why.get())
                            : question.answer(
                                    planner,
                                    SearchLimits.standard()
                                            .withNodes(MOST_NODES)
                                            .stoppingWhen(this::isOver)));
        } catch (RuntimeException | Error e) {
            return new Outcome.Crash(e);
        }
    }

    private boolean isOver() {
        return dropped
                || nanoTime.getAsLong() - beganNanos > question.timeLimit().toNanos();
    }

    /** Nobody asks any more. */
    void drop(long nowNanos) {
        if (!dropped) {
            droppedNanos = nowNanos;
            dropped = true;
        }
    }

    boolean dropped() {
        return dropped;
    }

    /** Whether it goes on although it should have ended before the grace. */
    boolean isOverdue(long nowNanos, Duration grace) {
        long late = nowNanos - beganNanos - question.timeLimit().toNanos();
        if (dropped) {
            late = Math.max(late, nowNanos - droppedNanos);
        }
        return late > grace.toNanos();
    }

    /** Why it was left alone. */
    String overdue(Duration grace) {
        return "it did not stop " + grace.toSeconds() + " s after its time limit of "
                + question.timeLimit().toSeconds() + " s";
    }

    /** Nobody waits for its thread any more. Java can end none; one that waits for something ends by this. */
    void abandon() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    Duration elapsed(long nowNanos) {
        return Duration.ofNanos(nowNanos - beganNanos);
    }
}
