package dev.lightpath.cli.cluster.show;

import dev.lightpath.cli.OutputOptions;
import dev.lightpath.cli.cluster.access.ClusterOptions;
import dev.lightpath.console.report.Fabrics;
import dev.lightpath.console.report.JobTree;
import dev.lightpath.console.text.ObjectName;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath tree tj/NAME}: a job down to its nodes, bundles and pods. */
@Command(
        name = "tree",
        description =
                "A job, its slices, groups, nodes with the bundle states they are meant to have, stages in pods of switches with the circuits between them, and pods.",
        mixinStandardHelpOptions = true)
public final class TreeCommand implements Callable<Integer> {
    @Parameters(paramLabel = "tj/NAME", description = "the TrainingJob")
    private String job = "";

    @Option(
            names = "--full",
            description = "one line for each node also of a job of more than 256 nodes, and every port between pods")
    private boolean full;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        String name = ObjectName.JOB.parse(job);
        return cluster.with(api -> {
            TrainingJob of = api.job(name);
            String namespace = of.getMetadata().getNamespace();
            List<FabricSlice> slices = api.slices(Optional.of(namespace));
            List<Pod> pods = api.pods(namespace, LightpathLabels.JOB, name);
            JobTree tree = JobTree.of(of, slices, Fabrics.of(api.fabrics(), api.switches(), api.nodes()), pods);
            return output.print(new dev.lightpath.cli.Answer(tree, TreePage.of(tree, full)));
        });
    }
}
