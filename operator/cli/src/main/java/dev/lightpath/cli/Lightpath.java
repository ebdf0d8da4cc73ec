package dev.lightpath.cli;

import dev.lightpath.cli.certificates.CertificatesCommand;
import dev.lightpath.cli.cluster.backup.ExportCommand;
import dev.lightpath.cli.cluster.backup.RestoreCommand;
import dev.lightpath.cli.cluster.change.AcceptDevicesCommand;
import dev.lightpath.cli.cluster.change.ClearCommand;
import dev.lightpath.cli.cluster.change.DrainCommand;
import dev.lightpath.cli.cluster.change.ForceReleaseCommand;
import dev.lightpath.cli.cluster.change.PauseCommand;
import dev.lightpath.cli.cluster.change.ResumeCommand;
import dev.lightpath.cli.cluster.change.UndrainCommand;
import dev.lightpath.cli.cluster.console.ConsoleCommand;
import dev.lightpath.cli.cluster.discover.DiscoverCommand;
import dev.lightpath.cli.cluster.doctor.DoctorCommand;
import dev.lightpath.cli.cluster.driver.DriverCommand;
import dev.lightpath.cli.cluster.forecast.PlanCommand;
import dev.lightpath.cli.cluster.forecast.SimulateFaultCommand;
import dev.lightpath.cli.cluster.show.DiffCommand;
import dev.lightpath.cli.cluster.show.ExplainCommand;
import dev.lightpath.cli.cluster.show.StatusCommand;
import dev.lightpath.cli.cluster.show.TreeCommand;
import dev.lightpath.cli.cluster.support.SupportBundleCommand;
import dev.lightpath.cli.delta.DeltaCommand;
import dev.lightpath.cli.polarfly.PolarFlyCommand;
import dev.lightpath.cli.ring.RingCommand;
import dev.lightpath.cli.stripe.StripeCommand;
import dev.lightpath.cli.torus.TorusCommand;
import dev.lightpath.console.text.BadInput;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The {@code lightpath} command, also found by kubectl as {@code kubectl lightpath}. */
@Command(
        name = "lightpath",
        description = "Plans and shows the light of an AI training cluster.",
        mixinStandardHelpOptions = true,
        version = "lightpath " + Version.VERSION,
        synopsisSubcommandLabel = "COMMAND",
        footer = "Besides: 'lightpath study list', the papers' figures recomputed and the soak test.",
        subcommands = {
            CommandLine.HelpCommand.class,
            StatusCommand.class,
            DoctorCommand.class,
            DiscoverCommand.class,
            PlanCommand.class,
            SimulateFaultCommand.class,
            TreeCommand.class,
            ExplainCommand.class,
            DiffCommand.class,
            ConsoleCommand.class,
            DrainCommand.class,
            UndrainCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            AcceptDevicesCommand.class,
            ClearCommand.class,
            ForceReleaseCommand.class,
            ExportCommand.class,
            RestoreCommand.class,
            DriverCommand.class,
            SupportBundleCommand.class,
            CertificatesCommand.class,
            DeltaCommand.class,
            PolarFlyCommand.class,
            RingCommand.class,
            StripeCommand.class,
            TorusCommand.class,
            AutoComplete.GenerateCompletion.class
        })
public final class Lightpath {
    /** How picocli says it. */
    private static final Pattern NOT_A_NUMBER = Pattern.compile(
            "^Invalid value for option '([^'=]*)[^']*'(?: \\([^)]*\\))?: '(.*)' is not an? (?:int|long)$");

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The whole command tree with its exit codes: 0 answered, 1 no solution, 2 bad usage or input. */
    public static CommandLine commandLine() {
        return behaving(new CommandLine(new Lightpath()));
    }

    /** A command tree that refuses and explains in one line, with the exit codes of {@link #commandLine}. */
    public static CommandLine behaving(CommandLine all) {
        return all.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Lightpath::refuse)
                .setExecutionExceptionHandler(Lightpath::explain);
    }

    private static int refuse(CommandLine.ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        String problem = oneLine(e.getMessage());
        if (e instanceof CommandLine.UnmatchedArgumentException unmatched
                && !command.getSubcommands().isEmpty()) {
            problem = "there is no command '" + unmatched.getUnmatched().getFirst() + "'; " + commands(command);
        } else if (problem.startsWith("Missing required subcommand")) {
            problem = "which command? " + commands(command);
        }
        problem = NOT_A_NUMBER.matcher(problem).replaceFirst("$1 $2: a whole number is wanted");
        command.getErr().println("lightpath: " + problem);
        return CommandLine.ExitCode.USAGE;
    }

    private static String commands(CommandLine command) {
        return command.getCommandSpec().qualifiedName() + " has "
                + String.join(", ", command.getSubcommands().keySet());
    }

    private static int explain(Exception e, CommandLine command, ParseResult parsed) {
        return switch (e) {
            case BadInput bad -> {
                command.getErr().println("lightpath: " + oneLine(bad.getMessage()));
                yield 2;
            }
            case Infeasible none -> {
                command.getErr().println("lightpath: " + oneLine(none.getMessage()));
                if (wantsJson(command)) {
                    command.getOut().println(Json.write(Map.of("infeasible", String.valueOf(none.getMessage()))));
                }
                yield 1;
            }
            default -> {
                command.getErr().println("lightpath: internal error, please report it:");
                e.printStackTrace(command.getErr());
                yield 70;
            }
        };
    }

    private static boolean wantsJson(CommandLine command) {
        OptionSpec output = command.getCommandSpec().findOption("--output");
        return output != null && "json".equals(String.valueOf((Object) output.getValue()));
    }

    private static String oneLine(@org.jspecify.annotations.Nullable String message) {
        return message == null ? "unknown error" : message.strip().replaceAll("\\s*\\n\\s*", "; ");
    }
}
