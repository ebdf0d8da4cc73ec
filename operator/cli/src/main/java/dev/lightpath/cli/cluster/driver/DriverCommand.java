package dev.lightpath.cli.cluster.driver;

import picocli.CommandLine.Command;

/** {@code kubectl lightpath driver}. */
@Command(
        name = "driver",
        description = "What an administrator of drivers does at them.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = TransferCommand.class)
public final class DriverCommand {}
