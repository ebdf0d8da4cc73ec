package dev.lightpath.cli.cluster.forecast;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorOptions;
import dev.lightpath.planner.fault.Subject;
import java.time.Instant;
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
            description =
                    "node/NAME, device/NODE (its transceivers), port/NODE/b0.path1 (a bundle, or a path of it),"
                            + " switch/NAME, switch/NAME/PORT; switches as statuses name them, too: device/SWITCH, port/SWITCH/PORT")
    private String object = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        FaultName fault = FaultName.parse(object);
        return cluster.with(api -> {
            if (fault.subject() instanceof Subject.OfNode of) {
                api.node(of.node());
            }
            FaultOutlook faults = Outlook.over(api, operator, output::progress).faults();
            FaultReport.Document document = faults.strike(fault, Instant.now());
            int code = output.print(new Answer(document, FaultReport.page(document, faults.title(fault))));
            if (!document.settled()) {
                output.progress("lightpath: the simulation did not come to rest; what is shown is how far it came");
            }
            if (document.infeasible() == null) {
                return code;
            }
            output.progress("lightpath: " + document.infeasible());
            return 1;
        });
    }
}
