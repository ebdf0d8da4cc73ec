package dev.lightpath.app.monitoring;

import static dev.lightpath.app.monitoring.Series.DEVICE;
import static dev.lightpath.app.monitoring.Series.FABRIC;

import dev.lightpath.app.monitoring.Dashboard.Row;
import dev.lightpath.app.monitoring.Dashboard.Uid;
import dev.lightpath.app.monitoring.Metric.Query;
import java.util.List;

/** What failed, since when, and how fast light came back. */
final class FaultsDashboard {
    /** Repairs that are to be in time, as a share of all: the objective. */
    private static final String OBJECTIVE = "0.99";

    /** How long a repair may take, as the bucket of the histogram says it. */
    private static final String IN_TIME = "1.0";

    private final Series series;
    private final Catalogue operator;

    FaultsDashboard(Series series) {
        this.series = series;
        this.operator = series.operator();
    }

    Dashboard dashboard() {
        Metric repairs = operator.get("lightpath_fault_to_light_seconds");
        return new Dashboard(
                Uid.FAULTS,
                "What failed, since when, and how fast light came back. Objective: 99 of 100 repairs within a second,"
                        + " without hold time and the switching time of the hardware.",
                List.of(series.fabric()),
                List.of(
                        Row.of(
                                "Faults",
                                Panel.table(
                                                "Faults that stand",
                                                "At most 64 of a fabric. A device is a node, a switch or one of its"
                                                        + " ports.",
                                                FABRIC,
                                                "kind",
                                                DEVICE,
                                                "signal",
                                                "quarantined")
                                        .unit("s")
                                        .sometimes()
                                        .show(
                                                Query.of(
                                                        "time() - %s",
                                                        operator.get("lightpath_fault_since_seconds")
                                                                .chosen(FABRIC)
                                                                .max(FABRIC, "kind", DEVICE, "signal", "quarantined")),
                                                "for")
                                        .runbook("LightpathNodesFaulty")
                                        .runbook("LightpathFaultsQuarantined")
                                        .to(Uid.RING, FABRIC)
                                        .to(Uid.SWITCHES, DEVICE)
                                        .console("timeline?find=%s", DEVICE),
                                Panel.graph("Faults that began", "By what is faulty.")
                                        .show(
                                                operator.get("lightpath_fault_total")
                                                        .chosen(FABRIC)
                                                        .increase(FABRIC, "kind"),
                                                "{{fabric}} {{kind}}"),
                                Panel.graph("Circuits moved by repairs, per minute", "Over all fabrics.")
                                        .show(
                                                Query.of(
                                                        "60 * %s",
                                                        operator.get("lightpath_light_moved_total")
                                                                .with("cause", "repair")
                                                                .rate()),
                                                "circuits"),
                                Panel.graph("Changes that devices do not make", "In a row, by device.")
                                        .sometimes()
                                        .alarmAt(3)
                                        .show(
                                                operator.get("lightpath_device_setbacks")
                                                        .all()
                                                        .max("driver", DEVICE),
                                                "{{device}}")
                                        .runbook("LightpathChangesRefused")),
                        Row.of(
                                "Objective: fault to light",
                                Panel.graph("Fault to light", "From seeing a fault to the last acknowledgement.")
                                        .unit("s")
                                        .alarmAt(1)
                                        .show(repairs.all().quantile(0.5), "half")
                                        .show(repairs.all().quantile(0.99), "99 %")
                                        .runbook("LightpathRepairsSlow"),
                                Panel.stat(
                                                "Repairs",
                                                "In the time shown.",
                                                repairs.all().eventsIn("$__range"))
                                        .wide(4),
                                Panel.stat(
                                                "In time",
                                                "Share of the repairs in the time shown that took at most a second.",
                                                Query.of(
                                                        "%s / %s",
                                                        repairs.all().within(IN_TIME, "$__range"),
                                                        repairs.all().events("$__range")))
                                        .unit("percentunit")
                                        .wide(4),
                                Panel.graph(
                                                "Burn rate",
                                                "How fast the budget of one late repair in a hundred is used: at 1 it"
                                                        + " just lasts, at 14.4 that of 30 days is gone in two.")
                                        .warnAt(1)
                                        .alarmAt(14.4)
                                        .show(burn("1h"), "1 h")
                                        .show(burn("6h"), "6 h")
                                        .runbook("LightpathRepairsSlow"))));
    }

    /** How fast the budget of late repairs is used: 1 uses it up exactly, over any time. */
    private Query burn(String window) {
        Metric.Selection repairs =
                operator.get("lightpath_fault_to_light_seconds").all();
        return Query.of(
                "(1 - %s / %s) / (1 - " + OBJECTIVE + ")", repairs.within(IN_TIME, window), repairs.events(window));
    }
}
