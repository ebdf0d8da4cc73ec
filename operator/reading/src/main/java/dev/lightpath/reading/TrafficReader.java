package dev.lightpath.reading;

import dev.lightpath.crds.job.Model;
import dev.lightpath.crds.job.Rates;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.ModelShape;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.iteration.TracedIteration;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.world.Demand;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads what the traffic of a job on optical switches depends on. */
public final class TrafficReader {
    private TrafficReader() {}

    /** @throws IllegalArgumentException naming the field and what is allowed */
    public static Demand.Traffic read(ScaleOutDemand demand) {
        RecordedTraffic recorded = demand.recorded();
        Parallelism parallelism = parallelism(demand.parallelism());
        Iteration iteration = recorded == null ? iteration(demand) : iteration(recorded);
        Parallelism placed = iteration instanceof Iteration.OfTrace ? inOneRow(parallelism) : parallelism;
        return new Demand.Traffic(
                iteration,
                placed,
                recorded == null ? leastReplicas(demand.parallelism()) : placed.replicas(),
                iteration instanceof Iteration.OfTrace of
                        ? OptionalInt.of(parallelism.pipeline()
                                * parallelism.replicas()
                                / of.trace().pods())
                        : demand.stagesPerPod() == null ? OptionalInt.empty() : OptionalInt.of(demand.stagesPerPod()),
                Goal.fewestPorts(algorithm(demand.rates()), Double.parseDouble(demand.portTolerance())),
                Duration.ofSeconds(demand.timeLimit()));
    }

    /** Ranks of a trace are put into pods one after the other, replica by replica. */
    private static Parallelism inOneRow(Parallelism of) {
        return Parallelism.ofDegrees(of.gpusPerStage(), of.pipeline() * of.replicas(), 1, 1, 1);
    }

    private static Iteration iteration(ScaleOutDemand of) {
        Model model = of.model();
        if (model == null) {
            throw new IllegalArgumentException("model: missing, it is required for circuits that follow traffic");
        }
        return new Iteration.OfModel(
                model(model), new Batch(of.microBatches(), of.microBatchSize(), model.sequenceLength(), true));
    }

    private static Iteration iteration(RecordedTraffic of) {
        return switch (of.format()) {
            case AICB ->
                new Iteration.OfProfile(
                        given(of.microBatches(), "microBatches"),
                        seconds(of.forwardSeconds(), "forwardSeconds"),
                        seconds(of.backwardSeconds(), "backwardSeconds"),
                        seconds(of.pipelineBytes(), "pipelineBytes"),
                        seconds(of.dataBytes(), "dataBytes"));
            case CHAKRA ->
                new Iteration.OfTrace(new TracedIteration(
                        given(of.digest(), "digest"),
                        given(of.pods(), "pods"),
                        of.pairs().stream().map(TrafficReader::pair).toList(),
                        given(of.iteration(), "iteration")));
        };
    }

    private static double seconds(@Nullable String text, String field) {
        return Double.parseDouble(given(text, field));
    }

    private static <T> T given(@Nullable T value, String field) {
        if (value == null) {
            throw new IllegalArgumentException("recorded." + field + ": missing, it is required");
        }
        return value;
    }

    private static PodPair pair(String text) {
        String[] ends = text.split("-", 2);
        if (ends.length != 2) {
            throw new IllegalArgumentException("recorded.pairs: '" + text + "', allowed: two pods as first-second");
        }
        return new PodPair(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]));
    }

    /**
     * The same for the replicas that a record has: an elastic job may have fewer than it wants.
     *
     * @param groups of the record
     * @throws IllegalArgumentException naming the field and what is allowed
     */
    public static Demand.Traffic recorded(ScaleOutDemand demand, int groups) {
        Demand.Traffic asked = read(demand);
        return asked.recorded(groups).orElse(asked);
    }

    /**
     * Copies of the model that are enough: all, unless the job is elastic.
     *
     * @throws IllegalArgumentException naming the degree and what is allowed
     */
    public static int leastReplicas(dev.lightpath.crds.job.Parallelism of) {
        Parallelism all = parallelism(of);
        Integer least = of.minimumData();
        if (least == null || !of.elastic()) {
            return all.replicas();
        }
        if (least % all.dataRanksPerStage() != 0) {
            throw new IllegalArgumentException("minimumData: " + least + ", allowed: a multiple of "
                    + all.dataRanksPerStage() + ", the data-parallel ranks inside an expert group");
        }
        return least / all.dataRanksPerStage();
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
