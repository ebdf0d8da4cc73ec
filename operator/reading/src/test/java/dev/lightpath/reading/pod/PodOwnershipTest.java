package dev.lightpath.reading.pod;

import static dev.lightpath.reading.Cases.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrainingJob;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodOwnershipTest {
    private static final String JOB_SET = JobNames.jobSet("train", "uid-1");
    private static final Optional<Controller> OF_THE_JOB =
            Optional.of(new Controller("Job", JOB_SET + "-workers-0", "job-1"));

    private static final TrainingJob TEMPLATE = job("workload: {template: {spec: {containers: []}}}");
    private static final TrainingJob LIGHT_ONLY = job("");

    private static TrainingJob job(String workload) {
        return yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {namespace: team, name: train, uid: uid-1}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 16, data: 4}
                  scaleUp: {fabric: ring-a}
                  %s
                """.formatted(workload));
    }

    private static boolean mayBe(Optional<Controller> pod, Optional<Controller> job) {
        return mayBe(TEMPLATE, pod, job);
    }

    private static boolean mayBe(TrainingJob of, Optional<Controller> pod, Optional<Controller> job) {
        return PodOwnership.mayBe(of, pod, Map.of("job-1", job));
    }

    private static Optional<Controller> jobSet(String name) {
        return Optional.of(new Controller("JobSet", name, "set-1"));
    }

    @Test
    void aPodOfTheJobSetsJobIsTheJobs() {
        assertThat(mayBe(OF_THE_JOB, jobSet(JOB_SET))).isTrue();
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
        assertThat(PodOwnership.mayBe(TEMPLATE, OF_THE_JOB, Map.of())).isTrue();
        assertThat(PodOwnership.mayBe(
                        TEMPLATE, Optional.of(new Controller("Job", "train-older-workers-0", "job-0")), Map.of()))
                .as("of a job of the same name that is gone")
                .isFalse();
    }

    /** What a job asks for may change while it has no place. */
    @Test
    void aJobWithoutAWorkloadMayHaveAnyPodsAndItsOldJobSetAloneProvesThatWeLetThemGo() {
        Map<String, Optional<Controller>> jobs = Map.of("job-1", jobSet(JOB_SET));
        assertThat(PodOwnership.isProved(LIGHT_ONLY, OF_THE_JOB, jobs, false)).isTrue();
        assertThat(PodOwnership.isProved(LIGHT_ONLY, OF_THE_JOB, Map.of("job-1", jobSet("another")), true))
                .isFalse();
        assertThat(PodOwnership.isProved(LIGHT_ONLY, Optional.empty(), jobs, true))
                .isFalse();
        assertThat(PodOwnership.mayBe(LIGHT_ONLY, Optional.empty(), jobs)).isTrue();
    }

    @Test
    void podsOfANamedWorkloadAreOfThatOne() {
        TrainingJob ofJob = job("workload: {ref: {apiVersion: batch/v1, kind: Job, name: mine}}");
        assertThat(mayBe(ofJob, Optional.of(new Controller("Job", "mine", "job-1")), Optional.empty()))
                .isTrue();
        assertThat(mayBe(ofJob, Optional.of(new Controller("Job", "other", "job-1")), Optional.empty()))
                .isFalse();
        TrainingJob ofSet = job("workload: {ref: {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: mine}}");
        assertThat(mayBe(ofSet, OF_THE_JOB, jobSet("mine"))).isTrue();
        assertThat(mayBe(ofSet, OF_THE_JOB, jobSet("another"))).isFalse();
        assertThat(mayBe(ofSet, OF_THE_JOB, jobSet(JOB_SET)))
                .as("its pods were let go before the job named another workload")
                .isTrue();
    }

    private static boolean isOf(String version, String kind, Controller pod) {
        return mayBe(
                job("workload: {ref: {apiVersion: %s, kind: %s, name: mine}}".formatted(version, kind)),
                Optional.of(pod),
                Optional.empty());
    }

    @Test
    void podsOfOtherControllersAreTheirsByNameAndKind() {
        assertThat(isOf("kubeflow.org/v1", "PyTorchJob", new Controller("PyTorchJob", "mine", "1")))
                .isTrue();
        assertThat(isOf("kubeflow.org/v1", "PyTorchJob", new Controller("MPIJob", "mine", "1")))
                .isFalse();
        assertThat(isOf("kubeflow.org/v1", "MPIJob", new Controller("MPIJob", "mine", "1")))
                .isTrue();
        assertThat(isOf("ray.io/v1", "RayCluster", new Controller("RayCluster", "other", "1")))
                .isFalse();
        assertThat(isOf("ray.io/v1", "RayCluster", new Controller("RayCluster", "mine", "1")))
                .isTrue();
        assertThat(isOf("example.com/v1", "PyTorchJob", new Controller("PyTorchJob", "mine", "1")))
                .as("a kind of this name in another group")
                .isFalse();
    }

    @Test
    void aLeaderWorkerSetMakesPodsByStatefulSetsOfItsName() {
        String version = "leaderworkerset.x-k8s.io/v1";
        String kind = "LeaderWorkerSet";
        assertThat(isOf(version, kind, new Controller("StatefulSet", "mine", "1")))
                .isTrue();
        assertThat(isOf(version, kind, new Controller("StatefulSet", "mine-12", "1")))
                .isTrue();
        assertThat(isOf(version, kind, new Controller("StatefulSet", "mine-too", "1")))
                .isFalse();
        assertThat(isOf(version, kind, new Controller("StatefulSet", "mine-", "1")))
                .isFalse();
        assertThat(isOf(version, kind, new Controller("Deployment", "mine", "1")))
                .isFalse();
    }

    @Test
    void aTrainJobMakesAJobSetOfItsName() {
        TrainingJob job =
                job("workload: {ref: {apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, name: mine}}");
        assertThat(mayBe(job, OF_THE_JOB, jobSet("mine"))).isTrue();
        assertThat(mayBe(job, OF_THE_JOB, jobSet("another"))).isFalse();
    }

    @Test
    void aJobMaySayThatItsLabelDecides() {
        TrainingJob job = job("workload: {ref: {apiVersion: v1, kind: Pod, name: train}}");
        assertThat(PodOwnership.isProved(job, Optional.empty(), Map.of(), true)).isTrue();
        assertThat(PodOwnership.isProved(job, Optional.of(new Controller("ReplicaSet", "web", "1")), Map.of(), true))
                .isTrue();
    }
}
