package dev.lightpath.reading;

import dev.lightpath.crds.job.Model;
import dev.lightpath.crds.job.Rates;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Batch;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.ModelShape;
import dev.lightpath.planner.delta.Parallelism;
import dev.lightpath.planner.delta.Preset;
import dev.lightpath.planner.world.Demand;
import java.time.Duration;
import java.util.OptionalInt;

/** Reads what the traffic of a job on optical switches depends on. */
public final class TrafficReader {
    private TrafficReader() {}

    /** @throws IllegalArgumentException naming the field and what is allowed */
    public static Demand.Traffic read(ScaleOutDemand demand) {
        return new Demand.Traffic(
                model(demand.model()),
                parallelism(demand.parallelism()),
                new Batch(
                        demand.microBatches(),
                        demand.microBatchSize(),
                        demand.model().sequenceLength(),
                        true),
                demand.stagesPerPod() == null ? OptionalInt.empty() : OptionalInt.of(demand.stagesPerPod()),
                Goal.fewestPorts(algorithm(demand.rates()), Double.parseDouble(demand.portTolerance())),
                Duration.ofSeconds(demand.timeLimit()));
    }

    /** @throws IllegalArgumentException naming the degree and what is allowed */
    public static Parallelism parallelism(dev.lightpath.crds.job.Parallelism of) {
        return Parallelism.ofDegrees(of.tensor(), of.pipeline(), of.data(), of.context(), of.expert());
    }

    private static Algorithm algorithm(Rates rates) {
        return switch (rates) {
            case JOINT -> Algorithm.JOINT;
            case FAIR -> Algorithm.TOPOLOGY;
        };
    }

    private static ModelShape model(Model model) {
        if (model.preset() != null) {
            return Preset.valueOf(model.preset().name()).model();
        }
        dev.lightpath.crds.job.ModelShape shape = model.shape();
        if (shape == null) {
            throw new IllegalArgumentException("model: neither preset nor shape, allowed: exactly one of them");
        }
        return new ModelShape(
                shape.layers(),
                shape.hiddenSize(),
                shape.attentionHeads(),
                shape.headDimension(),
                shape.valueHeadWidth(),
                shape.totalParameters(),
                shape.parametersPerToken(),
                shape.effectiveTeraflops().doubleValue());
    }
}
