package dev.lightpath.conformance;

import dev.lightpath.conformance.bench.Endpoint;
import dev.lightpath.conformance.bench.Faults;
import dev.lightpath.conformance.bench.Restart;
import dev.lightpath.conformance.bench.Terms;
import dev.lightpath.conformance.bench.Unusable;
import dev.lightpath.conformance.report.JsonReport;
import dev.lightpath.conformance.report.JunitReport;
import dev.lightpath.conformance.report.Progress;
import dev.lightpath.conformance.report.Report;
import dev.lightpath.conformance.report.TextReport;
import dev.lightpath.conformance.requirement.Requirement;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The kit on the command line. Exit code 0: everything judged is met; 1: something is not; 2: it could not be judged.
 */
@Command(
        name = "lightpath-driver-conformance",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Judges a driver by the contract lightpath.driver.v1alpha1, through its gRPC endpoint alone.",
            "Uses free ports of one device, and leaves the device as it found it."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every requirement that could be judged is met",
            "1:some are not",
            "2:bad input, or a device" + " that cannot or must not be used"
        })
public final class ConformanceKit implements Callable<Integer> {
    /** Formats of the report. */
    enum Output {
        text,
        json,
        junit
    }

    /** More than the network between driver and kit holds. */
    private static final long LEAST_BEYOND_BUFFER = 2000;

    private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded.io.netty");

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--endpoint", paramLabel = "HOST:PORT", description = "gRPC endpoint of the driver")
    private String endpoint = "";

