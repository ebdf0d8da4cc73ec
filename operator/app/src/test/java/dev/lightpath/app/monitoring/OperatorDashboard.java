package dev.lightpath.app.monitoring;

import static dev.lightpath.app.monitoring.Series.FABRIC;
import static dev.lightpath.app.monitoring.Series.count;
import static dev.lightpath.app.monitoring.Series.sum;

import dev.lightpath.app.monitoring.Dashboard.Row;
import dev.lightpath.app.monitoring.Dashboard.Uid;
import dev.lightpath.app.monitoring.Metric.Query;
import java.util.List;

/** The operator itself. */
final class OperatorDashboard {
    private final Catalogue operator;

    OperatorDashboard(Series series) {
        this.operator = series.operator();
    }

    Dashboard dashboard() {
        Metric solver = operator.get("lightpath_solver_answer_seconds");
        Metric plan = operator.get("lightpath_plan_seconds");
        Metric apply = operator.get("lightpath_driver_apply_seconds");
        return new Dashboard(
                Uid.OPERATOR,
                "Whether the operator leads, plans in time, and is guarded.",
                List.of(),
                List.of(
                        Row.of(
                                "Now",
                                Panel.stat(
                                                "Epoch",
                                                "Fencing epoch of the leader; 0 while no replica leads.",
                                                operator.get("lightpath_epoch")
                                                        .all()
                                                        .max())
                                        .runbook("LightpathNobodyLeads"),
                                Panel.stat(
                                                "Fabrics led by nobody",
                                                "Fabrics that no replica says it leads.",
                                                count(Query.of(
                                                        "%s == 0",
                                                        operator.get("lightpath_fabric_led")
                                                                .all()
                                                                .max(FABRIC))))
                                        .alarmAt(1)
                                        .runbook("LightpathFabricUnled"),
                                Panel.stat(
                                                "Passes that failed",
                                                "In the time shown: a bug.",
                                                operator.get("lightpath_plan_failed_total")
                                                        .all()
                                                        .total())
                                        .alarmAt(1)
                                        .runbook("LightpathPlanningFails"),
                                Panel.stat(
                                                "Policies missing",
                                                "Admission policies that are not in force.",
                                                operator.get("lightpath_policies_missing")
                                                        .all()
                                                        .max())
                                        .alarmAt(1)
                                        .runbook("LightpathUnguarded"),
                                Panel.stat(
                                        "Open questions",
                                        "Choices of circuits that jobs wait for.",
                                        operator.get("lightpath_solver_questions")
                                                .all()
                                                .max()),
                                Panel.stat(
                                                "Searches left alone",
                                                "Searches for circuits that did not stop.",
                                                operator.get("lightpath_solver_abandoned")
                                                        .all()
                                                        .max())
                                        .alarmAt(1)
                                        .runbook("LightpathSearchesHang"),
                                Panel.stat(
                                        "Fabrics without TLS",
                                        "Fabrics whose driver is spoken to in the clear.",
                                        sum(operator.get("lightpath_driver_insecure")
                                                .all()
                                                .max(FABRIC))),
                                Panel.stat(
                                                "Certificates expire in",
                                                "Those that the operator shows to drivers.",
                                                Query.of(
                                                        "%s - time()",
                                                        operator.get("lightpath_certificate_expires_timestamp_seconds")
                                                                .all()
                                                                .max("source")))
                                        .unit("s")
                                        .sometimes()
                                        .runbook("LightpathCertificateExpires")),
                        Row.of(
                                "Planning",
                                Panel.graph("Passes per second", "By what they decided.")
                                        .show(
                                                operator.get("lightpath_deliberation_total")
                                                        .all()
                                                        .rate("decision"),
                                                "{{decision}}")
                                        .show(
                                                operator.get("lightpath_plan_failed_total")
                                                        .all()
                                                        .rate(),
                                                "failed")
                                        .show(
                                                operator.get("lightpath_planning_differences_total")
                                                        .all()
                                                        .rate(),
                                                "otherwise than from nothing"),
                                Panel.graph("Planning pass", "99 of 100 took at most this, by the planner that ran.")
                                        .unit("s")
                                        .show(plan.all().quantile(0.99, "planner"), "{{planner}}")
                                        .runbook("LightpathRepairsSlow"),
                                Panel.graph("News wait", "Until the loop takes them up.")
                                        .unit("s")
                                        .show(
                                                operator.get("lightpath_plan_wait_seconds")
                                                        .all()
                                                        .quantile(0.5),
                                                "half")
                                        .show(
                                                operator.get("lightpath_plan_wait_seconds")
                                                        .all()
                                                        .quantile(0.99),
                                                "99 %"),
                                Panel.graph("Choices of circuits", "99 of 100 took at most this.")
                                        .unit("s")
                                        .show(solver.all().quantile(0.99, "result"), "{{result}}"),
                                Panel.graph(
                                                "Workers for searches",
                                                "How many there are, and what came of asking them, per second.")
                                        .show(
                                                operator.get("lightpath_solver_workers")
                                                        .all()
                                                        .max(),
                                                "workers")
                                        .show(
                                                operator.get("lightpath_solver_tries_total")
                                                        .all()
                                                        .rate("result"),
                                                "{{result}}")
                                        .show(
                                                operator.get("lightpath_solver_local_total")
                                                        .all()
                                                        .rate(),
                                                "none took it"),
                                Panel.graph("Drivers: change to answer", "99 of 100 took at most this.")
                                        .unit("s")
                                        .show(apply.all().quantile(0.99, "result"), "{{result}}")
                                        .runbook("LightpathChangesRefused"),
                                Panel.graph("Changes per minute", "By how they ended.")
                                        .show(
                                                Query.of("60 * %s", apply.all().events("$__rate_interval", "result")),
                                                "{{result}}"))));
    }
}
