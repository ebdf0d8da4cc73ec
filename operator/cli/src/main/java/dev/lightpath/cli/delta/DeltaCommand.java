package dev.lightpath.cli.delta;

import picocli.CommandLine.Command;

/** The group of DELTA's commands. */
@Command(
        name = "delta",
        description = "Circuits between pods for one training iteration.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            GenerateCommand.class,
            EvaluateCommand.class,
            SolveCommand.class,
            ExplainCommand.class,
            ReallocateCommand.class
        })
public final class DeltaCommand {}
