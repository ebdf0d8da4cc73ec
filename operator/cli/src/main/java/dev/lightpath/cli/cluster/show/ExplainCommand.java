package dev.lightpath.cli.cluster.show;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.cli.cluster.access.HttpQuestion;
import dev.lightpath.cli.cluster.access.OperatorOptions;
import dev.lightpath.console.explain.ExplainPage;
import dev.lightpath.console.explain.ExplainReport;
import dev.lightpath.console.explain.Explanations;
import dev.lightpath.console.report.Fabrics;
import dev.lightpath.console.text.ObjectName;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.planner.delta.search.SearchLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath explain tj/NAME}: why its light is as it is. */
@Command(
        name = "explain",
        description =
                "Why a job's light is as it is: circuits and bytes per pair of pods, critical path, what one more port"
                        + " would give; groups, seats and bundles on a ring.",
        mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {
    /** After this time ports without an answer yet are left out. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Parameters(paramLabel = "tj/NAME", description = "the TrainingJob")
    private String job = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        String name = ObjectName.JOB.parse(job);
        return cluster.with(api -> output.print(answer(api, operator, name)));
    }

    /**
     * Why the light of a job is as it is.
     *
     * @param name of a job in the namespace
     */
    public static Answer answer(Cluster api, OperatorOptions operator, String name) {
        TrainingJob job = api.job(name);
        ExplainReport report = operator.answer(
                api,
                () -> report(api, job),
                () -> HttpQuestion.get("/explain/" + job.getMetadata().getNamespace() + "/"
                        + job.getMetadata().getName()),
                ExplainReport.class,
                "explanation");
        return new Answer(report, ExplainPage.of(report));
    }

    private static ExplainReport report(Cluster api, TrainingJob job) {
        long start = System.nanoTime();
        var fabrics = api.fabrics();
        var switches = api.switches();
        return ExplainReport.of(
                job,
                api.slices(Optional.empty()),
                fabrics,
                switches,
                Fabrics.of(fabrics, switches, api.nodes()),
                SearchLimits.standard()
                        .withNodes(Explanations.NODES)
                        .stoppingWhen(() -> System.nanoTime() - start > PATIENCE.toNanos()));
    }
}
