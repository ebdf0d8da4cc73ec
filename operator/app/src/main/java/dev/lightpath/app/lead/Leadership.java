package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.CurrentShare;
import dev.lightpath.app.cluster.Newcomers;
import dev.lightpath.app.cluster.ShareOfCluster;
import dev.lightpath.app.driver.DriverFleet;
import dev.lightpath.app.driver.EpochBook;
import dev.lightpath.app.driver.FencingEpoch;
import dev.lightpath.app.driver.FleetChange;
import dev.lightpath.app.driver.FleetListener;
import dev.lightpath.app.driver.Reading;
import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.app.job.effects.OrphanedSlices;
import dev.lightpath.app.loop.PassMeter;
import dev.lightpath.app.loop.Publisher;
import dev.lightpath.app.loop.WorkPace;
import dev.lightpath.app.solving.AbandonedSearches;
import dev.lightpath.app.solving.SearchMarks;
import dev.lightpath.app.statictopology.StaticTopologySlices;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.planner.light.AgentMemory;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.tracing.Tracing;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the cluster from the start, stands in {@link Elections}, and while it has a {@link Mandate} runs a {@link Term}.
 * Its own thread does everything that may wait; a lost Lease first stops what would be sent to drivers, then ends the term,
 * and the process stands again: an API server that was away is no reason to need a restart.
 */
