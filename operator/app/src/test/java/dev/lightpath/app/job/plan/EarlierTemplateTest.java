package dev.lightpath.app.job.plan;

import static dev.lightpath.app.job.plan.SampleJob.gated;
import static dev.lightpath.app.job.plan.SampleJob.hanging;
import static dev.lightpath.app.job.plan.SampleJob.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.SampleRun;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.slice.Outlook;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.SwitchCircuits;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs whose template was taken away, or became a reference, while the JobSet that was made of it is there. */
class EarlierTemplateTest {
    private static final JobStep END = new JobStep.DeleteJobSet(SampleJob.JOB_SET);

    private final SampleJob sample = new SampleJob();

    @Test
    void aJobThatGoesEndsThemAndItsLightWaitsForTheirPods() {
        sample.deleted = true;
        endsThem();
        sample.slices.clear();
        sample.released();
        sample.left = left(Optional.empty());
        assertThat(sample.steps()).containsExactly(sample.deletion());
        sample.slices.clear();
        assertThat(sample.steps()).as("behind the gate").containsExactly(new JobStep.RemoveFinalizer());
        sample.left = left(there(false));
        assertThat(sample.steps()).containsExactly(END);
        sample.left = left(there(true));
        assertThat(sample.steps()).isEmpty();
        assertThat(sample.message(ConditionType.READY)).contains("waits for JobSet " + SampleJob.JOB_SET + " to go");
    }

    @Test
    void aJobThatIsSuspendedEndsThemAsWell() {
        sample.suspend = true;
        endsThem();
    }

    private void endsThem() {
        sample.lit();
        sample.left = left(there(false), running(0), running(1));
        assertThat(sample.steps()).containsExactly(END);
        assertThat(sample.message(ConditionType.READY)).contains("waits for 2 pods to end, first p0");
        sample.left = left(there(true), running(0), hanging(1, "n1"), gated(2));
        assertThat(sample.steps()).containsExactly(new JobStep.DeletePod("p0"), new JobStep.ForceDeletePod("p1"));
        sample.slices.clear();
        sample.released();
        sample.left = left(Optional.empty(), running(0));
        assertThat(sample.steps()).as("pods may still send light").containsExactly(new JobStep.DeletePod("p0"));
    }

    /** They run on the nodes that its new pods are to have. */
    @Test
    void aJobThatGoesOnEndsThemBeforeItLetsPodsGo() {
        sample.lit().workload = new WorkloadFacts.Referenced(
                "JobSet mine",
                true,
                Optional.of(SampleRun.running().run()),
                List.of(gated(0), gated(1), gated(2), gated(3)));
        sample.left = left(there(false), running(0));
        assertThat(sample.steps()).containsExactly(END);
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False PodsPending");
        assertThat(sample.message(ConditionType.READY))
                .contains("JobSet " + SampleJob.JOB_SET, "waits for 1 pod to end, first p0");
        sample.left = left(Optional.empty(), hanging(0, "n0"));
        assertThat(sample.steps()).as("its light is its own").isEmpty();
        sample.left = left(Optional.empty(), hanging(0, "n7"));
        assertThat(sample.steps()).containsExactly(new JobStep.ForceDeletePod("p0"));
        sample.left = Optional.empty();
        assertThat(sample.steps()).hasSize(4).allMatch(JobStep.Ungate.class::isInstance);
    }

    /** Which node a circuit serves that goes yet is not written. */
    @Test
    void theirPodsHangAsLongAsCircuitsOfAnEarlierRevisionMayBurn() {
        sample.lit();
        SliceFacts lit = sample.slices.getFirst();
        SliceFacts mended =
                SampleJob.leaving(new Releasing(List.of(), List.of(new SwitchCircuits("ocs-1", List.of("1-2")))), lit);
        sample.left = left(there(true), hanging(0, "n7"));
        sample.slices.set(0, mended);
        assertThat(sample.steps()).isEmpty();
        sample.slices.set(0, SampleJob.expecting(Outlook.ONLY_SILENT, mended));
        assertThat(sample.steps()).as("nobody can take it").containsExactly(new JobStep.ForceDeletePod("p0"));
        sample.slices.set(0, lit);
        assertThat(sample.steps()).containsExactly(new JobStep.ForceDeletePod("p0"));
        sample.slices.set(0, mended);
        sample.suspend = true;
        assertThat(sample.steps()).as("all of its light goes").containsExactly(new JobStep.ForceDeletePod("p0"));
    }

    @Test
    void aJobThatIsRefusedOrOfLightOnlyEndsThem() {
        sample.lit();
        sample.left = left(there(false), running(0));
        assertThat(sample.steps()).containsExactly(END);
        assertThat(sample.says(ConditionType.READY)).isEqualTo("False PodsPending");
        sample.fabric = Optional.empty();
        assertThat(sample.steps()).containsExactly(END);
    }

    private static Optional<WorkloadFacts.Run> there(boolean deleting) {
        return Optional.of(SampleRun.running().deleting(deleting).run());
    }

    private static Optional<WorkloadFacts.Own> left(Optional<WorkloadFacts.Run> run, PodFacts... pods) {
        return Optional.of(new WorkloadFacts.Own(SampleJob.JOB_SET, run, List.of(pods), Optional.empty()));
    }
}
