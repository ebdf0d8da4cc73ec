package dev.lightpath.cli.cluster;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.planner.fault.Subject;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath simulate-fault TYPE/NAME}: what would be repaired, and how. */
@Command(
        name = "simulate-fault",
        description = "What jobs would lose, and what the operator would repair, if this failed now. Touches nothing.",
        mixinStandardHelpOptions = true)
public final class SimulateFaultCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "TYPE/NAME",
            description = "node/NAME, device/NODE (its transceivers), port/NODE/b0.path1 (a bundle, or a path of it),"
                    + " switch/NAME or switch/NAME/PORT")
    private String object = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        Subject fault = FaultName.parse(object);
        return cluster.with(api -> {
            if (fault instanceof Subject.OfNode of) {
                api.node(of.node());
            }
            Outlook outlook = Outlook.over(api, operator, output::progress);
            FaultOutlook faults = outlook.faults();
            faults.require(fault);
            Instant now = Instant.now();
            List<FaultReport> reports = fault instanceof Subject.OfNode of
                    ? outlook.fabrics().stream()
                            .filter(fabric -> fabric.getSpec().ocsTrx() != null)
                            .flatMap(fabric ->
                                    FaultReport.of(outlook.situation(fabric), of.node(), Outlook.waits(fabric), now)
                                            .stream())
                            .toList()
                    : List.of();
            FaultReport.Document document = FaultReport.document(fault, reports, faults.losses(fault, now));
            int code = output.print(new Answer(document, FaultReport.page(document)));
            if (document.infeasible() == null) {
                return code;
            }
            output.progress("lightpath: " + document.infeasible());
            return 1;
        });
    }
}
