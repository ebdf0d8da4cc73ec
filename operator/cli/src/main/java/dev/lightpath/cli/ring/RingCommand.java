package dev.lightpath.cli.ring;

import picocli.CommandLine.Command;

/** {@code lightpath ring}: the parent of the commands for rings. */
@Command(
        name = "ring",
        description = "Bundle states, placement and repair on an OCSTrx line or ring.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {RingBundlesCommand.class, RingPlaceCommand.class, RingRepairCommand.class})
public final class RingCommand {}
