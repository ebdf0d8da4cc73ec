package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.DarknessAnnotations;
import dev.lightpath.app.cluster.ShareOfCluster;
import dev.lightpath.app.cluster.SliceLedger;
import dev.lightpath.app.driver.DriverFleet;
import dev.lightpath.app.driver.FleetChange;
import dev.lightpath.app.driver.FleetListener;
import dev.lightpath.app.driver.Reading;
import dev.lightpath.app.loop.Fleet;
import dev.lightpath.app.loop.PassMeter;
import dev.lightpath.app.loop.PlanningLoop;
import dev.lightpath.app.loop.Publisher;
import dev.lightpath.app.solving.SolverPool;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.BooleanSupplier;

/** The planning loop of one epoch with its ledger: begun at a win, ended when the epoch is. */
final class Term implements FleetListener, AutoCloseable {
    private final long epoch;
    private final SliceLedger ledger;
    private final PlanningLoop loop;
    private final PassMeter meter;
    private final Publisher publisher;
    private final DarknessAnnotations notice;
    private final SolverPool solving;

    /**
     * @param led what of the cluster is planned
     * @param held whether the term's epoch still is this process's: what outlives it records nothing more
     */
    Term(
            TermParts parts,
            ClusterInformers cluster,
            ShareOfCluster led,
            String identity,
            long epoch,
            BooleanSupplier held) {
        this.epoch = epoch;
        this.meter = parts.meter();
        this.publisher = parts.publisher();
        this.ledger = new SliceLedger(parts.client(), led::slices, led::isOurs, held);
        this.notice = new DarknessAnnotations(parts.client(), held, InstantSource.system());
        this.solving =
                new SolverPool(parts.planner(), this::wake, meter, parts.abandoned(), parts.marks(), System::nanoTime);
        this.loop = new PlanningLoop(
                led,
                ledger,
                port(parts.fleet(), identity),
                publisher,
                meter,
                notice,
                solving,
                parts.tracing(),
                InstantSource.system(),
                epoch,
                parts.verify());
        publisher.begun(held);
        cluster.readAnew();
        loop.start();
    }

    /** What is wished may have changed. */
    void wake() {
        loop.wake();
    }

    /** A job asks for something else. */
    void asked() {
        loop.asked();
    }

    /** Why planning stands still, if it does. */
    Optional<String> failure() {
        return loop.failure();
    }

    /** How long ago the last planning pass ended. */
    Duration sinceLastPass() {
        return loop.sinceLastPass();
    }

    /** Nothing more is decided. From any thread, and waits for nothing. */
    void stop() {
        loop.stop();
    }

    void forget(FabricSlice gone) {
        ledger.forget(gone);
    }

    private static Fleet port(DriverFleet fleet, String identity) {
        return new Fleet() {
            @Override
            public SortedMap<String, DriverState> states() {
                return fleet.states();
            }

            @Override
            public void start(Stage stage) {
                fleet.start(stage, identity);
            }

            @Override
            public void observe(SortedSet<DeviceId> devices) {
                fleet.observe(devices);
            }
        };
    }

    @Override
    public void changed(FleetChange change) {
        switch (change.kind()) {
            case CIRCUITS, PORTS -> loop.progressed();
            case CONTACT, DEVICE -> loop.wake();
        }
    }

    /** Outcomes of an earlier term are dropped: their effect is read from the device. */
    @Override
    public void answered(StageId stage, DeviceId device, ChangeOutcome outcome, Duration elapsed) {
        meter.applied(outcome, elapsed);
        if (stage.epoch() == epoch) {
            loop.answered(stage, device, outcome);
        }
    }

    @Override
    public void observed(Reading reading) {
        loop.observed(reading.read(), reading.unread());
    }

    @Override
    public void close() {
        loop.close();
        solving.close();
        publisher.ended();
        meter.ended();
        ledger.close();
        notice.close();
    }
}
