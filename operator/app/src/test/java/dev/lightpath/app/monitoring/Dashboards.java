package dev.lightpath.app.monitoring;

import dev.lightpath.app.monitoring.Dashboard.Row;
import dev.lightpath.app.monitoring.Dashboard.Uid;
import dev.lightpath.app.monitoring.Dashboard.Variable;
import dev.lightpath.app.monitoring.Metric.Query;
import java.util.List;

/**
 * What the dashboards show. A name that no process exports, a label that its series has not, and a value that the label
 * never has do not pass the constructor.
 */
final class Dashboards {
    private static final String FABRIC = "fabric";
    private static final String STATE = "state";
    private static final String NAMESPACE = "namespace";
    private static final String JOB = "job";
    private static final String DEVICE = "device";

    /** Repairs that are to be in time, as a share of all: the objective. */
    private static final String OBJECTIVE = "0.99";

    /** How long a repair may take, as the bucket of the histogram says it. */
    private static final String IN_TIME = "1.0";

    private final Catalogue operator;
    private final Catalogue driver;
    private final Catalogue ports;

    /** @param ports the driver's page of single ports */
    Dashboards(Catalogue operator, Catalogue driver, Catalogue ports) {
        this.operator = operator.beside(driver);
        this.driver = driver.beside(operator);
        this.ports = ports;
    }

    List<Dashboard> all() {
        return List.of(fleet(), ring(), switches(), jobs(), faults(), operator(), drivers());
    }

    private Variable fabric() {
        return new Variable(FABRIC, operator.get("lightpath_fabric_nodes"), List.of());
    }

    private Query jobCount(String... states) {
        return operator.get("lightpath_job_count").all().in(STATE, states).max(STATE);
    }

    private Query fabrics(String series, String state) {
        return operator.get(series).chosen(FABRIC).with(STATE, state).max(FABRIC);
    }

    private static Query sum(Query query) {
        return new Query("sum(" + query.text() + ")");
    }

    private static Query count(Query query) {
        return new Query("count(" + query.text() + ")").orZero();
    }

