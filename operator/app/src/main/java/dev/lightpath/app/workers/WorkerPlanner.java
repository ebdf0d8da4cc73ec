package dev.lightpath.app.workers;

import dev.lightpath.app.workers.WorkersMeter.Ending;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.SearchFailed;
import dev.lightpath.planner.delta.SquareRootPlanner;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.proto.solver.v1alpha1.Question;
import dev.lightpath.worker.wire.SearchCodec;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has searches run by workers, one after the other until one has an answer that is right. If none takes a search for a
 * while, it runs here. Searches look for a place in the order in which they came. Thread-safe.
 */
final class WorkerPlanner implements TopologyPlanner, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPlanner.class);
    private static final Duration AWAY_ASIDE = Duration.ofSeconds(5);
    private static final Duration WRONG_ASIDE = Duration.ofMinutes(10);
    private static final long PAUSE_MILLIS = 50;

    /**
     * Nobody is waited for longer where there is no worker at all, or none that may be asked while the patience lasts.
     */
    private static final Duration NOBODY = Duration.ofSeconds(2);

    /** A search that has ended so many workers may end us. */
    private static final int MOST_LOST = 2;

    private final Workers workers;
    private final TopologyPlanner here;
    private final WorkersMeter meter;
    private final Duration patience;
    private final Duration stopPatience;
    /** Fair: of whoever looks for a place. */
    private final ReentrantLock turn = new ReentrantLock(true);

    /**
     * @param here searches in this process
     * @param patience until a search that no worker takes runs here; half of it a worker may take to begin beside which
     *     there is another, else all of it
     * @param stopPatience so long a worker may take to give the best so far
     */
    WorkerPlanner(Workers workers, TopologyPlanner here, WorkersMeter meter, Duration patience, Duration stopPatience) {
        this.workers = workers;
        this.here = here;
        this.meter = meter;
        this.patience = patience;
        this.stopPatience = stopPatience;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Beside the search: two simulations, and the question as a message.
     *
     * @throws SearchFailed when a worker's search ended without an answer, or did not stop
     */
    @Override
    public DeltaSolution solve(DeltaInstance instance, Goal goal, SearchLimits limits) {
        // whether any circuits fit is known without a search
        DeltaSolution least = new SquareRootPlanner().solve(instance, goal, limits);
        Question question = SearchCodec.question(instance, goal, limits);
        if (question.getSerializedSize() > SearchCodec.MOST_QUESTION_BYTES - (1 << 10)) {
            return here("its question is larger than a worker takes", instance, goal, limits);
        }
        try {
            Set<String> tried = new HashSet<>();
            int lost = 0;
            while (!limits.stop().getAsBoolean()) {
                Optional<Place> place = place(question, tried, limits);
                if (place.isEmpty()) {
                    break;
                }
                try (Place taken = place.get()) {
                    switch (taken.reply(limits.stop())) {
                        case Reply.Said said -> {
                            switch (AnswerCheck.of(instance, goal, least, said.solution())) {
                                case AnswerCheck.Right right -> {
                                    meter.tried(Ending.ANSWERED);
                                    return right.solution();
                                }
                                case AnswerCheck.Wrong wrong -> wrong(taken.worker, wrong.why());
                            }
                        }
                        case Reply.Wrong wrong -> wrong(taken.worker, wrong.why());
                        case Reply.Failed failed -> {
                            meter.tried(Ending.FAILED);
                            throw new SearchFailed(failed.why());
                        }
                        case Reply.Away away -> {
                            away(taken.worker, away.why());
                            if (away.lost() && ++lost == MOST_LOST) {
                                throw new SearchFailed(MOST_LOST
                                        + " workers went away while they ran it, the last one by " + away.why());
                            }
                        }
                        case Reply.Refused refused -> {
                            meter.tried(Ending.FAILED);
                            return here("a worker refused its question: " + refused.why(), instance, goal, limits);
                        }
                        case Reply.Busy busy -> meter.tried(Ending.BUSY);
                    }
                    tried.add(taken.worker.address());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SearchFailed("nobody waits for it any more");
        }
        if (limits.stop().getAsBoolean()) {
            // it ends at once, with its first answer
            return here.solve(instance, goal, limits);
        }
        return here(workers.isEmpty() ? "no worker is found" : "no worker took it", instance, goal, limits);
    }

    /** A search that has begun, or that a worker refused because of its question. */
    private final class Place implements AutoCloseable {
        private final Worker worker;
        private final SearchCall call;
        private Optional<Reply> refusal = Optional.empty();

        Place(Worker worker, SearchCall call) {
            this.worker = worker;
            this.call = call;
        }

        Reply reply(BooleanSupplier stop) throws InterruptedException {
            return refusal.isPresent() ? refusal.get() : call.await(stop, stopPatience);
        }

        @Override
        public void close() {
            call.close();
            workers.end(worker);
        }
    }

    /**
     * Looks for a worker that begins; empty when it is too late to begin, or after the patience, in which it also waits
     * for its turn.
     */
    private Optional<Place> place(Question question, Set<String> except, SearchLimits limits)
            throws InterruptedException {
        long untilNanos = workers.nanoTime() + patience.toNanos();
        if (!turn.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            return Optional.empty();
        }
        try {
            Set<String> tried = new HashSet<>(except);
            while (!limits.stop().getAsBoolean()) {
                Duration left = Duration.ofNanos(untilNanos - workers.nanoTime());
                if (left.isNegative()) {
                    return Optional.empty();
                }
                Optional<Worker> worker = workers.begin(tried, left);
                if (worker.isPresent()) {
                    // a worker that has just started, or whose share of the processors is small, is slow to begin and
                    // no worse for it
                    boolean others = workers.hasAnother(worker.get(), tried);
                    Optional<Place> place =
                            begin(worker.get(), question, others ? left.dividedBy(2) : left, limits.stop());
                    if (place.isPresent()) {
                        return place;
                    }
                    tried.add(worker.get().address());
                } else if (!workers.hasOneBy(untilNanos, except)
                        && patience.minus(left).compareTo(NOBODY) > 0) {
                    return Optional.empty();
                } else {
                    // whoever was busy may be free again
                    tried = new HashSet<>(except);
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
            }
            return Optional.empty();
        } finally {
            turn.unlock();
        }
    }

    private Optional<Place> begin(Worker worker, Question question, Duration within, BooleanSupplier stop)
            throws InterruptedException {
        Place place = new Place(worker, new SearchCall(worker.channel(), question));
        boolean begun = false;
        try {
            switch (place.call.begin(within, workers::nanoTime, stop)) {
                case null -> begun = true;
                case Reply.Busy busy -> meter.tried(Ending.BUSY);
                case Reply.Away away -> away(worker, away.why());
                case Reply.Wrong wrong -> wrong(worker, wrong.why());
                case Reply.Failed failed -> away(worker, failed.why());
                case Reply.Refused refused -> {
                    place.refusal = Optional.of(refused);
                    begun = true;
                }
                case Reply.Said early -> wrong(worker, "it answered before it began");
            }
        } finally {
            if (!begun) {
                place.close();
            }
        }
        return begun ? Optional.of(place) : Optional.empty();
    }

    private void wrong(Worker worker, String why) {
        meter.tried(Ending.WRONG);
        workers.setAside(worker, WRONG_ASIDE, "its answer is wrong: " + why);
    }

    private void away(Worker worker, String why) {
        meter.tried(Ending.AWAY);
        workers.setAside(worker, AWAY_ASIDE, why);
    }

    private DeltaSolution here(String why, DeltaInstance instance, Goal goal, SearchLimits limits) {
        meter.ranHere();
        LOG.atWarn()
                .addKeyValue("tasks", instance.tasks().size())
                .log("a search for circuits runs in the operator: " + why);
        return here.solve(instance, goal, limits);
    }

    @Override
    public void close() {
        workers.close();
    }
}
