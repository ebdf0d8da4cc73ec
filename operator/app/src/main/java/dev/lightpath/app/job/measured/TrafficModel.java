package dev.lightpath.app.job.measured;

import dev.lightpath.app.job.facts.FabricFacts;
import dev.lightpath.app.job.facts.FabricGeometry;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.ChosenCircuits;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.reading.TrafficReader;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Circuits of a job that follow its traffic, with the iteration that they were chosen for.
 *
 * @param question as it would be asked if nothing was learnt; its ports do not matter to a simulation
 * @param circuits one count per group of the instance
 * @param predictedSeconds of one iteration with them
 */
public record TrafficModel(TopologyQuestion question, List<Integer> circuits, double predictedSeconds) {

    /** Of the first slice that has such circuits; empty where there is none, or its record cannot be read. */
    public static Optional<TrafficModel> of(JobFacts facts, List<SliceFacts> current) {
        return current.stream().flatMap(slice -> of(facts, slice).stream()).findFirst();
    }

    private static Optional<TrafficModel> of(JobFacts facts, SliceFacts slice) {
        @Nullable Allocation allocation = slice.allocation().orElse(null);
        @Nullable ScaleOutDemand demand = slice.demand().scaleOut();
        @Nullable ChosenCircuits chosen = allocation == null ? null : allocation.chosen();
        if (allocation == null
                || demand == null
                || demand.torus() != null
                || chosen == null
                || !(facts.fabricOf(slice).map(FabricFacts::geometry).orElse(null)
                        instanceof FabricGeometry.Switches fabric)) {
            return Optional.empty();
        }
        Prediction prediction = chosen.prediction();
        @Nullable String seconds = prediction.iterationSeconds();
        Demand.Traffic traffic =
                TrafficReader.recorded(demand, allocation.groups().size());
        int together = together(allocation.groups(), traffic.parallelism().pipeline());
        if (seconds == null || together == 0) {
            return Optional.empty();
        }
        TopologyQuestion shape = new TopologyQuestion(
                traffic.iteration(),
                traffic.parallelism(),
                together,
                Math.max(1, fabric.circuitGbps()),
                List.of(1),
                traffic.goal(),
                traffic.timeLimit());
        List<Integer> ports = Collections.nCopies(shape.deal().pods(), LARGE);
        return Optional.of(new TrafficModel(
                new TopologyQuestion(
                        shape.iteration(),
                        shape.parallelism(),
                        together,
                        shape.circuitGbps(),
                        ports,
                        shape.goal(),
                        shape.timeLimit()),
                chosen.circuits(),
                Double.parseDouble(seconds)));
    }

    /** More ports than any circuits of a record use. */
    private static final int LARGE = 1 << 20;

    /** Consecutive stages of the first replica in its first pod; 0 where the record does not say. */
    private static int together(List<GroupAllocation> groups, int stages) {
        if (groups.size() < stages
                || groups.stream().anyMatch(group -> group.positions().isEmpty())) {
            return 0;
        }
        return StagePods.together(
                groups.stream().map(group -> group.positions().getFirst()).toList(), stages);
    }

    /** Names the iteration, by all that its time depends on but circuits and speeds. */
    String digest() {
        return question.digest();
    }
}
