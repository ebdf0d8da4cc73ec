package dev.lightpath.app.job.facts;

import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.reading.TrafficReader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many nodes a job takes once it is placed. In a queue its pods are made before that, as many as there will be
 * nodes.
 */
final class NodesWanted {
    private NodesWanted() {}

    /**
     * @param gpusPerNode of the nodes of its fabrics
     * @param switches what the fabric of scaleOut looks like; empty without one
     */
    static int of(TrainingJobSpec spec, int gpusPerNode, Optional<FabricGeometry.Switches> switches) {
        int filled = Math.ceilDiv(spec.parallelism().gpus(), gpusPerNode);
        @Nullable ScaleOut scaleOut = spec.scaleOut();
        if (scaleOut == null || scaleOut.torus() != null || switches.isEmpty()) {
            return filled;
        }
        try {
            Parallelism parallelism = TrafficReader.parallelism(spec.parallelism());
            @Nullable Integer asked = scaleOut.stagesPerPod();
            int together = asked == null ? switches.get().gpusOfSmallestPod() / parallelism.gpusPerStage() : asked;
            return together < 1 ? filled : parallelism.nodes(together, gpusPerNode);
        } catch (IllegalArgumentException refused) {
            return filled;
        }
    }
}
