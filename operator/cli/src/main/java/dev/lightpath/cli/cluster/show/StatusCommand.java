package dev.lightpath.cli.cluster.show;

import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorNamespace;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kubectl lightpath status}: fabrics, jobs and what is going on, at one glance. */
@Command(
        name = "status",
        description = "Fabrics, switches, jobs, and what is going on. Jobs of all namespaces, or of the one named.",
        mixinStandardHelpOptions = true)
public final class StatusCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private OperatorNamespace operatorNamespace = new OperatorNamespace();

    @Option(names = "--expect-leader", description = "end with exit code 1 if no operator leads")
    private boolean expectLeader;

    @Override
    public Integer call() {
        return cluster.with(api -> {
            StatusReport report = StatusReport.of(
                    api.leader(operatorNamespace.name(), Instant.now()),
                    api.fabrics(),
                    api.switches(),
                    api.jobs(cluster.chosenNamespace()),
                    api.slices(cluster.chosenNamespace()));
            output.print(report.answer());
            return expectLeader && !report.isLed() ? 1 : 0;
        });
    }
}
