package dev.lightpath.soak;

import dev.lightpath.studies.LightpathStudies;
import java.util.Objects;
import picocli.CommandLine;

/** The {@code lightpath study} commands: those that compute, and {@code live}, which plays against a running environment. */
public final class LightpathSoak {
    private LightpathSoak() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine all = LightpathStudies.commandLine();
        Objects.requireNonNull(all.getSubcommands().get("study")).addSubcommand(new LiveCommand());
        return all;
    }
}
