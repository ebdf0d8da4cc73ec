package dev.lightpath.cli.cluster.forecast;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorOptions;
import dev.lightpath.console.forecast.FaultName;
import dev.lightpath.console.forecast.FaultOutlook;
import dev.lightpath.console.forecast.FaultReport;
import java.util.List;
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
            FaultName fault = FaultName.parse(object);
            FaultOutlook faults = Outlook.over(api, operator, output::progress).faults();
            FaultReport.Document document = faults.strike(fault);
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

    /**
     * What a fault would do, for the console.
     *
     * @param object that fails, as TYPE/NAME
     * @param remark takes lines for a person, beside the answer
     */
    public static List<String> lines(Cluster api, OperatorOptions operator, String object, Consumer<String> remark) {
        return Outlook.over(api, operator, remark).faults().lines(object);
    }
}
