package dev.lightpath.app.job.effects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.plan.JobPlan;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.job.plan.StepsTaken;
import dev.lightpath.app.job.reading.Watched;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
final class StepExecutorIT {
    private static final String NAMED = "attempt: 1\nslices: [{name: one, fabric: steps-ring}]";

    private StepScene scene;

    @BeforeEach
    void start(ApiServer server) {
        scene = new StepScene(server);
    }

    @AfterEach
    void stop() {
        scene.close();
    }

    /** One who led before wakes up and goes on with what it had read. */
    @Test
    void aStatusIsWrittenOverTheOneThatWasReadOnly() {
        TrainingJob before = scene.makeJob("deposed", "default");
        TrainingJobStatus named = StepScene.read(NAMED, TrainingJobStatus.class);
        scene.executor.apply(before, named);

        assertThat(scene.executor.apply(before, StepScene.read("attempt: 1", TrainingJobStatus.class)))
                .isFalse();

        TrainingJob now = scene.client.resource(before).get();
        assertThat(now.getStatus().slices()).isEqualTo(named.slices());
        scene.executor.apply(now, StepScene.read("attempt: 1", TrainingJobStatus.class));
        assertThat(scene.client.resource(before).get().getStatus().slices()).isEmpty();
    }

    /** It is told in the words of the API server, and what comes after it is left. */
    @Test
    void aCreationThatIsRefusedEndsTheSteps() {
        ApiServer.namespace(scene.client, StepScene.NO_MORE);
        TrainingJob job = scene.makeJob("late", StepScene.NO_MORE);
        scene.client.namespaces().withName(StepScene.NO_MORE).delete();
        JobFacts facts = scene.reader.read(
                scene.client.resource(job).get(), new Watched(List.of(), Set.of(), Set.of()), Instant.now());
        StepsTaken taken = scene.executor.carryOut(facts.job(), JobPlan.of(facts), List::of, () -> true);
        assertThat(taken.done()).containsExactly(new JobStep.AddFinalizer());
        assertThat(taken.current()).isTrue();
        assertThat(taken.refusal()).hasValueSatisfying(refusal -> {
            assertThat(refusal.step()).isInstanceOf(JobStep.CreateSlice.class);
            assertThat(refusal.words()).contains("because it is being terminated");
            assertThat(refusal.namespaceGoes()).isTrue();
        });
        assertThat(scene.executor.apply(taken.job(), StepScene.read("attempt: 1", TrainingJobStatus.class)))
                .as("the finalizer is ours")
                .isTrue();
    }

    @Test
    void aPodIsTakenBackOnlyAsItWasReadUnbound() {
        TrainingJob job = scene.makeJob("binding", "default");
        Pod read = scene.client.resource(StepScene.read("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: unbound, namespace: default}
                        spec: {containers: [{name: train, image: example/train}]}
                        """, Pod.class)).create();
        scene.client
                .bindings()
                .inNamespace("default")
                .resource(new BindingBuilder()
                        .withNewMetadata()
                        .withName("unbound")
                        .endMetadata()
                        .withTarget(new ObjectReferenceBuilder()
                                .withKind("Node")
                                .withName("n1")
                                .build())
                        .build())
                .create();
        assertThat(takeBack(job, read)).isFalse();
        Pod bound = scene.client.resource(read).get();
        assertThat(bound.getSpec().getNodeName()).isEqualTo("n1");
        assertThat(bound.getMetadata().getDeletionTimestamp()).isNull();
        scene.client.resource(bound).withGracePeriod(0).delete();

        Pod waits = scene.client
                .resource(read.edit()
                        .editMetadata()
                        .withName("waits")
                        .withResourceVersion(null)
                        .endMetadata()
                        .build())
                .create();
        assertThat(takeBack(job, waits)).isTrue();
        assertThat(scene.client.resource(waits).get()).isNull();
    }

    /** Another process may act for the job from then on. */
    @Test
    void takesNoStepAfterItLeadsNoMore() {
        TrainingJob job = scene.makeJob("led-elsewhere", "default");
        AtomicInteger asked = new AtomicInteger();
        List<JobStep> steps = List.of(new JobStep.AddFinalizer(), new JobStep.DeleteJob());
        StepsTaken taken = scene.executor.carryOut(job, steps, List::of, () -> asked.getAndIncrement() == 0);
        assertThat(taken.done()).containsExactly(steps.getFirst());
        assertThat(taken.current()).isFalse();
        assertThat(scene.client.resource(job).get().getMetadata().getDeletionTimestamp())
                .isNull();
    }

    private boolean takeBack(TrainingJob job, Pod pod) {
        return scene.executor
                .carryOut(
                        job,
                        List.of(new JobStep.DeleteUnbound(
                                pod.getMetadata().getName(), pod.getMetadata().getResourceVersion())),
                        List::of,
                        () -> true)
                .current();
    }
}