    @Option(
            names = "--device",
            paramLabel = "ID",
            description = "the device to use, dark, and wired to nothing that minds")
    private String device = "";

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            defaultValue = "lightpath-conformance",
            description = "role to write"
                    + " as; another that holds the device gets it back at the end (default: ${DEFAULT-VALUE})")
    private String role = "";

    @Mixin
    private Connection connection = new Connection();

    @Option(
            names = "--scratch-ports",
            paramLabel = "PORT",
            split = ",",
            description = "ports the kit may use; default:"
                    + " any free one. A switch needs 4, transceivers those of 2 modules")
    private List<String> scratchPorts = List.of();

    @Option(
            names = "--broken-port",
            paramLabel = "PORT",
            description = "a free egress whose moves fail; default: one the" + " inventory calls FAILED, if any")
    private @Nullable String brokenPort;

    @Option(names = "--allow-lit", description = "run although the device carries circuits; they are left alone")
    private boolean allowLit;

    @Option(
            names = "--restart-command",
            paramLabel = "CMD",
            description = "shell command that kills the driver (-9) and" + " starts it again on its state")
    private @Nullable String restartCommand;

    @Option(
            names = "--fault-command",
            paramLabel = "CMD",
            description =
                    "shell command that hurts the device; called with"
                            + " dead-element PORT | stuck-element PORT | slow-moves MILLIS | silence |"
                            + " foreign-circuit INGRESS EGRESS | power-cycle | replacement | mend; exit code 3: knows no such fault")
    private @Nullable String faultCommand;

    @Option(
            names = "--emulator",
            paramLabel = "HOST:PORT",
            description = "the emulator the device is of, instead of" + " --fault-command")
    private @Nullable String emulator;

    @Option(
            names = "--only",
            paramLabel = "PATTERN",
            split = ",",
            description = "judge these only: a chapter, a name, *")
    private List<String> only = List.of();

    @Option(names = "--skip", paramLabel = "PATTERN", split = ",", description = "leave these out")
    private List<String> skip = List.of();

    @Option(
            names = "--output",
            paramLabel = "text|json|junit",
            defaultValue = "text",
            description = "form of the report" + " (default: ${DEFAULT-VALUE})")
    private Output output = Output.text;

    @Option(
            names = "--patience-seconds",
            paramLabel = "S",
            defaultValue = "20",
            description = "how long to wait for what" + " the contract promises (default: ${DEFAULT-VALUE})")
    private double patienceSeconds;

    @Option(
            names = "--slow-client-seconds",
            paramLabel = "S",
            defaultValue = "60",
            description = "how long to try to"
                    + " overrun the driver's stream buffer; 0: not at all (default: ${DEFAULT-VALUE})")
    private double slowClientSeconds;

    @Option(
            names = "--slow-client-changes",
            paramLabel = "N",
            description = "how many changes to make for that at most; more than --watch-buffer (default: a fifth more,"
                    + " and 2000 more at least)")
    private @Nullable Integer slowClientChanges;

    @Option(
            names = "--watch-buffer",
            paramLabel = "N",
            defaultValue = "10000",
            description = "most messages the driver"
                    + " may keep for a client that does not read; the contract bounds them, by a number of the driver's"
                    + " own (default: ${DEFAULT-VALUE})")
    private int watchBuffer;

    @Option(names = "--list", description = "name all requirements, and end")
    private boolean list;

    @Override
    public Integer call() {
        PrintWriter out = commandLine().getOut();
        if (list) {
            Requirements.all().forEach(r -> out.printf("%-38s %s  [%s]%n", r.name(), r.statement(), r.section()));
            out.flush();
            return 0;
        }
        try (EarlyEnd early = new EarlyEnd()) {
            return judged(early);
        }
    }

    private int judged(BooleanSupplier cut) {
        PrintWriter out = commandLine().getOut();
        try {
            List<Requirement> chosen = Patterns.select(Requirements.all(), only, skip);
            TextReport text = new TextReport(out);
            Report report = judge(chosen, output == Output.text ? text : Progress.untold(), cut);
            switch (output) {
                case text -> text.ends(report);
                case json -> out.print(JsonReport.of(report));
                case junit -> out.print(JunitReport.of(report));
            }
            out.flush();
            return report.isConforming() ? 0 : 1;
        } catch (Unusable unusable) {
            commandLine().getErr().println(unusable.getMessage());
            also(commandLine().getErr(), unusable);
            commandLine().getErr().flush();
            return 2;
        }
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("picocli fills it");
        }
        return spec.commandLine();
    }

    private static void also(PrintWriter err, Throwable early) {
        for (Throwable more : early.getSuppressed()) {
            err.println(more.getMessage());
        }
    }

    private Report judge(List<Requirement> chosen, Progress progress, BooleanSupplier cut) {
        require("--endpoint", endpoint);
        require("--device", device);
        require("--role", role);
        if (patienceSeconds <= 0 || slowClientSeconds < 0 || watchBuffer < 1) {
            throw new Unusable(
                    "--patience-seconds must be above 0, --slow-client-seconds 0 or above, --watch-buffer 1 or above");
        }
        if (slowClientSeconds > 0 && slowClientChanges() <= watchBuffer) {
            throw new Unusable("--slow-client-changes " + slowClientChanges() + " cannot overrun --watch-buffer "
                    + watchBuffer + "; name more, or --slow-client-seconds 0");
        }
        if (emulator != null && faultCommand != null) {
            throw new Unusable("--emulator and --fault-command exclude each other");
        }
        Endpoint way = connection.to(endpoint);
        Optional<Restart> restart = Optional.ofNullable(restartCommand).map(Commands::restart);
        if (emulator != null) {
            OptionalDouble usual = UsualMove.millis(way, device);
            try (EmulatorFaults faults = new EmulatorFaults(
                    Connection.plaintext(Connection.checked("--emulator", emulator)), device, usual.orElse(1))) {
                if (usual.isPresent()) {
                    requireMending("--emulator " + emulator, faults);
                }
                return ConformanceRun.run(endpoint, way, terms(restart, Optional.of(faults)), chosen, progress, cut);
            }
        }
        Optional<Faults> faults = Optional.ofNullable(faultCommand).map(Commands::faults);
        faults.ifPresent(command -> requireMending("--fault-command", command));
        return ConformanceRun.run(endpoint, way, terms(restart, faults), chosen, progress, cut);
    }

    /** Else each requirement that needs a fault would accuse the driver. */
    private static void requireMending(String option, Faults faults) {
        try {
            faults.mend();
        } catch (Exception e) {
            Throwable cause = e.getCause();
            throw new Unusable(
                    option + " cannot be used: " + e.getMessage() + (cause == null ? "" : ", " + cause.getMessage()));
        }
    }

    private static void require(String option, String value) {
        if (value.isBlank()) {
            throw new Unusable(option + " is missing; --help tells more");
        }
    }

    private int slowClientChanges() {
        long usual = watchBuffer + Math.max(LEAST_BEYOND_BUFFER, watchBuffer / 5L);
        return slowClientChanges == null ? (int) Math.min(usual, Integer.MAX_VALUE) : slowClientChanges;
    }

    private Terms terms(Optional<Restart> restart, Optional<Faults> faults) {
        return new Terms(
                device,
                role,
                scratchPorts,
                Optional.ofNullable(brokenPort),
                allowLit,
                connection.isCertified(),
                Duration.ofMillis(Math.round(patienceSeconds * 1000)),
                Duration.ofMillis(Math.round(slowClientSeconds * 1000)),
                slowClientChanges(),
                watchBuffer,
                restart,
                faults);
    }

    /** The command line of the kit; {@code execute} returns the exit code. */
    public static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return new CommandLine(new ConformanceKit())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((wrong, args) -> {
                    err.println(wrong.getMessage() + "; --help tells more");
                    err.flush();
                    return 2;
                })
                .setExecutionExceptionHandler((e, line, args) -> {
                    err.println("the kit itself failed: " + e);
                    also(err, e);
                    err.flush();
                    return 2;
                });
    }

    public static void main(String[] args) {
        // the JDK warns of every use of Unsafe; the kit needs none of its speed
        System.setProperty("io.grpc.netty.shaded.io.netty.noUnsafe", "true");
        NETTY.setLevel(Level.SEVERE);
        System.exit(commandLine(new PrintWriter(System.out, true), new PrintWriter(System.err, true))
                .execute(args));
    }
}
