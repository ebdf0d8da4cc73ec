package dev.lightpath.cli.cluster.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.cluster.access.DriverUse;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChecksTest {
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
    private static final OpticalFabric RING = yaml(OpticalFabric.class, """
        apiVersion: lightpath.dev/v1alpha1
        kind: OpticalFabric
        metadata: {name: ring-a, generation: 2}
        spec:
          ocsTrx: {shape: Ring, reach: 2, gpusPerNode: 4, positions: 4, driver: {endpoint: "d.ns.svc:1"}}
        status:
          conditions:
          - {type: Ready, status: "True", reason: Satisfied, observedGeneration: 2}
          - {type: Connected, status: "True", reason: Connected}
        """);

    @Test
    void refusesAnOldApiServerAndOneWithoutPolicies() {
        assertThat(ApiServerCheck.of("v1.36.1", true).findings()).isEmpty();
        assertThat(lines(ApiServerCheck.of("v1.29.4-gke.1", true)))
                .containsExactly("wrong kube-apiserver is v1.29.4-gke.1");
        assertThat(ApiServerCheck.of("v1.30.0+k3s1", false).result()).isEqualTo(Level.wrong);
    }

    @Test
    void wantsALeaderThatRenewsAndTellsOfAnotherVersion() {
        Deployment deployment = deployment("lightpath-operator:0.1.0", 2);
        Lease lease = lease("2026-11-24T11:59:50.000000Z");
        assertThat(OperatorCheck.of("lightpath-system", deployment, lease, "0.1.0", NOW)
                        .findings())
                .isEmpty();
        assertThat(OperatorCheck.of("lightpath-system", null, lease, "0.1.0", NOW)
                        .findings())
                .as("an operator outside of the cluster")
                .isEmpty();
        assertThat(lines(OperatorCheck.of("lightpath-system", deployment, null, "0.1.0", NOW)))
                .containsExactly("wrong lease/lightpath-system/lightpath-operator is not there: no operator ever led");
        assertThat(lines(OperatorCheck.of(
                        "lightpath-system", deployment, lease("2026-11-24T11:00:00.000000Z"), "0.1.0", NOW)))
                .containsExactly("wrong lease/lightpath-system/lightpath-operator is not renewed: no operator leads");
        assertThat(lines(OperatorCheck.of(
                        "lightpath-system", deployment("r.example/lightpath-operator:0.2.0", 1), lease, "0.1.0", NOW)))
                .containsExactly(
                        "warning deployment/lightpath-system/lightpath-operator 1 of 2 replicas are ready",
                        "warning deployment/lightpath-system/lightpath-operator runs"
                                + " r.example/lightpath-operator:0.2.0, this command is 0.1.0");
    }

    @Test
    void findsGapsDoublesAndLabelsThatAreNoPosition() {
        assertThat(nodes(node("a", "0", 4), node("b", "1", 4), node("c", "2", 4), node("d", "3", 4)))
                .isEmpty();
        assertThat(nodes(node("a", "0", 4), node("b", "0", 4), node("c", "2", 4), node("d", "07", 4)))
                .containsExactly(
                        "wrong opticalfabric/ring-a label lightpath.dev/ring-position is no position: d=07",
                        "wrong opticalfabric/ring-a position 0 is claimed by a, b",
                        "warning opticalfabric/ring-a 2 of 4 positions have no node: 1, 3");
        assertThat(nodes()).singleElement().asString().startsWith("wrong opticalfabric/ring-a no node has a position");
    }

    @Test
    void findsNodesWithoutTheirGpus() {
        assertThat(nodes(node("a", "0", 4), node("b", "1", 2), node("c", "2", 4), node("d", "3", 4)))
                .containsExactly("warning opticalfabric/ring-a 1 nodes do not have 4 nvidia.com/gpu allocatable: b");
        assertThat(nodes(node("a", "0", 0), node("b", "1", 0), node("c", "2", 0), node("d", "3", 0)))
                .containsExactly("wrong opticalfabric/ring-a no node has 4 nvidia.com/gpu allocatable: a, b, c, d");
    }

    @Test
    void repeatsWhatTheOperatorSays() {
        assertThat(ConditionCheck.fabrics(List.of(RING), List.of()).findings()).isEmpty();
        assertThat(ConditionCheck.drivers(List.of(RING), List.of()).findings()).isEmpty();
        OpticalFabric broken = yaml(OpticalFabric.class, """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata: {name: ring-a, generation: 3}
            spec:
              ocsTrx: {shape: Ring, reach: 2, gpusPerNode: 4, positions: 4, driver: {endpoint: "d.ns.svc:1"}}
            status:
              conditions:
              - {type: Ready, status: "False", reason: DriverUnreachable, message: no answer, observedGeneration: 2}
              - {type: Stalled, status: "True", reason: DriverUnreachable}
              - {type: Connected, status: "False", reason: DriverUnreachable, message: no answer}
            """);
        assertThat(lines(ConditionCheck.fabrics(List.of(broken), List.of())))
                .as("that it is not connected is told once, by the other check")
                .containsExactly("warning opticalfabric/ring-a the operator has not yet judged generation 3");
        assertThat(lines(ConditionCheck.drivers(List.of(broken), List.of())))
                .containsExactly("wrong opticalfabric/ring-a is not connected: DriverUnreachable: no answer");
        assertThat(ConditionCheck.fabrics(List.of(RING, broken), List.of()).seen())
                .isEqualTo("Ready: 1 of 2, switches: 0 of 0; for the rest see the check drivers");
        broken.getStatus().conditions().getFirst().setMessage("1 of 1 switch does not answer");
        assertThat(lines(ConditionCheck.fabrics(List.of(broken), List.of())))
                .as("what the other check does not say")
                .contains("wrong opticalfabric/ring-a is not Ready: DriverUnreachable: 1 of 1 switch does not answer");
        assertThat(lines(ConditionCheck.fabrics(List.of(RING), List.of(ocs("ocs-1", "ocs-1", "p0")))))
                .containsExactly("wrong opticalswitch/ocs-1 is of fabric spine, which is not there");
    }

    @Test
    void findsPortsAndDevicesThatAreDescribedTwice() {
        OpticalFabric spine = yaml(OpticalFabric.class, """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata: {name: spine}
            spec:
              ocs:
                pods: [{name: p0, index: 0, ports: 2, gpus: 8}, {name: p1, index: 1, ports: 2, gpus: 8}]
                topology: {logical: {}}
            """);
        List<String> twice = lines(WiringDescriptionCheck.of(
                List.of(spine), List.of(ocs("ocs-1", "device-1", "p0"), ocs("ocs-2", "device-1", "p1")), List.of()));
        assertThat(twice)
                .anyMatch(line -> line.equals(
                        "wrong opticalswitch/ocs-1 is the device device-1 of driver d:1, and so is" + " ocs-2"));
        assertThat(lines(WiringDescriptionCheck.of(List.of(spine), List.of(doubled()), List.of())))
                .anyMatch(line -> line.startsWith("wrong opticalfabric/spine") && line.contains("port 1"));
    }

    @Test
    void tellsWhatIsUnknownOfFibresAndWhatWasFoundOtherwise() {
        OpticalSwitch unknown = yaml(OpticalSwitch.class, """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalSwitch
            metadata: {name: ocs-1}
            spec: {fabric: spine, driver: {endpoint: "d:1", deviceId: ocs-1}, wiring: {unknown: {}}}
            status:
              discovery: {request: now, over: true, findings: ["dead fibre: egress 2 is dark"]}
            """);
        assertThat(lines(WiringDescriptionCheck.of(List.of(), List.of(unknown), List.of())))
                .containsExactly(
                        "warning opticalswitch/ocs-1 its wiring is unknown: nothing is planned on it",
                        "warning opticalswitch/ocs-1 dead fibre: egress 2 is dark");
    }

    @Test
    void wantsARouterWherePodsWaitForRoutes() {
        OpticalFabric waits = yaml(OpticalFabric.class, """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata: {name: ring-a}
            spec:
              ocsTrx: {shape: Ring, reach: 2, gpusPerNode: 4, positions: 4, driver: {endpoint: "d.ns.svc:1"}}
              policy: {routes: {acknowledgement: Required}}
            """);
        ClusterRoleBinding binding = yaml(ClusterRoleBinding.class, """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: router}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lightpath-router}
            subjects: [{kind: ServiceAccount, name: router, namespace: net}]
            """);
        ClusterRoleBinding empty = yaml(ClusterRoleBinding.class, """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: nobody}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lightpath-router}
            """);
        assertThat(lines(RouteCheck.of(List.of(waits), List.of(empty), List.of())))
                .containsExactly(
                        "warning opticalfabric/ring-a pods wait for routes (policy.routes.acknowledgement: Required),"
                                + " and nobody is bound to ClusterRole lightpath-router");
        assertThat(RouteCheck.of(List.of(waits), List.of(binding), List.of()).findings())
                .isEmpty();
        assertThat(RouteCheck.of(List.of(RING), List.of(), List.of()).findings())
                .isEmpty();
    }

    @Test
    void warnsWhereNoNodeHasTheLabelsThatAFabricAsksFor() {
        OpticalFabric asks = yaml(OpticalFabric.class, """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata: {name: ring-a}
            spec:
              ocsTrx: {shape: Ring, reach: 2, gpusPerNode: 4, positions: 1, driver: {endpoint: "d.ns.svc:1"}}
              topologyLabels: {stretchPositions: 1}
            """);
        Node node = node("n0", "0", 4);
        assertThat(lines(NodeCheck.of(List.of(asks), List.of(node))))
                .containsExactly(
                        "warning opticalfabric/ring-a asks for labels of its nodes (spec.topologyLabels), and no"
                                + " node has them");
        node.getMetadata().getLabels().put("lightpath.dev/topology-scale-up", "another");
        assertThat(lines(NodeCheck.of(List.of(asks), List.of(node)))).hasSize(1);
        node.getMetadata().getLabels().put("lightpath.dev/topology-scale-up", "ring-a");
        assertThat(lines(NodeCheck.of(List.of(asks), List.of(node)))).isEmpty();
    }

    @Test
    void countsANodeOnTwoFabricsOnce() {
        assertThat(NodeCheck.of(List.of(RING, RING), List.of(node("n0", "0", 4), node("n1", "1", 4)))
                        .seen())
                .startsWith("2 in their places");
    }

    @Test
    void wantsNetworkPoliciesForWhatRuns() {
        NetworkPolicy policy = yaml(NetworkPolicy.class, """
            apiVersion: networking.k8s.io/v1
            kind: NetworkPolicy
            metadata: {name: lightpath-driver, namespace: lightpath-drivers}
            spec: {podSelector: {matchLabels: {app.kubernetes.io/name: lightpath-driver}}}
            """);
        Map<String, List<String>> wanted = new TreeMap<>(Map.of(
                "lightpath-drivers", List.of("lightpath-driver", "row-b"),
                "lightpath-system", List.of("lightpath-operator")));
        assertThat(lines(ObjectCheck.networkPolicies(List.of(policy), wanted)))
                .hasSize(2)
                .noneMatch(line -> line.contains("pods of lightpath-driver:"));
    }

    @Test
    void tellsOfJobSetWithoutItsController() {
        assertThat(JobSetCheck.of(null, new TreeMap<>(), false).result()).isEqualTo(Level.warning);
    }

    @Test
    void warnsWhereAPrometheusOperatorHasNothingToScrape() {
        assertThat(ObjectCheck.monitoring(false, List.of(), List.of()).findings())
                .isEmpty();
        assertThat(ObjectCheck.monitoring(true, List.of(), List.of("lightpath")).findings())
                .hasSize(1);
    }

    @Test
    void findsTheServiceThatAnEndpointNames() {
        assertThat(use("lightpath-driver.lightpath-drivers.svc:9440").service())
                .contains(new DriverUse.Service("lightpath-drivers", "lightpath-driver"));
        assertThat(use("a.b.svc.cluster.local:1").service()).contains(new DriverUse.Service("b", "a"));
        assertThat(use("10.0.0.7:9440").service()).isEmpty();
        assertThat(use("[::1]:9440").service()).isEmpty();
        assertThat(use("ocs.example.com:9440").service()).isEmpty();
    }

    private static DriverUse use(String endpoint) {
        return new DriverUse("opticalfabric/x", endpoint, java.util.Optional.empty());
    }

    private static List<String> nodes(Node... nodes) {
        return lines(NodeCheck.of(List.of(RING), List.of(nodes)));
    }

    private static List<String> lines(Diagnosis diagnosis) {
        List<String> lines = new ArrayList<>();
        diagnosis
                .findings()
                .forEach(finding -> lines.add(finding.level() + " " + finding.where() + " " + finding.what()));
        return lines;
    }

    private static Node node(String name, String position, int gpus) {
        return yaml(Node.class, """
            apiVersion: v1
            kind: Node
            metadata: {name: %s, labels: {lightpath.dev/ring-position: "%s"}}
            status: {allocatable: {nvidia.com/gpu: "%d"}}
            """.formatted(name, position, gpus));
    }

    private static OpticalSwitch ocs(String name, String device, String pod) {
        return yaml(OpticalSwitch.class, """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalSwitch
            metadata: {name: %s}
            spec:
              fabric: spine
              driver: {endpoint: "d:1", deviceId: %s}
              wiring: {ports: [{ingress: "1", egress: "1", pod: %s, index: 0}]}
            """.formatted(name, device, pod));
    }

    private static OpticalSwitch doubled() {
        return yaml(OpticalSwitch.class, """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalSwitch
            metadata: {name: ocs-1}
            spec:
              fabric: spine
              driver: {endpoint: "d:1", deviceId: ocs-1}
              wiring: {ports: [{ingress: "1", egress: "1", pod: p0, index: 0}, {ingress: "1", egress: "1", pod: p1, index: 0}]}
            """);
    }

    private static Deployment deployment(String image, int ready) {
        return yaml(Deployment.class, """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: lightpath-operator, namespace: lightpath-system}
            spec:
              replicas: 2
              template: {spec: {containers: [{name: operator, image: "%s"}]}}
            status: {readyReplicas: %d}
            """.formatted(image, ready));
    }

    private static Lease lease(String renewed) {
        return yaml(Lease.class, """
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: lightpath-operator, namespace: lightpath-system}
            spec: {holderIdentity: operator-1, renewTime: "%s"}
            """.formatted(renewed));
    }

    private static <T extends HasMetadata> T yaml(Class<T> type, String text) {
        return Serialization.unmarshal(text, type);
    }
}
