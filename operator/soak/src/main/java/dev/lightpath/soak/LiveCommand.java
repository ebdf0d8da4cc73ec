package dev.lightpath.soak;

import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.soak.script.Script;
import dev.lightpath.studies.evaluation.FaultTrace;
import dev.lightpath.studies.ring.TraceFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lightpath study live}. */
@Command(
        name = "live",
        description =
                "Plays jobs and the real fault trace against a running environment with emulated hardware, and checks"
                        + " it against ground truth after every event. Ends with 1 if anything was found.",
        mixinStandardHelpOptions = true)
public final class LiveCommand implements Callable<Integer> {
    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Option(
            names = "--emulator",
            paramLabel = "HOST:PORT",
            defaultValue = "${env:LIGHTPATH_EMULATOR:-127.0.0.1:9450}",
            description = "gRPC address of the emulator (default ${DEFAULT-VALUE}; $LIGHTPATH_EMULATOR sets it)")
    private String emulator = "";

    @Option(names = "--fabric", paramLabel = "NAME", description = "the ring, where there are several")
    private @Nullable String fabric;

    @Option(names = "--days", defaultValue = "1", description = "how much of the trace (default ${DEFAULT-VALUE})")
    private double days = 1;

    @Option(
            names = "--from",
            paramLabel = "DAY",
            defaultValue = "0",
            description = "where to begin (default ${DEFAULT-VALUE})")
    private double from;

    @Option(names = "--whole", description = "the whole trace, whatever --from and --days say")
    private boolean whole;

    @Option(
            names = "--speed",
            defaultValue = "1000",
            description =
                    "seconds of the trace in one second, never faster than the operator settles (default ${DEFAULT-VALUE})")
    private double speed = 1000;

    @Option(names = "--seed", defaultValue = "1", description = "of all that is drawn (default ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--turnovers",
            paramLabel = "N",
            description = "how often a job leaves and others arrive (default 24 and one more for every two days)")
    private @Nullable Integer turnovers;

    @Option(
            names = "--load",
            paramLabel = "PERCENT",
            defaultValue = "90",
            description = "GPUs of the ring that jobs ask for (default ${DEFAULT-VALUE})")
    private int load = 90;

    @Option(
            names = "--port-faults",
            paramLabel = "N",
            defaultValue = "8",
            description =
                    "where there are optical switches: how often a port fails; a switch fails once (default ${DEFAULT-VALUE})")
    private int portFaults = 8;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "for the operator to settle after an event (default ${DEFAULT-VALUE})")
    private int limit = 60;

    @Option(
            names = "--on-paper",
            paramLabel = "NODES",
            description =
                    "no environment: play it against the planner alone, on a ring of so many nodes of 4 GPUs and reach 3")
    private @Nullable Integer paper;

    @Option(names = "--trace", paramLabel = "F", description = "a fault trace in place of the bundled one")
    private @Nullable Path trace;

    @Option(
            names = "--scaled",
            description =
                    "as many faults as that many servers have: the trace is played once for each time that its servers fit on the ring, each from another day")
    private boolean scaled;

    @Override
    public Integer call() {
        FaultTrace played = TraceFile.read(Optional.ofNullable(trace));
        double to = whole ? played.durationDays() + 1e-3 : from + days;
        check(played);
        if (paper != null) {
            return onPaper(played, to, paper);
        }
        return cluster.with(world -> {
            try (EmulatedHardware hardware = new EmulatedHardware(address())) {
                Site site = Site.read(
                        world, Optional.ofNullable(fabric), hardware.truth().devices());
                Script.Course course = course(to);
                Script script = script(played, site, course);
                Replay.Tempo tempo = new Replay.Tempo(speed, Duration.ofSeconds(limit));
                try (Replay replay = new Replay(world, hardware, site, tempo, output::progress)) {
                    return report(new ReplayReport(site, course, replay.play(script), again()));
                }
            }
        });
    }

    private int onPaper(FaultTrace played, double to, int nodes) {
        ReplayOnPaper replay = new ReplayOnPaper(RingScheme.onPaper(nodes), output::progress);
        Script.Course course = course(to);
        Script script = script(played, replay.site(), course);
        return report(new ReplayReport(replay.site(), course, replay.play(script), again()));
    }

    private Script.Course course(double to) {
        return new Script.Course(
                whole ? 0 : from,
                to,
                turnovers == null ? 24 + (int) ((to - from) / 2) : turnovers,
                load,
                portFaults,
                seed);
    }

    private Script script(FaultTrace played, Site site, Script.Course course) {
        int copies = scaled ? Math.max(1, Script.servers(site.ring()) / played.servers()) : 1;
        FaultTrace all = copies == 1 ? played : played.times(copies, new Random(seed));
        Script script = Script.of(all, site.ring(), site.spine(), course);
        output.progress(script.moments().size() + " moments, " + script.faults() + " faults of " + script.servers()
                + " servers, on " + site.ring().positions() + " nodes");
        return script;
    }

    private int report(ReplayReport report) {
        output.print(report.answer());
        return report.outcome().findings().isEmpty() ? 0 : 1;
    }

    private String address() {
        if (!emulator.matches("[^:\\s]+:\\d{1,5}")) {
            throw new BadInput("--emulator '" + emulator + "': HOST:PORT is wanted");
        }
        return emulator;
    }

    private void check(FaultTrace played) {
        require(days > 0, "--days " + days, "more than 0");
        require(
                whole || from >= 0 && from < played.durationDays(),
                "--from " + from,
                "a day from 0 to below " + played.durationDays());
        require(speed > 0, "--speed " + speed, "more than 0");
        require(load >= 1 && load <= 200, "--load " + load, "1 to 200");
        require(portFaults >= 0, "--port-faults " + portFaults, "0 or more");
        require(turnovers == null || turnovers >= 0, "--turnovers " + turnovers, "0 or more");
        require(limit > 0, "--limit " + limit, "more than 0");
        require(paper == null || paper >= 8 && paper % 2 == 0, "--on-paper " + paper, "an even number, 8 or more");
    }

    private static void require(boolean holds, String option, String allowed) {
        if (!holds) {
            throw new BadInput(option + ": allowed is " + allowed);
        }
    }

    private String again() {
        return "lightpath study live --seed " + seed + (whole ? " --whole" : " --from " + from + " --days " + days)
                + (paper == null ? "" : " --on-paper " + paper)
                + " --speed " + speed + " --load " + load + " --port-faults " + portFaults
                + (turnovers == null ? "" : " --turnovers " + turnovers)
                + (scaled ? " --scaled" : "")
                + (trace == null ? "" : " --trace " + trace);
    }
}
