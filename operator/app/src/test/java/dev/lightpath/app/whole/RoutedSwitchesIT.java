package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Four pods of nodes behind packet routers, joined by two optical switches: jobs wait for the routers. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutedSwitchesIT {
    private static final String SPEC = """
            {model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2}, reconfiguration: Live,
             scaleOut: {fabric: dc, stagesPerPod: 1},
             workload: {template: {spec: {containers: [{name: train, image: example/train,
              resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""";

    private final Path folder;
    private Installation all;
    private JobOnSwitches scene;

    RoutedSwitchesIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeAll
    void install(ApiServer server) throws IOException {
        scene = new JobOnSwitches(server, folder);
        all = scene.all;
        scene.patchFabric("{\"spec\": {\"policy\": {\"routes\": {\"acknowledgement\": \"Required\"}}}}");
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        try (JobOnSwitches ending = scene) {
            all.delete(JobOnSwitches.JOB);
            all.eventually("the job is gone", () -> {
                scene.controllers.work();
                assertThat(all.slices()).isEmpty();
            });
        }
    }

    @Test
    void podsWaitForTheRoutersOfTheirSwitchesAndRoutesFollowARepair(ApiServer server) throws IOException {
        scene.apply(SPEC);
        awaitsRoutes(1);
        assertThat(scene.lit()).isEqualTo(scene.recorded());
        assertThat(routed().getMessage())
                .isEqualTo("circuits of revision 1 are qualified; no router has acknowledged it (annotation"
                        + " lightpath.dev/routed-revision)");

        acknowledge("refused by leaf-3: no such next hop");
        all.eventually(
                "the refusal is told in one line",
                () -> assertThat(routed().getMessage())
                        .endsWith("is 'refused by leaf-3: no such next hop': write a whole number, here 1)")
                        .doesNotContain("\n"));
        awaitsRoutes(1);

        long repaired;
        Set<String> pods;
        try (PageRouter router = new PageRouter(all, server.kubeConfigYaml(), folder)) {
            runs(1);
            assertPrinted(router.said(), 1);
            pods = scene.uids();

            String broken = scene.recorded().first();
            scene.failPort(broken);
            all.eventually("routes follow the repair", () -> {
                assertThat(revision()).isGreaterThan(1);
                assertThat(scene.recorded()).doesNotContain(broken).isEqualTo(scene.lit());
                assertThat(word(routed())).isEqualTo("True Acknowledged");
                assertThat(routed().getMessage()).isEqualTo("routes follow the circuits of revision " + revision());
                assertThat(scene.says("Ready")).isEqualTo("True Satisfied");
            });
            repaired = revision();
            assertPrinted(router.said(), repaired);
            assertThat(scene.uids()).as("running pods are left alone").isEqualTo(pods);
        }

        // nobody routes any more
        scene.failPort(scene.recorded().first());
        all.eventually("the next repair is lit and waits", () -> {
            assertThat(revision()).isGreaterThan(repaired);
            assertThat(scene.lit()).isEqualTo(scene.recorded());
            assertThat(word(routed())).isEqualTo("False AwaitingRoutes");
            assertThat(routed().getMessage()).endsWith("is " + repaired + ")");
            assertThat(scene.says("Ready")).isEqualTo("False AwaitingRoutes");
        });
        assertThat(scene.uids()).as("running pods are left alone").isEqualTo(pods);
        scene.controllers.restart();
        awaitsRoutes(revision());
        acknowledge(Long.toString(revision()));
        runs(revision());
    }

    /** What the router of the page would route: the nodes of each pod, and the circuits of each switch. */
    private void assertPrinted(String said, long revision) {
        String since = said.substring(said.indexOf(", revision " + revision + ":"));
        scene.record()
                .groups()
                .forEach(
                        group -> group.nodes().forEach(node -> assertThat(since).contains("\"" + node + "\"")));
        scene.record()
                .circuits()
                .forEach(of -> assertThat(since)
                        .contains("circuits " + of.opticalSwitch() + " ")
                        .contains(of.circuits().stream()
                                .map(circuit -> "\"" + circuit + "\"")
                                .toList()));
    }

    private void acknowledge(String revision) {
        all.client
                .resource(scene.slice())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\": {\"annotations\": {\"" + LightpathAnnotations.ROUTED_REVISION + "\": \""
                                + revision + "\"}}}");
    }

    private void awaitsRoutes(long revision) {
        all.eventually("revision " + revision + " waits for routes, and so do the pods", () -> {
            scene.controllers.work();
            assertThat(revision()).isEqualTo(revision);
            assertThat(word(routed())).isEqualTo("False AwaitingRoutes");
            assertThat(scene.says("Ready")).isEqualTo("False AwaitingRoutes");
            assertThat(scene.pods()).isNotEmpty().allMatch(RoutedSwitchesIT::isGated);
        });
    }

    private void runs(long revision) {
        all.eventually("pods run on revision " + revision, () -> {
            scene.controllers.work();
            assertThat(revision()).isEqualTo(revision);
            assertThat(word(routed())).isEqualTo("True Acknowledged");
            assertThat(scene.says("Ready")).isEqualTo("True Satisfied");
            assertThat(scene.pods()).isNotEmpty().allMatch(pod -> pod.getSpec().getNodeName() != null);
        });
    }

    private static boolean isGated(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream()
                .anyMatch(gate -> gate.getName().equals("lightpath.dev/circuits"));
    }

    private long revision() {
        return scene.record().revision();
    }

    private Condition routed() {
        return scene.slice().getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals("Routed"))
                .findFirst()
                .orElseThrow();
    }

    private static String word(Condition condition) {
        return condition.getStatus() + " " + condition.getReason();
    }
}
