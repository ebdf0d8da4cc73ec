package dev.lightpath.app.lead;

import dev.lightpath.app.driver.DriverFleet;
import dev.lightpath.app.driver.EpochBook;
import dev.lightpath.app.driver.FencingEpoch;
import dev.lightpath.planner.light.AgentMemory;
import dev.lightpath.planner.light.DriverState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges the epochs that drivers report. One that is above ours or not in our book has the book read again: a later
 * leader of this installation stands in it, and a new epoch is taken if the Lease is really still ours. What does not
 * stand in it is strange: nothing is changed until a person accepts it, and then an epoch above it is taken. On the
 * thread of the leadership, but for {@link #soon}.
 */
final class EpochJudge {
    private static final Logger LOG = LoggerFactory.getLogger(EpochJudge.class);
    private static final Duration RETRY = Duration.ofSeconds(2);

    /** Whose epochs are judged. On its thread. */
    interface Leader {
        /** What it was elected for; empty while no term runs. */
        Optional<Mandate> mandate();

        /** Where its epochs are given. */
        EpochCounter epochs(Mandate mandate);

        /** What may be changed is another matter now. */
        void wake();

        /** Leads on under another epoch. */
        void leadOn(EpochCounter.Given given, EpochBook book, Mandate mandate);
    }

    private final DriverFleet fleet;
    private final FencingEpoch fencing;
    private final DriverConnection drivers;
    private final LeadershipThread thread;
    private final Identity identity;
    private final Leader leader;
    private final AcceptedEpochs acceptedEpochs = new AcceptedEpochs();
    private final AtomicBoolean pending = new AtomicBoolean();
    private volatile long judgedNanos = System.nanoTime() - RETRY.toNanos();

    EpochJudge(
            DriverFleet fleet,
            FencingEpoch fencing,
            DriverConnection drivers,
            LeadershipThread thread,
            Identity identity,
            Leader leader) {
        this.fleet = fleet;
        this.fencing = fencing;
        this.drivers = drivers;
        this.thread = thread;
        this.identity = identity;
        this.leader = leader;
    }

    /** The highest epoch that a driver reports and that can be raised. From any thread. */
    long highest() {
        return fleet.states().values().stream()
                .mapToLong(DriverState::highestEpoch)
                .filter(DriverState::raisable)
                .max()
                .orElse(0);
    }

    /** Now, if a driver reports an epoch that is not ours to have. From any thread. */
    void soon() {
        if (!pending.get()
                && fleet.states().values().stream()
                        .anyMatch(
                                state -> isOvertaken(state) || !state.strange().isEmpty())
                && pending.compareAndSet(false, true)) {
            // one device may tell of ever new epochs: the API server is not asked about each
            thread.later(this::judge, judgedNanos + RETRY.toNanos() - System.nanoTime());
        }
    }

    private void later() {
        if (pending.compareAndSet(false, true)) {
            thread.later(this::judge, RETRY);
        }
    }

    private void judge() {
        pending.set(false);
        long held = fencing.held();
        Optional<Mandate> mandate = leader.mandate();
        if (held == 0 || mandate.isEmpty()) {
            return;
        }
        judgedNanos = System.nanoTime();
        try {
            judge(held, mandate.get());
        } catch (RuntimeException | Error e) {
            LOG.atWarn().addKeyValue("failure", e.getMessage()).log("epochs not judged; trying again");
            later();
        }
    }

    private void judge(long held, Mandate ours) {
        long accepted = accepted(held);
        boolean passed = accepted >= held;
        if (!passed && fleet.states().values().stream().noneMatch(EpochJudge::isOvertaken)) {
            return;
        }
        EpochBook read = leader.epochs(ours).read().judgedTo(highest());
        fencing.read(read);
        leader.wake();
        if (!passed && read.last() <= held) {
            return;
        }
        if (!ours.confirmed()) {
            // whoever holds it now deposes us; nobody does while it is only gone for a moment
            later();
            return;
        }
        EpochCounter.Given given = leader.epochs(ours).raiseAbove(accepted, identity.name());
        leader.leadOn(given, given.book().and(fencing.book()), ours);
    }

    private static boolean isOvertaken(DriverState state) {
        return state.contact() == DriverState.Contact.STALE_EPOCH
                || state.agents().values().stream().anyMatch(AgentMemory::overtaken);
    }

    /** The highest of the strange epochs that a person accepted; 0 without one. */
    private long accepted(long held) {
        return acceptedEpochs.highest(
                drivers.fabrics(), drivers::role, fleet.states().values(), held);
    }
}
