package dev.lightpath.benchmarks.life;

import static dev.lightpath.benchmarks.whole.Speed.say;

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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Plays the trace of faults on the whole operator and says what grows: {@code operator/benchmarks/soak} starts it. */
public final class Soak {
    private static final String USAGE =
            "soak [--nodes 10000] [--hours 24] [--speed 1000] [--turnovers ONE AN HOUR] [--load 90] [--look SECONDS] [--count SECONDS] [--port-base 24000] [--keep]";

    /** Faults that the end of the trace cuts begin anew on its first day, all at once: that day is not played. */
    private static final int FROM_DAY = 30;

    private Soak() {}

    private record Wish(
            int nodes,
            double hours,
            double speed,
            int turnovers,
            int load,
            int lookSeconds,
            int countSeconds,
            int base,
            boolean keep) {}

    /**
     * Ends with 1 if anything grows, costs more than its budget, or is found wrong.
     *
     * @param arguments root of the checkout, folder of the control plane's programs, then the options of {@link #USAGE}
     */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        Path programs = Path.of(arguments[1]);
        Wish wish = wish(arguments);
        Path folder = Files.createTempDirectory("lightpath-soak-");
        say("logs in " + folder);
        List<String> wrong = new ArrayList<>();
        try (Site site =
                new Site(Size.soak(wish.nodes()), root, programs, folder, wish.base(), false, false, List.of())) {
            tell(wish, root, folder, site, wrong);
        } catch (RuntimeException e) {
            wrong.add("not measured: " + e);
        }
        System.out.println();
        wrong.forEach(System.out::println);
        System.out.println(wrong.isEmpty() ? "all flat, within the budget, no finding" : wrong.size() + " wrong");
        System.out.flush();
        if (!wish.keep() && wrong.isEmpty()) {
            Speed.remove(folder);
        }
        // the client's threads would live on for a while
        System.exit(wrong.isEmpty() ? 0 : 1);
    }

    /** Plays, and prints the tables. @param wrong is given a line for all that is wrong */
    private static void tell(Wish wish, Path root, Path folder, Site site, List<String> wrong) throws IOException {
        Played played;
        try (Watch watch = new Watch(site, folder)) {
            played = play(wish, root, folder, site, watch);
            System.out.print(told(wish, played));
            System.out.print(trends(watch, played, wrong));
        }
        Budget budget = new Budget(Requests.of(site.auditLog()), played);
        System.out.print(budget.table());
        wrong.addAll(budget.over());
        played.findings().forEach(finding -> wrong.add("found: " + finding));
    }

    private static Wish wish(String[] arguments) {
        int nodes = 10_000;
        double hours = 24;
        double speed = 1000;
        @Nullable Integer turnovers = null;
        int load = 90;
        int look = 5;
        int count = 12;
        int base = 24_000;
        boolean keep = false;
        for (int i = 2; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--nodes" -> nodes = Integer.parseInt(arguments[++i]);
                case "--hours" -> hours = Double.parseDouble(arguments[++i]);
                case "--speed" -> speed = Double.parseDouble(arguments[++i]);
                case "--turnovers" -> turnovers = Integer.parseInt(arguments[++i]);
                case "--load" -> load = Integer.parseInt(arguments[++i]);
                case "--look" -> look = Integer.parseInt(arguments[++i]);
                case "--count" -> count = Integer.parseInt(arguments[++i]);
                case "--port-base" -> base = Integer.parseInt(arguments[++i]);
                case "--keep" -> keep = true;
                default -> {
                    System.err.println("unknown argument " + arguments[i] + "; usage: " + USAGE);
                    System.exit(2);
                }
            }
        }
        return new Wish(
                nodes,
                hours,
                speed,
                turnovers == null ? (int) Math.round(hours) : turnovers,
                load,
                look,
                count,
                base,
                keep);
    }

    private static Played play(Wish wish, Path root, Path folder, Site site, Watch watch) throws IOException {
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
                        String.valueOf(wish.hours() / 24),
                        "--speed",
                        String.valueOf(wish.speed()),
                        "--turnovers",
                        String.valueOf(wish.turnovers()),
                        "--load",
                        String.valueOf(wish.load()),
                        "--limit",
                        "600",
                        "-o",
                        "json"))) {
            long counted = System.nanoTime();
            while (study.isAlive()) {
                watch.assertAlive();
                watch.look();
                if (System.nanoTime() - counted > TimeUnit.SECONDS.toNanos(wish.countSeconds())) {
                    watch.count();
                    counted = System.nanoTime();
                }
                Patience.sleepMillis(wish.lookSeconds() * 1000L);
            }
            return Played.of(study.words());
        }
    }

    private static String told(Wish wish, Played played) {
        return String.format(
                Locale.ROOT,
                "%n%d nodes, %.0f hours of the trace in %d s: %d faults of nodes and %d ends, %d jobs at first, %d came and %d left;"
                        + " settled in %.2f s, at most %.1f s%n",
                wish.nodes(),
                wish.hours(),
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
