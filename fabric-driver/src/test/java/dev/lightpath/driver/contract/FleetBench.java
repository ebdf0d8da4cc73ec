package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.audit.AuditLog;
import dev.lightpath.driver.contract.view.ViewChange;
import dev.lightpath.driver.ledger.Ledger;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A fleet over a state directory, without a server. */
final class FleetBench implements AutoCloseable {
    final List<ViewChange> told = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    final Ledger ledger;
    private final AuditLog audit;
    final Fleet fleet;

    FleetBench(Path directory, Adapter... adapters) throws IOException {
        this(Clock.systemUTC(), directory, adapters);
    }

    FleetBench(Clock clock, Path directory, Adapter... adapters) throws IOException {
        ledger = Ledger.open(directory, clock, 1 << 30);
        audit = AuditLog.open(directory, clock);
        fleet = new Fleet(new Surroundings(ledger, audit, clock, timers, told::add), List.of(adapters));
        var unused = fleet.start();
    }

    @Override
    public void close() throws IOException {
        fleet.close();
        timers.shutdownNow();
        audit.close();
        ledger.close();
    }
}