    private Dashboard fleet() {
        Metric away = operator.get("lightpath_driver_connected");
        Metric attention = operator.get("lightpath_fabric_attention");
        return new Dashboard(
                Uid.FLEET,
                "Whether all is well, and where it is not.",
                List.of(fabric()),
                List.of(
                        Row.of(
                                "Now",
                                Panel.stat(
                                                "Jobs ready",
                                                "Jobs whose light is qualified and whose pods may run.",
                                                sum(jobCount("ready")))
                                        .to(Uid.JOBS),
                                Panel.stat(
                                                "Jobs waiting",
                                                "Accepted, and no place or no light yet.",
                                                sum(jobCount("pending", "programming")))
                                        .warnAt(1)
                                        .runbook("LightpathJobsWaiting")
                                        .to(Uid.JOBS),
                                Panel.stat("Jobs degraded", "Jobs that lost light.", sum(jobCount("degraded")))
                                        .alarmAt(1)
                                        .runbook("LightpathJobsDegraded")
                                        .to(Uid.JOBS),
                                Panel.stat(
                                                "Nodes faulty",
                                                "Nodes that no plan uses, because something of them failed.",
                                                sum(fabrics("lightpath_fabric_nodes", "faulty")))
                                        .warnAt(1)
                                        .runbook("LightpathNodesFaulty")
                                        .to(Uid.FAULTS),
                                Panel.stat(
                                                "Circuits missing",
                                                "Wanted, not lit, and on devices that answer.",
                                                sum(fabrics("lightpath_fabric_circuits", "missing")))
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
                                        .show(fabrics("lightpath_fabric_gpus", "total"), "GPUs")
                                        .show(fabrics("lightpath_fabric_gpus", "usable"), "usable")
                                        .show(fabrics("lightpath_fabric_gpus", "allocated"), "allocated")
                                        .show(fabrics("lightpath_fabric_nodes", "faulty"), "faulty nodes")
                                        .show(fabrics("lightpath_fabric_circuits", "planned"), "circuits planned")
                                        .show(fabrics("lightpath_fabric_circuits", "lit"), "lit")
                                        .show(fabrics("lightpath_fabric_circuits", "missing"), "missing")
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

    private Dashboard ring() {
        Metric states = operator.get("lightpath_job_state");
        return new Dashboard(
                Uid.RING,
                "One fabric: its nodes, its circuits, the jobs on it.",
                List.of(fabric()),
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

    private Dashboard switches() {
        Metric info = operator.get("lightpath_switch_info");
        Metric loss = driver.get("lightpath_driver_switch_loss_db");
        Metric power = driver.get("lightpath_driver_switch_receive_power_dbm");
        Metric port = ports.get("lightpath_driver_port_works");
        return new Dashboard(
                Uid.SWITCHES,
                "Switches one by one, and their ports where the page of ports is scraped.",
                List.of(
                        fabric(),
                        new Variable(DEVICE, info, List.of(FABRIC)),
                        new Variable("port", port, List.of(DEVICE))),
                List.of(
                        Row.of(
                                "Switches",
                                Panel.table("Switches", "As their driver sees them.", DEVICE)
                                        .show(ofSwitch("answers"), "answers")
                                        .show(ofSwitch("circuits"), "circuits")
                                        .show(
                                                driver.get("lightpath_driver_switch_ports")
                                                        .chosen(DEVICE)
                                                        .with(STATE, "failed")
                                                        .max(DEVICE),
                                                "ports failed")
                                        .show(
                                                loss.chosen(DEVICE)
                                                        .with("statistic", "highest")
                                                        .max(DEVICE),
                                                "worst loss, dB")
                                        .show(ofSwitch("temperature_celsius"), "°C")
                                        .show(ofSwitch("power_watts"), "W")
                                        .to(Uid.SWITCHES, DEVICE)
                                        .runbook("LightpathDevicesSilent"),
                                Panel.graph("Circuits", "Lit on each switch, as read back.")
                                        .show(ofSwitch("circuits"), "{{device}}"),
                                Panel.graph("Circuits made per minute", "Moves of each switch.")
                                        .show(
                                                Query.of(
                                                        "60 * %s",
                                                        driver.get("lightpath_driver_switch_moves_total")
                                                                .chosen(DEVICE)
                                                                .rate(DEVICE)),
                                                "{{device}}"),
                                Panel.graph("Ports that do not work well", "As the switch says.")
                                        .show(
                                                driver.get("lightpath_driver_switch_ports")
                                                        .chosen(DEVICE)
                                                        .in(STATE, "degraded", "failed")
                                                        .max(DEVICE, STATE),
                                                "{{device}} {{state}}")
                                        .runbook("LightpathFaultsQuarantined")),
                        Row.of(
                                "Optics",
                                Panel.graph("Insertion loss", "Of the circuits of each switch that measures it.")
                                        .sometimes()
                                        .unit("dB")
                                        .show(
                                                loss.chosen(DEVICE)
                                                        .in("statistic", "median", "highest")
                                                        .max(DEVICE, "statistic"),
                                                "{{device}} {{statistic}}"),
                                Panel.graph("Receive power at switches", "At the ports of switches that measure it.")
                                        .unit("dBm")
                                        .sometimes()
                                        .show(
                                                power.chosen(DEVICE)
                                                        .in("statistic", "lowest", "median")
                                                        .max(DEVICE, "statistic"),
                                                "{{device}} {{statistic}}"),
                                Panel.graph("Receive power, all devices", "Of every receiver that measures it.")
                                        .unit("dBm")
                                        .show(
                                                driver.get("lightpath_driver_receive_power_dbm")
                                                        .all()
                                                        .max("statistic"),
                                                "{{statistic}}"),
                                Panel.graph("Receivers", "Whether receivers hear their far ends.")
                                        .show(
                                                driver.get("lightpath_driver_receivers")
                                                        .all()
                                                        .sum("lock"),
                                                "{{lock}}"),
                                Panel.graph("Temperature", "Of each switch that reports it.")
                                        .unit("celsius")
                                        .show(ofSwitch("temperature_celsius"), "{{device}}"),
                                Panel.graph("Electric power", "That each switch draws.")
                                        .unit("watt")
                                        .show(ofSwitch("power_watts"), "{{device}}"),
                                Panel.graph("Alarms and losses of power", "Alarms that stand, and power cycles.")
                                        .show(
                                                driver.get("lightpath_driver_switch_alarms")
                                                        .chosen(DEVICE)
                                                        .max(DEVICE, "severity"),
                                                "{{device}} {{severity}}")
                                        .show(ofSwitch("power_cycles"), "{{device}} power cycles")),
                        Row.of(
                                "Ports",
                                Panel.table(
                                                "Ports",
                                                "Where the driver's /metrics/ports is scraped. Loss is that of the"
                                                        + " circuit that begins at the port.",
                                                DEVICE,
                                                "port")
                                        .show(ofPort("works"), "works")
                                        .show(ofPort("loss_db"), "loss, dB")
                                        .to(Uid.SWITCHES, DEVICE, "port"),
                                Panel.graph(
                                                "Loss of a port",
                                                "Of the circuit that begins at it, if the switch measures it.")
                                        .sometimes()
                                        .unit("dB")
                                        .show(ofPort("loss_db"), "{{device}} {{port}}"),
                                Panel.graph("Receive power of a port", "If the port measures it.")
                                        .unit("dBm")
                                        .sometimes()
                                        .show(ofPort("receive_power_dbm"), "{{device}} {{port}}"),
                                Panel.graph("Receiver of a port", "1 while it hears its far end.")
                                        .sometimes()
                                        .show(ofPort("locked"), "{{device}} {{port}}"),
                                Panel.graph(
                                                "Bit errors of a port",
                                                "Share of the bits before error correction, if the port measures it.")
                                        .sometimes()
                                        .unit("sci")
                                        .show(ofPort("bit_error_ratio"), "{{device}} {{port}}"),
                                Panel.graph("Temperature of a port", "Of its module, if it measures it.")
                                        .sometimes()
                                        .unit("celsius")
                                        .show(ofPort("temperature_celsius"), "{{device}} {{port}}"),
                                Panel.stat(
                                        "Switches without series",
                                        "Beyond the most that a driver names.",
                                        driver.get("lightpath_driver_switches_left_out")
                                                .all()
                                                .sum()),
                                Panel.stat(
                                        "Ports without series",
                                        "Beyond the most of one page of ports.",
                                        ports.get("lightpath_driver_ports_left_out")
                                                .all()
                                                .sum()))));
    }

    private Query ofSwitch(String what) {
        return driver.get("lightpath_driver_switch_" + what).chosen(DEVICE).max(DEVICE);
    }

    private Query ofPort(String what) {
        return ports.get("lightpath_driver_port_" + what).chosen(DEVICE, "port").max(DEVICE, "port");
    }

    private Dashboard jobs() {
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

    /** How fast the budget of late repairs is used: 1 uses it up exactly, over any time. */
    private Query burn(String window) {
        Metric.Selection repairs =
                operator.get("lightpath_fault_to_light_seconds").all();
        return Query.of(
                "(1 - %s / %s) / (1 - " + OBJECTIVE + ")", repairs.within(IN_TIME, window), repairs.events(window));
    }

    private Dashboard faults() {
        Metric repairs = operator.get("lightpath_fault_to_light_seconds");
        return new Dashboard(
                Uid.FAULTS,
                "What failed, since when, and how fast light came back. Objective: 99 of 100 repairs within a second,"
                        + " without hold time and the switching time of the hardware.",
                List.of(fabric()),
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

    private Dashboard operator() {
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
                                                .max(FABRIC)))),
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
                                                "failed"),
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
                                Panel.graph("Drivers: change to answer", "99 of 100 took at most this.")
                                        .unit("s")
                                        .show(apply.all().quantile(0.99, "result"), "{{result}}")
                                        .runbook("LightpathChangesRefused"),
                                Panel.graph("Changes per minute", "By how they ended.")
                                        .show(
                                                Query.of("60 * %s", apply.all().events("$__rate_interval", "result")),
                                                "{{result}}"))));
    }

    private Dashboard drivers() {
        Metric apply = driver.get("lightpath_driver_apply_seconds");
        return new Dashboard(
                Uid.DRIVERS,
                "The driver servers, and how the operator reaches them.",
                List.of(fabric()),
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
