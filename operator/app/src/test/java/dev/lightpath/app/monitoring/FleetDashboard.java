package dev.lightpath.app.monitoring;

import static dev.lightpath.app.monitoring.Series.FABRIC;
import static dev.lightpath.app.monitoring.Series.STATE;
import static dev.lightpath.app.monitoring.Series.count;
import static dev.lightpath.app.monitoring.Series.sum;

import dev.lightpath.app.monitoring.Dashboard.Row;
import dev.lightpath.app.monitoring.Dashboard.Uid;
import dev.lightpath.app.monitoring.Metric.Query;
import java.util.List;

/** Whether all is well, and where it is not. */
final class FleetDashboard {
    private final Series series;
    private final Catalogue operator;

    FleetDashboard(Series series) {
        this.series = series;
        this.operator = series.operator();
    }

    Dashboard dashboard() {
        Metric away = operator.get("lightpath_driver_connected");
        Metric attention = operator.get("lightpath_fabric_attention");
        return new Dashboard(
                Uid.FLEET,
                "Whether all is well, and where it is not.",
                List.of(series.fabric()),
                List.of(
                        Row.of(
                                "Now",
                                Panel.stat(
                                                "Jobs ready",
                                                "Jobs whose light is qualified and whose pods may run.",
                                                sum(series.jobCount("ready")))
                                        .to(Uid.JOBS),
                                Panel.stat(
                                                "Jobs waiting",
                                                "Accepted, and no place or no light yet.",
                                                sum(series.jobCount("pending", "programming")))
                                        .warnAt(1)
                                        .runbook("LightpathJobsWaiting")
                                        .to(Uid.JOBS),
                                Panel.stat("Jobs degraded", "Jobs that lost light.", sum(series.jobCount("degraded")))
                                        .alarmAt(1)
                                        .runbook("LightpathJobsDegraded")
                                        .to(Uid.JOBS),
                                Panel.stat(
                                                "Nodes faulty",
                                                "Nodes that no plan uses, because something of them failed.",
                                                sum(series.fabrics("lightpath_fabric_nodes", "faulty")))
                                        .warnAt(1)
                                        .runbook("LightpathNodesFaulty")
                                        .to(Uid.FAULTS),
                                Panel.stat(
                                                "Circuits missing",
                                                "Wanted, not lit, and on devices that answer.",
                                                sum(series.fabrics("lightpath_fabric_circuits", "missing")))
                                        .alarmAt(1)
                                        .runbook("LightpathCircuitsMissing")
                                        .to(Uid.RING),
                                Panel.stat(
                                                "Foreign circuits",
                                                "Lit, and no record explains them.",
                                                sum(operator.get("lightpath_foreign_circuits")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC)))
                                        .warnAt(1)
                                        .runbook("LightpathForeignCircuits")
                                        .to(Uid.RING),
                                Panel.stat(
                                                "Drivers away",
                                                "Fabrics with a driver that does not answer.",
                                                count(Query.of(
                                                        "%s == 0",
                                                        away.chosen(FABRIC).max(FABRIC))))
                                        .alarmAt(1)
                                        .runbook("LightpathDriverAway")
                                        .to(Uid.DRIVERS),
                                Panel.stat(
                                                "Waiting for a person",
                                                "Fabrics in which nothing goes on until a person decides.",
                                                count(Query.of(
                                                        "%s == 1",
                                                        attention.chosen(FABRIC).max(FABRIC, "reason"))))
                                        .alarmAt(1)
                                        .runbook("LightpathWaitsForPerson")
                                        .to(Uid.RING)),
                        Row.of(
                                "Fabrics",
                                Panel.table("Fabrics", "A click on a fabric leads to its ring and switches.", FABRIC)
                                        .show(series.fabrics("lightpath_fabric_gpus", "total"), "GPUs")
                                        .show(series.fabrics("lightpath_fabric_gpus", "usable"), "usable")
                                        .show(series.fabrics("lightpath_fabric_gpus", "allocated"), "allocated")
                                        .show(series.fabrics("lightpath_fabric_nodes", "faulty"), "faulty nodes")
                                        .show(
                                                series.fabrics("lightpath_fabric_circuits", "planned"),
                                                "circuits planned")
                                        .show(series.fabrics("lightpath_fabric_circuits", "lit"), "lit")
                                        .show(series.fabrics("lightpath_fabric_circuits", "missing"), "missing")
                                        .show(away.chosen(FABRIC).max(FABRIC), "driver answers")
                                        .to(Uid.RING, FABRIC)
                                        .to(Uid.SWITCHES, FABRIC)
                                        .console("fabric/%s", FABRIC),
                                Panel.graph("GPUs", "Usable ones include those that are allocated.")
                                        .show(
                                                operator.get("lightpath_fabric_gpus")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC, STATE),
                                                "{{fabric}} {{state}}")
                                        .to(Uid.RING, FABRIC),
                                Panel.graph("Jobs", "By state.")
                                        .show(
                                                operator.get("lightpath_job_count")
                                                        .all()
                                                        .max(STATE),
                                                "{{state}}"),
                                Panel.graph("Waste", "GPUs of healthy nodes that no plan may use, as a share of all.")
                                        .unit("percentunit")
                                        .warnAt(0.1)
                                        .runbook("LightpathWaste")
                                        .show(
                                                operator.get("lightpath_fabric_waste_ratio")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC),
                                                "{{fabric}}")
                                        .to(Uid.RING, FABRIC))));
    }
}
