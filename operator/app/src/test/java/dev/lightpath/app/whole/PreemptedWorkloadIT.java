package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A queue takes a workload's quota back by suspending it, or somebody deletes it. Each job here needs all nodes. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PreemptedWorkloadIT {
    private static final int NODES = 6;
    private static final String ALL_NODES = """
            {model: {preset: gpt-7b}, parallelism: {tensor: 24}, scaleUp: {fabric: ring-a},
             workload: {template: {spec: {containers: [{name: train, image: example/train,
              resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""";

    private static final String REFERRING = """
            {model: {preset: gpt-7b}, parallelism: {tensor: 24}, scaleUp: {fabric: ring-a},
             workload: {ref: {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: mine}}}""";

    private static final String REFERRING_HALF = REFERRING.replace("tensor: 24", "tensor: 12");

    private Installation all;
    private WorkloadControllers controllers;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(server, folder, NODES);
        controllers = new WorkloadControllers(all.client);
        controllers.install();
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        try (Installation ending = all) {
            all.kill();
            controllers.uninstall();
        }
    }

    @Test
    void thePreemptingJobGetsTheNodesAndTheLightOnceThePodsOfTheOtherEnded() {
        all.apply("victim", ALL_NODES);
        runs("victim");
        all.apply("preemptor", ALL_NODES);
        all.eventually(
                "the second job waits",
                () -> assertThat(all.says("preemptor", "Placed")).isEqualTo("False InsufficientCapacity"));

        controllers.suspend(JobNames.jobSet(all.job("victim")), true);
        all.eventually("the victim gives its light back, but not under its pods", () -> {
            assertThat(all.says("victim", "Accepted")).isEqualTo("False WaitingForQuota");
            assertThat(controllers.podsOf("victim")).hasSize(NODES);
        });
        assertThat(slicesOf("victim")).hasSize(1);
        all.assertLightAsRecorded();
        runs("preemptor");
        all.eventually(
                "the victim has no slice", () -> assertThat(slicesOf("victim")).isEmpty());

        controllers.suspend(JobNames.jobSet(all.job("victim")), false);
        all.eventually("the victim waits for a place as any other job", () -> {
            controllers.work();
            assertThat(all.says("victim", "Placed")).isEqualTo("False InsufficientCapacity");
        });
        assertThat(all.says("preemptor", "Ready")).isEqualTo("True Satisfied");

        all.delete("preemptor");
        runs("victim");
        assertThat(slicesOf("victim").getFirst().getSpec().job().attempt()).isEqualTo(2);
        all.delete("victim");
        all.eventually("nothing is left", () -> {
            controllers.work();
            all.assertNothingLeft();
        });
    }

    /** Nothing of it has ended yet, and nobody waits for its place any more. */
    @Test
    void aJobWhoseJobSetMayNotBeDeletedKeepsItsPlaceOnceItsPreemptorIsGone() {
        List<HasMetadata> forbidding = all.client
                .load(new ByteArrayInputStream("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: {name: keep-job-sets}
                spec:
                  matchConstraints:
                    resourceRules: [{apiGroups: [jobset.x-k8s.io], apiVersions: [v1alpha2], operations: [DELETE], resources: [jobsets]}]
                  validations: [{expression: "false", message: JobSets stay for a year}]
                ---
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: keep-job-sets}
                spec: {policyName: keep-job-sets, validationActions: [Deny]}
                """.getBytes(StandardCharsets.UTF_8)))
                .items();
        all.apply("low", ALL_NODES);
        runs("low");
        try {
            forbidding.forEach(each -> all.client.resource(each).create());
            all.eventually(
                    "JobSets may not be deleted",
                    () -> assertThat(controllers.mayDelete(JobNames.jobSet(all.job("low"))))
                            .isFalse());
            preemption("LowerPriority");
            all.apply("high", ALL_NODES.replace("workload:", "priority: 10, workload:"));
            all.eventually("the job of higher priority waits for those who forbid it", () -> {
                assertThat(all.says("low", "Placed")).isEqualTo("False Preempted");
                assertThat(message("low", "Placed")).contains("JobSets stay for a year");
            });

            all.delete("high");
            runs("low");
            assertThat(slicesOf("low").getFirst().getSpec().job().attempt()).isEqualTo(1);
            assertThat(controllers.podsOf("low")).hasSize(NODES);
        } finally {
            forbidding.forEach(each -> all.client.resource(each).delete());
            preemption("Never");
        }
        all.eventually(
                "JobSets may be deleted again",
                () -> assertThat(controllers.mayDelete(JobNames.jobSet(all.job("low"))))
                        .isTrue());
        assertThat(all.says("low", "Ready")).isEqualTo("True Satisfied");
        all.delete("low");
        all.eventually("nothing is left", () -> {
            controllers.work();
            all.assertNothingLeft();
        });
    }

    @Test
    void aWorkloadThatIsDeletedGivesItsNodesAndLightToOthersAndItsJobStartsAnewWithTheNext() {
        controllers.make("mine", NODES);
        all.apply("referring", REFERRING);
        runs("referring");
        all.apply("waiting", ALL_NODES);
        all.eventually(
                "the second job waits",
                () -> assertThat(all.says("waiting", "Placed")).isEqualTo("False InsufficientCapacity"));

        controllers.delete("mine");
        runs("waiting");
        all.eventually("the first has no slice, and says why", () -> {
            assertThat(slicesOf("referring")).isEmpty();
            assertThat(all.says("referring", "Accepted")).isEqualTo("False InvalidTemplate");
        });

        all.delete("waiting");
        controllers.make("mine", NODES);
        runs("referring");
        assertThat(slicesOf("referring").getFirst().getSpec().job().attempt()).isEqualTo(2);
        all.delete("referring");
        controllers.delete("mine");
        all.eventually("nothing is left", () -> {
            controllers.work();
            all.assertNothingLeft();
        });
    }

    /** Whichever was first: of two that come together either may be, and both may have had a place for a moment. */
    @ParameterizedTest
    @CsvSource({"a-job, b-job, false", "b-job, a-job, false", "a-job, b-job, true"})
    void ofTwoJobsForOneWorkloadOneRunsAndTheOtherHoldsNothingUntilThatIsGone(
            String earlier, String later, boolean atOnce) {
        controllers.make("mine", NODES / 2);
        if (atOnce) {
            all.kill();
        }
        all.apply(earlier, REFERRING_HALF);
        all.apply(later, REFERRING_HALF);
        AtomicReference<String> first = new AtomicReference<>();
        all.eventually("one of them runs, and the other has nothing and says why", () -> {
            controllers.work();
            String one = "True Satisfied".equals(all.says(earlier, "Ready")) ? earlier : later;
            String other = one.equals(earlier) ? later : earlier;
            assertThat(all.says(one, "Ready")).isEqualTo("True Satisfied");
            assertThat(controllers.podsOf(one)).hasSize(NODES / 2);
            assertThat(slicesOf(one)).hasSize(1);
            assertThat(slicesOf(other)).isEmpty();
            for (String type : List.of("Accepted", "Ready")) {
                assertThat(all.says(other, type)).isEqualTo("False WorkloadTaken");
                assertThat(message(other, type))
                        .isEqualTo("spec.workload.ref: JobSet mine is the workload of TrainingJob " + one
                                + ", which came first: a workload has one TrainingJob; delete one of them");
            }
            all.assertLightAsRecorded();
            first.set(one);
        });
        String second = first.get().equals(earlier) ? later : earlier;
        all.delete(first.get());
        controllers.delete("mine");
        all.eventually("the first is gone with its pods", () -> {
            controllers.work();
            assertThat(slicesOf(first.get())).isEmpty();
            assertThat(all.job(first.get())).isNull();
        });
        controllers.make("mine", NODES / 2);
        runs(second);
        assertThat(controllers.podsOf(second)).hasSize(NODES / 2);
        all.delete(second);
        controllers.delete("mine");
        all.eventually("nothing is left", () -> {
            controllers.work();
            all.assertNothingLeft();
        });
    }

    private void preemption(String allowed) {
        all.client
                .genericKubernetesResources("lightpath.dev/v1alpha1", "OpticalFabric")
                .withName("ring-a")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\": {\"policy\": {\"preemption\": \"" + allowed + "\"}}}");
    }

    private String message(String job, String type) {
        return all.job(job).getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .map(Condition::getMessage)
                .findFirst()
                .orElseThrow();
    }

    private void runs(String job) {
        all.eventually(job + " runs in its light", () -> {
            controllers.work();
            assertThat(all.says(job, "Ready")).isEqualTo("True Satisfied");
            all.assertLightAsRecorded();
        });
    }

    private List<FabricSlice> slicesOf(String job) {
        return all.slices().stream()
                .filter(slice -> slice.getSpec().job().name().equals(job))
                .toList();
    }
}
