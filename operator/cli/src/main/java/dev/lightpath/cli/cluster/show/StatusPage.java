package dev.lightpath.cli.cluster.show;

import dev.lightpath.console.report.Leader;
import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.console.report.StatusReport;
import dev.lightpath.console.report.StatusReport.FabricLine;
import dev.lightpath.console.report.StatusReport.JobLine;
import dev.lightpath.console.report.StatusReport.SliceLine;
import dev.lightpath.console.report.StatusReport.SwitchLine;
import dev.lightpath.console.text.Page;
import dev.lightpath.console.text.Table;
import dev.lightpath.crds.fabric.DegradingPort;
import dev.lightpath.crds.fabric.OpticalHealthStatus;
import dev.lightpath.planner.words.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@link StatusReport} for people. */
final class StatusPage {
    private static final int MOST_FAULTS = 10;

    private StatusPage() {}

    static Table of(StatusReport report) {
        Page page = new Page();
        Leader leader = report.leader();
        if (leader != null) {
            leader.warning().ifPresent(page::line);
        }
        if (report.fabrics().isEmpty()) {
            page.line("no OpticalFabric: describe what exists first");
        }
        page.table(
                List.of(
                        "FABRIC",
                        "READY",
                        "NODES",
                        "FAULTY",
                        "GPUS",
                        "USABLE",
                        "ALLOCATED",
                        "AS MEANT",
                        "FOREIGN",
                        "DRIVER"),
                report.fabrics().stream().map(StatusPage::row).toList());
        page.table(
                List.of("SWITCH", "FABRIC", "READY", "DRAINED"),
                report.switches().stream().map(StatusPage::row).toList());
        page.table(
                List.of("JOB", "READY", "GPUS", "NODES", "GROUPS", "ATTEMPT", "ITERATION", "FABRICS"),
                report.jobs().stream().map(StatusPage::row).toList());
        page.section("faults", faults(report));
        page.section("light that gets worse", degrading(report));
        page.section("not ready", notReady(report));
        page.section("contradictions", contradictions(report));
        page.section("going on", goingOn(report));
        return page.text();
    }

    private static List<String> row(FabricLine fabric) {
        var nodes = fabric.nodes();
        var gpus = fabric.gpus();
        var circuits = fabric.circuits();
        var driver = fabric.driver();
        return List.of(
                fabric.name(),
                fabric.ready().word(),
                nodes == null ? "-" : "" + nodes.total(),
                nodes == null ? "-" : "" + nodes.faulty(),
                gpus == null ? "-" : "" + gpus.total(),
                gpus == null ? "-" : "" + gpus.usable(),
                gpus == null ? "-" : "" + gpus.allocated(),
                circuits == null ? "-" : circuits.lit() + "/" + circuits.planned(),
                circuits == null ? "-" : "" + circuits.foreign(),
                driver == null ? "-" : driver.connected() ? "connected" : "away");
    }

    private static List<String> row(SwitchLine osw) {
        return List.of(osw.name(), osw.fabric(), osw.ready().word(), osw.drained() ? "yes" : "no");
    }

    private static List<String> row(JobLine job) {
        var placement = job.placement();
        var prediction = job.prediction();
        Integer groups = placement == null ? null : placement.groups();
        String seconds = prediction == null ? null : prediction.iterationSeconds();
        return List.of(
                job.namespace() + "/" + job.name(),
                job.ready().word(),
                "" + job.gpus(),
                job.nodes() == null ? "-" : "" + job.nodes(),
                groups == null ? "-" : "" + groups,
                job.attempt() == null ? "-" : "" + job.attempt(),
                seconds == null ? "-" : Table.decimal(seconds) + " s",
                String.join(",", job.fabrics()));
    }

    private static List<String> faults(StatusReport report) {
        List<String> lines = new ArrayList<>();
        for (FabricLine fabric : report.fabrics()) {
            fabric.faults().stream()
                    .limit(MOST_FAULTS)
                    .forEach(fault -> lines.add(
                            fabric.name() + ": " + fault.subject() + " " + fault.told() + ", since " + fault.since()));
            if (fabric.faults().size() > MOST_FAULTS) {
                lines.add(fabric.name() + ": and " + (fabric.faults().size() - MOST_FAULTS) + " more (-o json)");
            }
        }
        return lines;
    }

    private static List<String> degrading(StatusReport report) {
        List<String> lines = new ArrayList<>();
        for (FabricLine fabric : report.fabrics()) {
            OpticalHealthStatus health = fabric.opticalHealth();
            if (health != null && health.degradingPorts() + health.takenOutPorts() > 0) {
                int unnamed = health.degradingPorts() - health.ports().size();
                lines.add(fabric.name() + ": " + health.degradingPorts() + " of " + health.watchedPorts()
                        + " ports get worse"
                        + (health.ports().isEmpty()
                                ? ""
                                : ": "
                                        + health.ports().stream()
                                                .map(DegradingPort::port)
                                                .collect(Collectors.joining(", ")))
                        + (unnamed > 0 ? " and " + unnamed + " more" : "")
                        + "; " + health.takenOutPorts() + " taken out");
            }
        }
        return lines;
    }

    private static List<String> notReady(StatusReport report) {
        Stream<String> fabrics = report.fabrics().stream()
                .filter(fabric -> !fabric.ready().holds())
                .map(fabric -> "fabric " + fabric.name() + ": " + fabric.ready().sentence());
        Stream<String> switches = report.switches().stream()
                .filter(osw -> !osw.ready().holds())
                .map(osw -> "switch " + osw.name() + ": " + osw.ready().sentence());
        Stream<String> jobs = report.jobs().stream()
                .filter(job -> !job.ready().holds())
                .map(job -> "job " + job.namespace() + "/" + job.name() + ": "
                        + job.ready().sentence());
        return Stream.of(fabrics, switches, jobs).flatMap(lines -> lines).toList();
    }

    /** Jobs that may well be Ready. */
    private static List<String> contradictions(StatusReport report) {
        List<String> lines = new ArrayList<>();
        for (JobLine job : report.jobs()) {
            String contradiction = ShownCondition.contradiction(job.conditions());
            if (contradiction != null) {
                lines.add("job " + job.namespace() + "/" + job.name() + ": " + contradiction);
            }
        }
        return lines;
    }

    /** Slices that are on their way, those of jobs that are gone included. */
    private static List<String> goingOn(StatusReport report) {
        List<String> lines = new ArrayList<>();
        for (SliceLine slice : report.slices()) {
            boolean told = slice.revision() == null && report.serves(slice); // by its job, under "not ready"
            if (slice.releasing() > 0 || !slice.ready().holds() && !told) {
                lines.add("slice " + slice.namespace() + "/" + slice.name() + " on " + slice.fabric() + ": "
                        + (slice.ready().holds()
                                ? "Ready"
                                : report.told(slice)
                                        ? slice.ready().reason()
                                        : slice.ready().sentence())
                        + progress(slice)
                        + (report.serves(slice) ? "" : " (of no current attempt of a job)"));
            }
        }
        return lines;
    }

    private static String progress(SliceLine slice) {
        var programmed = slice.programmed();
        String lit = programmed == null
                ? ""
                : ", " + Counted.part(programmed.applied(), programmed.total(), "circuit lit", "circuits lit")
                        + (programmed.failed() == 0 ? "" : ", " + programmed.failed() + " failed");
        return slice.releasing() == 0 ? lit : lit + ", " + slice.releasing() + " not yet read back dark";
    }
}
