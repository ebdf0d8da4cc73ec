package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.CurrentShare;
import dev.lightpath.app.cluster.Newcomers;
import dev.lightpath.app.cluster.ShareOfCluster;
import dev.lightpath.app.driver.EpochBook;
import dev.lightpath.app.driver.FencingEpoch;
import dev.lightpath.app.driver.FleetChange;
import dev.lightpath.app.driver.FleetListener;
import dev.lightpath.app.driver.Reading;
import dev.lightpath.app.loop.Rehearsal;
import dev.lightpath.app.loop.WorkPace;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.reading.RingIntentReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the cluster from the start, stands in {@link Elections}, and while it has a {@link Mandate} runs a
 * {@link Term}. Its own thread does everything that may wait; a lost Lease first stops what would be sent to drivers,
 * then ends the term, and the process stands again: an API server that was away is no reason to need a restart.
 */
final class Leadership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final Duration RETRY = Duration.ofSeconds(2);
    /** For all that ends with it; the reconcilers of the process end after that. */
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private static final Duration COUNTING = Duration.ofSeconds(1);
    /** So long a term may take to begin where others could have what this process was elected for. */
    private static final Duration BEGINNING = Duration.ofSeconds(10);
    /** So long a pass may take there: twice what a loop rests, and more. */
    private static final Duration LONGEST_PASS = Duration.ofSeconds(90);

    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration REHEARSING = Duration.ofMillis(500);

    private final TermParts parts;
    private final Supplier<RingIntentReader> readers;
    private final Supplier<ClusterInformers> watches;
    private final Identity identity;
    private final FencingEpoch fencing;
    private final CurrentShare share;
    private final Runnable won;
    private final LeadershipThread thread = new LeadershipThread();
    private final ExecutorService election = Executors.newCachedThreadPool(
            Thread.ofVirtual().name("election-", 0).factory());
    private final Newcomers newcomers;
    private final Elections elections;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicBoolean followPending = new AtomicBoolean();
    /** Changes are not followed before. */
    private volatile long followNanos = System.nanoTime();

    /** When this process was elected for a term that has not begun. */
    private volatile OptionalLong electedNanos = OptionalLong.empty();

    private volatile boolean standing;

    /** Empty until the cluster is watched. */
    private volatile Optional<Rooms> rooms = Optional.empty();

    // of the thread
    private Optional<Mandate> mandate = Optional.empty();
    /** By which jobs were called last. */
    private SortedSet<String> fabricNames = Collections.emptySortedSet();

    private volatile Optional<Term> term = Optional.empty();

    /** What works on the cluster that is watched. */
    private record Rooms(ClusterInformers cluster, DriverConnection drivers, EpochJudge judge, SliceTending tending) {}

    /**
     * @param parts what its terms work with
     * @param readers give the reader of fabrics, or throw while the API server does not answer
     * @param watches give the watches, or throw while the API server does not answer
     * @param shared whether replicas share the fabrics; else one of them leads them all
     * @param won called each time a term has begun, and when jobs may be of its share that were not, on the thread of
     *     the leadership
     */
    Leadership(
            TermParts parts,
            Supplier<RingIntentReader> readers,
            Supplier<ClusterInformers> watches,
            Identity identity,
            FencingEpoch fencing,
            CurrentShare share,
            boolean shared,
            Runnable won) {
        this.parts = parts;
        this.readers = readers;
        this.watches = watches;
        this.identity = identity;
        this.fencing = fencing;
        this.share = share;
        this.won = won;
        Elections.Office office = new Desk();
        this.newcomers = shared ? new Newcomers() : Newcomers.none();
        this.elections = shared
                ? new FabricElections(
                        parts.client(), identity, this::watched, newcomers, thread.executor(), office, System::nanoTime)
                : new OneElection(parts.client(), identity, thread.executor(), office);
    }

    void start() {
        thread.soon(this::prepare);
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
        return rooms.orElseThrow().cluster();
    }

    private void prepare() {
        if (stopping.get()) {
            return;
        }
        try {
            if (rooms.isEmpty()) {
                watch();
            }
            if (!watched().synced()) {
                thread.later(this::prepare, POLL);
                return;
            }
            if (!stopping.get()) {
                standing = true;
                thread.repeat(this::count, Duration.ZERO, COUNTING);
                elections.stand();
                thread.soon(this::standBy);
            }
        } catch (RuntimeException | Error e) {
            LOG.atWarn().addKeyValue("failure", e.getMessage()).log("the cluster cannot be read yet");
            thread.later(this::prepare, RETRY);
        }
    }

    /**
     * Whoever may be elected for all there is has its drivers read before, and has tried to plan: else both would be
     * waited for at a moment when nobody repairs.
     */
    private void standBy() {
        if (elections.foreseen().isNothing() || term.isPresent()) {
            return;
        }
        share.set(elections.foreseen());
        Rooms with = rooms.orElseThrow();
        with.drivers().connect();
        with.drivers().refresh();
        rehearse(new Rehearsal(led(), () -> watched().records(), parts.fleet()::states, InstantSource.system()));
    }

    private void rehearse(Rehearsal rehearsal) {
        if (term.isEmpty() && rehearsal.pass()) {
            thread.later(() -> rehearse(rehearsal), REHEARSING);
        }
    }

    /** Each fabric is counted by every replica, so that one which nobody leads is noticed. */
    private void count() {
        SortedSet<String> known = new TreeSet<>();
        watched().fabrics().forEach(fabric -> known.add(fabric.getMetadata().getName()));
        parts.meter().fabrics(known, this::leads);
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
        DriverEndpoints endpoints = new DriverEndpoints(parts.client(), identity.namespace(), reader);
        DriverConnection drivers =
                new DriverConnection(parts.fleet(), parts.meter(), endpoints, informers, this::led, thread);
        rooms = Optional.of(new Rooms(
                informers,
                drivers,
                new EpochJudge(parts.fleet(), fencing, drivers, thread, identity, new Leader()),
                new SliceTending(
                        parts.client(),
                        identity.namespace(),
                        fencing,
                        informers,
                        this::led,
                        () -> term.isPresent() && !stopping.get(),
                        thread)));
        parts.fleet().listen(new Ear());
    }

    private void begin(Mandate elected) {
        if (elected.over()) {
            return;
        }
        try {
            // read first: what a driver has seen before our epoch was given, even an equal one, belonged to somebody
            // else
            share.set(elected.share());
            Rooms with = rooms.orElseThrow();
            with.drivers().connect();
            with.drivers().awaitContact(elected.share().whole(), stopping::get);
            if (elected.over()) {
                return;
            }
            long highest = with.judge().highest();
            EpochCounter.Given given = epochs(elected).raiseAbove(0, identity.name());
            lead(given, given.book().judgedTo(highest), elected);
            if (elected.over()) {
                return;
            }
            fabricNames = watched().fabricNames();
            won.run();
            with.judge().soon();
            with.tending().tend();
            with.drivers().refresh();
        } catch (RuntimeException | Error e) {
            LOG.atWarn().setCause(e).log("the term could not begin; trying again");
            if (!stopping.get()) {
                thread.later(() -> begin(elected), RETRY);
            }
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
                parts,
                watched(),
                new ShareOfCluster(watched(), elected.share(), newcomers),
                given.holder(),
                epoch,
                () -> fencing.held() == epoch));
        if (!elected.over()) {
            // else it may be that of a later mandate
            electedNanos = OptionalLong.empty();
        }
        if (elected.over()) {
            // its end was told before the term began
            parts.publisher().ended();
            term.ifPresent(Term::stop);
        }
        LOG.atInfo()
                .addKeyValue("epoch", epoch)
                .addKeyValue("holder", given.holder())
                .log("leading");
    }

    /** Whoever leads what is of no fabric is asked for a look at everything. */
    private EpochCounter epochs(Mandate elected) {
        return new EpochCounter(
                parts.client(), identity.namespace(), elected.share().rest() ? identity.view() : "");
    }

    private ShareOfCluster led() {
        return new ShareOfCluster(watched(), share.get());
    }

    private void changed() {
        Optional<DriverConnection> stale = rooms.map(Rooms::drivers).filter(DriverConnection::isStale);
        term.ifPresent(stale.isPresent() ? Term::wake : Term::asked);
        if (!share.get().isNothing()) {
            stale.ifPresent(DriverConnection::reconnectSoon);
        }
        if (term.isPresent()) {
            followSoon();
        }
    }

    private void followSoon() {
        if (followPending.compareAndSet(false, true)) {
            thread.later(this::follow, followNanos - System.nanoTime());
        }
    }

    /**
     * Linear in jobs and slices: where thousands of them change one after the other it takes a fortieth of the time at
     * most.
     */
    private void follow() {
        followPending.set(false);
        long began = System.nanoTime();
        rooms.ifPresent(with -> {
            with.judge().soon();
            with.tending().tend();
        });
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

    /** Where elections tell what became of them. */
    private final class Desk implements Elections.Office {
        @Override
        public void taken(Mandate won) {
            electedNanos = OptionalLong.of(System.nanoTime());
            thread.soon(() -> begin(won));
        }

        /** Whatever the thread is doing. */
        @Override
        public void lost() {
            electedNanos = OptionalLong.empty();
            fencing.lost();
            parts.publisher().ended();
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

    /** Of what the epochs that drivers report are judged. */
    private final class Leader implements EpochJudge.Leader {
        @Override
        public Optional<Mandate> mandate() {
            return term.isEmpty() || stopping.get() ? Optional.empty() : mandate;
        }

        @Override
        public EpochCounter epochs(Mandate elected) {
            return Leadership.this.epochs(elected);
        }

        @Override
        public void wake() {
            term.ifPresent(Term::wake);
        }

        @Override
        public void leadOn(EpochCounter.Given given, EpochBook book, Mandate elected) {
            lead(given, book, elected);
            // what asked for the epoch in between was told that nobody leads here
            won.run();
        }
    }

    /** Passes on to the term that runs, and looks for epochs above its own. */
    private final class Ear implements FleetListener {
        @Override
        public void changed(FleetChange change) {
            term.ifPresent(current -> current.changed(change));
            // each look is at all drivers, and thousands call a process that stands by: a term begins with one
            if (change.kind() == FleetChange.Kind.CONTACT && term.isPresent()) {
                rooms.ifPresent(with -> with.judge().soon());
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
        thread.end();
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
