package dev.lightpath.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.cli.TestRun;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.driver.DriverServer;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code kubectl lightpath driver transfer} at a driver with TLS, by the Secrets of {@code lightpath certificates}. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DriverTransferIT {
    private static final String OLD = "another-cluster/ring-a";
    private static final String ADMIN = "lightpath-drivers/localhost-admin";

    private final KubernetesClient client;
    private final String config;
    private final Map<String, Secret> secrets = new HashMap<>();
    private Path folder;
    private Path kubeconfig;
    private Emulator emulator;
    private DriverServer driver;

    DriverTransferIT(ApiServer server) {
        client = server.client();
        config = server.kubeConfigYaml();
    }

    @BeforeAll
    void start(@TempDir Path files) throws Exception {
        folder = files;
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), config);
        for (String namespace : List.of("lightpath-system", "lightpath-drivers")) {
            ApiServer.namespace(client, namespace);
        }
        TestRun made =
                TestRun.of("certificates", "--authority", folder.resolve("ca").toString(), "--driver", "localhost");
        assertThat(made.exitCode()).as(made.err()).isZero();
        Stream.of(made.out().split("(?m)^---\n"))
                .map(text -> Serialization.unmarshal(text, Secret.class))
                .forEach(secret -> {
                    secrets.put(secret.getMetadata().getName(), secret);
                    client.resource(secret).serverSideApply();
                });
        emulator = Emulator.start(Scenario.parse(
                "plant.yaml",
                "{listen: '127.0.0.1:0', seed: 3, ring: {nodes: 4, reach: 2},"
                        + " devices: [{id: ocs-0, kind: switch, ports: 4, twoSided: false, preset: mems}]}"));
        Secret server = secrets.get("localhost-tls");
        for (String name : List.of("tls.crt", "tls.key", "ca.crt")) {
            Files.writeString(folder.resolve(name), server.getStringData().get(name));
        }
        driver = DriverServer.start(
                Files.writeString(folder.resolve("driver.yaml"), """
                listen: 127.0.0.1:0
                http: 127.0.0.1:0
                stateDirectory: %1$s/state
                adapters:
                  - {kind: emulator, endpoint: "127.0.0.1:%2$d"}
                tls:
                  certificate: %1$s/tls.crt
                  key: %1$s/tls.key
                  clientCa: %1$s/ca.crt
                  roles:
                    - {san: "dns:lightpath-operator", role: writer}
                    - {san: "dns:lightpath-admin", role: admin}
                """.formatted(folder, emulator.port())));
        awaitDevices();
        client.resource(client.getKubernetesSerialization()
                        .unmarshal("""
                        apiVersion: lightpath.dev/v1alpha1
                        kind: OpticalFabric
                        metadata: {name: ring-a}
                        spec:
                          ocsTrx:
                            shape: Ring
                            reach: 2
                            gpusPerNode: 4
                            positions: 4
                            driver: {endpoint: "localhost:%d", tls: {secretName: localhost-client}}
                        """.formatted(driver.port()), OpticalFabric.class))
                .create();
    }

    @AfterAll
    void stop() {
        client.resources(OpticalFabric.class).delete();
        client.close();
        driver.close();
        emulator.close();
    }

    private TestRun run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("driver", "transfer", "fabric/ring-a"));
        all.addAll(Arrays.asList(arguments));
        all.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        return TestRun.of(all.toArray(String[]::new));
    }

    private String refused(String... arguments) {
        TestRun run = run(arguments);
        assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
        assertThat(run.err()).hasLineCount(1);
        return run.err();
    }

    private InputStream pem(String secret, String key) {
        return new ByteArrayInputStream(
                secrets.get(secret).getStringData().get(key).getBytes(StandardCharsets.US_ASCII));
    }

    /** As the operator of the other cluster, of the records' third revision. */
    private void light(String device, String role) throws IOException, InterruptedException {
        change(ApplyCircuitsRequest.newBuilder()
                .setDeviceId(device)
                .setFencing(Fencing.newBuilder().setRole(role).setEpoch(7).setHolder("pod-a"))
                .setOperationId("light-" + device)
                .setScope(Scope.newBuilder()
                        .addPorts("b0.common")
                        .addPorts("b0.path1")
                        .addPorts("b0.loop"))
                .addDisconnects(CircuitKey.newBuilder().setIngress("b0.common").setEgress("b0.loop"))
                .addConnects(CircuitKey.newBuilder().setIngress("b0.common").setEgress("b0.path1"))
                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_SAFE)
                .build());
    }

    /** As the operator of this cluster. */
    private void light(String device, String role, String from, String to) throws IOException, InterruptedException {
        change(ApplyCircuitsRequest.newBuilder()
                .setDeviceId(device)
                .setFencing(Fencing.newBuilder().setRole(role).setEpoch(7).setHolder("pod-b"))
                .setOperationId("light-" + device)
                .setScope(Scope.newBuilder().addPorts(from).addPorts(to))
                .addConnects(CircuitKey.newBuilder().setIngress(from).setEgress(to))
                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_SAFE)
                .build());
    }

    private ManagedChannel channel() throws IOException {
        return Grpc.newChannelBuilderForAddress(
                        "localhost",
                        driver.port(),
                        TlsChannelCredentials.newBuilder()
                                .keyManager(pem("localhost-client", "tls.crt"), pem("localhost-client", "tls.key"))
                                .trustManager(pem("localhost-client", "ca.crt"))
                                .build())
                .build();
    }

    /** On a busy machine the driver serves before the emulator has told it of its devices. */
    private void awaitDevices() throws IOException {
        ManagedChannel channel = channel();
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> InventoryServiceGrpc.newBlockingStub(channel)
                                    .listDevices(ListDevicesRequest.getDefaultInstance())
                                    .getDevicesCount()
                            == 5);
        } finally {
            channel.shutdownNow();
        }
    }

    private void change(ApplyCircuitsRequest request) throws IOException, InterruptedException {
        ManagedChannel channel = channel();
        try {
            var unused = CircuitServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(30, TimeUnit.SECONDS)
                    .applyCircuits(request);
        } finally {
            channel.shutdownNow();
            channel.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void anAdministratorGivesDevicesAndNobodyElseDoes() throws Exception {
        light("n0", OLD);
        light("n1", OLD);
        String own =
                client.namespaces().withName("kube-system").get().getMetadata().getUid() + "/ring-a";

        TestRun shown = run("--secret", ADMIN);
        assertThat(shown.exitCode()).as(shown.err()).isZero();
        assertThat(shown.out()).contains("--from " + OLD, "nobody");

        assertThat(refused("--secret", ADMIN, "--from", "nobody/ring-a"))
                .contains("no device is held by 'nobody/ring-a'; they are held by ", OLD);
        assertThat(refused("--secret", ADMIN, "--from", "another-cluster/spine"))
                .contains("'another-cluster/spine' holds devices of fabric spine, not of ring-a");
        assertThat(refused("--secret", ADMIN, "--from", own)).contains("which holds them already");
        assertThat(refused("--secret", "lightpath-system/localhost-client", "--from", OLD))
                .contains("PERMISSION_DENIED");
        assertThat(refused("--from", OLD)).contains("there is no Secret lightpath-drivers/lightpath-driver-admin");
        assertThat(refused("--secret", "x", "--from", OLD)).contains("allowed is NAMESPACE/NAME");
        assertThat(refused("--secret", ADMIN, "--endpoint", "localhost:1", "--from", OLD))
                .contains("driver localhost:1: UNAVAILABLE");
        assertThat(refused("--certificate", "x.pem", "--from", OLD)).contains("together, or --secret");

        JsonNode given = run("--secret", ADMIN, "--from", OLD, "-o", "json").json();
        assertThat(given.get("given").asInt()).isEqualTo(2);
        assertThat(given.at("/holdings").findValuesAsText("role")).contains(own).doesNotContain(OLD);

        // by files, and to set an epoch that was wrong
        for (String name : List.of("tls.crt", "tls.key", "ca.crt")) {
            Files.writeString(
                    folder.resolve("admin-" + name),
                    secrets.get("localhost-admin").getStringData().get(name));
        }
        TestRun set = run(
                "--certificate",
                folder.resolve("admin-tls.crt").toString(),
                "--key",
                folder.resolve("admin-tls.key").toString(),
                "--authority",
                folder.resolve("admin-ca.crt").toString(),
                "--from",
                own,
                "--highest-epoch",
                "41");
        assertThat(set.exitCode()).as(set.err()).isZero();
        assertThat(set.out()).contains("2 devices were given to " + own).containsPattern(own + ".*41");
    }

    /** Of thousands of agents some are always away. */
    @Test
    void givesTheDevicesOfAgentsThatAnswerAndNamesTheOthers() throws Exception {
        String old = "another-cluster/ring-b";
        List<String> names = List.of("localhost", "127.0.0.2");
        names.forEach(name -> client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToLabels("of", "ring-b")
                        .addToLabels("lightpath.dev/ring-position", Integer.toString(names.indexOf(name)))
                        .endMetadata()
                        .build())
                .create());
        client.resource(client.getKubernetesSerialization()
                        .unmarshal("""
                        apiVersion: lightpath.dev/v1alpha1
                        kind: OpticalFabric
                        metadata: {name: ring-b}
                        spec:
                          ocsTrx:
                            shape: Ring
                            reach: 2
                            gpusPerNode: 4
                            positions: 8
                            nodeSelector: {matchLabels: {of: ring-b}}
                            driver:
                              endpoint: "{node}:%d"
                              tls: {secretName: localhost-client, serverName: localhost}
                        """.formatted(driver.port()), OpticalFabric.class))
                .create();
        light("n2", old);
        String away = "agents without an answer (1), which keep what they hold";

        TestRun shown = act("driver", "transfer", "fabric/ring-b", "--secret", ADMIN);
        assertThat(shown.exitCode()).as(shown.err()).isZero();
        assertThat(shown.out()).contains("--from " + old, away, "driver 127.0.0.2:" + driver.port() + ": UNAVAILABLE");

        TestRun given = act("driver", "transfer", "fabric/ring-b", "--secret", ADMIN, "--from", old);
        assertThat(given.exitCode()).as(given.err()).isEqualTo(1);
        assertThat(given.out()).contains("1 devices were given to ", away).doesNotContain(old);
    }

    private TestRun act(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        return TestRun.of(all.toArray(String[]::new));
    }

    @Test
    void takesOnePortOfASwitchOutOfUseAndBack() throws Exception {
        client.resource(client.getKubernetesSerialization()
                        .unmarshal("""
                        apiVersion: lightpath.dev/v1alpha1
                        kind: OpticalSwitch
                        metadata: {name: ocs-0}
                        spec:
                          fabric: spine
                          driver: {endpoint: "localhost:%d", deviceId: ocs-0, tls: {secretName: localhost-client}}
                          wiring: {unknown: {}}
                        """.formatted(driver.port()), OpticalSwitch.class))
                .create();
        assertThat(act("drain", "switch/ocs-0/9").err())
                .contains("device ocs-0 has no port '9'")
                .hasLineCount(1);
        assertThat(act("drain", "switch/ocs-0/2").err())
                .contains("is held by nobody")
                .hasLineCount(1);
        String own =
                client.namespaces().withName("kube-system").get().getMetadata().getUid() + "/spine";
        light("ocs-0", own, "1", "2");

        TestRun drained = act("drain", "switch/ocs-0/2");
        assertThat(drained.err()).isEmpty();
        assertThat(drained.out()).isEqualToIgnoringNewLines("switch/ocs-0/2 drained");
        assertThat(act("drain", "switch/ocs-0/2").out()).contains("was drained already");
        assertThat(act("undrain", "switch/ocs-0/2").out()).isEqualToIgnoringNewLines("switch/ocs-0/2 undrained");
        client.resources(OpticalSwitch.class).delete();
    }
}
