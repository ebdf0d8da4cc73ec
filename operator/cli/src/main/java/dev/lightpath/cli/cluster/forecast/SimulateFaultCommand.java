package dev.lightpath.cli.cluster.forecast;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorOptions;
import dev.lightpath.planner.fault.Subject;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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
        return cluster.with(api -> {
            Answer answer = answer(api, operator, object, output::progress);
            int code = output.print(answer);
            FaultReport.Document document = (FaultReport.Document) answer.document();
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

    /**
     * What a fault would do.
     *
     * @param object that fails, as TYPE/NAME
     * @param remark takes lines for a person, beside the answer
     */
    public static Answer answer(Cluster api, OperatorOptions operator, String object, Consumer<String> remark) {
        FaultName fault = FaultName.parse(object);
        if (fault.subject() instanceof Subject.OfNode of) {
            api.node(of.node());
        }
        FaultOutlook faults = Outlook.over(api, operator, remark).faults();
        FaultReport.Document document = faults.strike(fault, Instant.now());
        return new Answer(document, FaultReport.page(document, faults.title(fault)));
    }
}
