package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.Workload;
import dev.lightpath.crds.job.WorkloadReference;
import dev.lightpath.reading.Controller;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodOwnershipTest {
    private static final Optional<Controller> OF_THE_JOB =
            Optional.of(new Controller("Job", SampleJob.JOB_SET + "-workers-0", "job-1"));

    private final SampleJob sample = new SampleJob().own();

    private boolean mayBe(Optional<Controller> pod, Optional<Controller> job) {
        return PodOwnership.mayBe(sample.job(), pod, Map.of("job-1", job));
    }

    private static Optional<Controller> jobSet(String name) {
        return Optional.of(new Controller("JobSet", name, "set-1"));
    }

    @Test
    void aPodOfTheJobSetsJobIsTheJobs() {
        assertThat(mayBe(OF_THE_JOB, jobSet(SampleJob.JOB_SET))).isTrue();
    }

    @Test
    void aLabelMakesNoPodTheJobs() {
        assertThat(mayBe(Optional.empty(), Optional.empty())).as("made by hand").isFalse();
        assertThat(mayBe(Optional.of(new Controller("ReplicaSet", "web", "rs-1")), Optional.empty()))
                .isFalse();
        assertThat(mayBe(OF_THE_JOB, Optional.empty())).as("of a Job of a user").isFalse();
        assertThat(mayBe(OF_THE_JOB, jobSet("another"))).isFalse();
    }

    @Test
    void aPodThatOutlivesItsJobStillUsesTheLight() {
        assertThat(PodOwnership.mayBe(sample.job(), OF_THE_JOB, Map.of())).isTrue();
        assertThat(PodOwnership.mayBe(
                        sample.job(), Optional.of(new Controller("Job", "train-older-workers-0", "job-0")), Map.of()))
                .as("of a job of the same name that is gone")
                .isFalse();
    }

    /** What a job asks for may change while it has no place. */
    @Test
    void aJobWithoutAWorkloadMayHaveAnyPodsAndItsOldJobSetAloneProvesThatWeLetThemGo() {
        sample.template = null;
        Map<String, Optional<Controller>> jobs = Map.of("job-1", jobSet(SampleJob.JOB_SET));
        assertThat(PodOwnership.isProved(sample.job(), OF_THE_JOB, jobs)).isTrue();
        assertThat(PodOwnership.isProved(sample.job(), OF_THE_JOB, Map.of("job-1", jobSet("another"))))
                .isFalse();
        assertThat(PodOwnership.isProved(sample.job(), Optional.empty(), jobs)).isFalse();
        assertThat(PodOwnership.mayBe(sample.job(), Optional.empty(), jobs)).isTrue();
    }

    @Test
    void podsOfANamedWorkloadAreOfThatOne() {
        sample.template = new Workload(null, new WorkloadReference("batch/v1", "Job", "mine"));
        assertThat(mayBe(Optional.of(new Controller("Job", "mine", "job-1")), Optional.empty()))
                .isTrue();
        assertThat(mayBe(Optional.of(new Controller("Job", "other", "job-1")), Optional.empty()))
                .isFalse();
        sample.template = new Workload(null, new WorkloadReference("jobset.x-k8s.io/v1alpha2", "JobSet", "mine"));
        assertThat(mayBe(OF_THE_JOB, jobSet("mine"))).isTrue();
        assertThat(mayBe(OF_THE_JOB, jobSet("another"))).isFalse();
        assertThat(mayBe(OF_THE_JOB, jobSet(SampleJob.JOB_SET)))
                .as("its pods were let go before the job named another workload")
                .isTrue();
    }
}
