package dev.lightpath.soak;

import dev.lightpath.cli.Lightpath;
import dev.lightpath.studies.LightpathStudies;
import java.util.Objects;
import picocli.CommandLine;

/**
 * The whole command line: the commands of {@link Lightpath}, the studies that compute, and {@code study live}, which
 * plays against a running environment. Images and the plug-in hold this jar.
 */
public final class LightpathSoak {
    private LightpathSoak() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine study = Objects.requireNonNull(
                LightpathStudies.commandLine().getSubcommands().get("study"));
        study.addSubcommand(new LiveCommand());
        CommandLine all = Lightpath.commandLine();
        all.addSubcommand("study", study);
        all.getCommandSpec().usageMessage().footer(new String[0]);
        return all;
    }
}
