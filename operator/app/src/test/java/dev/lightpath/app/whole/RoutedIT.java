package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A fabric whose pods wait for routes: two groups on four of eight nodes. */
@ExtendWith(ApiServerExtension.class)
class RoutedIT {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String JOB = "routed";
    private static final String SPEC = """
            {model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a},
             recovery: {replace: Immediately},
             workload: {template: {spec: {containers: [{name: train, image: example/train,
              resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""";

    @TempDir
    private Path folder;

    private Installation all;
    private WorkloadControllers controllers;

    @BeforeEach
    void install(ApiServer server) throws IOException {
        all = new Installation(server, folder, 8);
        controllers = new WorkloadControllers(all.client);
        controllers.install();
        acknowledgement("Required");
        all.start();
        all.apply(JOB, SPEC);
    }

    @AfterEach
    void uninstall() throws IOException {
        try (Installation ending = all;
                Closeable before = this::endControllers) {
            all.delete(JOB);
            all.eventually("nothing is left", () -> {
                controllers.work();
                all.assertNothingLeft();
            });
        }
    }

    private void endControllers() {
        all.kill();
        controllers.uninstall();
    }

    @Test
    void podsWaitForEachRevisionToBeAcknowledged() {
        awaitsRoutes(1);
        assertThat(routed().getMessage())
                .isEqualTo("circuits of revision 1 are qualified; no router has acknowledged it (annotation"
                        + " lightpath.dev/routed-revision)");
        assertThat(all.says(JOB, "FabricReady")).isEqualTo("True Satisfied");
        assertAllGated();

        acknowledge("soon");
        all.eventually(
                "nonsense is told",
                () -> assertThat(routed().getMessage()).endsWith("is 'soon': write a whole number, here 1)"));
        acknowledge("2");
        all.eventually(
                "a revision to come is told",
                () -> assertThat(routed().getMessage()).endsWith("is 2, which was never recorded: write 1)"));
        assertAllGated();
        all.assertLightAsRecorded();

        acknowledge("1");
        runs(1);
        List<String> before = uids();
        all.kill();
        runs(1);

        String broken =
                slice().getStatus().allocation().groups().getFirst().nodes().getFirst();
        all.mark(broken, Map.of("lightpath.dev/faulty", "smoke"));
        all.eventually("the repair is lit and waits", () -> {
            assertThat(revision()).isGreaterThan(1);
            assertThat(routed().getReason()).isEqualTo("AwaitingRoutes");
            assertThat(routed().getMessage()).endsWith("routed-revision is 1)");
            assertThat(all.says(JOB, "Ready")).isEqualTo("False AwaitingRoutes");
        });
        all.assertLightAsRecorded();
        assertThat(uids()).as("running pods are left alone").isEqualTo(before);

        controllers.restart();
        awaitsRoutes(revision());
        assertAllGated();
        acknowledge(Long.toString(revision()));
        runs(revision());
        all.heal(broken);

        acknowledgement("None");
        all.eventually("routes are of no interest any more", () -> {
            assertThat(slice().getStatus().conditions())
                    .extracting(Condition::getType)
                    .doesNotContain("Routed");
            assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
        });
    }

    /** A router that still works on a slice that was deleted and made anew names the one that it read. */
    @Test
    void aSliceOfTheSameNameIsNotAcknowledgedForAnother() {
        awaitsRoutes(1);
        assertThatThrownBy(() -> all.client
                        .resource(slice())
                        .patch(
                                MERGE,
                                "{\"metadata\": {\"uid\": \"b8d6b1a8-0000-4000-8000-000000000000\", \"annotations\":"
                                        + " {\"lightpath.dev/routed-revision\": \"1\"}}}"))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refused -> assertThat(refused.getMessage()).contains("metadata.uid", "field is immutable"));
        all.client
                .resource(slice())
                .patch(
                        MERGE,
                        "{\"metadata\": {\"uid\": \"" + slice().getMetadata().getUid()
                                + "\", \"annotations\": {\"lightpath.dev/routed-revision\": \"1\"}}}");
        runs(1);
    }

    /** From the page, with the rights of the page. */
    @Test
    void theRouterOfThePageLetsPodsGo(ApiServer server) throws IOException {
        awaitsRoutes(1);
        assertAllGated();
        try (PageRouter router = new PageRouter(all, server.kubeConfigYaml(), folder)) {
            all.eventually(
                    "the router prints what it would route",
                    () -> assertThat(router.said())
                            .contains(
                                    "routes of default/" + slice().getMetadata().getName() + ", revision 1:"));
            runs(1);
            all.mark(
                    slice().getStatus().allocation().groups().getFirst().nodes().getFirst(),
                    Map.of("lightpath.dev/faulty", "smoke"));
            all.eventually("it follows the repair", () -> {
                assertThat(revision()).isGreaterThan(1);
                assertThat(routed().getMessage()).isEqualTo("routes follow the circuits of revision " + revision());
            });
            String said = router.said();
            assertThat(said).contains(", revision " + revision() + ":");
            slice().getStatus()
                    .allocation()
                    .groups()
                    .forEach(group ->
                            group.nodes().forEach(node -> assertThat(said).contains(node)));
        }
    }

    private void acknowledgement(String word) {
        all.client
                .resources(OpticalFabric.class)
                .withName("ring-a")
                .patch(MERGE, "{\"spec\": {\"policy\": {\"routes\": {\"acknowledgement\": \"" + word + "\"}}}}");
    }

    private void acknowledge(String revision) {
        all.client
                .resource(slice())
                .patch(
                        MERGE,
                        "{\"metadata\": {\"annotations\": {\"lightpath.dev/routed-revision\": \"" + revision + "\"}}}");
    }

    private void awaitsRoutes(long revision) {
        all.eventually("revision " + revision + " waits for routes", () -> {
            controllers.work();
            assertThat(revision()).isEqualTo(revision);
            assertThat(routed().getStatus() + " " + routed().getReason()).isEqualTo("False AwaitingRoutes");
            assertThat(all.says(JOB, "Ready")).isEqualTo("False AwaitingRoutes");
            assertThat(pods()).hasSize(4);
        });
    }

    private void runs(long revision) {
        all.eventually("pods run on revision " + revision, () -> {
            controllers.work();
            assertThat(revision()).isEqualTo(revision);
            assertThat(routed().getStatus() + " " + routed().getReason()).isEqualTo("True Acknowledged");
            assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
            assertThat(pods()).hasSize(4).noneMatch(RoutedIT::isGated);
        });
    }

    private void assertAllGated() {
        assertThat(pods()).hasSize(4).allMatch(RoutedIT::isGated);
    }

    private static boolean isGated(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream()
                .anyMatch(gate -> gate.getName().equals("lightpath.dev/circuits"));
    }

    private List<Pod> pods() {
        return all.client
                .pods()
                .inNamespace("default")
                .withLabel("jobset.sigs.k8s.io/jobset-name")
                .list()
                .getItems();
    }

    private List<String> uids() {
        return pods().stream().map(pod -> pod.getMetadata().getUid()).sorted().toList();
    }

    private FabricSlice slice() {
        return all.slices().stream()
                .filter(slice ->
                        Objects.requireNonNull(slice.getSpec().job()).name().equals(JOB))
                .findFirst()
                .orElseThrow();
    }

    private long revision() {
        return slice().getStatus().allocation().revision();
    }

    private Condition routed() {
        return slice().getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals("Routed"))
                .findFirst()
                .orElseThrow();
    }
}
