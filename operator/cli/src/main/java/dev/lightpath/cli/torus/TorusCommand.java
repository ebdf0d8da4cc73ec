package dev.lightpath.cli.torus;

import picocli.CommandLine.Command;

/** {@code lightpath torus evaluate|choose|circuits}. */
@Command(
        name = "torus",
        description = "Twisted tori of 4x4x4-chip cubes on optical switches.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {TorusEvaluate.class, TorusChoose.class, TorusCircuits.class})
public final class TorusCommand {}
