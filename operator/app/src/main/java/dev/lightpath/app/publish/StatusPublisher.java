package dev.lightpath.app.publish;

import dev.lightpath.app.loop.Publisher;
import dev.lightpath.app.loop.WorkPace;
import dev.lightpath.app.measuring.QueriedTimes;
import dev.lightpath.app.publish.metrics.FabricMetrics;
import dev.lightpath.app.publish.metrics.JobCensus;
import dev.lightpath.app.publish.metrics.PolicyWatch;
import dev.lightpath.app.publish.node.NodePublisher;
import dev.lightpath.app.publish.status.Audience;
import dev.lightpath.app.publish.status.ClusterStatusStore;
import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.app.publish.status.StatusRound;
import dev.lightpath.app.publish.status.StatusStore;
import dev.lightpath.app.publish.status.Unguarded.AdmissionPolicies;
import dev.lightpath.app.publish.view.RenderedView;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.world.World;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes statuses on a thread of its own, so that a slow API server never holds up light. Outcomes that come while it
 * writes are skipped but for the newest; an object that could not be written is tried again, later each time.
 */
@Singleton
public class StatusPublisher implements Publisher {
    private static final Logger LOG = LoggerFactory.getLogger(StatusPublisher.class);
    /** After a round that came to no end. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
    /**
     * After a round that wrote something, so that a burst of passes is one write an object, and after a count of jobs.
     */
    static final Duration BREATH = Duration.ofMillis(100);

    /** What the thread is to do. */
    private sealed interface Wake {
        /** @param ends how often leadership had ended when it was published */
        record Publish(Outcome outcome, long ends) implements Wake {}

        /** @param ends as above */
        record Count(long ends) implements Wake {}

        record Stop() implements Wake {}
    }

    private final StatusStore store;
    private final AdmissionPolicies policies;
    private final QueriedTimes measured;
    private final StatusRound round;
    private final JobCensus census;
    private final Audience nodes;
    private final FabricMetrics metrics;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile Runnable viewer = () -> {};
    private @Nullable Thread thread;
    private @Nullable Outcome newest;
    private @Nullable RenderedView view;
    private boolean fresh;
    private boolean jobsTold;
    private boolean stopped;
    /** Set when this process no longer leads: a pass that still ends then is not published. */
    private boolean over;

    /** Jobs are not counted before, by {@link System#nanoTime}; of the thread. */
    private long countNanos = System.nanoTime();

    private volatile BooleanSupplier held = () -> true;
    /** Counts the ends of leadership. */
    private volatile long ends;
    /** How many of them there had been when jobs were counted; of the thread. */
    private long countedEnds;

    @Inject
    StatusPublisher(
            ClusterStatusStore store,
            NodePublisher nodes,
            FabricMetrics metrics,
            PolicyWatch policies,
            QueriedTimes measured) {
        this(store, (Audience) nodes, metrics, policies, measured, InstantSource.system());
    }

    /** @param nodes told of every outcome; must not wait */
    StatusPublisher(
            StatusStore store,
            Audience nodes,
            FabricMetrics metrics,
            AdmissionPolicies policies,
            QueriedTimes measured,
            InstantSource clock) {
        this.nodes = nodes;
        this.store = store;
        this.policies = policies;
        this.measured = measured;
        this.round = new StatusRound(store, policies, measured);
        this.census = new JobCensus(metrics);
        this.metrics = metrics;
        this.clock = clock;
    }

