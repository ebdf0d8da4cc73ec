package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.apiserver.ControlPlaneBinaries;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What kubectl says when a fabric or a switch is deleted that is in use. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeletionsPolicyIT {
    private static final String RING = """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata: {name: deleted-ring}
            spec:
              ocsTrx:
                shape: Ring
                reach: 3
                gpusPerNode: 4
                positions: 8
                nodeSelector: {matchLabels: {lightpath.dev/ring: deleted-ring}}
                driver: {endpoint: "127.0.0.1:9440"}
            status:
              circuits: {planned: 24, lit: 24, foreign: 0, missing: 0}
              gpus: {total: 32, usable: 32, allocated: %d}
            """;
    private static final String SPINE = """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata: {name: deleted-spine}
            spec:
              ocs: {gpusPerNode: 4, pods: [{name: a, index: 0, ports: 4, gpus: 16}], topology: {logical: {}}}
            status: {circuits: {planned: %d, lit: 0, foreign: 0, missing: 0}}
            """;
    private static final String RACKS = """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata: {name: deleted-racks, annotations: {lightpath.dev/release-on-deletion: "%s"}}
            spec:
              ocs:
                gpusPerNode: 8
                pods: [{name: rack-0, index: 0, ports: 16, gpus: 64}]
                topology: {polarFly: {order: 7}}
            status:
              circuits: {planned: 9, lit: 9, foreign: 0, missing: 0}
              gpus: {total: 64, usable: 64, allocated: %d}
            """;
    private static final String SWITCH = """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalSwitch
            metadata: {name: deleted-switch}
            spec:
              fabric: deleted-spine
              driver: {endpoint: "127.0.0.1:9440", deviceId: ocs-0}
              wiring: {striped: {firstIngress: 1, portsPerPod: 1}}
            status: {observed: {digest: d, circuits: %d, foreign: 0}}
            """;

    private final ApiServer server;
    private final Access access;

    private String kubeConfig = "";

    DeletionsPolicyIT(ApiServer server) throws IOException {
        this.server = server;
        access = new Access(server, "deletions-policy.yaml");
    }

    /** A policy that does not hold yet says nothing, so each try has a fabric and a switch of its own. */
    @BeforeAll
    void untilThePoliciesHold(@TempDir Path folder) throws IOException, InterruptedException {
        kubeConfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeConfigYaml())
                .toString();
        for (String each : new String[] {SPINE, SWITCH}) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (!deleted(each.formatted(4)).contains("Warning")) {
                assertThat(System.nanoTime()).as("the policies hold").isLessThan(end);
                Thread.sleep(200);
            }
        }
    }

    @AfterAll
    void takeBack() {
        access.close();
    }

    @Test
    void saysWhatStaysLitOfAFabricInUse() throws IOException, InterruptedException {
        assertThat(deleted(RING.formatted(16)).lines().filter(line -> line.startsWith("Warning: ")))
                .singleElement()
                .asString()
                .endsWith(": OpticalFabric deleted-ring is in use: its circuits stay lit, and nobody repairs or removes"
                        + " them. Create it again to go on; delete its jobs first to end them");
        assertThat(deleted(SPINE.formatted(2))).contains("Warning: ", "OpticalFabric deleted-spine is in use");
    }

    /** Its circuits are taken down before it goes, as long as no job has any. */
    @Test
    void saysNothingOfATopologyThatGoesDark() throws IOException, InterruptedException {
        assertThat(deleted(RACKS.formatted("true", 0))).doesNotContain("Warning");
        assertThat(deleted(RACKS.formatted("false", 0)))
                .contains("Create it again to go on; annotate it with lightpath.dev/release-on-deletion=true first to"
                        + " end them");
        assertThat(deleted(RACKS.formatted("false", 8)))
                .contains("Create it again to go on; delete its jobs and annotate it with"
                        + " lightpath.dev/release-on-deletion=true first to end them");
        assertThat(deleted(RACKS.formatted("true", 8)))
                .as("the circuits of its jobs stay")
                .contains("Create it again to go on; delete its jobs first to end them");
        assertThat(deleted(SPINE.formatted(2)
                        .replace(
                                "{name: deleted-spine}",
                                "{name: deleted-spine, annotations:"
                                        + " {lightpath.dev/release-on-deletion: \"true\"}}")))
                .as("jobs decide its circuits")
                .contains("Create it again to go on; delete its jobs first to end them");
    }

    @Test
    void saysWhatStaysLitOfASwitch() throws IOException, InterruptedException {
        assertThat(deleted(SWITCH.formatted(5)).lines().filter(line -> line.startsWith("Warning: ")))
                .singleElement()
                .asString()
                .contains("OpticalSwitch deleted-switch has 5 circuits: they stay lit");
    }

    @Test
    void saysNothingOfWhatIsNotInUse() throws IOException, InterruptedException {
        for (String each : new String[] {RING, SPINE, SWITCH}) {
            assertThat(deleted(each.formatted(0))).doesNotContain("Warning");
        }
    }

    /** What kubectl says, once the object is gone. */
    private String deleted(String yaml) throws IOException, InterruptedException {
        HasMetadata object = Access.read(yaml);
        access.admin.resource(object).serverSideApply();
        access.admin.resource(object).patchStatus();
        Process process = new ProcessBuilder(
                        ControlPlaneBinaries.ofCheckout()
                                .home()
                                .resolve("bin/kubectl")
                                .toString(),
                        "--kubeconfig",
                        kubeConfig,
                        "delete",
                        object.getKind(),
                        object.getMetadata().getName())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(access.admin.resource(object).get()).isNull();
        return said;
    }
}
