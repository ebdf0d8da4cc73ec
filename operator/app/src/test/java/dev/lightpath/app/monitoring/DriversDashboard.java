package dev.lightpath.app.monitoring;

import static dev.lightpath.app.monitoring.Series.FABRIC;

import dev.lightpath.app.monitoring.Dashboard.Row;
import dev.lightpath.app.monitoring.Dashboard.Uid;
import dev.lightpath.app.monitoring.Metric.Query;
import java.util.List;

/** The driver servers, and how the operator reaches them. */
final class DriversDashboard {
    private final Series series;
    private final Catalogue operator;
    private final Catalogue driver;

    DriversDashboard(Series series) {
        this.series = series;
        this.operator = series.operator();
        this.driver = series.driver();
    }

    Dashboard dashboard() {
        Metric apply = driver.get("lightpath_driver_change_seconds");
        return new Dashboard(
                Uid.DRIVERS,
                "The driver servers, and how the operator reaches them.",
                List.of(series.fabric()),
                List.of(
                        Row.of(
                                "Reach",
                                Panel.graph("Devices", "Whether they answer their driver.")
                                        .show(
                                                driver.get("lightpath_driver_devices")
                                                        .all()
                                                        .sum("availability"),
                                                "{{availability}}")
                                        .runbook("LightpathDevicesSilent"),
                                Panel.graph("Drivers answer the operator", "1 while they do.")
                                        .show(
                                                operator.get("lightpath_driver_connected")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC),
                                                "{{fabric}}")
                                        .runbook("LightpathDriverAway"),
                                Panel.graph(
                                                "Agents of nodes that are away",
                                                "Their nodes are left as they are, and all others are cared for.")
                                        .sometimes()
                                        .show(
                                                operator.get("lightpath_fabric_agents")
                                                        .chosen(FABRIC)
                                                        .in("state", "away")
                                                        .max(FABRIC),
                                                "{{fabric}}")
                                        .runbook("LightpathAgentsAway"),
                                Panel.graph("Watch streams", "Open ones, and messages that slow clients lost.")
                                        .show(
                                                driver.get("lightpath_driver_watch_streams")
                                                        .all()
                                                        .sum(),
                                                "streams")
                                        .show(
                                                driver.get("lightpath_driver_watch_dropped_total")
                                                        .all()
                                                        .increase(),
                                                "lost")),
                        Row.of(
                                "Changes",
                                Panel.graph("Changes", "99 of 100 took at most this.")
                                        .unit("s")
                                        .show(apply.all().quantile(0.99, "outcome"), "{{outcome}}"),
                                Panel.graph("Changes per minute", "By how they ended.")
                                        .show(
                                                Query.of("60 * %s", apply.all().events("$__rate_interval", "outcome")),
                                                "{{outcome}}")
                                        .runbook("LightpathChangesRefused"),
                                Panel.graph("Refused calls", "By reason.")
                                        .show(
                                                driver.get("lightpath_driver_refused_total")
                                                        .all()
                                                        .increase("reason"),
                                                "{{reason}}")),
                        Row.of(
                                "Journal",
                                Panel.graph("Journal", "Size on disk.")
                                        .unit("bytes")
                                        .warnAt(64.0 * 1024 * 1024)
                                        .show(
                                                driver.get("lightpath_driver_journal_bytes")
                                                        .all()
                                                        .now(),
                                                "{{instance}}")
                                        .runbook("LightpathDriverJournalGrows"),
                                Panel.graph("Room", "What the driver may still write on its volume.")
                                        .unit("bytes")
                                        .show(
                                                driver.get("lightpath_driver_state_free_bytes")
                                                        .all()
                                                        .now(),
                                                "{{instance}}")
                                        .runbook("LightpathDriverRefusesChanges"),
                                Panel.graph("Certificates expire in", "Those that drivers show.")
                                        .unit("s")
                                        .sometimes()
                                        .show(
                                                Query.of(
                                                        "%s - time()",
                                                        driver.get(
                                                                        "lightpath_driver_certificate_expires_timestamp_seconds")
                                                                .all()
                                                                .now()),
                                                "{{instance}} {{file}}")
                                        .runbook("LightpathCertificateExpires"),
                                Panel.graph("Journal cannot be written", "1 while changes are refused for that.")
                                        .alarmAt(1)
                                        .show(
                                                driver.get("lightpath_driver_journal_failed")
                                                        .all()
                                                        .now(),
                                                "{{instance}}")
                                        .runbook("LightpathDriverRefusesChanges"),
                                Panel.graph("Rewritings that failed", "Of the journal.")
                                        .show(
                                                driver.get("lightpath_driver_journal_compactions_failed_total")
                                                        .all()
                                                        .increase(),
                                                "failed")
                                        .runbook("LightpathDriverJournalGrows"))));
    }
}
