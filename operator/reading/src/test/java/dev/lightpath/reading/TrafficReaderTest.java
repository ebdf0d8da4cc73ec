package dev.lightpath.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.crds.job.Model;
import dev.lightpath.crds.job.ModelPreset;
import dev.lightpath.crds.job.ModelShape;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.Rates;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TrafficReaderTest {
    @Test
    void readsEveryPresetAndWhatTheJobSaysAboutIt() {
        for (ModelPreset preset : ModelPreset.values()) {
            Demand.Traffic traffic = traffic(new Model(preset, null, null));
            Iteration.OfModel of = (Iteration.OfModel) traffic.iteration();
            assertThat(of.model()).isEqualTo(Preset.valueOf(preset.name()).model());
            assertThat(traffic.parallelism().gpusPerStage()).isEqualTo(8);
            assertThat(traffic.parallelism().replicas()).isEqualTo(2);
            assertThat(traffic.gpus()).isEqualTo(128);
            assertThat(of.batch().microBatchSize()).isEqualTo(2);
            assertThat(traffic.goal().algorithm()).isEqualTo(Algorithm.TOPOLOGY);
            assertThat(traffic.goal().portTolerance()).isEqualTo(1e-3);
            assertThat(traffic.goal().minimizePorts()).isTrue();
            assertThat(traffic.stagesPerPod()).isEqualTo(OptionalInt.of(2));
            assertThat(traffic.timeLimit()).isEqualTo(Duration.ofMinutes(1));
        }
    }

    /** A token looks up its row of the embedding, which is no work. */
    @Test
    void aShapeOfTheSizesOfAPresetIsThatPreset() {
        ModelShape shape = new ModelShape(36, 4096, 32, 128, null, 50257, 7_661_379_584L, null, new IntOrString(400));
        assertThat(model(shape)).isEqualTo(Preset.GPT_7B.model());
    }

    @Test
    void aShapeWhoseOutputSharesItsEmbeddingSaysThatAllParametersWork() {
        ModelShape shape =
                new ModelShape(36, 4096, 32, 128, null, 50257, 7_455_526_912L, 7_455_526_912L, new IntOrString(400));
        assertThat(model(shape).activeParameters()).isEqualTo(7_455_526_912.0);
    }

    private static dev.lightpath.planner.delta.iteration.ModelShape model(ModelShape shape) {
        Demand.Traffic traffic = traffic(new Model(null, shape, null));
        return ((Iteration.OfModel) traffic.iteration()).model();
    }

    private static Demand.Traffic traffic(Model model) {
        return TrafficReader.read(new ScaleOutDemand(
                model, new Parallelism(2, 8, 8, 8, 1), 64, 2, Rates.FAIR, "1e-3", 2, null, 60, null));
    }

    /** 8 data-parallel ranks, 4 of them in each stage of 8 GPUs with experts. */
    @Test
    void readsHowManyReplicasAreEnoughAndHowManyARecordHas() {
        ScaleOutDemand demand = ofExperts(4);
        Demand.Traffic traffic = TrafficReader.read(demand);
        assertThat(traffic.replicas()).isEqualTo(new Demand.Replicas(2, 1));
        assertThat(TrafficReader.recorded(demand, 6).parallelism().replicas()).isEqualTo(2);
        Demand.Traffic one = TrafficReader.recorded(demand, 3);
        assertThat(one.parallelism().replicas()).isEqualTo(1);
        assertThat(one.replicas().elastic()).isFalse();
        assertThat(TrafficReader.recorded(demand, 4)).isEqualTo(traffic);
        assertThat(TrafficReader.recorded(ofExperts(8), 3).parallelism().replicas())
                .as("all or none")
                .isEqualTo(2);
        assertThatThrownBy(() -> TrafficReader.read(ofExperts(6)))
                .hasMessage("minimumData: 6, allowed: a multiple of 4, the data-parallel ranks inside an expert group");
    }

    private static ScaleOutDemand ofExperts(int least) {
        return new ScaleOutDemand(
                new Model(ModelPreset.GPT_7B, null, null),
                new Parallelism(2, 3, 8, 8, 1, least),
                64,
                2,
                Rates.FAIR,
                "1e-3",
                1,
                null,
                60,
                null);
    }

    @Test
    void aPredictionSurvivesTheLedgerToTheLastDigit() {
        SwitchedLight lit =
                new SwitchedLight.Builder().add("ocs-0", new Circuit("1", "17")).build();
        for (double nct : new double[] {1.0538, Double.NaN}) {
            Allocation allocation = new Allocation(
                    3,
                    List.of(),
                    new TreeSet<>(),
                    Optional.empty(),
                    lit,
                    SwitchedLight.none(),
                    Optional.of(new Prediction(
                            "0f3a", List.of(1, 3, 3), 0.764862895882, 0.7648628958819999, nct, 8, 8, false, 0.7601)));
            assertThat(AllocationCodec.read(Serialization.unmarshal(
                            Serialization.asJson(AllocationCodec.write(allocation)),
                            dev.lightpath.crds.slice.Allocation.class)))
                    .isEqualTo(allocation);
        }
    }
}
