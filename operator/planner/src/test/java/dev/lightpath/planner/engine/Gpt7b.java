package dev.lightpath.planner.engine;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.world.Demand;
import java.time.Duration;
import java.util.OptionalInt;

/** What trainings of GPT-7B ask of circuits: the fewest that cost them no time, by an answer within ten seconds. */
public final class Gpt7b {
    private Gpt7b() {}

    public static Demand.Traffic traffic(Parallelism parallelism, Batch batch, int stagesPerPod) {
        return traffic(parallelism, batch, OptionalInt.of(stagesPerPod), 1e-9);
    }

    /**
     * @param stagesPerPod empty where that is the planner's to choose
     * @param tolerance of the length of an iteration, for which fewer ports are worth it
     */
    static Demand.Traffic traffic(Parallelism parallelism, Batch batch, OptionalInt stagesPerPod, double tolerance) {
        return new Demand.Traffic(
                Preset.GPT_7B.model(),
                parallelism,
                batch,
                stagesPerPod,
                Goal.fewestPorts(Algorithm.JOINT, tolerance),
                Duration.ofSeconds(10));
    }
}
