package dev.lightpath.studies.ring;

import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import dev.lightpath.studies.evaluation.Architecture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The largest job that runs through the trace without a pause, and for 99 % of the time. */
final class JobScaleStudy {

    private JobScaleStudy() {}

    static StudyTable run(Study.Options options, Consumer<String> progress) {
        UsableOverTrace usable = UsableOverTrace.of(options, progress);
        List<List<Object>> rows = new ArrayList<>();
        List<Chart.Series> series = new ArrayList<>();
        for (Architecture architecture : Cluster.ARCHITECTURES) {
            List<Chart.Point> points = new ArrayList<>();
            for (int tensor : Cluster.TENSORS) {
                double always = usable.meanOfLeast(architecture, tensor);
                rows.add(List.of(
                        architecture.name(),
                        tensor,
                        always,
                        usable.quantile(architecture, tensor, 0.01),
                        usable.quantile(architecture, tensor, 0.5)));
                points.add(new Chart.Point(tensor, always));
            }
            series.add(new Chart.Series(architecture.name(), points));
        }
        return new StudyTable(
                "Maximal job scale in GPUs on " + Cluster.GPUS + " GPUs (Fig. 11, which prints no numbers)",
                List.of("architecture", "tensor", "neverPausesGpus", "runs99PercentGpus", "medianGpus"),
                rows,
                List.of(
                        "neverPausesGpus: least usable GPUs during the trace, mean of " + Cluster.MAPPINGS
                                + " mappings; the others are quantiles over time and mappings",
                        "the paper does not say which of these its figure shows"),
                Optional.of(new Chart("Job that never pauses", "tensor size", "GPUs", series)));
    }
}
