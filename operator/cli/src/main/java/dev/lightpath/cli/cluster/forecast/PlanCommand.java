package dev.lightpath.cli.cluster.forecast;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.OperatorOptions;
import dev.lightpath.console.forecast.PlanPage;
import dev.lightpath.console.forecast.PlanReport;
import dev.lightpath.crds.job.TrainingJob;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kubectl lightpath plan -f F}: what would be placed and moved. */
@Command(
        name = "plan",
        description =
                "Where the operator would place the TrainingJobs of a file, what would move, and why. Touches nothing:"
                        + " the API server judges the manifest in a dry run.",
        mixinStandardHelpOptions = true)
public final class PlanCommand implements Callable<Integer> {
    @Option(
            names = {"-f", "--filename"},
            required = true,
            paramLabel = "FILE",
            description = "manifests, - is stdin; all TrainingJobs in it are planned, one after the other")
    private Path file = Path.of("-");

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        var manifests = JobManifests.read(file);
        return cluster.with(api -> {
            List<TrainingJob> jobs = manifests.stream()
                    .map(manifest -> JobManifests.judged(api, file, manifest))
                    .toList();
            PlanReport report = operator.answer(
                    api,
                    () -> Outlook.over(api, operator, output::progress).jobs().plans(jobs),
                    () -> JobManifests.question(api, file, manifests),
                    PlanReport.class,
                    "plan");
            int code = output.print(new Answer(report, PlanPage.of(report)));
            if (report.infeasible() == null) {
                return code;
            }
            output.progress("lightpath: " + report.infeasible());
            return 1;
        });
    }
}
