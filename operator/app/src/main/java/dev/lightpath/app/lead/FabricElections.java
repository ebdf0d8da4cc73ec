package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.Share;
import dev.lightpath.planner.share.Contender;
import dev.lightpath.planner.share.Led;
import dev.lightpath.planner.share.Seat;
import dev.lightpath.planner.share.SeenLease;
import dev.lightpath.planner.share.Turn;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for the Leases of fabrics: carries out on the API server what {@link Contender} says, once a second on a thread of its
 * own. A look that fails or takes long renews nothing, and what is held runs out by itself. All that this process leads is
 * one mandate. When its share changes, that mandate ends, then what goes is given back, and another begins.
 */
final class FabricElections implements Elections {
    private static final Logger LOG = LoggerFactory.getLogger(FabricElections.class);
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final SharedLeases leases;
    private final String self;
    private final Supplier<ClusterInformers> cluster;
    private final Executor leadership;
    private final Office office;
    private final LongSupplier nanos;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("leases").daemon().factory());
    private volatile boolean closed;

    // of the thread
    private final Contender contender;
    private Optional<GroupsOfCluster> groups = Optional.empty();
    private Optional<OfShare> mandate = Optional.empty();
    private String failure = "";

    /**
     * @param cluster what watches show, once they do
     * @param leadership its thread
     * @param nanos a monotonic clock
     */
    FabricElections(
            KubernetesClient client,
            Identity identity,
            Supplier<ClusterInformers> cluster,
            Executor leadership,
            Office office,
            LongSupplier nanos) {
        this.leases = new SharedLeases(client, identity.namespace());
        this.self = identity.name();
        this.cluster = cluster;
        this.leadership = leadership;
        this.office = office;
        this.nanos = nanos;
        this.contender = new Contender(self);
    }

    @Override
    public void stand() {
        LOG.atInfo().addKeyValue("identity", self).log("standing for the Leases of fabrics, shared among all replicas");
        groups = Optional.of(new GroupsOfCluster(cluster.get()));
        thread.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        if (closed) {
            return;
        }
        try {
            // another may have led since, and given back: what goes on is a new term
            mandate.filter(held -> !held.lasts()).ifPresent(this::end);
            long asked = nanos.getAsLong();
            List<SeenLease> listed = leases.list();
            long answered = nanos.getAsLong();
            Turn turn = contender.look(listed, groups.orElseThrow().read(), office.fit(), asked, answered);
            turn.give().forEach(contender::leave);
            turn.write().forEach(this::write);
            serve();
            turn.give().forEach(this::giveBack);
            turn.remove().forEach(leases::remove);
            failure = "";
        } catch (RuntimeException | Error e) {
            warn(e, "Leases not looked at; trying again");
            serve();
        }
    }

    private void write(Seat seat, String version) {
        long asked = nanos.getAsLong();
        try {
            leases.write(seat, seat.equals(Seat.GUARD) ? contender.guardian(asked) : self, version)
                    .ifPresent(written -> contender.wrote(seat, written, asked));
        } catch (KubernetesClientException e) {
            warn(e, "a Lease is not written; trying again");
        }
    }

    /** Once a second at most, and the same once. */
    private void warn(Throwable e, String what) {
        String now = String.valueOf(e.getMessage());
        if (!now.equals(failure)) {
            failure = now;
            LOG.atWarn().addKeyValue("failure", now).log(what);
        }
    }

    /** Behind the end of the term on its thread: nobody else may lead what this process still does. */
    private void giveBack(Seat seat) {
        String version = contender.version(seat);
        onLeadership(() -> thread.execute(() -> {
            try {
                leases.giveBack(seat, version);
            } catch (KubernetesClientException e) {
                LOG.atInfo()
                        .addKeyValue("lease", SharedLeases.name(seat))
                        .addKeyValue("failure", e.getMessage())
                        .log("a Lease is not given back; it runs out");
            }
        }));
    }

    private void end(OfShare held) {
        held.ended = true;
        mandate = Optional.empty();
        office.lost();
        onLeadership(office::left);
    }

    private void serve() {
        Led led = contender.led(nanos.getAsLong());
        Optional<OfShare> before = mandate;
        if (before.isPresent() && before.get().led.equals(led)) {
            before.get().until = contender.ledUntil(led);
            return;
        }
        if (before.isEmpty() && led.isNothing()) {
            return;
        }
        before.ifPresent(this::end);
        mandate = led.isNothing() ? Optional.empty() : Optional.of(new OfShare(led, contender.ledUntil(led)));
        LOG.atInfo()
                .addKeyValue("fabrics", led.fabrics())
                .addKeyValue("rest", led.rest())
                .log("the share of this replica is another one");
        mandate.ifPresent(office::taken);
    }

    private void onLeadership(Runnable task) {
        try {
            leadership.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("stopping; Leases are given back at once");
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.submit(this::giveAllBack).get();
        } catch (RejectedExecutionException | ExecutionException e) {
            LOG.atInfo().addKeyValue("failure", e.getMessage()).log("Leases are not given back; they run out");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            thread.shutdownNow();
        }
    }

    private void giveAllBack() {
        mandate.ifPresent(held -> held.ended = true);
        contender.held().forEach(seat -> {
            contender.leave(seat);
            leases.giveBack(seat, contender.version(seat));
        });
    }

    private final class OfShare implements Mandate {
        private final Led led;
        private volatile long until;
        private volatile boolean ended;

        OfShare(Led led, long until) {
            this.led = led;
            this.until = until;
        }

        @Override
        public Share share() {
            return Share.of(led.fabrics(), led.rest());
        }

        @Override
        public boolean over() {
            return ended;
        }

        @Override
        public boolean lasts() {
            return !ended && nanos.getAsLong() - until < 0;
        }

        /** It was written under this process's name less than five seconds ago, over whatever was there. */
        @Override
        public boolean confirmed() {
            return lasts();
        }
    }
}
