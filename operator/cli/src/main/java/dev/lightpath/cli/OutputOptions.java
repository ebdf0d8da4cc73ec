package dev.lightpath.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code --output} option every command carries, and the one way an answer is printed. */
public final class OutputOptions {
    /** What {@code --output} may say. */
    public enum Format {
        table,
        json
    }

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "table (for people) or json (one document): ${COMPLETION-CANDIDATES}")
    private Format format = Format.table;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli fills it before the command runs
    private CommandSpec command;

    /** Prints the answer on standard output; returns the exit code 0. */
    public int print(Answer answer) {
        PrintWriter out = command.commandLine().getOut();
        out.print(
                switch (format) {
                    case table -> answer.table().render();
                    case json -> Json.write(answer.document()) + "\n";
                });
        out.flush();
        return 0;
    }

    /** A line for a person waiting, on standard error. */
    public void progress(String line) {
        PrintWriter err = command.commandLine().getErr();
        err.println(line);
        err.flush();
    }
}
