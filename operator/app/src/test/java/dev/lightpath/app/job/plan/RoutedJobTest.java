package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.condition;
import static dev.lightpath.app.job.plan.SampleJob.gated;
import static dev.lightpath.app.job.plan.SampleJob.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.FabricGeometry;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.crds.ConditionType;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pods wait for routes where the slice does; circuits do not. */
class RoutedJobTest {
    private final SampleJob sample = new SampleJob();

    private static Condition[] waitsForRoutes() {
        return new Condition[] {
            condition(ConditionType.ALLOCATED, "True", "Satisfied"),
            condition(ConditionType.PROGRAMMED, "True", "Satisfied"),
            condition(ConditionType.QUALIFIED, "True", "Satisfied"),
            condition(ConditionType.ROUTED, "False", "AwaitingRoutes"),
            condition(ConditionType.READY, "False", "AwaitingRoutes")
        };
    }

    @Test
    void podsStayBehindTheirGate() {
        sample.placed(waitsForRoutes()).own(gated(0), gated(1), gated(2), gated(3));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.PLACED)).isEqualTo("True Satisfied");
        assertThat(sample.says(ConditionType.FABRIC_READY)).isEqualTo("True Satisfied");
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False AwaitingRoutes");
        assertThat(sample.message(ConditionType.READY)).contains("AwaitingRoutes it is");
        assertThat(sample.says(ConditionType.RECONCILING)).startsWith("True");
        sample.slices.clear();
        sample.lit();
        assertThat(sample.steps()).hasSize(4).allMatch(JobStep.Ungate.class::isInstance);
    }

    @Test
    void runningPodsAreLeftAlone() {
        sample.placed(waitsForRoutes()).own(running(0), running(1), running(2), running(3));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False AwaitingRoutes");
    }

    /** The words of an acknowledged revision are no word of the next one. */
    @Test
    void aLaterRecordWaitsAnew() {
        sample.lit().own(gated(0), gated(1), gated(2), gated(3));
        sample.slices.set(0, SampleJob.recordedAnew(sample.slices.getFirst()));
        assertThat(sample.steps()).isEmpty();
    }

    @Test
    void aJobOnTwoFabricsWaitsForTheRoutesOfBoth() {
        sample.lit().own(gated(0), gated(1), gated(2), gated(3));
        sample.scaleOut = true;
        sample.beside = Optional.of(SampleFabric.switches("spine", new FabricGeometry.Unknown()));
        SliceFacts ring = sample.slices.getFirst();
        sample.slices.clear();
        sample.finalizer = true;
        List<JobStep.CreateSlice> halves =
                sample.steps().stream().map(JobStep.CreateSlice.class::cast).toList();
        sample.slices.add(of(halves.getFirst(), ring.conditions()));
        sample.slices.add(of(halves.getLast(), List.of(waitsForRoutes())));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False AwaitingRoutes");
        sample.slices.set(1, of(halves.getLast(), ring.conditions()));
        assertThat(sample.steps()).hasSize(4).allMatch(JobStep.Ungate.class::isInstance);
    }

    private static SliceFacts of(JobStep.CreateSlice half, List<Condition> conditions) {
        return SampleSlice.of(half.name(), half.fabric(), half.attempt(), half.demand())
                .says(conditions)
                .recorded(SampleJob.allocation())
                .facts();
    }
}
