package dev.lightpath.benchmarks.life;

import static dev.lightpath.benchmarks.whole.Speed.say;

import dev.lightpath.benchmarks.Arguments;
import dev.lightpath.benchmarks.whole.Patience;
import dev.lightpath.benchmarks.whole.Program;
import dev.lightpath.benchmarks.whole.Site;
import dev.lightpath.benchmarks.whole.Size;
import dev.lightpath.benchmarks.whole.Speed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plays the trace of faults on the whole operator and says what grows: {@code operator/benchmarks/soak} starts it. */
@Command(name = "soak", mixinStandardHelpOptions = true, sortOptions = false)
public final class Soak implements Callable<Integer> {
    /** Faults that the end of the trace cuts begin anew on its first day, all at once: that day is not played. */
    private static final int FROM_DAY = 30;

    @Parameters(index = "0", hidden = true, description = "root of the checkout")
    private Path root = Path.of("");

    @Parameters(index = "1", hidden = true, description = "folder of the control plane's programs")
    private Path programs = Path.of("");

    @Option(names = "--nodes", description = "${DEFAULT-VALUE}")
    private int nodes = 10_000;

    @Option(names = "--hours", description = "of the trace: ${DEFAULT-VALUE}")
    private double hours = 24;

    @Option(names = "--speed", description = "of the trace: ${DEFAULT-VALUE}")
    private double speed = 1000;

    @Option(names = "--turnovers", description = "of all jobs: one an hour")
    private @Nullable Integer turnovers;

    @Option(names = "--load", description = "percent of the nodes that have jobs: ${DEFAULT-VALUE}")
    private int load = 90;

    @Option(names = "--look", paramLabel = "SECONDS", description = "between looks: ${DEFAULT-VALUE}")
    private int lookSeconds = 5;

    @Option(names = "--count", paramLabel = "SECONDS", description = "between counts: ${DEFAULT-VALUE}")
    private int countSeconds = 12;

    @Option(names = "--port-base", description = "the first of ten ports: ${DEFAULT-VALUE}")
    private int base = 24_000;

    @Option(names = "--keep", description = "logs stay")
    private boolean keep;

    public static void main(String[] arguments) {
        Arguments.run(new Soak(), arguments);
    }

    /** 1 if anything grows, costs more than its budget, or is found wrong. */
    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("lightpath-soak-");
        say("logs in " + folder);
        List<String> wrong = new ArrayList<>();
        try (Site site = new Site(Size.soak(nodes), root, programs, folder, base, false, false, List.of())) {
            tell(folder, site, wrong);
        } catch (RuntimeException e) {
            wrong.add("not measured: " + e);
        }
        System.out.println();
        wrong.forEach(System.out::println);
        System.out.println(wrong.isEmpty() ? "all flat, within the budget, no finding" : wrong.size() + " wrong");
        System.out.flush();
        if (!keep && wrong.isEmpty()) {
            Speed.remove(folder);
        }
        return wrong.isEmpty() ? 0 : 1;
    }

    /** Plays, and prints the tables. @param wrong is given a line for all that is wrong */
    private void tell(Path folder, Site site, List<String> wrong) throws IOException {
        Played played;
        try (Watch watch = new Watch(site, folder)) {
            played = play(folder, site, watch);
            System.out.print(told(played));
            System.out.print(trends(watch, played, wrong));
        }
        Budget budget = new Budget(Requests.of(site.auditLog()), played);
        System.out.print(budget.table());
        wrong.addAll(budget.over());
        played.findings().forEach(finding -> wrong.add("found: " + finding));
    }

    private Played play(Path folder, Site site, Watch watch) throws IOException {
        say("the trace is played");
        try (Program study = Program.start(
                "study",
                folder,
                Map.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx1500m",
                        "-jar",
                        root.resolve("operator/soak/target/lightpath-soak.jar").toString(),
                        "study",
                        "live",
                        "--kubeconfig",
                        site.adminConfig().toString(),
                        "--emulator",
                        site.emulator(),
                        "--scaled",
                        "--from",
                        String.valueOf(FROM_DAY),
                        "--days",
                        String.valueOf(hours / 24),
                        "--speed",
                        String.valueOf(speed),
                        "--turnovers",
                        String.valueOf(turnovers == null ? Math.round(hours) : turnovers),
                        "--load",
                        String.valueOf(load),
                        "--limit",
                        "600",
                        "-o",
                        "json"))) {
            long counted = System.nanoTime();
            while (study.isAlive()) {
                watch.assertAlive();
                watch.look();
                if (System.nanoTime() - counted > TimeUnit.SECONDS.toNanos(countSeconds)) {
                    watch.count();
                    counted = System.nanoTime();
                }
                Patience.sleepMillis(lookSeconds * 1000L);
            }
            return Played.of(study.words());
        }
    }

    private String told(Played played) {
        return String.format(
                Locale.ROOT,
                "%n%d nodes, %.0f hours of the trace in %d s: %d faults of nodes and %d ends, %d jobs at first, %d came and %d left;"
                        + " settled in %.2f s, at most %.1f s%n",
                nodes,
                hours,
                Duration.between(played.begin(), played.end()).toSeconds(),
                played.sum(Played.Moment::failed),
                played.sum(Played.Moment::recovered),
                played.first().arrived(),
                played.sum(Played.Moment::arrived),
                played.sum(Played.Moment::left),
                played.settleSecondsMean(),
                played.settleSecondsMax());
    }

    private static String trends(Watch watch, Played played, List<String> wrong) {
        StringBuilder table =
                new StringBuilder("\n| | mean of each third | most | an hour | verdict |\n|---|---|---|---|---|\n");
        for (Trend trend : watch.within(played.begin(), played.end())) {
            table.append(trend.row());
            if (trend.isWrong()) {
                wrong.add("not flat: " + trend.row().strip());
            }
        }
        return table.toString();
    }
}
