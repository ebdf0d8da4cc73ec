package dev.lightpath.app.monitoring;

import static dev.lightpath.app.monitoring.Series.FABRIC;
import static dev.lightpath.app.monitoring.Series.JOB;
import static dev.lightpath.app.monitoring.Series.NAMESPACE;
import static dev.lightpath.app.monitoring.Series.STATE;

import dev.lightpath.app.monitoring.Dashboard.Row;
import dev.lightpath.app.monitoring.Dashboard.Uid;
import dev.lightpath.app.monitoring.Dashboard.Variable;
import dev.lightpath.app.monitoring.Metric.Query;
import java.util.List;

/** Jobs one by one. */
final class JobsDashboard {
    private final Catalogue operator;

    JobsDashboard(Series series) {
        this.operator = series.operator();
    }

    Dashboard dashboard() {
        Metric states = operator.get("lightpath_job_state");
        Metric iteration = operator.get("lightpath_job_iteration_seconds");
        return new Dashboard(
                Uid.JOBS,
                "Jobs one by one: why they wait, what light they have, what an iteration is to take.",
                List.of(new Variable(NAMESPACE, states, List.of()), new Variable(JOB, states, List.of(NAMESPACE))),
                List.of(
                        Row.of(
                                "Jobs",
                                Panel.table(
                                                "Jobs",
                                                "At most 500 have a row of their own.",
                                                NAMESPACE,
                                                JOB,
                                                FABRIC,
                                                STATE)
                                        .show(states.chosen(NAMESPACE, JOB).max(NAMESPACE, JOB, FABRIC, STATE), "is")
                                        .to(Uid.JOBS, NAMESPACE, JOB)
                                        .to(Uid.RING, FABRIC)
                                        .console("job/%s/%s", NAMESPACE, JOB),
                                Panel.table(
                                                "Why jobs wait, and since when",
                                                "The reason is that of the job's condition Ready.",
                                                NAMESPACE,
                                                JOB,
                                                FABRIC,
                                                "reason")
                                        .unit("s")
                                        .sometimes()
                                        .show(
                                                Query.of(
                                                        "time() - %s",
                                                        operator.get("lightpath_job_waiting_since_seconds")
                                                                .chosen(NAMESPACE, JOB)
                                                                .max(NAMESPACE, JOB, FABRIC, "reason")),
                                                "waits for")
                                        .console("job/%s/%s", NAMESPACE, JOB)
                                        .runbook("LightpathJobsWaiting")
                                        .runbook("LightpathJobsDegraded"),
                                Panel.stat(
                                        "Jobs without series",
                                        "Jobs beyond the 500 that have series of their own.",
                                        operator.get("lightpath_job_series_left_out")
                                                .all()
                                                .max()),
                                Panel.graph("Jobs by state", "All of them.")
                                        .show(
                                                operator.get("lightpath_job_count")
                                                        .all()
                                                        .max(STATE),
                                                "{{state}}"),
                                Panel.graph("From creation to Ready", "Of jobs that became Ready for the first time.")
                                        .unit("s")
                                        .show(
                                                operator.get("lightpath_job_apply_to_ready_seconds")
                                                        .all()
                                                        .quantile(0.5),
                                                "half")
                                        .show(
                                                operator.get("lightpath_job_apply_to_ready_seconds")
                                                        .all()
                                                        .quantile(0.99),
                                                "99 %"),
                                Panel.stat(
                                        "Preempted",
                                        "Jobs that gave their place to one of higher priority, in the time shown.",
                                        operator.get("lightpath_job_preemptions_total")
                                                .all()
                                                .total())),
                        Row.of(
                                "Light of a job",
                                Panel.graph("Circuits", "Recorded, lit of these, and on devices or ports that failed.")
                                        .show(
                                                operator.get("lightpath_job_circuits")
                                                        .chosen(NAMESPACE, JOB)
                                                        .max(NAMESPACE, JOB, FABRIC, STATE),
                                                "{{job}} {{fabric}} {{state}}"),
                                Panel.graph("Seconds dark", "Time without some of its circuits, after it had them all.")
                                        .unit("s")
                                        .show(
                                                operator.get("lightpath_job_dark_seconds_total")
                                                        .chosen(NAMESPACE, JOB)
                                                        .max(NAMESPACE, JOB, FABRIC),
                                                "{{job}} {{fabric}}"),
                                Panel.graph("Repairs and moves", "Revision of the job's record.")
                                        .show(
                                                operator.get("lightpath_job_revision")
                                                        .chosen(NAMESPACE, JOB)
                                                        .max(NAMESPACE, JOB, FABRIC),
                                                "{{job}} {{fabric}}")),
                        Row.of(
                                "Iteration time",
                                Panel.graph(
                                                "Iteration",
                                                "Predicted with the circuits that there are, with the best that this"
                                                        + " placement had, the bound that no circuits can beat, and as"
                                                        + " measured, where the job tells.")
                                        .unit("s")
                                        .show(
                                                iteration.chosen(NAMESPACE, JOB).max(NAMESPACE, JOB, "which"),
                                                "{{job}} {{which}}"),
                                Panel.graph(
                                                "Lost to faults and to others",
                                                "Predicted iteration over the best, minus 1.")
                                        .unit("percentunit")
                                        .show(above(iteration, "predicted", "best"), "{{job}}"),
                                Panel.graph(
                                                "Measured beside predicted",
                                                "Measured iteration over the predicted one, minus 1. A job tells it by"
                                                        + " the annotation lightpath.dev/iteration-seconds.")
                                        .sometimes()
                                        .unit("percentunit")
                                        .show(above(iteration, "measured", "predicted"), "{{job}}"),
                                Panel.stat(
                                                "Communication time",
                                                "Predicted over that on an ideal network; mean of the jobs that were"
                                                        + " planned in the time shown.",
                                                mean("lightpath_job_normalized_communication_time"))
                                        .wide(4),
                                Panel.stat(
                                                "Ports saved",
                                                "Ports of their budget that jobs leave unused; mean.",
                                                mean("lightpath_job_ports_saved"))
                                        .wide(4))));
    }

    /** By how much one kind of iteration of each job is longer than another, as a part of the other. */
    private static Query above(Metric iteration, String which, String other) {
        return Query.of("%s / %s - 1", ofJobs(iteration, which), ofJobs(iteration, other));
    }

    private static Query ofJobs(Metric iteration, String which) {
        return iteration.chosen(NAMESPACE, JOB).with("which", which).max(NAMESPACE, JOB);
    }

    private Query mean(String series) {
        Metric.Selection of = operator.get(series).all();
        return Query.of("%s / %s", of.amount("$__range"), of.events("$__range"));
    }
}
