package dev.lightpath.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.whole.Installation;
import dev.lightpath.cli.TestRun;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.Discovery;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.PortWiring;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two pods of four ports each on a two-sided and on an any-to-any switch, of which nobody wrote down where the fibres
 * lead. On the first two fibres are crossed and one is cut.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DiscoverIT {
    private static final int NODES = 8;
    private static final int PORTS = 4;
    private static final int EGRESS = 2 * PORTS;

    private Installation all;
    private Path folder;
    private Path kubeconfig;

    @BeforeAll
    void install(ApiServer server, @TempDir Path files) throws IOException {
        folder = files;
        List<String> fibres = new ArrayList<>();
        for (int pod = 0; pod < 2; pod++) {
            for (int end = 1; end <= PORTS; end++) {
                int port = pod * PORTS + end;
                // the fibres from the pods to ingress ports 2 and 6 are crossed
                int ingress = port == 2 ? 6 : port == 6 ? 2 : port;
                fibres.add("{from: unit-%d/%d, to: two/%d}".formatted(pod, end, ingress));
                fibres.add("{from: two/%d, to: unit-%d/%d}".formatted(EGRESS + port, pod, end));
                fibres.add("{a: unit-%d/%d, b: any/%d}".formatted(pod, PORTS + end, 9 - port));
            }
        }
        all = new Installation(server, Files.createDirectories(folder.resolve("operator")), NODES, """
                , devices: [{id: unit-, count: 2, kind: endpoints, ports: %d},
                  {id: two, kind: switch, ports: %d, twoSided: true, preset: mems},
                  {id: any, kind: switch, ports: %d, twoSided: false, preset: mems}], fibres: [%s]\
                """.formatted(
                        2 * PORTS, 2 * EGRESS, EGRESS, String.join(", ", fibres)));
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeConfigYaml());
        cut("two", "4");
        for (int node = 0; node < NODES; node++) {
            String pod = "unit-" + node * 2 / NODES;
            all.client
                    .nodes()
                    .withName("n" + node)
                    .edit(read -> new NodeBuilder(read)
                            .editMetadata()
                            .addToLabels("lightpath.dev/pod", pod)
                            .endMetadata()
                            .build());
        }
        describe("two");
        describe("any");
        all.start();
    }

    /** Two-sided and any-to-any switches are of fabrics of their own. */
    private void describe(String name) {
        all.client
                .resource(read(OpticalSwitch.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalSwitch
                metadata: {name: %s}
                spec: {fabric: dc-%s, driver: {endpoint: "%s", deviceId: %s}, wiring: {unknown: {}}}
                """.formatted(name, name, all.driver(), name)))
                .serverSideApply();
        all.client
                .resource(read(OpticalFabric.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: dc-%s}
                spec:
                  ocs:
                    gpusPerNode: 4
                    podLabel: %s
                    topology: {logical: {}}
                    pods: [{name: unit-0, index: 0, ports: 4, gpus: 16}, {name: unit-1, index: 1, ports: 4, gpus: 16}]
                  policy: {faults: {clearSeconds: 1}, massFailure: {percent: 100}}
                """.formatted(
                                name, name.equals("two") ? "lightpath.dev/pod" : "example.com/pod")))
                .create();
    }

    private <T> T read(Class<T> type, String yaml) {
        return all.client.getKubernetesSerialization().unmarshal(yaml, type);
    }

    private void cut(String device, String port) {
        all.chaos.injectFault(InjectFaultRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_FIBRE_CUT)
                .setDeviceId(device)
                .setPort(port)
                .build());
    }

    @AfterAll
    void uninstall() throws IOException {
        all.close();
    }

    private TestRun run(String... arguments) {
        List<String> with = new ArrayList<>(Arrays.asList(arguments));
        with.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        return TestRun.of(with.toArray(String[]::new));
    }

    @Test
    @Order(1)
    void findsWhereTheFibresOfATwoSidedSwitchLead() {
        TestRun run = run("discover", "fabric/dc-two", "--wait", "--timeout", "5", "--write", folder.toString());
        assertThat(run.err()).contains("switch/two: the operator is asked to find its fibres");
        assertThat(run.err()).contains("; over").contains("two.yaml written");
        Discovery found = discovery("two");
        assertThat(found.ports()).hasSize(2 * EGRESS);
        assertThat(found.circuits()).isLessThanOrEqualTo(2 * 2 * EGRESS);
        assertThat(lit()).as("nothing is left lit").isEmpty();
        assertThat(run.out()).contains("one way: unit-0/4 was found at egress 12 alone");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(wiring())
                .as("the cut fibre is left out, the crossed ones are where they lead")
                .containsExactly(
                        "1-9 unit-0 0",
                        "6-10 unit-0 1",
                        "3-11 unit-0 2",
                        "5-13 unit-1 0",
                        "2-14 unit-1 1",
                        "7-15 unit-1 2",
                        "8-16 unit-1 3");
    }

    @Test
    @Order(2)
    void whatItWroteCarriesAJob() throws IOException {
        String manifest = Files.readString(folder.resolve("two.yaml"));
        all.client.resources(OpticalFabric.class).withName("dc-two").patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"spec": {"ocs": {"pods": [{"name": "unit-0", "index": 0, "ports": 3, "gpus": 16},
                         {"name": "unit-1", "index": 1, "ports": 4, "gpus": 16}]}}}""");
        all.client.resource(read(OpticalSwitch.class, manifest)).serverSideApply();
        all.eventually(
                "the wiring is as it was found",
                () -> assertThat(discovery("two").findings()).noneMatch(line -> line.startsWith("crossed")));
        all.apply(
                "job",
                "{model: {preset: gpt-7b}, parallelism: {tensor: 8, pipeline: 2}, reconfiguration: Live,"
                        + " scaleUp: {fabric: ring-a}, scaleOut: {fabric: dc-two, stagesPerPod: 1}}");
        all.awaitReady("job");
        assertThat(lit()).isNotEmpty();
    }

    /** Beside the job: what is in use is left alone. */
    @Test
    @Order(3)
    void checksAFabricAsWritten() {
        SortedSet<String> before = lit();
        OpticalSwitch two =
                all.client.resources(OpticalSwitch.class).withName("two").get();
        TestRun run = run("discover", "fabric/dc-two", "--again", "--wait", "--timeout", "5", "-o", "json");
        assertThat(run.json().at("/switches/0/over").asBoolean()).isTrue();
        assertThat(run.out()).doesNotContain("crossed").doesNotContain("wrong pod");
        assertThat(lit()).isEqualTo(before);
        assertThat(all.says("job", "Ready")).isEqualTo("True Satisfied");
        assertThat(two.getSpec().wiring().ports()).hasSize(7);
    }

    @Test
    @Order(4)
    void tellsThePortsOfAnAnyToAnySwitchApart() {
        TestRun run = run("discover", "fabric/dc-any", "--wait", "--timeout", "5", "-o", "yaml");
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        List<PortWiring> ports =
                read(OpticalSwitch.class, run.out()).getSpec().wiring().ports();
        assertThat(ports)
                .extracting(port -> port.ingress() + " " + port.pod() + " " + port.index())
                .containsExactly(
                        "8 unit-0 0",
                        "7 unit-0 1",
                        "6 unit-0 2",
                        "5 unit-0 3",
                        "4 unit-1 0",
                        "3 unit-1 1",
                        "2 unit-1 2",
                        "1 unit-1 3");
        assertThat(discovery("any").circuits()).isLessThanOrEqualTo(2 * EGRESS);
    }

    @Test
    @Order(5)
    void refusesWhatItCannotLookFor() {
        assertThat(run("discover", "fabric/ring-a").err()).contains("has no optical switches");
        assertThat(run("discover", "fabric/dc-two", "--switch", "three").err()).contains("two");
        assertThat(run("discover", "fabric/dc-any", "--stop").out()).contains("switch/any stopped");
        assertThat(run("discover", "fabric/dc-any", "--stop").out()).contains("was not asked for");
    }

    private Discovery discovery(String name) {
        return all.client
                .resources(OpticalSwitch.class)
                .withName(name)
                .get()
                .getStatus()
                .discovery();
    }

    private List<String> wiring() {
        try {
            return read(OpticalSwitch.class, Files.readString(folder.resolve("two.yaml")))
                    .getSpec()
                    .wiring()
                    .ports()
                    .stream()
                    .map(port -> port.ingress() + "-" + port.egress() + " " + port.pod() + " " + port.index())
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Circuits of the two-sided switch. */
    private SortedSet<String> lit() {
        SortedSet<String> lit = new TreeSet<>();
        all.chaos.getGroundTruth(GetGroundTruthRequest.getDefaultInstance()).getDevicesList().stream()
                .filter(device -> device.getDeviceId().equals("two"))
                .forEach(device -> device.getCircuitsList()
                        .forEach(circuit -> lit.add(circuit.getIngress() + "-" + circuit.getEgress())));
        return lit;
    }
}
