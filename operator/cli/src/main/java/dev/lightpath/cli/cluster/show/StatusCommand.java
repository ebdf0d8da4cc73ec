package dev.lightpath.cli.cluster.show;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorNamespace;
import dev.lightpath.console.report.Leader;
import dev.lightpath.console.report.StatusReport;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.LightpathNames;
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
            output.print(new Answer(report, StatusPage.of(report)));
            return expectLeader && !isLed(report) ? 1 : 0;
        });
    }

    /**
     * Whether an operator leads.
     *
     * @throws BadInput for a user who may not read the Lease
     */
    static boolean isLed(StatusReport report) {
        Leader leader = report.leader();
        if (leader == null) {
            throw new BadInput("--expect-leader: you may not read the Lease " + LightpathNames.LEASE
                    + " in the namespace of the operator (get leases)");
        }
        return leader.leads();
    }
}
