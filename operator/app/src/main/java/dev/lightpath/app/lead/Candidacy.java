package dev.lightpath.app.lead;

import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** One standing for the Lease: won at most once, and over for good when the Lease is lost. */
final class Candidacy {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration RENEW_WITHIN = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofSeconds(1);
    /** While another process leads: a little more each time, up to twice as long. Nobody repairs until it is seen. */
    private static final Duration LOOK = Duration.ofMillis(250);

    private final KubernetesClient client;
    private final Identity identity;
    private final Consumer<Candidacy> won;
    private final Runnable lost;
    private final LongSupplier nanos;
    /** When what holds the Lease now was sent. */
    private volatile long renewedNanos;

    private volatile boolean leading;

    private final AtomicBoolean over = new AtomicBoolean();
    private volatile Optional<CompletableFuture<?>> election = Optional.empty();

    /**
     * @param won called at most once
     * @param lost called once, when this process loses the Lease or cannot get it
     * @param nanos a monotonic clock
     */
    Candidacy(KubernetesClient client, Identity identity, Consumer<Candidacy> won, Runnable lost, LongSupplier nanos) {
        this.client = client;
        this.identity = identity;
        this.won = won;
        this.lost = lost;
        this.nanos = nanos;
    }

    void stand() {
        CompletableFuture<?> running =
                client.leaderElector().withConfig(new Config()).build().start();
        election = Optional.of(running);
        running.whenComplete((nothing, failure) -> end());
    }

    /** Looks more often than it renews. */
    private final class Config extends LeaderElectionConfig {
        Config() {
            super(
                    new DatedLock(),
                    LEASE,
                    RENEW_WITHIN,
                    RETRY,
                    new LeaderCallbacks(Candidacy.this::elected, Candidacy.this::end, leader -> {}),
                    true,
                    LightpathNames.LEASE);
        }

        @Override
        public Duration getRetryPeriod() {
            return leading ? RETRY : LOOK;
        }
    }

    private void elected() {
        leading = true;
        won.accept(this);
    }

    boolean over() {
        return over.get();
    }

    /**
     * Whether this process surely holds the Lease: other candidates wait for it to run out, even if this process was
     * stopped meanwhile.
     */
    boolean lasts() {
        return !over() && nanos.getAsLong() - renewedNanos < LEASE.toNanos();
    }

    /** Knows when it was written last. */
    private final class DatedLock extends LeaseLock {
        DatedLock() {
            super(identity.namespace(), LightpathNames.LEASE, identity.name());
        }

        /** The time in a record is taken before what is there is asked for. */
        private long askedNanos = nanos.getAsLong();

        @Override
        public synchronized LeaderElectionRecord get(KubernetesClient client) {
            askedNanos = nanos.getAsLong();
            return super.get(client);
        }

        @Override
        public synchronized void create(KubernetesClient client, LeaderElectionRecord record) {
            super.create(client, record);
            renewedNanos = askedNanos;
        }

        @Override
        public synchronized void update(KubernetesClient client, LeaderElectionRecord record) {
            super.update(client, record);
            renewedNanos = askedNanos;
        }
    }

    private void end() {
        if (over.compareAndSet(false, true)) {
            lost.run();
        }
    }

    void giveUp() {
        election.ifPresent(running -> running.cancel(true));
    }
}
