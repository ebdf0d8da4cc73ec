package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.kueue.QueuedWorkload.Owner;
import dev.lightpath.app.kueue.Standing;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.ResourceCache;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A Workload that no job stands for is told to retry, and kept out of its queue. */
class StandingJobsTest {
    private final List<TrainingJob> jobs = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();

    @Test
    void aJobStandsForWhatItNames() {
        job("lws", "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, name: llm}");
        assertThat(standing("any", new Owner("LeaderWorkerSet", "llm", "1"))).containsExactly("lws");
        assertThat(standing("any", new Owner("JobSet", "llm", "1"))).isEmpty();
        assertThat(standing("any", new Owner("Other", "first", "0"), new Owner("LeaderWorkerSet", "llm", "1")))
                .as("as another owner than the first")
                .containsExactly("lws");
    }

    /** Pods that do not train need no label. */
    @Test
    void anyPodOfAGroupMayCarryTheLabel() {
        job("train", "{apiVersion: v1, kind: Pod, name: train}");
        pod("worker", "2", "train", "");
        assertThat(standing("group", new Owner("Pod", "launcher", "1"), new Owner("Pod", "worker", "2")))
                .containsExactly("train");
        assertThat(standing("group", new Owner("Pod", "launcher", "1"), new Owner("Pod", "worker", "before")))
                .as("of a pod that it replaced")
                .isEmpty();
        jobs.clear();
        job("other", "{apiVersion: v1, kind: Pod, name: other}");
        assertThat(standing("group", new Owner("Pod", "worker", "2"))).isEmpty();
    }

    /** Kueue has the object that makes the pods own the Workload of their group. */
    @Test
    void theJobOfPodsThatAnotherObjectMakesIsFoundByTheirGroup() {
        job("train", "{apiVersion: v1, kind: Pod, name: train}");
        Owner set = new Owner("StatefulSet", "s", "sts");
        pod("s-0", "2", "train", ", ownerReferences: [{kind: StatefulSet, name: s, uid: sts, controller: true}]");
        assertThat(standing("group", set)).containsExactly("train");
        assertThat(standing("another", set)).isEmpty();
        pods.clear();
        pod("s-0", "2", "train", "");
        assertThat(standing("group", set))
                .as("labels are anybody's, and say not whose a Workload is")
                .isEmpty();
    }

    @Test
    void aJobOfPodsTellsWhyItIsNotAcceptedUnlessItWaitsForQuota() {
        job("train", "{apiVersion: v1, kind: Pod, name: train}");
        assertThat(standing(jobs)).isEqualTo(new Standing.ByLabel(false, Optional.empty(), true));
        tells("False", "InvalidTemplate");
        assertThat(standing(jobs)).isEqualTo(new Standing.ByLabel(true, Optional.of("InvalidTemplate: so"), true));
        tells("False", "WaitingForQuota");
        assertThat(standing(jobs)).isEqualTo(new Standing.ByLabel(true, Optional.empty(), true));
        tells("True", "TemplateContradicts");
        assertThat(standing(jobs)).isEqualTo(new Standing.ByLabel(true, Optional.empty(), true));
        job("lws", "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, name: llm}");
        assertThat(standing(jobs)).isEqualTo(new Standing.Answered());
        assertThat(standing(List.of())).isEqualTo(new Standing.Nobody());
    }

    /** The job lets a launcher go at once, and answers only for those that wait. */
    @Test
    void podsOfAWorkloadWaitForLightUnlessAllAreKnownToBeLetGo() {
        job("train", "{apiVersion: v1, kind: Pod, name: train}");
        pod("launcher", "1", "train", "");
        pod("worker", "2", "train", "");
        pods.getLast().getSpec().setSchedulingGates(List.of(new PodSchedulingGate("lightpath.dev/circuits")));
        Owner launcher = new Owner("Pod", "launcher", "1");
        assertThat(gated(launcher)).isFalse();
        assertThat(gated(launcher, new Owner("Pod", "worker", "2"))).isTrue();
        assertThat(gated(launcher, new Owner("Pod", "unseen", "3"))).isTrue();
        assertThat(gated(new Owner("Pod", "launcher", "before"))).isTrue();
        assertThat(gated(new Owner("StatefulSet", "s", "sts"))).isTrue();
    }

    private boolean gated(Owner... owners) {
        return ((Standing.ByLabel)
                        new StandingJobs(cache(jobs), cache(pods)).standing("default", jobs, List.of(owners)))
                .gated();
    }

    private Standing standing(List<TrainingJob> found) {
        return new StandingJobs(cache(jobs), cache(pods))
                .standing("default", found, List.of(new Owner("Pod", "unseen", "1")));
    }

    private void tells(String status, String reason) {
        jobs.getFirst()
                .setStatus(Serialization.unmarshal(
                        "--- {conditions: [{type: Placed, status: \"False\", reason: Pending, message: no},"
                                + " {type: Accepted, status: \"%s\", reason: %s, message: so}]}"
                                        .formatted(status, reason),
                        TrainingJobStatus.class));
    }

    private List<String> standing(String workload, Owner... owners) {
        return new StandingJobs(cache(jobs), cache(pods))
                .of("default", workload, List.of(owners)).stream()
                        .map(job -> job.getMetadata().getName())
                        .toList();
    }

    private void job(String name, String reference) {
        jobs.add(Serialization.unmarshal("""
                --- {apiVersion: lightpath.dev/v1alpha1, kind: TrainingJob, metadata: {name: %s, namespace: default},
                 spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a}, workload: {ref: %s}}}
                """.formatted(name, reference), TrainingJob.class));
    }

    private void pod(String name, String uid, String job, String metadata) {
        pods.add(Serialization.unmarshal("""
                --- {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default, uid: "%s"%s,
                 labels: {lightpath.dev/job: %s, kueue.x-k8s.io/pod-group-name: group}}, spec: {}}
                """.formatted(name, uid, metadata, job), Pod.class));
    }

    private static <T extends HasMetadata> ResourceCache<T> cache(List<T> objects) {
        return new ResourceCache<>() {
            @Override
            public Optional<T> get(ResourceID id) {
                return objects.stream()
                        .filter(each -> ResourceID.fromResource(each).equals(id))
                        .findFirst();
            }

            @Override
            public Stream<ResourceID> keys() {
                return objects.stream().map(ResourceID::fromResource);
            }

            @Override
            public Stream<T> list(Predicate<T> predicate) {
                return objects.stream().filter(predicate);
            }

            @Override
            public Stream<T> list(String namespace, Predicate<T> predicate) {
                return list(each -> each.getMetadata().getNamespace().equals(namespace) && predicate.test(each));
            }
        };
    }
}
