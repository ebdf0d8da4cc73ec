package dev.lightpath.benchmarks;

import java.util.concurrent.Callable;
import picocli.CommandLine;

/** How the programs of this module are called: bad input ends with 2 and one line. */
public final class Arguments {
    private Arguments() {}

    /** Runs a program with what it was given, and ends the process: threads of clients would live on for a while. */
    public static void run(Callable<Integer> program, String[] given) {
        System.exit(command(program).execute(given));
    }

    public static CommandLine command(Callable<Integer> program) {
        return new CommandLine(program)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((wrong, given) -> {
                    CommandLine command = wrong.getCommandLine();
                    command.getErr().println(command.getCommandName() + ": " + wrong.getMessage());
                    return command.getCommandSpec().exitCodeOnInvalidInput();
                });
    }
}