final class Leadership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration FIRST_CONTACT = Duration.ofSeconds(5);
    /** Where others wait for the rest of what a replica left. */
    private static final Duration FIRST_CONTACT_OF_SHARE = Duration.ofSeconds(2);
    /** For all that ends with it; the reconcilers of the process end after that. */
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private static final Duration COUNTING = Duration.ofSeconds(1);
    /** So long a term may take to begin where others could have what this process was elected for. */
    private static final Duration BEGINNING = Duration.ofSeconds(10);
    /** So long a pass may take there: twice what a loop rests, and more. */
    private static final Duration LONGEST_PASS = Duration.ofSeconds(90);

    private static final Duration POLL = Duration.ofMillis(50);
    /** Secrets are not watched: renewed certificates are noticed this late. */
    private static final Duration REFRESH = Duration.ofSeconds(60);

    private final KubernetesClient client;
    private final Supplier<RingIntentReader> readers;
    private final Supplier<ClusterInformers> watches;
    private final Identity identity;
    private final DriverFleet fleet;
    private final FencingEpoch fencing;
    private final CurrentShare share;
    private final Publisher publisher;
    private final PassMeter meter;
    private final TopologyPlanner planner;
    private final AbandonedSearches abandoned;
    private final SearchMarks marks;
    private final Tracing tracing;
    private final boolean verify;
    private final Runnable won;
    private final AcceptedEpochs acceptedEpochs = new AcceptedEpochs();
    private final StaticTopologySlices staticTopologySlices;
    private final OrphanedSlices leftSlices;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("leadership").factory());
    private final ExecutorService election = Executors.newCachedThreadPool(
            Thread.ofVirtual().name("election-", 0).factory());
    private final Newcomers newcomers;
    private final Elections elections;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicBoolean connectPending = new AtomicBoolean();
    private final AtomicBoolean followPending = new AtomicBoolean();
    private final AtomicBoolean judgePending = new AtomicBoolean();
    /** Changes are not followed before. */
    private volatile long followNanos = System.nanoTime();

    /** When this process was elected for a term that has not begun. */
    private volatile OptionalLong electedNanos = OptionalLong.empty();

    private volatile long judgedNanos = System.nanoTime() - RETRY.toNanos();
    private volatile boolean standing;

    private volatile Optional<ClusterInformers> cluster = Optional.empty();

    // of the thread
    private Optional<DriverEndpoints> endpoints = Optional.empty();
    private Optional<Mandate> mandate = Optional.empty();
    private boolean refreshing;
    /** What the drivers were last connected by: see {@link ClusterInformers#description}. */
    private volatile long connected = -1;

    private boolean tendPending;
    /** By which jobs were called last. */
    private SortedSet<String> fabricNames = Collections.emptySortedSet();

    private volatile Optional<Term> term = Optional.empty();

    /**
     * @param readers give the reader of fabrics, or throw while the API server does not answer
     * @param watches give the watches, or throw while the API server does not answer
     * @param planner answers questions to DELTA
     * @param marks what was searched when processes before this one ended
     * @param verify whether each planning pass is decided once more from nothing
     * @param shared whether replicas share the fabrics; else one of them leads them all
     * @param won called each time a term has begun, and when jobs may be of its share that were not, on the thread of the
     *     leadership
     */
    Leadership(
            KubernetesClient client,
            Supplier<RingIntentReader> readers,
            Supplier<ClusterInformers> watches,
            Identity identity,
            DriverFleet fleet,
            FencingEpoch fencing,
            CurrentShare share,
            Publisher publisher,
            PassMeter meter,
            TopologyPlanner planner,
            SearchMarks marks,
            Tracing tracing,
            boolean verify,
            boolean shared,
            Runnable won) {
        this.client = client;
        this.readers = readers;
        this.watches = watches;
        this.identity = identity;
        this.fleet = fleet;
        this.fencing = fencing;
        this.share = share;
        this.publisher = publisher;
        this.meter = meter;
        this.planner = planner;
        this.abandoned = new AbandonedSearches(meter);
        this.marks = marks;
        this.tracing = tracing;
        this.verify = verify;
        this.won = won;
        Elections.Office office = new Desk();
        this.newcomers = shared ? new Newcomers() : Newcomers.none();
        this.elections = shared
                ? new FabricElections(client, identity, this::watched, newcomers, thread, office, System::nanoTime)
                : new OneElection(client, identity, thread, office);
        this.staticTopologySlices = new StaticTopologySlices(client, identity.namespace());
        this.leftSlices = new OrphanedSlices(client);
    }

    void start() {
        thread.execute(this::prepare);
    }

    /** Whether the cluster was read and this process leads or waits for the Lease. */
    boolean standing() {
        return standing;
    }

    /** Why the planning of this process stands still, if it leads and it does. */
    Optional<String> failure() {
        return term.flatMap(Term::failure);
    }

    /** How long ago the last planning pass of this process ended; empty while it does not lead. */
    Optional<Duration> sinceLastPass() {
        return term.map(Term::sinceLastPass);
    }

    private ClusterInformers watched() {
        return cluster.orElseThrow();
    }

    private void prepare() {
        if (stopping.get()) {
            return;
        }
        try {
            if (cluster.isEmpty()) {
                watch();
            }
            if (!watched().synced()) {
                thread.schedule(this::prepare, POLL.toMillis(), TimeUnit.MILLISECONDS);
                return;
            }
            if (!stopping.get()) {
                standing = true;
                thread.scheduleWithFixedDelay(this::count, 0, COUNTING.toMillis(), TimeUnit.MILLISECONDS);
                elections.stand();
            }
        } catch (RuntimeException | Error e) {
            LOG.atWarn().addKeyValue("failure", e.getMessage()).log("the cluster cannot be read yet");
            thread.schedule(this::prepare, RETRY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Each fabric is counted by every replica, so that one which nobody leads is noticed. */
    private void count() {
        SortedSet<String> known = new TreeSet<>();
        watched().fabrics().forEach(fabric -> known.add(fabric.getMetadata().getName()));
        meter.fabrics(known, this::leads);
    }

    private boolean leads(String fabric) {
        return fencing.held() > 0
                && share.get().leads(fabric)
                && sinceLastPass()
                        .filter(age -> age.compareTo(LONGEST_PASS) < 0)
                        .isPresent();
    }

    private void watch() {
        RingIntentReader reader = readers.get();
        ClusterInformers informers = watches.get();
        informers.listen(this::changed);
        informers.listenForDeletedSlices(gone -> term.ifPresent(current -> current.forget(gone)));
        informers.start();
        cluster = Optional.of(informers);
        endpoints = Optional.of(new DriverEndpoints(client, identity.namespace(), reader));
        fleet.listen(new Ear());
    }

    private void begin(Mandate elected) {
        if (elected.over()) {
            return;
        }
        try {
            // read first: what a driver has seen before our epoch was given, even an equal one, belonged to somebody
            // else
            share.set(elected.share());
            connect();
            awaitContact(elected.share().whole() ? FIRST_CONTACT : FIRST_CONTACT_OF_SHARE);
            if (elected.over()) {
                return;
            }
            long highest = highestEpoch();
            EpochCounter.Given given = epochs(elected).raiseAbove(0, identity.name());
            lead(given, given.book().judgedTo(highest), elected);
            if (elected.over()) {
                return;
            }
            fabricNames = watched().fabricNames();
            won.run();
            judgeSoon();
            tend();
            refresh();
        } catch (RuntimeException | Error e) {
            LOG.atWarn().setCause(e).log("the term could not begin; trying again");
            if (!stopping.get()) {
                thread.schedule(() -> begin(elected), RETRY.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    private void refresh() {
        if (!refreshing) {
            refreshing = true;
            thread.scheduleWithFixedDelay(this::connect, REFRESH.toMillis(), REFRESH.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void lead(EpochCounter.Given given, EpochBook book, Mandate elected) {
        long epoch = given.epoch();
        fencing.won(epoch, book, elected::lasts);
        if (elected.over() || stopping.get()) {
            fencing.lost();
            return;
        }
        term.ifPresent(Term::close);
        mandate = Optional.of(elected);
        term = Optional.of(new Term(
                client,
                watched(),
                new ShareOfCluster(watched(), elected.share(), newcomers),
                fleet,
                publisher,
                meter,
                planner,
                abandoned,
                marks,
                tracing,
                given.holder(),
                epoch,
                verify,
                () -> fencing.held() == epoch));
        if (!elected.over()) {
            // else it may be that of a later mandate
            electedNanos = OptionalLong.empty();
        }
        if (elected.over()) {
            // its end was told before the term began
            publisher.ended();
            term.ifPresent(Term::stop);
        }
        LOG.atInfo()
                .addKeyValue("epoch", epoch)
                .addKeyValue("holder", given.holder())
                .log("leading");
    }

    /** Whoever leads what is of no fabric is asked for a look at everything. */
    private EpochCounter epochs(Mandate elected) {
        return new EpochCounter(client, identity.namespace(), elected.share().rest() ? identity.view() : "");
    }

    private ShareOfCluster led() {
        return new ShareOfCluster(watched(), share.get());
    }

    /** Drivers are read before anything is decided, devices are not waited for. */
    private void awaitContact(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < deadline
                && !stopping.get()
                && fleet.states().values().stream().anyMatch(Leadership::silent)) {
            try {
                TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static boolean silent(DriverState state) {
        return state.contact() == DriverState.Contact.UNREACHABLE;
    }

    private long highestEpoch() {
        return fleet.states().values().stream()
                .mapToLong(DriverState::highestEpoch)
                .filter(DriverState::raisable)
                .max()
                .orElse(0);
    }

    private void changed() {
        boolean described = cluster.filter(of -> of.description() != connected).isPresent();
        term.ifPresent(described ? Term::wake : Term::asked);
        if (term.isEmpty()) {
            return;
        }
        if (described && connectPending.compareAndSet(false, true)) {
            later(this::reconnect, 0);
        }
        followSoon();
    }

    private void reconnect() {
        connectPending.set(false);
        if (cluster.orElseThrow().description() != connected) {
            connect();
        }
    }

    private void followSoon() {
        if (followPending.compareAndSet(false, true)) {
            later(this::follow, followNanos - System.nanoTime());
        }
    }

    /** Linear in jobs and slices: where thousands of them change one after the other it takes a fortieth of the time at most. */
    private void follow() {
        followPending.set(false);
        long began = System.nanoTime();
        judgeSoon();
        tend();
        callJobs();
        followNanos = WorkPace.next(began, System.nanoTime());
    }

    /** A job may be led now by whoever leads the rest, or another fabric of it: no event of the job tells of that. */
    private void callJobs() {
        if (term.isEmpty() || share.get().whole()) {
            return;
        }
        SortedSet<String> now = watched().fabricNames();
        if (!now.equals(fabricNames)) {
            fabricNames = now;
            won.run();
        }
    }

    private void connect() {
        try {
            long description = cluster.orElseThrow().description();
            List<DriverEndpoint> drivers = endpoints
                    .orElseThrow()
                    .of(led().attended(), led().switches(), watched().nodes(), led().slices());
            fleet.connect(drivers);
            meter.certificates(expire(drivers));
            connected = description;
        } catch (RuntimeException | Error e) {
            connected = -1;
            LOG.atWarn().addKeyValue("failure", e.getMessage()).log("drivers not connected yet");
        }
    }

    private static SortedMap<String, Instant> expire(List<DriverEndpoint> drivers) {
        SortedMap<String, Instant> expire = new TreeMap<>();
        drivers.forEach(driver ->
                driver.tls().ifPresent(ours -> ours.expires().ifPresent(end -> expire.put(ours.source(), end))));
        return expire;
    }

    /** Slices of static topologies, and of jobs that are gone, are looked after by the leader alone. */
    private void tend() {
        if (term.isEmpty() || stopping.get()) {
            return;
        }
        try {
            // terms begin on this thread: while one is held it is the same
            BooleanSupplier leads = () -> fencing.held() > 0;
            boolean done = staticTopologySlices.tend(led().fabrics(), led().slices(), leads);
            done &= leftSlices.tend(watched().jobs(), led().slices(), leads);
            if (!done) {
                tendLater();
            }
        } catch (RuntimeException | Error e) {
            LOG.atWarn().addKeyValue("failure", e.getMessage()).log("slices without a job not tended yet");
            tendLater();
        }
    }

    private void tendLater() {
        if (!tendPending) {
            tendPending = true;
            thread.schedule(this::tendAgain, RETRY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void tendAgain() {
        tendPending = false;
        tend();
    }

    /**
     * A driver reports an epoch that is above ours or not in our book. The book is read again: a later leader of this installation
     * stands in it, and a new epoch is taken if the Lease is really still ours. What does not stand in it is strange: nothing is
     * changed until a person accepts it, and then an epoch above it is taken.
     */
    private void judge() {
        judgePending.set(false);
        judgedNanos = System.nanoTime();
        long held = fencing.held();
        if (stopping.get() || held == 0 || term.isEmpty()) {
            return;
        }
        try {
            long accepted = accepted(held);
            boolean passed = accepted >= held;
            if (!passed && fleet.states().values().stream().noneMatch(Leadership::isOvertaken)) {
                return;
            }
            EpochBook read = epochs(mandate.orElseThrow()).read().judgedTo(highestEpoch());
            fencing.read(read);
            term.ifPresent(Term::wake);
            if (!passed && read.last() <= held) {
                return;
            }
            Mandate ours = mandate.orElseThrow();
            if (!ours.confirmed()) {
                // whoever holds it now deposes us; nobody does while it is only gone for a moment
                judgeLater();
                return;
            }
            EpochCounter.Given given = epochs(ours).raiseAbove(accepted, identity.name());
            lead(given, given.book().and(fencing.book()), ours);
            // what asked for the epoch in between was told that nobody leads here
            won.run();
        } catch (RuntimeException | Error e) {
            LOG.atWarn().addKeyValue("failure", e.getMessage()).log("epochs not judged; trying again");
            judgeLater();
        }
    }

    private void judgeLater() {
        if (judgePending.compareAndSet(false, true)) {
            thread.schedule(this::judge, RETRY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Now, if a driver reports an epoch that is not ours to have. */
    private void judgeSoon() {
        if (fleet.states().values().stream()
                        .anyMatch(
                                state -> isOvertaken(state) || !state.strange().isEmpty())
                && judgePending.compareAndSet(false, true)) {
            // one device may tell of ever new epochs: the API server is not asked about each
            long pauseNanos = judgedNanos + RETRY.toNanos() - System.nanoTime();
            if (pauseNanos > 0) {
                thread.schedule(this::judge, pauseNanos, TimeUnit.NANOSECONDS);
            } else {
                later(this::judge);
            }
        }
    }

    private static boolean isOvertaken(DriverState state) {
        return state.contact() == DriverState.Contact.STALE_EPOCH
                || state.agents().values().stream().anyMatch(AgentMemory::overtaken);
    }

    /** The highest of the strange epochs that a person accepted; 0 without one. */
    private long accepted(long held) {
        return cluster.map(read -> acceptedEpochs.highest(
                        led().attended(),
                        endpoints.orElseThrow()::role,
                        fleet.states().values(),
                        held))
                .orElse(0L);
    }

    private void later(Runnable task) {
        later(task, 0);
    }

    private void later(Runnable task, long nanos) {
        try {
            thread.schedule(task, Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("stopping; nothing more is begun");
        }
    }

    /** Where elections tell what became of them. */
    private final class Desk implements Elections.Office {
        @Override
        public void taken(Mandate won) {
            electedNanos = OptionalLong.of(System.nanoTime());
            later(() -> begin(won));
        }

        /** Whatever the thread is doing. */
        @Override
        public void lost() {
            electedNanos = OptionalLong.empty();
            fencing.lost();
            publisher.ended();
            term.ifPresent(Term::stop);
        }

        @Override
        public void left() {
            term.ifPresent(Term::close);
            term = Optional.empty();
        }

        @Override
        public boolean fit() {
            OptionalLong elected = electedNanos;
            boolean begins = elected.isEmpty() || System.nanoTime() - elected.getAsLong() < BEGINNING.toNanos();
            return begins
                    && sinceLastPass()
                            .filter(age -> age.compareTo(LONGEST_PASS) > 0)
                            .isEmpty();
        }
    }

    /** Passes on to the term that runs, and looks for epochs above its own. */
    private final class Ear implements FleetListener {
        @Override
        public void changed(FleetChange change) {
            term.ifPresent(current -> current.changed(change));
            if (change.kind() == FleetChange.Kind.CONTACT) {
                judgeSoon();
            }
        }

        @Override
        public void answered(StageId stage, DeviceId device, ChangeOutcome outcome, Duration elapsed) {
            term.ifPresent(current -> current.answered(stage, device, outcome, elapsed));
        }

        @Override
        public void observed(Reading reading) {
            term.ifPresent(current -> current.observed(reading));
        }
    }

    /** Ends the term and gives the Lease back, both within three seconds. Light stays as it is. */
    @Override
    public void close() {
        if (!stopping.compareAndSet(false, true)) {
            return;
        }
        long deadlineNanos = System.nanoTime() + CLOSING.toNanos();
        fencing.lost();
        thread.shutdownNow();
        // either may wait for an API server that is away
        Future<?> released = election.submit(elections::close);
        Future<?> ended = election.submit(() -> term.ifPresent(Term::close));
        await(ended, deadlineNanos, "the term did not end in time");
        await(released, deadlineNanos, "the Lease was not given back; it runs out");
        election.shutdownNow();
    }

    private static void await(Future<?> done, long deadlineNanos, String otherwise) {
        try {
            done.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (Exception e) {
            LOG.atInfo().addKeyValue("reason", e.toString()).log(otherwise);
        }
    }
}
