package dev.lightpath.cli.polarfly;

import picocli.CommandLine.Command;

/** {@code lightpath polarfly build|layout|expand|route|circuits}. */
@Command(
        name = "polarfly",
        description = "PolarFly networks: graph, racks, growth, traffic and circuits.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            PolarFlyBuild.class,
            PolarFlyLayout.class,
            PolarFlyExpand.class,
            PolarFlyRoute.class,
            PolarFlyCircuits.class
        })
public final class PolarFlyCommand {}
