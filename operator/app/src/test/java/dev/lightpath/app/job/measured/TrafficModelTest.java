package dev.lightpath.app.job.measured;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.job.Model;
import dev.lightpath.crds.job.ModelPreset;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.Rates;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.ChosenCircuits;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.learn.QuestionModel;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TrafficModelTest {
    private final SampleJob sample = new SampleJob();

    @Test
    void readsTheIterationThatTheCircuitsWereChosenFor() {
        fabric(400, "a", "b", "c", "d");
        TrafficModel model = TrafficModel.of(sample.facts(), List.of(slice())).orElseThrow();
        assertThat(model.question().stagesPerPod()).isEqualTo(2);
        assertThat(model.question().deal().pods()).isEqualTo(2);
        assertThat(model.circuits()).containsExactly(1, 3, 2);
        assertThat(model.predictedSeconds()).isEqualTo(0.75);
        QuestionModel simulated = QuestionModel.of(model.question()).orElseThrow();
        assertThat(simulated.seconds(new Speeds(1, 0.5), model.circuits()))
                .isGreaterThan(simulated.seconds(Speeds.BELIEVED, model.circuits()));
    }

    @Test
    void anotherRateOfTheFabricIsAnotherIteration() {
        fabric(400, "a");
        String before =
                TrafficModel.of(sample.facts(), List.of(slice())).orElseThrow().digest();
        fabric(800, "a");
        assertThat(TrafficModel.of(sample.facts(), List.of(slice()))
                        .orElseThrow()
                        .digest())
                .isNotEqualTo(before);
    }

    /** What was measured with another number of replicas was another iteration. */
    @Test
    void fewerReplicasAreAnotherIteration() {
        fabric(400, "a", "b", "c", "d");
        TrafficModel all = TrafficModel.of(sample.facts(), List.of(slice(1, 8))).orElseThrow();
        TrafficModel one = TrafficModel.of(sample.facts(), List.of(slice(1, 4))).orElseThrow();
        assertThat(all.digest())
                .isEqualTo(TrafficModel.of(sample.facts(), List.of(slice()))
                        .orElseThrow()
                        .digest());
        assertThat(one.question().parallelism().replicas()).isEqualTo(1);
        assertThat(one.digest()).isNotEqualTo(all.digest());
    }

    @Test
    void thereIsNoneOfAFabricThatIsGone() {
        sample.beside = Optional.empty();
        assertThat(TrafficModel.of(sample.facts(), List.of(slice()))).isEmpty();
    }

    private void fabric(int gbps, String... pods) {
        sample.beside = Optional.of(SampleFabric.switches("spine", gbps, pods));
    }

    /** Two replicas of four stages, two stages a pod. */
    private static SliceFacts slice() {
        return slice(null, 8);
    }

    /** @param least replicas that are enough */
    private static SliceFacts slice(@Nullable Integer least, int groups) {
        Allocation allocation = new Allocation(
                1,
                5,
                null,
                IntStream.range(0, groups)
                        .mapToObj(stage -> new GroupAllocation(stage, List.of("n" + stage), List.of(stage / 2)))
                        .toList(),
                List.of(),
                null,
                null,
                new ChosenCircuits("question", List.of(1, 3, 2), new Prediction("0.75", "0.7", "1", 6, 8, true)));
        return SampleSlice.of(
                        "train-spine-1",
                        "spine",
                        1,
                        new Demand(
                                null,
                                new ScaleOutDemand(
                                        new Model(ModelPreset.GPT_7B, null, null),
                                        new Parallelism(2, 4, 2, 1, 1, least),
                                        8,
                                        1,
                                        Rates.JOINT,
                                        "0",
                                        null,
                                        null,
                                        null,
                                        null),
                                null))
                .recorded(allocation)
                .facts();
    }
}
