package dev.lightpath.app.monitoring;

import static dev.lightpath.app.monitoring.Series.DEVICE;
import static dev.lightpath.app.monitoring.Series.FABRIC;
import static dev.lightpath.app.monitoring.Series.STATE;

import dev.lightpath.app.monitoring.Dashboard.Row;
import dev.lightpath.app.monitoring.Dashboard.Uid;
import dev.lightpath.app.monitoring.Dashboard.Variable;
import dev.lightpath.app.monitoring.Metric.Query;
import java.util.List;

/** Switches one by one, and their ports. */
final class SwitchesDashboard {
    private final Series series;
    private final Catalogue operator;
    private final Catalogue driver;
    private final Catalogue ports;

    SwitchesDashboard(Series series) {
        this.series = series;
        this.operator = series.operator();
        this.driver = series.driver();
        this.ports = series.ports();
    }

    Dashboard dashboard() {
        Metric info = operator.get("lightpath_switch_info");
        Metric loss = driver.get("lightpath_driver_switch_loss_db");
        Metric power = driver.get("lightpath_driver_switch_receive_power_dbm");
        Metric port = ports.get("lightpath_driver_port_works");
        return new Dashboard(
                Uid.SWITCHES,
                "Switches one by one, and their ports where the page of ports is scraped.",
                List.of(
                        series.fabric(),
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
                                Panel.graph(
                                                "Rise of insertion loss",
                                                "Of the worst circuit of each switch, since it was first measured: dirt"
                                                        + " and ageing.")
                                        .sometimes()
                                        .unit("dB")
                                        .show(ofSwitch("loss_rise_db"), "{{device}}"),
                                Panel.graph(
                                                "Ports that get worse",
                                                "Ports whose light lost more than policy.opticalHealth allows, and ports"
                                                        + " taken out for that.")
                                        .show(
                                                operator.get("lightpath_fabric_optical_ports")
                                                        .chosen(FABRIC)
                                                        .in(STATE, "degrading", "taken_out")
                                                        .max(FABRIC, STATE),
                                                "{{fabric}} {{state}}")
                                        .runbook("LightpathLightDegrading")
                                        .runbook("LightpathFaultsQuarantined"),
                                Panel.graph(
                                                "Loss above baseline",
                                                "Of the worst port of each fabric, since soon after its circuit was made.")
                                        .unit("dB")
                                        .show(
                                                operator.get("lightpath_fabric_loss_rise_db")
                                                        .chosen(FABRIC)
                                                        .max(FABRIC),
                                                "{{fabric}}"),
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
                                        .show(ofPort("loss_rise_db"), "rise, dB")
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
}
