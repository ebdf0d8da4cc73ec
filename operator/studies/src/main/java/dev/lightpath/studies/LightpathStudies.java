package dev.lightpath.studies;

import dev.lightpath.cli.Lightpath;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code lightpath} command with the studies alone. */
@Command(
        name = "lightpath",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = StudyCommand.class)
public final class LightpathStudies {
    private LightpathStudies() {}

    public static CommandLine commandLine() {
        return Lightpath.behaving(new CommandLine(new LightpathStudies()));
    }
}
