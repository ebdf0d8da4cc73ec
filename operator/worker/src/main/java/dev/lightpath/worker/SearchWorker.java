package dev.lightpath.worker;

import dev.lightpath.tracing.JsonLines;
import dev.lightpath.worker.child.SearchChild;
import dev.lightpath.worker.server.RunningWorker;
import dev.lightpath.worker.server.WorkerSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The worker as a process: {@code java -jar lightpath-worker.jar --listen 0.0.0.0:9460 --tls FOLDER ...}. */
public final class SearchWorker {
    private static final String USAGE = "usage: java -jar lightpath-worker.jar [--listen HOST:PORT] [--http HOST:PORT]"
            + " [--searches NUMBER] [--memory MEBIBYTES] [--tls FOLDER --caller NAME [--scraper NAME]]";

    /** Variable of the environment: "true" for lines of JSON. */
    private static final String LOG_JSON = "LIGHTPATH_LOG_JSON";

    private static final Set<String> OPTIONS =
            Set.of("--listen", "--http", "--searches", "--memory", "--tls", "--caller", "--scraper");

    /** The longest search that a job can ask for, and a minute. */
    private static final Duration LONGEST = Duration.ofSeconds(3660);

    /** The operator waits a little longer before it gives up. */
    private static final Duration GRACE = Duration.ofSeconds(4);

    /** Shorter than the grace period of its pod. */
    private static final Duration DRAIN = Duration.ofSeconds(20);

    /** Of it nothing but the level is set; held because the JDK forgets loggers that nobody holds. */
    private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded.io.netty");

    private SearchWorker() {}

    /** Runs until a signal stops it. Exit code 2 for wrong arguments, 1 when it cannot start. */
    public static void main(String[] arguments) throws InterruptedException {
        // the JDK warns of every use of Unsafe; the worker needs none of its speed
        System.setProperty("io.grpc.netty.shaded.io.netty.noUnsafe", "true");
        // it logs, with a stack trace, each client that leaves in the middle of a stream
        NETTY.setLevel(Level.SEVERE);
        if (System.getProperty("java.util.logging.SimpleFormatter.format") == null) {
            System.setProperty("java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
        }
        if (Boolean.parseBoolean(System.getenv(LOG_JSON))) {
            for (Handler handler : Logger.getLogger("").getHandlers()) {
                handler.setFormatter(new JsonLines());
            }
        }
        WorkerSettings settings;
        try {
            settings = settings(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.err.println(USAGE);
            System.exit(2);
            return;
        }
        try {
            RunningWorker worker = new RunningWorker(settings);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(worker), "shutdown"));
            worker.awaitTermination();
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void stop(RunningWorker worker) {
        worker.drain(DRAIN);
        worker.close();
    }

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException naming the option and what is allowed
     */
    static WorkerSettings settings(String... arguments) {
        Map<String, List<String>> given = new HashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            if (!OPTIONS.contains(arguments[i]) || i + 1 == arguments.length) {
                throw new IllegalArgumentException(arguments[i] + ": allowed are "
                        + String.join(", ", new TreeSet<>(OPTIONS)) + ", each with a value");
            }
            given.computeIfAbsent(arguments[i], option -> new ArrayList<>()).add(arguments[i + 1]);
        }
        return new WorkerSettings(
                address("--listen", last(given, "--listen", "0.0.0.0:9460")),
                address("--http", last(given, "--http", "0.0.0.0:9461")),
                number("--searches", last(given, "--searches", "2"), 64),
                child(number("--memory", last(given, "--memory", "512"), 1 << 20)),
                LONGEST,
                GRACE,
                tls(given));
    }

    private static Optional<WorkerSettings.Tls> tls(Map<String, List<String>> given) {
        List<String> callers = given.getOrDefault("--caller", List.of());
        List<String> scrapers = given.getOrDefault("--scraper", List.of());
        if (!given.containsKey("--tls")) {
            if (callers.isEmpty() && scrapers.isEmpty()) {
                return Optional.empty();
            }
            throw new IllegalArgumentException("--tls: needed with --caller and --scraper");
        }
        if (callers.isEmpty()) {
            throw new IllegalArgumentException("--caller: needed with --tls, a DNS name of the operator's certificate");
        }
        return Optional.of(new WorkerSettings.Tls(
                Path.of(last(given, "--tls", "")), new TreeSet<>(callers), new TreeSet<>(scrapers)));
    }

    private static String last(Map<String, List<String>> given, String option, String unless) {
        return Optional.ofNullable(given.get(option)).map(List::getLast).orElse(unless);
    }

    private static InetSocketAddress address(String option, String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException(option + ": '" + text + "', allowed: HOST:PORT");
        }
        int port = number(option, text.substring(colon + 1), 65535, 0);
        return new InetSocketAddress(text.substring(0, colon), port);
    }

    private static int number(String option, String text, int most) {
        return number(option, text, most, 1);
    }

    private static int number(String option, String text, int most, int least) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException none) {
            // told below
        }
        throw new IllegalArgumentException(option + ": '" + text + "', allowed: " + least + " to " + most);
    }

    /**
     * A process with the Java and the class path of this one, and the archive of classes that this one was started
     * with.
     */
    private static List<String> child(int mebibytes) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + mebibytes + "m",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                // or the reason of an end would be taken for the answer
                "-XX:+DisplayVMOutputToStderr"));
        command.addAll(archive());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), SearchChild.class.getName()));
        return command;
    }

    private static Collection<String> archive() {
        return java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:SharedArchiveFile="))
                .toList();
    }
}