    @Override
    public void publish(World world, Deliberation deliberation) {
        metrics.looked(world);
        metrics.concluded(world, deliberation);
        Outcome outcome = new Outcome(world, deliberation);
        lock.lock();
        try {
            if (over) {
                return;
            }
            nodes.publish(outcome);
            newest = outcome;
            view = new RenderedView(outcome);
            fresh = true;
            if (thread == null && !stopped) {
                store.listenForJobs(this::jobsChanged);
                policies.listen(this::standingChanged);
                measured.listenForStanding(this::standingChanged);
                thread = Thread.ofPlatform().daemon().name("status-publisher").start(this::run);
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
        viewer.run();
    }

    /** Calls back after every pass that is published, on the loop's thread; must not wait. */
    void listen(Runnable after) {
        viewer = after;
    }

    /** A job that became Ready is counted as such though it gives the planner nothing to think about. */
    private void jobsChanged() {
        lock.lock();
        try {
            jobsTold = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** What was published last is told again: the fabrics are to say so though nothing else happens. */
    private void standingChanged() {
        lock.lock();
        try {
            fresh = newest != null;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void begun(BooleanSupplier leads) {
        lock.lock();
        try {
            held = leads;
            nodes.begun(leads);
            over = false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void ended() {
        lock.lock();
        try {
            nodes.ended();
            over = true;
            ends++;
            newest = null;
            view = null;
            fresh = false;
        } finally {
            lock.unlock();
        }
    }

    /** Of what was published last; empty before the first pass and once another process may plan. */
    Optional<RenderedView> view() {
        lock.lock();
        try {
            return Optional.ofNullable(view);
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        Optional<Long> dueNanos = Optional.empty();
        Wake wake = await(dueNanos);
        while (!(wake instanceof Wake.Stop)) {
            boolean worked = true;
            if (wake instanceof Wake.Publish publish) {
                StatusRound.Tally tally = attempt(publish);
                dueNanos = tally.again().map(again -> System.nanoTime() + again.toNanos());
                // one that is due at once again, as when leadership has just run out, must not keep a processor busy
                worked = tally.writes() > 0
                        || tally.again().filter(Duration.ZERO::equals).isPresent();
            } else if (wake instanceof Wake.Count count) {
                count(count.ends());
            }
            wake = worked && !pause(BREATH) ? new Wake.Stop() : await(dueNanos);
        }
    }

    private StatusRound.Tally attempt(Wake.Publish publish) {
        try {
            Instant now = clock.instant();
            take(now, publish.ends());
            return round.run(publish.outcome(), now, () -> ends == publish.ends() && held.getAsBoolean());
        } catch (RuntimeException | Error e) {
            // whatever it is: without this thread statuses would stand still in silence
            LOG.atWarn().setCause(e).log("statuses could not be published");
            return new StatusRound.Tally(0, Optional.of(AFTER_FAILURE));
        }
    }

    private void count(long asOf) {
        try {
            take(clock.instant(), asOf);
        } catch (RuntimeException | Error e) {
            LOG.atWarn().setCause(e).log("jobs could not be counted");
        }
    }

    /**
     * Unless they were counted just now, in the measure of what that takes: then they are counted later.
     *
     * @param asOf how often leadership had ended when this was asked for: whose leadership ends meanwhile shows no jobs
     */
    private void take(Instant now, long asOf) {
        long began = System.nanoTime();
        if (began - countNanos < 0) {
            lock.lock();
            try {
                jobsTold = true;
            } finally {
                lock.unlock();
            }
            return;
        }
        if (ends != asOf) {
            return;
        }
        if (countedEnds != asOf) {
            countedEnds = asOf;
            census.anew();
        }
        census.take(store.jobs(), now);
        if (ends != asOf) {
            metrics.jobsEnded();
        }
        countNanos = WorkPace.next(began, System.nanoTime());
    }

    /** False once stopped. */
    private boolean pause(Duration time) {
        lock.lock();
        try {
            long nanos = time.toNanos();
            while (!stopped && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return !stopped;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * What is to be done next; waits for it.
     *
     * @param dueNanos when the last outcome is to be tried again though there is no newer, by {@link System#nanoTime}
     */
    private Wake await(Optional<Long> dueNanos) {
        lock.lock();
        try {
            while (!stopped) {
                Outcome outcome = newest;
                long leftNanos =
                        outcome == null || dueNanos.isEmpty() ? Long.MAX_VALUE : dueNanos.get() - System.nanoTime();
                if (outcome != null && (fresh || leftNanos <= 0)) {
                    fresh = false;
                    jobsTold = false;
                    return new Wake.Publish(outcome, ends);
                }
                if (outcome != null && jobsTold) {
                    long earlyNanos = countNanos - System.nanoTime();
                    if (earlyNanos <= 0) {
                        jobsTold = false;
                        return new Wake.Count(ends);
                    }
                    leftNanos = Math.min(leftNanos, earlyNanos);
                }
                if (leftNanos == Long.MAX_VALUE) {
                    changed.await();
                } else {
                    long unused = changed.awaitNanos(leftNanos);
                }
            }
            return new Wake.Stop();
        } catch (InterruptedException e) {
            return new Wake.Stop();
        } finally {
            lock.unlock();
        }
    }

    @PreDestroy
    void close() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
