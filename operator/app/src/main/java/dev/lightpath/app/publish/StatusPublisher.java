package dev.lightpath.app.publish;

import dev.lightpath.app.loop.Publisher;
import dev.lightpath.planner.engine.Deliberation;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes statuses on a thread of its own, so that a slow API server never holds up light. Outcomes that come while it
 * writes are skipped but for the newest; what could not be written is tried again, later each time.
 */
@Singleton
public class StatusPublisher implements Publisher {
    private static final Logger LOG = LoggerFactory.getLogger(StatusPublisher.class);
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    /** After a round that wrote something, so that a burst of passes is one write an object. */
    private static final Duration BREATH = Duration.ofMillis(100);

    private final StatusStore store;
    private final StatusRound round;
    private final JobCensus census;
    private final Audience nodes;
    private final FabricMetrics metrics;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Thread thread;
    private @Nullable Outcome newest;
    private boolean fresh;
    private boolean stopped;

    @Inject
    StatusPublisher(ClusterStatusStore store, NodePublisher nodes, FabricMetrics metrics) {
        this(store, (Audience) nodes, metrics, InstantSource.system());
    }

    /** @param nodes told of every outcome; must not wait */
    StatusPublisher(StatusStore store, Audience nodes, FabricMetrics metrics, InstantSource clock) {
        this.nodes = nodes;
        this.store = store;
        this.round = new StatusRound(store);
        this.census = new JobCensus(metrics);
        this.metrics = metrics;
        this.clock = clock;
    }

    @Override
    public void publish(World world, Deliberation deliberation) {
        metrics.looked(world);
        Outcome outcome = new Outcome(world, deliberation);
        nodes.publish(outcome);
        lock.lock();
        try {
            newest = outcome;
            fresh = true;
            if (thread == null && !stopped) {
                thread = Thread.ofPlatform().daemon().name("status-publisher").start(this::run);
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void ended() {
        nodes.ended();
        lock.lock();
        try {
            newest = null;
            fresh = false;
        } finally {
            lock.unlock();
        }
    }

    /** What was published last; empty before the first pass and once another process may plan. */
    Optional<Outcome> latest() {
        lock.lock();
        try {
            return Optional.ofNullable(newest);
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        Duration wait = Duration.ZERO;
        Outcome outcome = await();
        while (outcome != null) {
            StatusRound.Tally tally = attempt(outcome);
            if (tally.failures() > 0) {
                wait = next(wait);
                outcome = retry(wait);
            } else {
                wait = Duration.ZERO;
                outcome = tally.writes() > 0 && !pause(BREATH) ? null : await();
            }
        }
    }

    private StatusRound.Tally attempt(Outcome outcome) {
        try {
            Instant now = clock.instant();
            census.take(store.jobs(), now);
            return round.run(outcome, now);
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("statuses could not be published");
            return new StatusRound.Tally(0, 1);
        }
    }

    private static Duration next(Duration wait) {
        Duration longer = wait.isZero() ? FIRST_WAIT : wait.multipliedBy(2);
        return longer.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : longer;
    }

    /** The newest outcome after a while, whether or not it is a new one; null once stopped. */
    private @Nullable Outcome retry(Duration wait) {
        if (!pause(wait)) {
            return null;
        }
        lock.lock();
        try {
            fresh = false;
            return newest == null ? await() : newest;
        } finally {
            lock.unlock();
        }
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

    /** The next new outcome; null once stopped. */
    private @Nullable Outcome await() {
        lock.lock();
        try {
            while (!fresh && !stopped) {
                changed.await();
            }
            fresh = false;
            return stopped ? null : newest;
        } catch (InterruptedException e) {
            return null;
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
