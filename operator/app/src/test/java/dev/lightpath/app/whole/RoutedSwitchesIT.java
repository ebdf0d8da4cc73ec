package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String JOB = "llm";
    private static final String SPEC = """
            {model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2}, reconfiguration: Live,
             scaleOut: {fabric: dc, stagesPerPod: 1},
             workload: {template: {spec: {containers: [{name: train, image: example/train,
              resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""";

    private final Path folder;
    private Installation all;
    private WorkloadControllers controllers;
    private TwoFabrics scene;

    RoutedSwitchesIT(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeAll
    void install(ApiServer server) throws IOException {
        all = new Installation(
                server,
                folder,
                TwoFabrics.NODES,
                ", devices: [%s], fibres: [%s]"
                        .formatted(String.join(", ", TwoFabrics.devices()), String.join(", ", TwoFabrics.fibres())));
        controllers = new WorkloadControllers(all.client);
        controllers.install();
        scene = new TwoFabrics(all);
        scene.describe();
        all.client
                .resources(OpticalFabric.class)
                .withName("dc")
                .patch(MERGE, "{\"spec\": {\"policy\": {\"routes\": {\"acknowledgement\": \"Required\"}}}}");
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        all.delete(JOB);
        all.eventually("the job is gone", () -> {
            controllers.work();
            assertThat(all.slices()).isEmpty();
        });
        all.kill();
        scene.remove();
        controllers.uninstall();
        all.close();
    }

    @Test
    void podsWaitForTheRoutersOfTheirSwitchesAndRoutesFollowARepair(ApiServer server) throws IOException {
        all.apply(JOB, SPEC);
        awaitsRoutes(1);
        assertThat(scene.lit()).isEqualTo(scene.recorded(JOB));
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
        List<String> pods;
        try (PageRouter router = new PageRouter(all, server.kubeConfigYaml(), folder)) {
            runs(1);
            assertPrinted(router.said(), 1);
            pods = uids();

            String broken = scene.recorded(JOB).first();
            scene.failPort(broken);
            all.eventually("routes follow the repair", () -> {
                assertThat(revision()).isGreaterThan(1);
                assertThat(scene.recorded(JOB)).doesNotContain(broken).isEqualTo(scene.lit());
                assertThat(word(routed())).isEqualTo("True Acknowledged");
                assertThat(routed().getMessage()).isEqualTo("routes follow the circuits of revision " + revision());
                assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
            });
            repaired = revision();
            assertPrinted(router.said(), repaired);
            assertThat(uids()).as("running pods are left alone").isEqualTo(pods);
        }

        // nobody routes any more
        scene.failPort(scene.recorded(JOB).first());
        all.eventually("the next repair is lit and waits", () -> {
            assertThat(revision()).isGreaterThan(repaired);
            assertThat(scene.lit()).isEqualTo(scene.recorded(JOB));
            assertThat(word(routed())).isEqualTo("False AwaitingRoutes");
            assertThat(routed().getMessage()).endsWith("is " + repaired + ")");
            assertThat(all.says(JOB, "Ready")).isEqualTo("False AwaitingRoutes");
        });
        assertThat(uids()).as("running pods are left alone").isEqualTo(pods);
        controllers.restart();
        awaitsRoutes(revision());
        acknowledge(Long.toString(revision()));
        runs(revision());
    }

    /** What the router of the page would route: the nodes of each pod, and the circuits of each switch. */
    private void assertPrinted(String said, long revision) {
        String since = said.substring(said.indexOf(", revision " + revision + ":"));
        scene.slice(JOB)
                .getStatus()
                .allocation()
                .groups()
                .forEach(
                        group -> group.nodes().forEach(node -> assertThat(since).contains("\"" + node + "\"")));
        scene.slice(JOB)
                .getStatus()
                .allocation()
                .circuits()
                .forEach(of -> assertThat(since)
                        .contains("circuits " + of.opticalSwitch() + " ")
                        .contains(of.circuits().stream()
                                .map(circuit -> "\"" + circuit + "\"")
                                .toList()));
    }

    private void acknowledge(String revision) {
        all.client
                .resource(scene.slice(JOB))
                .patch(
                        MERGE,
                        "{\"metadata\": {\"annotations\": {\"" + LightpathAnnotations.ROUTED_REVISION + "\": \""
                                + revision + "\"}}}");
    }

    private void awaitsRoutes(long revision) {
        all.eventually("revision " + revision + " waits for routes, and so do the pods", () -> {
            controllers.work();
            assertThat(revision()).isEqualTo(revision);
            assertThat(word(routed())).isEqualTo("False AwaitingRoutes");
            assertThat(all.says(JOB, "Ready")).isEqualTo("False AwaitingRoutes");
            assertThat(pods()).isNotEmpty().allMatch(RoutedSwitchesIT::isGated);
        });
    }

    private void runs(long revision) {
        all.eventually("pods run on revision " + revision, () -> {
            controllers.work();
            assertThat(revision()).isEqualTo(revision);
            assertThat(word(routed())).isEqualTo("True Acknowledged");
            assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
            assertThat(pods()).isNotEmpty().allMatch(pod -> pod.getSpec().getNodeName() != null);
        });
    }

    private static boolean isGated(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream()
                .anyMatch(gate -> gate.getName().equals("lightpath.dev/circuits"));
    }

    private List<Pod> pods() {
        return all.client
                .pods()
                .inNamespace("default")
                .withLabel("lightpath.dev/job", JOB)
                .list()
                .getItems();
    }

    private List<String> uids() {
        return pods().stream().map(pod -> pod.getMetadata().getUid()).sorted().toList();
    }

    private long revision() {
        return scene.slice(JOB).getStatus().allocation().revision();
    }

    private Condition routed() {
        return scene.slice(JOB).getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals("Routed"))
                .findFirst()
                .orElseThrow();
    }

    private static String word(Condition condition) {
        return condition.getStatus() + " " + condition.getReason();
    }
}
