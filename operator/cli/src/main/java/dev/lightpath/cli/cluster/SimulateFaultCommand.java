package dev.lightpath.cli.cluster;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.BadInput;
import dev.lightpath.cli.OutputOptions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath simulate-fault node/NAME}: what would be repaired, and how. */
@Command(
        name = "simulate-fault",
        description = "What the operator would repair, and how, if this node failed now. Touches nothing.",
        mixinStandardHelpOptions = true)
public final class SimulateFaultCommand implements Callable<Integer> {
    @Parameters(paramLabel = "node/NAME", description = "the Node")
    private String node = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        String name = ObjectName.NODE.parse(node);
        return cluster.with(api -> {
            api.node(name);
            Outlook outlook = Outlook.over(api, operator, output::progress);
            List<FaultReport> reports = outlook.fabrics().stream()
                    .filter(fabric -> fabric.getSpec().ocsTrx() != null)
                    .flatMap(fabric ->
                            FaultReport.of(outlook.situation(fabric), name, Outlook.waits(fabric), Instant.now())
                                    .stream())
                    .toList();
            if (reports.isEmpty()) {
                throw new BadInput("node " + name + " is on no ring of transceivers");
            }
            FaultReport.Document document = FaultReport.document(reports);
            int code = output.print(new Answer(document, FaultReport.page(document)));
            if (document.infeasible() == null) {
                return code;
            }
            output.progress("lightpath: " + document.infeasible());
            return 1;
        });
    }
}
