package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.condition;
import static dev.lightpath.app.job.plan.SampleJob.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.crds.ConditionType;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A person lets slices of a job go that is refused. */
class ForceReleaseTest {
    private final SampleJob sample = new SampleJob();

    @Test
    void aSliceWhoseFabricIsGoneGoes() {
        sample.lit().own(running(0));
        sample.fabric = Optional.empty();
        assertThat(sample.steps()).isEmpty();
        sample.slices.set(0, SampleJob.forced(sample.slices.getFirst()));
        assertThat(sample.steps()).containsExactly(sample.deletion());
    }

    /** The planner takes its light down on the same word: what is left is a record of nothing. */
    @Test
    void aSliceThatIsDarkGoesWhereTheNamespaceIsNoLongerAllowed() {
        sample.lit().own(running(0));
        sample.fabric = Optional.of(SampleFabric.of("ring-a", true, 4, Optional.of("it is for others")));
        sample.slices.set(0, SampleJob.forced(sample.slices.getFirst()));
        assertThat(sample.steps()).as("it may burn yet").isEmpty();
        sample.slices.set(0, SampleJob.forced(SampleJob.dark(1)));
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.clear();
        sample.status = sample.told();
        assertThat(sample.steps()).as("no new place").isEmpty();
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False NamespaceNotAllowed");
    }

    /** Circuits are not chosen anew for groups that stay. */
    @Test
    void theOtherHalfOfTheJobGoesToo() {
        sample.lit();
        SliceFacts ring = sample.slices.getFirst();
        sample.scaleOut = true;
        sample.fabric = Optional.empty();
        sample.slices.set(0, SampleJob.forced(ring));
        sample.slices.add(SampleSlice.of("other", "spine", 1, ring.demand())
                .says(condition(ConditionType.READY, "True", "Satisfied"))
                .recorded(ring.allocation().orElseThrow())
                .facts());
        assertThat(sample.told().attempt()).isEqualTo(2);
        assertThat(sample.steps()).containsExactly(sample.deletion());
    }
}
