package dev.lightpath.cli.cluster.change;

import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** The options of every command by which a person acts on one object of a cluster, and how what it did is told. */
final class ActOptions {
    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** Acts, and prints what was done; returns the exit code 0. */
    int carryOut(Function<Cluster, Act> act) {
        return cluster.with(api -> output.print(act.apply(api).answer()));
    }
}
