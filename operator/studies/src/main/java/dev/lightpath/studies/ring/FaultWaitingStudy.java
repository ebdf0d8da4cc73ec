package dev.lightpath.studies.ring;

import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import dev.lightpath.studies.evaluation.Architecture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The part of the time that a job of a given scale waits because too few GPUs are usable. */
final class FaultWaitingStudy {

    private static final int FIGURE_TENSOR = 32;

    private FaultWaitingStudy() {}

    static StudyTable run(Study.Options options, Consumer<String> progress) {
        UsableOverTrace usable = UsableOverTrace.of(options, progress);
        List<List<Object>> rows = new ArrayList<>();
        List<Chart.Series> series = new ArrayList<>();
        for (Architecture architecture : Cluster.ARCHITECTURES) {
            List<Chart.Point> points = new ArrayList<>();
            for (int percent = 70; percent <= 100; percent += 2) {
                for (int tensor : Cluster.TENSORS) {
                    int groups = (percent * Cluster.GPUS + 100 * tensor - 1) / (100 * tensor);
                    double waiting = 100 * usable.below(architecture, tensor, groups * tensor);
                    rows.add(List.of(architecture.name(), tensor, percent, waiting));
                    if (tensor == FIGURE_TENSOR) {
                        points.add(new Chart.Point(percent, waiting));
                    }
                }
            }
            series.add(new Chart.Series(architecture.name(), points));
        }
        return new StudyTable(
                "Share of the time that a job waits for repairs, in percent (Fig. 12 and 19, which print no numbers)",
                List.of("architecture", "tensor", "jobScalePercent", "waitingPercent"),
                rows,
                List.of("faults last as long as in the trace; the paper repairs after a fixed mean time instead"),
                Optional.of(new Chart("Waiting at TP-32", "job scale (%)", "time waiting (%)", series)));
    }
}
