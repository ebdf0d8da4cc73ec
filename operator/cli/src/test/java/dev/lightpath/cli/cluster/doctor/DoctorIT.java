package dev.lightpath.cli.cluster.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.TestRun;
import dev.lightpath.cli.cluster.AccountKubeconfig;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A whole installation as the API server holds it; each test breaks one thing of it, and mends it again. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoctorIT {
    private static final Path DEPLOY = Path.of(System.getProperty("basedir", "."), "../../deploy/kubernetes");
    private static final String HOME = "lightpath-system";
    private static final String DRIVERS = "lightpath-drivers";

    private KubernetesClient client;
    private Path kubeconfig;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        client = server.client();
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeConfigYaml());
        apply(DEPLOY.resolve("access/namespace.yaml"), "");
        try (Stream<Path> files = Files.list(DEPLOY.resolve("access"))) {
            for (Path file : files.filter(each -> !each.endsWith("kustomization.yaml"))
                    .sorted()
                    .toList()) {
                apply(file, HOME);
            }
        }
        apply(DEPLOY.resolve("operator/deployment.yaml"), HOME);
        apply(DEPLOY.resolve("operator/networkpolicy.yaml"), HOME);
        apply(DEPLOY.resolve("driver/deployment.yaml"), DRIVERS);
        apply(DEPLOY.resolve("driver/networkpolicy.yaml"), DRIVERS);
        for (Secret secret : CertificateCheckTest.secrets(folder.resolve("authority")).values().stream()
                .map(made -> made.orElseThrow())
                .toList()) {
            client.resource(secret).serverSideApply();
        }
        for (String document : OBJECTS.formatted(
                        ZonedDateTime.now(ZoneOffset.UTC).plusHours(1).withNano(1000))
                .split("(?m)^---$")) {
            client.load(stream(document))
                    .items()
                    .forEach(object -> client.resource(object).serverSideApply());
        }
        client.apps()
                .deployments()
                .inNamespace(HOME)
                .withName("lightpath-operator")
                .editStatus(deployment -> {
                    deployment.setStatus(new DeploymentStatusBuilder()
                            .withReplicas(2)
                            .withReadyReplicas(2)
                            .build());
                    return deployment;
                });
        client.apps()
                .deployments()
                .inNamespace(HOME)
                .withName("lightpath-operator")
                .edit(deployment -> {
                    deployment
                            .getSpec()
                            .getTemplate()
                            .getSpec()
                            .getContainers()
                            .getFirst()
                            .setImage("lightpath-operator:0.1.0");
                    return deployment;
                });
        client.apps()
                .deployments()
                .inNamespace(DRIVERS)
                .withName("lightpath-driver")
                .editStatus(set -> {
                    set.setStatus(new DeploymentStatusBuilder()
                            .withReplicas(1)
                            .withReadyReplicas(1)
                            .build());
                    return set;
                });
        client.resources(OpticalFabric.class).withName("ring-a").editStatus(fabric -> {
            fabric.setStatus(client.getKubernetesSerialization().unmarshal(stream("""
                conditions:
                - {type: Ready, status: "True", reason: Satisfied, message: "", lastTransitionTime: "2026-11-21T07:00:00Z"}
                - {type: Connected, status: "True", reason: Connected, message: "", lastTransitionTime: "2026-11-21T07:00:00Z"}
                """), OpticalFabricStatus.class));
            return fabric;
        });
        for (int position = 0; position < 4; position++) {
            Node node = client.resource(
                            client.getKubernetesSerialization().unmarshal(stream("""
                                apiVersion: v1
                                kind: Node
                                metadata: {name: n%1$d, labels: {lightpath.dev/ring-position: "%1$d"}}
                                """.formatted(position)), Node.class))
                    .create();
            node.setStatus(new NodeStatusBuilder()
                    .addToAllocatable("nvidia.com/gpu", new Quantity("4"))
                    .addToCapacity("nvidia.com/gpu", new Quantity("4"))
                    .build());
            client.resource(node).updateStatus();
        }
    }

    /** What the shipped manifests have not: who leads, who may use light, JobSet, a fabric. */
    private static final String OBJECTS = """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: lightpath-operator, namespace: lightpath-system}
        spec: {holderIdentity: operator-1, renewTime: "%s"}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: light}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lightpath-use}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: system:authenticated}]
        ---
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: jobsets.jobset.x-k8s.io, annotations: {api-approved.kubernetes.io: "https://example"}}
        spec:
          group: jobset.x-k8s.io
          names: {kind: JobSet, plural: jobsets}
          scope: Namespaced
          versions: [{name: v1alpha2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingWebhookConfiguration
        metadata: {name: jobset}
        webhooks:
        - name: jobset.example.dev
          admissionReviewVersions: [v1]
          sideEffects: None
          clientConfig: {service: {namespace: jobset-system, name: webhook}}
          rules: [{apiGroups: [jobset.x-k8s.io], apiVersions: [v1alpha2], operations: [CREATE], resources: [jobsets]}]
        ---
        apiVersion: v1
        kind: Namespace
        metadata: {name: jobset-system}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: webhook-1, namespace: jobset-system, labels: {kubernetes.io/service-name: webhook}}
        addressType: IPv4
        endpoints: [{addresses: [10.1.1.1], conditions: {ready: true}}]
        ---
        apiVersion: lightpath.dev/v1alpha1
        kind: OpticalFabric
        metadata: {name: ring-a}
        spec:
          ocsTrx:
            shape: Ring
            reach: 2
            gpusPerNode: 4
            positions: 4
            driver: {endpoint: "lightpath-driver.lightpath-drivers.svc:9440", tls: {secretName: lightpath-driver-client}}
        """;

    @AfterAll
    void close() {
        client.close();
    }

    @Test
    void findsAllInOrder() {
        TestRun run = doctor();
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.out()).contains("all 16 checks are ok").doesNotContain("warning");
        assertThat(doctor("-o", "json").json().at("/result").asText()).isEqualTo("ok");
    }

    @Test
    void refusesAFabricThatIsNotThere() {
        TestRun run = doctor("--fabric", "ring-z");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).isEqualToIgnoringNewLines("lightpath: --fabric ring-z: there is no such OpticalFabric");
    }

    @Test
    void findsADefinitionThatIsOlder() {
        var definitions =
                client.apiextensions().v1().customResourceDefinitions().withName("fabricslices.lightpath.dev");
        broken(
                definitions.get(),
                () -> definitions.edit(definition -> {
                    definition
                            .getSpec()
                            .getVersions()
                            .getFirst()
                            .getSchema()
                            .getOpenAPIV3Schema()
                            .getProperties()
                            .get("status")
                            .getProperties()
                            .remove("observedRevision");
                    return definition;
                }),
                "wrong definitions customresourcedefinition/fabricslices.lightpath.dev: is older than this command:"
                        + " the API server drops .status.observedRevision");
    }

    @Test
    void findsJobSetWithoutItsController() {
        var slices = client.discovery()
                .v1()
                .endpointSlices()
                .inNamespace("jobset-system")
                .withName("webhook-1");
        broken(
                slices.get(),
                slices::delete,
                "wrong jobset service/jobset-system/webhook: JobSet's controller has no ready pod");
    }

    /** As a cluster has it when the controller is scaled to none: the slice stays, and names nobody. */
    @Test
    void findsJobSetWithoutItsControllerByAServiceThatHasNoPod() {
        var slices = client.discovery()
                .v1()
                .endpointSlices()
                .inNamespace("jobset-system")
                .withName("webhook-1");
        broken(
                slices.get(),
                () -> {
                    EndpointSlice nobody = slices.edit(slice -> {
                        slice.setEndpoints(List.of());
                        return slice;
                    });
                    assertThat(client.raw(
                                    "/apis/discovery.k8s.io/v1/namespaces/jobset-system/endpointslices/webhook-1"))
                            .as(nobody.toString())
                            .contains("\"endpoints\":null");
                },
                "wrong jobset service/jobset-system/webhook: JobSet's controller has no ready pod");
    }

    @Test
    void findsThatNobodyLeads() {
        var lease = client.leases().inNamespace(HOME).withName("lightpath-operator");
        broken(lease.get(), lease::delete, "wrong operator lease/lightpath-system/lightpath-operator: is not there");
    }

    @Test
    void findsAPolicyThatIsNotInForce() {
        var policy = client.admissionRegistration()
                .v1()
                .validatingAdmissionPolicyBindings()
                .withName("lightpath-ledger");
        broken(
                policy.get(),
                policy::delete,
                "wrong policies validatingadmissionpolicy/lightpath-ledger: has no binding of its name");
    }

    @Test
    void findsAnOperatorWithoutItsRole() {
        var binding = client.rbac().clusterRoleBindings().withName("lightpath-operator");
        broken(
                binding.get(),
                binding::delete,
                "wrong roles clusterrolebinding/lightpath-operator: gives ClusterRole lightpath-operator to no");
    }

    @Test
    void findsADriverThatIsNotReady() {
        var set = client.apps().deployments().inNamespace(DRIVERS).withName("lightpath-driver");
        try {
            set.editStatus(driver -> {
                driver.getStatus().setReadyReplicas(0);
                return driver;
            });
            assertFinds("wrong driver-pods deployment/lightpath-drivers/lightpath-driver: has no ready pod");
        } finally {
            set.editStatus(driver -> {
                driver.getStatus().setReadyReplicas(1);
                return driver;
            });
        }
    }

    @Test
    void findsThatACertificateIsMissing() {
        var secret = client.secrets().inNamespace(HOME).withName("lightpath-driver-client");
        broken(
                secret.get(),
                secret::delete,
                "wrong certificates secret/lightpath-system/lightpath-driver-client: is not there, named by"
                        + " opticalfabric/ring-a");
    }

    @Test
    void findsAPositionThatTwoNodesClaim() {
        var node = client.nodes().withName("n3");
        try {
            position("n3", "2");
            assertFinds("wrong nodes opticalfabric/ring-a: position 2 is claimed by n2, n3");
        } finally {
            position("n3", "3");
        }
        assertThat(node.get().getMetadata().getLabels()).containsEntry("lightpath.dev/ring-position", "3");
    }

    @Test
    void findsThatNoNetworkPolicyProtectsTheDriver() {
        var policy =
                client.network().v1().networkPolicies().inNamespace(DRIVERS).withName("lightpath-driver");
        broken(
                policy.get(),
                policy::delete,
                "warning network-policies namespace/lightpath-drivers: no NetworkPolicy is for");
    }

    @Test
    void findsTwoFabricsThatDoNotAgreeOnADriver() {
        OpticalFabric other = client.getKubernetesSerialization().unmarshal(stream("""
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata: {name: ring-b}
            spec:
              ocsTrx:
                shape: Line
                reach: 2
                gpusPerNode: 4
                positionLabel: example.com/other
                driver: {endpoint: "lightpath-driver.lightpath-drivers.svc:9440"}
            """), OpticalFabric.class);
        try {
            client.resource(other).create();
            assertFinds("wrong wiring opticalfabric/ring-b: driver lightpath-driver.lightpath-drivers.svc:9440");
            assertThat(doctor("--fabric", "ring-a").exitCode()).isZero();
        } finally {
            client.resource(other).delete();
        }
    }

    /** Only Secrets need more than the shipped role. */
    /** Nothing is said to be well of what could not be read. */
    @Test
    void whoMayReadNothingIsToldThatNothingWasLookedAt() throws IOException {
        client.load(stream("""
                        apiVersion: v1
                        kind: ServiceAccount
                        metadata: {name: nobody, namespace: default}
                        """))
                .items()
                .forEach(object -> client.resource(object).serverSideApply());
        Path nobody = AccountKubeconfig.write(
                        client, "default", "nobody", kubeconfig.resolveSibling("nobody.kubeconfig"))
                .file();
        TestRun run = TestRun.of("doctor", "--kubeconfig", nobody.toString());
        for (String check : List.of("fabrics", "drivers", "certificates", "wiring", "routes")) {
            assertThat(run.out().lines().filter(line -> line.contains(" " + check + " ")))
                    .as(run.out())
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("warning") && line.contains("this was not looked at"));
        }
    }

    @Test
    void theShippedRoleSeesAllButSecrets() throws IOException, InterruptedException {
        for (String document : """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: doctor, namespace: default}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: doctor}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lightpath-doctor}
            subjects: [{kind: ServiceAccount, name: doctor, namespace: default}]
            """.split("(?m)^---$")) {
            client.load(stream(document))
                    .items()
                    .forEach(object -> client.resource(object).serverSideApply());
        }
        Path file = AccountKubeconfig.write(client, "default", "doctor", kubeconfig.resolveSibling("doctor.kubeconfig"))
                .file();
        TestRun run = TestRun.of("doctor", "--kubeconfig", file.toString());
        for (int tries = 0; run.out().contains("kube-apiserver: this was not looked at") && tries < 300; tries++) {
            Thread.sleep(100); // roles hold a moment after they were written
            run = TestRun.of("doctor", "--kubeconfig", file.toString());
        }
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.out().lines().filter(line -> line.startsWith("warning")))
                .allMatch(line -> line.contains("was not looked at: you may not read it"))
                .hasSize(2);
    }

    private void broken(HasMetadata whole, Runnable harm, String line) {
        try {
            harm.run();
            assertFinds(line);
        } finally {
            whole.getMetadata().setManagedFields(null);
            whole.getMetadata().setResourceVersion(null);
            whole.getMetadata().setUid(null);
            client.resource(whole).forceConflicts().serverSideApply();
        }
    }

    private void assertFinds(String line) {
        TestRun run = doctor();
        assertThat(run.out().replaceAll(" +", " ")).contains(line);
        assertThat(run.exitCode()).isEqualTo(line.startsWith("wrong") ? 1 : 0);
    }

    private void position(String node, String position) {
        client.nodes().withName(node).edit(of -> {
            of.getMetadata().getLabels().put("lightpath.dev/ring-position", position);
            return of;
        });
    }

    private TestRun doctor(String... arguments) {
        List<String> all = new ArrayList<>(List.of("doctor", "--kubeconfig", kubeconfig.toString()));
        all.addAll(Arrays.asList(arguments));
        return TestRun.of(all.toArray(String[]::new));
    }

    private void apply(Path file, String namespace) throws IOException {
        try (InputStream yaml = new FileInputStream(file.toFile())) {
            for (HasMetadata object : client.load(yaml).items()) {
                if (!namespace.isEmpty()
                        && object instanceof Namespaced
                        && object.getMetadata().getNamespace() == null) {
                    object.getMetadata().setNamespace(namespace);
                }
                client.resource(object).serverSideApply();
            }
        }
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
