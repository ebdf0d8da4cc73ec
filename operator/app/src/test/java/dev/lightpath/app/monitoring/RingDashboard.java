package dev.lightpath.app.monitoring;

import static dev.lightpath.app.monitoring.Series.DEVICE;
import static dev.lightpath.app.monitoring.Series.FABRIC;
import static dev.lightpath.app.monitoring.Series.JOB;
import static dev.lightpath.app.monitoring.Series.NAMESPACE;
import static dev.lightpath.app.monitoring.Series.STATE;

import dev.lightpath.app.monitoring.Dashboard.Row;
import dev.lightpath.app.monitoring.Dashboard.Uid;
import dev.lightpath.app.monitoring.Metric.Query;
import java.util.List;

/** One ring: its nodes, its circuits, the jobs on it. */
final class RingDashboard {
    private final Series series;
    private final Catalogue operator;

    RingDashboard(Series series) {
        this.series = series;
        this.operator = series.operator();
    }

    Dashboard dashboard() {
        Metric states = operator.get("lightpath_job_state");
        return new Dashboard(
                Uid.RING,
                "One fabric: its nodes, its circuits, the jobs on it.",
                List.of(series.fabric()),
                List.of(
                        Row.of(
                                "Capacity",
                                Panel.graph("Nodes", "Busy and allocated ones are healthy too.")
                                        .show(
                                                operator.get("lightpath_fabric_nodes")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC, STATE),
                                                "{{fabric}} {{state}}")
                                        .runbook("LightpathNodesFaulty"),
                                Panel.graph("GPUs", "Usable ones include those that are allocated.")
                                        .show(
                                                operator.get("lightpath_fabric_gpus")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC, STATE),
                                                "{{fabric}} {{state}}"),
                                Panel.graph("Waste", "GPUs of healthy nodes that no plan may use, as a share of all.")
                                        .unit("percentunit")
                                        .warnAt(0.1)
                                        .show(
                                                operator.get("lightpath_fabric_waste_ratio")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC),
                                                "{{fabric}}")
                                        .runbook("LightpathWaste")),
                        Row.of(
                                "Light",
                                Panel.graph("Circuits", "Loopbacks included.")
                                        .show(
                                                operator.get("lightpath_fabric_circuits")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC, STATE),
                                                "{{fabric}} {{state}}")
                                        .runbook("LightpathCircuitsMissing")
                                        .runbook("LightpathForeignCircuits"),
                                Panel.graph("Circuits made per minute", "By why light moves, over all fabrics.")
                                        .show(
                                                Query.of(
                                                        "60 * %s",
                                                        operator.get("lightpath_light_moved_total")
                                                                .all()
                                                                .rate("cause")),
                                                "{{cause}}"),
                                Panel.graph(
                                                "Budget of darkness",
                                                "Circuits in use that changes took down and that are not lit again, and"
                                                        + " how many may be at one instant.")
                                        .show(
                                                operator.get("lightpath_fabric_darkness_circuits")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC, "which"),
                                                "{{fabric}} {{which}}"),
                                Panel.graph(
                                                "Quarantine",
                                                "Faults and ports that stay out of use until they are cleared.")
                                        .show(
                                                operator.get("lightpath_fabric_quarantined_faults")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC, "kind"),
                                                "{{fabric}} faults of a {{kind}}")
                                        .show(
                                                operator.get("lightpath_fabric_quarantined_ports")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC),
                                                "{{fabric}} ports released by force")
                                        .runbook("LightpathFaultsQuarantined")
                                        .runbook("LightpathPortsQuarantined"),
                                Panel.table(
                                                "Waits for a person",
                                                "Reasons for which nothing goes on before a person decides.",
                                                FABRIC,
                                                "reason")
                                        .sometimes()
                                        .show(
                                                Query.of(
                                                        "%s == 1",
                                                        operator.get("lightpath_fabric_attention")
                                                                .chosen(FABRIC)
                                                                .max(FABRIC, "reason")),
                                                "waits")
                                        .console("fabric/%s", FABRIC)
                                        .runbook("LightpathWaitsForPerson")
                                        .runbook("LightpathDevicesNewerThanLedger")),
                        Row.of(
                                "On it",
                                Panel.table(
                                                "Jobs",
                                                "Those that want this fabric. A click leads to the job.",
                                                NAMESPACE,
                                                JOB,
                                                FABRIC,
                                                STATE)
                                        .show(states.chosen(FABRIC).max(NAMESPACE, JOB, FABRIC, STATE), "is")
                                        .to(Uid.JOBS, NAMESPACE, JOB)
                                        .console("job/%s/%s", NAMESPACE, JOB),
                                Panel.table(
                                                "Switches",
                                                "Of this fabric. A click leads to the switch.",
                                                FABRIC,
                                                "switch",
                                                DEVICE,
                                                "drained")
                                        .show(
                                                operator.get("lightpath_switch_info")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC, "switch", DEVICE, "drained"),
                                                "is")
                                        .to(Uid.SWITCHES, FABRIC, DEVICE)
                                        .console("switch/%s", "switch"))));
    }
}
