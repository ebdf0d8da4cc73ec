package dev.lightpath.app.lead;

import dev.lightpath.app.Page;
import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.Newcomers;
import dev.lightpath.app.cluster.Share;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.share.Contender;
import dev.lightpath.planner.share.FabricGroups;
import dev.lightpath.planner.share.LeaseActions;
import dev.lightpath.planner.share.Led;
import dev.lightpath.planner.share.Seat;
import dev.lightpath.planner.share.SeenLease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for the Leases of fabrics: carries out on the API server what {@link Contender} says, once a second or as fast
 * as it answers, on a thread of its own. A look that fails or takes long renews nothing, and what is held runs out by
 * itself. Leases are written side by side, and what is not answered in time is not waited for. All that this process
 * leads is one mandate. When its share changes, that mandate ends, then what goes is given back, and another begins.
 * One that runs out ends by a clock of its own, whatever the API server is being asked.
 */
final class FabricElections implements Elections {
    private static final Logger LOG = LoggerFactory.getLogger(FabricElections.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** After a look that took long, so that what came meanwhile has its turn. */
    private static final Duration LEAST_REST = Duration.ofMillis(100);
    /**
     * So long a look waits for the answers to its writes: then the next one is early enough for all Leases but those
     * whose answers are missing. They count when they come.
     */
    private static final Duration ANSWER = Duration.ofSeconds(1);

    /** Between two looks at a mandate that is about to run out. */
    private static final long EARLIEST_NANOS = Duration.ofMillis(5).toNanos();

    // what is tried, beside the Leases by their names
    private static final String LOOKED = "look";
    private static final String ANSWERED = "answers";
    private static final String SETTLED = "newcomers";

    /**
     * A write.
     *
     * @param over the version that it replaces
     * @param nanos before it was asked for
     * @param look the number of the look that asked
     */
    private record Asked(Seat seat, String over, long nanos, long look) {}

    /** @param version that it led to; empty when it was not carried out */
    private record Answer(Asked of, Optional<String> version) {
        /** To nothing that was written: Leases are listed. */
        static final Answer LISTED = new Answer(new Asked(Seat.GUARD, "", 0, -1), Optional.empty());
    }

    private final SharedLeases leases;
    private final String self;
    private final KubernetesClient client;
    private final Supplier<ClusterInformers> cluster;
    private final Newcomers newcomers;
    private final Executor leadership;
    private final Office office;
    private final LongSupplier nanos;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("leases").daemon().factory());
    private final ExecutorService requests = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("lease-", 0).factory());
    /** Ends what runs out: waits for nothing. */
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("lease-clock").daemon().factory());

    private final AtomicBoolean settling = new AtomicBoolean();
    private volatile boolean closed;

    // of the thread
    private final Contender contender;
    private Optional<GroupsOfCluster> groups = Optional.empty();
    private Optional<OfShare> mandate = Optional.empty();
    /** That have written. */
    private long looks;

    // of any thread
    /** Those that are not counted yet. */
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    /** By what was tried, how it failed last. */
    private final Map<String, String> failures = new ConcurrentHashMap<>();

    /**
     * @param cluster what watches show, once they do
     * @param newcomers is told of nodes once a second
     * @param leadership its thread
     * @param nanos a monotonic clock
     */
    FabricElections(
            KubernetesClient client,
            Identity identity,
            Supplier<ClusterInformers> cluster,
            Newcomers newcomers,
            Executor leadership,
            Office office,
            LongSupplier nanos) {
        this.leases = new SharedLeases(client, identity.namespace());
        this.self = identity.name();
        this.client = client;
        this.cluster = cluster;
        this.newcomers = newcomers;
        this.leadership = leadership;
        this.office = office;
        this.nanos = nanos;
        this.contender = new Contender(self);
    }

    @Override
    public Share foreseen() {
        return Share.NOTHING;
    }

    @Override
    public void stand() {
        LOG.atInfo().addKeyValue("identity", self).log("standing for the Leases of fabrics, shared among all replicas");
        groups = Optional.of(new GroupsOfCluster(cluster.get()));
        later(this::look, 0);
    }

    private void look() {
        long began = nanos.getAsLong();
        try {
            lookNow();
        } finally {
            long took = nanos.getAsLong() - began;
            later(this::look, Math.max(LEAST_REST.toNanos(), LOOK.toNanos() - took));
        }
    }

    private void lookNow() {
        if (closed) {
            return;
        }
        try {
            long asked = nanos.getAsLong();
            List<SeenLease> listed = list();
            long answered = nanos.getAsLong();
            FabricGroups now = groups.orElseThrow().read();
            newcomers.look(groups.orElseThrow().nodes(), nanos.getAsLong());
            LeaseActions actions = contender.look(listed, now, office.fit(), asked, answered);
            actions.give().forEach(contender::leave);
            countAll();
            serve();
            write(actions.write());
            serve();
            actions.give().forEach(this::giveBack);
            actions.remove().forEach((seat, version) -> requests.execute(() -> remove(seat, version)));
            failures.remove(LOOKED);
            settle();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            Throwable why = e instanceof CompletionException listing ? listing.getCause() : e;
            warn(LOOKED, String.valueOf(why == null ? e : why.getMessage()), "Leases not looked at; trying again");
            serve();
        }
    }

    /** Answers to writes count as they come meanwhile: this may take longer than what is led may wait for them. */
    private List<SeenLease> list() throws InterruptedException {
        CompletableFuture<List<SeenLease>> listed = CompletableFuture.supplyAsync(leases::list, requests);
        var unused = listed.whenComplete((list, failure) -> answers.add(Answer.LISTED));
        while (!listed.isDone()) {
            count(answers.take());
        }
        return listed.join();
    }

    private void write(SortedMap<Seat, String> versions) throws InterruptedException {
        looks++;
        versions.forEach((seat, version) -> {
            long asked = nanos.getAsLong();
            String holder = seat.equals(Seat.GUARD) ? contender.guardian(asked) : self;
            Asked write = new Asked(seat, version, asked, looks);
            requests.execute(() -> {
                answers.add(new Answer(write, write(write, holder)));
                later(this::countAll, 0);
            });
        });
        long deadline = nanos.getAsLong() + ANSWER.toNanos();
        int left = versions.size();
        while (left > 0) {
            Answer next = answers.poll(deadline - nanos.getAsLong(), TimeUnit.NANOSECONDS);
            if (next == null) {
                warn(ANSWERED, left + " not answered", "Leases are not written in time; trying again");
                return;
            }
            count(next);
            left -= next.of().look() == looks ? 1 : 0;
        }
        failures.remove(ANSWERED);
    }

    private void countAll() {
        List<Answer> there = new ArrayList<>();
        answers.drainTo(there);
        there.forEach(this::count);
    }

    private void count(Answer answer) {
        Asked of = answer.of();
        answer.version().ifPresent(now -> contender.wrote(of.seat(), of.over(), now, of.nanos()));
        goOn();
    }

    /** The version that it led to; empty when it failed, or somebody else came before it. */
    private Optional<String> write(Asked write, String holder) {
        String name = SharedLeases.name(write.seat());
        try {
            Optional<String> version = leases.write(write.seat(), holder, write.over());
            failures.remove(name);
            return version;
        } catch (RuntimeException e) {
            warn(name, String.valueOf(e.getMessage()), "a Lease is not written; trying again");
            return Optional.empty();
        }
    }

    /**
     * Watches may be late, so what is recorded is asked for where they show none in the way. Beside the elections: this
     * may take its time.
     */
    private void settle() {
        ClusterInformers watched = cluster.get();
        long began = nanos.getAsLong();
        if (!newcomers.due(watched.slices(), began).isEmpty() && settling.compareAndSet(false, true)) {
            requests.execute(() -> {
                try {
                    newcomers.settle(due(began), began);
                    watched.readAnew();
                    failures.remove(SETTLED);
                } catch (RuntimeException e) {
                    warn(
                            SETTLED,
                            String.valueOf(e.getMessage()),
                            "new nodes of fabrics are not used yet; trying again");
                } finally {
                    settling.set(false);
                }
            });
        }
    }

    /** As the records on the API server leave it, read in pages. */
    private Map<String, SortedSet<String>> due(long began) {
        Map<String, SortedSet<String>> due = newcomers.due(List.of(), began);
        Page.each(client.resources(FabricSlice.class).inAnyNamespace(), Page.LARGE_OBJECTS, slices -> {
            Map<String, SortedSet<String>> free = newcomers.due(slices, began);
            due.forEach((fabric, nodes) -> nodes.retainAll(free.getOrDefault(fabric, Collections.emptySortedSet())));
        });
        return due;
    }

    private void remove(Seat seat, String version) {
        try {
            leases.remove(seat, version);
            failures.remove(SharedLeases.name(seat));
        } catch (RuntimeException e) {
            warn(
                    SharedLeases.name(seat),
                    String.valueOf(e.getMessage()),
                    "a Lease that nobody needs is not removed; trying again");
        }
    }

    /** The same once, until what was tried succeeds. */
    private void warn(String tried, String now, String what) {
        if (!now.equals(failures.put(tried, now))) {
            LOG.atWarn().addKeyValue("failure", now).log(what);
        }
    }

    /** Behind the end of the term on its thread: nobody else may lead what this process still does. */
    private void giveBack(Seat seat) {
        String version = contender.version(seat);
        onLeadership(() -> requests.execute(() -> giveBack(seat, version)));
    }

    private void giveBack(Seat seat, String version) {
        try {
            leases.giveBack(seat, version);
        } catch (KubernetesClientException e) {
            LOG.atInfo()
                    .addKeyValue("lease", SharedLeases.name(seat))
                    .addKeyValue("failure", e.getMessage())
                    .log("a Lease is not given back; it runs out");
        }
    }

    /** What is led already is led on, as far as its Leases are renewed by now. */
    private void goOn() {
        mandate.filter(held -> contender.led(nanos.getAsLong()).equals(held.led))
                .ifPresent(held -> held.lastsUntil(contender.ledUntil(held.led)));
    }

    private void serve() {
        Led led = contender.leading(nanos.getAsLong());
        Optional<OfShare> before = mandate;
        if (before.filter(held -> held.led.equals(led) && held.lastsUntil(contender.ledUntil(led)))
                .isPresent()) {
            return;
        }
        if (before.isEmpty() && led.isNothing()) {
            return;
        }
        before.ifPresent(OfShare::end);
        mandate = led.isNothing() ? Optional.empty() : Optional.of(new OfShare(led, contender.ledUntil(led)));
        LOG.atInfo()
                .addKeyValue("fabrics", led.fabrics())
                .addKeyValue("rest", led.rest())
                .log("the share of this replica is another one");
        mandate.ifPresent(now -> {
            office.taken(now);
            now.watch();
        });
    }

    private void later(Runnable task, long afterNanos) {
        try {
            thread.schedule(task, afterNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("stopping; nothing counts any more");
        }
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
            clock.shutdownNow();
            requests.shutdown();
        }
    }

    private void giveAllBack() {
        mandate.ifPresent(OfShare::stop);
        List<Callable<Object>> all = new ArrayList<>();
        contender.held().forEach(seat -> {
            String version = contender.version(seat);
            contender.leave(seat);
            all.add(Executors.callable(() -> giveBack(seat, version)));
        });
        try {
            List<Future<Object>> unused = requests.invokeAll(all, ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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

        /**
         * False once it has run out: another may have led since, and given back. What goes on then is a new mandate.
         */
        synchronized boolean lastsUntil(long next) {
            if (!lasts()) {
                end();
                return false;
            }
            until = next;
            return true;
        }

        /** Whatever is told of the next mandate is told after this. */
        synchronized void end() {
            if (!ended) {
                ended = true;
                office.lost();
                onLeadership(office::left);
            }
        }

        /** The process ends, and its leadership with it. */
        synchronized void stop() {
            ended = true;
        }

        /** Ends it as soon as it has run out. */
        void watch() {
            if (!ended && !endsNow()) {
                try {
                    clock.schedule(
                            this::watch, Math.max(EARLIEST_NANOS, until - nanos.getAsLong()), TimeUnit.NANOSECONDS);
                } catch (RejectedExecutionException e) {
                    LOG.atDebug().log("stopping; nothing is led any more");
                }
            }
        }

        private synchronized boolean endsNow() {
            if (lasts()) {
                return false;
            }
            end();
            return true;
        }
    }
}
