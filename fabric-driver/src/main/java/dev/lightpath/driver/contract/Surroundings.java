package dev.lightpath.driver.contract;

import dev.lightpath.driver.audit.AuditLog;
import dev.lightpath.driver.contract.view.ViewChange;
import dev.lightpath.driver.ledger.Ledger;
import java.time.Clock;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/** What every device of a driver shares. {@code timers} starts things and never waits. */
public record Surroundings(
        Ledger ledger, AuditLog audit, Clock clock, ScheduledExecutorService timers, Consumer<ViewChange> changes) {}
