package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.measurement.Measurement;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.iteration.TrainingWorkload;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A job on two switches whose links are half as fast as its fabric says tells so by the times of its iterations. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MeasuredIT {
    private static final double TRUE_GBPS = 200;
    /** What DELTA saves ports for while links count as fast, within the tolerance of its goal. */
    private static final List<Integer> BELIEVED = List.of(1, 3, 2);

    private static final List<Integer> HALF = List.of(1, 1, 1);
    private static final List<Integer> LEARNT = List.of(1, 3, 3);

    @AutoClose
    private final JobOnSwitches scene;

    private final Installation all;

    MeasuredIT(ApiServer server, @TempDir Path folder) throws IOException {
        scene = JobOnSwitches.started(server, folder);
        all = scene.all;
    }

    @Test
    void circuitsAreChosenByWhatTheJobMeasured() {
        scene.apply("{model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2, data: 2}, reconfiguration: Live,"
                + " scaleOut: {fabric: dc, stagesPerPod: 1, portTolerance: \"0.01\"}}");
        all.awaitReady(JobOnSwitches.JOB);
        all.eventually("circuits are chosen", () -> assertThat(circuits()).isEqualTo(BELIEVED));

        for (String nonsense : List.of("0", "NaN", "-1", "5000")) {
            tell(nonsense);
            all.eventually(nonsense + " is refused", () -> {
                assertThat(scene.says("Measured")).isEqualTo("False InvalidMeasurement");
                assertThat(scene.message("Measured"))
                        .contains("is '" + nonsense + "', allowed: seconds as a decimal from");
            });
        }
        assertThat(measurement()).isNull();

        measure(BELIEVED);
        all.eventually("one set of circuits tells one number", () -> {
            assertThat(measurement().learnt()).isNotNull();
            assertThat(measurement().learnt().linkShare()).isNull();
            assertThat(Double.parseDouble(measurement().ratio())).isBetween(1.05, 1.3);
            assertThat(scene.message("Measured")).contains("if links are as fast as the fabric says");
        });
        assertThat(circuits()).isEqualTo(BELIEVED);

        scene.drain("sw-0", true);
        all.eventually(
                "the job makes do with one switch", () -> assertThat(circuits()).isEqualTo(HALF));
        all.awaitReady(JobOnSwitches.JOB);
        measure(HALF);
        all.eventually("another set of circuits tells both", () -> {
            assertThat(measurement().learnt().linkShare()).isNotNull();
            assertThat(Double.parseDouble(measurement().learnt().linkShare())).isCloseTo(0.5, within(0.03));
            assertThat(Double.parseDouble(measurement().learnt().computeShare()))
                    .isCloseTo(1, within(0.05));
            assertThat(measurement().lacks()).isNull();
            assertThat(Double.parseDouble(measurement().ratio())).isCloseTo(1, within(0.05));
        });

        all.kill();
        all.start();
        all.eventually("another process leads", () -> assertThat(all.isLed()).isTrue());
        scene.drain("sw-0", false);
        all.eventually("circuits are chosen by slower links", () -> {
            assertThat(circuits()).isEqualTo(LEARNT);
            assertThat(scene.lit()).isEqualTo(scene.recorded());
            assertThat(scene.says("Ready")).isEqualTo("True Satisfied");
            assertThat(Double.parseDouble(scene.job().getStatus().prediction().iterationSeconds()))
                    .isCloseTo(truth(LEARNT), within(0.05 * truth(LEARNT)));
        });
        long revision = revision();
        measure(LEARNT);
        all.eventually(
                "the prediction holds",
                () -> assertThat(Double.parseDouble(measurement().ratio())).isCloseTo(1, within(0.05)));
        assertThat(revision()).as("no circuit moves once more").isEqualTo(revision);
        assertThat(circuits()).isEqualTo(LEARNT);
    }

    /**
     * Times that differ by a thousandth, until three count: an annotation that stays the same tells nothing new, and
     * what is told while light is dark counts for nothing.
     */
    private void measure(List<Integer> circuits) {
        if (measurement() != null) {
            // what is told before counts for the circuits before
            all.eventually(
                    "the circuits are known",
                    () -> assertThat(measurement().circuits().getFirst().circuits())
                            .isEqualTo(circuits));
        }
        int[] told = {0};
        all.eventually("three are kept", () -> {
            tell(String.format(Locale.ROOT, "%.6f", truth(circuits) * (1 + told[0]++ % 3 * 0.001)));
            assertThat(measurement().circuits().getFirst().seconds()).hasSizeGreaterThanOrEqualTo(3);
        });
    }

    /** What an iteration takes with these circuits, by a simulation that knows nothing of the operator. */
    private static double truth(List<Integer> circuits) {
        return new Simulator(InstanceGenerator.generate(new TrainingWorkload(
                        JobOnSwitches.JOB,
                        Preset.GPT_7B.model(),
                        Parallelism.ofDegrees(4, 2, 2, 1, 1),
                        new Batch(16, 1, 4096, true),
                        new Placement(1, TwoFabrics.SWITCHES * TwoFabrics.PORTS, TRUE_GBPS, false))))
                .makespanSeconds(new Topology(circuits), Rates.JOINT);
    }

    private void tell(String seconds) {
        scene.annotate(LightpathAnnotations.ITERATION_SECONDS, seconds);
    }

    private List<Integer> circuits() {
        return scene.record().chosen().circuits();
    }

    private long revision() {
        return scene.record().revision();
    }

    private Measurement measurement() {
        return scene.job().getStatus().measurement();
    }
}
