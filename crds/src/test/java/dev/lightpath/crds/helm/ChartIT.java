package dev.lightpath.crds.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.helm.Programs.Outcome;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the chart renders: the same as the overlays, and what an API server takes. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // a server that does not start is said once
class ChartIT {
    /** The server has no definitions of these kinds. */
    private static final Set<String> OF_OTHERS = Set.of("Certificate", "ClusterIssuer", "PodMonitor", "PrometheusRule");

    private static final String TWO_DRIVERS = """
        {"lightpath-driver": {}, "row-b": {
          "config": {"adapters": [{"kind": "emulator", "endpoint": "elsewhere:9450"}]},
          "secrets": ["row-b.login"], "storage": {"size": "2Gi", "className": "fast", "shared": true},
          "resources": {"limits": {"memory": "3Gi"}}, "nodeSelector": {"row": "b"},
          "tolerations": [{"key": "rack", "operator": "Exists"}]}}\
        """;

    private final ApiServer server;

    @TempDir
    Path folder;

    ChartIT(ApiServer server) {
        this.server = server;
    }

    private Programs programs() {
        return new Programs(folder, server.kubeConfigYaml());
    }

    @BeforeAll
    void prepare() throws IOException, InterruptedException {
        Programs.prepare();
        try (KubernetesClient client = server.client()) {
            for (String name : List.of("lightpath-system", "lightpath-drivers")) {
                client.resource(namespace(name, "warn")).serverSideApply();
            }
            // as its manifest says: agents are pods that no stricter level allows
            ApiServer.namespace(client, "lightpath-agents");
        }
    }

    /** @param mode what becomes of pods that are not restricted: enforce refuses them, warn also warns of workloads */
    private static Namespace namespace(String name, String mode) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Map.of("pod-security.kubernetes.io/" + mode, "restricted"))
                .endMetadata()
                .build();
    }

    @Test
    void passesLint() throws IOException, InterruptedException {
        programs().helm("lint", "--strict", Programs.CHART.toString()).expectSuccess();
    }

    @Test
    void rendersWhatTheOverlaysAre() throws IOException, InterruptedException {
        Objects overlay = programs().kustomize("default");
        Objects chart = programs().template("--set=certificates.source=Existing");
        assertSame(chart, overlay);
    }

    @ParameterizedTest
    @ValueSource(strings = {"operator", "driver", "emulator", "agent"})
    void aFolderAloneNamesTheVersionOfItsImage(String folder) throws IOException, InterruptedException {
        assertThat(programs()
                        .kubectl("kustomize", Programs.KUSTOMIZE.resolve(folder).toString())
                        .expectSuccess())
                .containsPattern("image: lightpath-[a-z]+:[0-9]")
                .doesNotContainPattern("image: lightpath-[a-z]+\\s");
    }

    @Test
    void rendersTheAgentsOfTheirFolder() throws IOException, InterruptedException {
        Objects overlay = programs().kustomize("default").and(programs().kustomize("agent"));
        Objects chart = programs().template("--set=certificates.source=Existing,agent.enabled=true");
        assertSame(chart, overlay);
    }

    @Test
    void rendersTheWorkersOfTheirComponent() throws IOException, InterruptedException {
        Path overlay = Files.createDirectory(folder.resolve("with-workers"));
        Path manifests = overlay.toRealPath()
                .relativize(Programs.CHART.resolve("kubernetes").toRealPath());
        Files.writeString(
                overlay.resolve("kustomization.yaml"),
                "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [" + manifests
                        + "/default]\ncomponents: [" + manifests + "/solver]\n");
        Objects expected =
                Objects.read(programs().kubectl("kustomize", overlay.toString()).expectSuccess());
        Objects chart = programs().template("--set=certificates.source=Existing,solver.workers=2");
        for (Objects each : List.of(expected, chart)) {
            JsonNode pod =
                    each.get("Deployment lightpath-system/lightpath-operator").at("/spec/template/spec");
            // a patch goes before what it is merged with
            List.of("/containers/0/env", "/containers/0/volumeMounts", "/volumes")
                    .forEach(list -> sortByName((ArrayNode) pod.at(list)));
        }
        assertSame(chart, expected);
    }

    private static void sortByName(ArrayNode list) {
        List<JsonNode> sorted = new ArrayList<>();
        list.forEach(sorted::add);
        sorted.sort(Comparator.comparing(each -> each.get("name").asText()));
        list.removeAll().addAll(sorted);
    }

    @Test
    void workersAreAsManyAndAsLargeAsAsked() throws IOException, InterruptedException {
        Objects chart = programs()
                .template(
                        "--set=solver.workers=5,solver.searches=7,solver.memoryMebibytes=900",
                        "--set=solver.resources.limits.memory=9Gi,solver.nodeSelector.role=infra",
                        "--set=operator.image=registry.example/operator:2");
        JsonNode workers = chart.get("Deployment lightpath-system/lightpath-solver");
        assertThat(workers.at("/spec/replicas").asInt()).isEqualTo(5);
        JsonNode pod = workers.at("/spec/template/spec");
        assertThat(pod.at("/containers/0/args").toString())
                .isEqualTo("[\"--searches\",\"7\",\"--memory\",\"900\",\"--tls\",\"/etc/lightpath-tls\","
                        + "\"--caller\",\"lightpath-operator\",\"--scraper\",\"lightpath-scraper\"]");
        assertThat(pod.at("/containers/0/command").toString())
                .contains("\"-Xmx1152m\"")
                .containsOnlyOnce("-Xmx");
        assertThat(pod.at("/containers/0/image").asText()).isEqualTo("registry.example/operator:2");
        assertThat(pod.at("/containers/0/resources/limits/memory").asText()).isEqualTo("9Gi");
        assertThat(pod.at("/nodeSelector/role").asText()).isEqualTo("infra");
        assertThat(pod.at("/automountServiceAccountToken").asBoolean(true)).isFalse();
        JsonNode policy =
                chart.get("NetworkPolicy lightpath-system/lightpath-solver").get("spec");
        assertThat(policy.get("policyTypes").toString()).isEqualTo("[\"Ingress\",\"Egress\"]");
        assertThat(policy.has("egress")).isFalse();
        chart.get("Secret lightpath-system/lightpath-solver-tls");
        assertThat(programs().template().all().keySet()).noneMatch(key -> key.contains("solver"));
    }

    @Test
    void agentsHaveACertificateOfTheChart() throws IOException, InterruptedException {
        assertThat(programs().template("--set=agent.enabled=true").all())
                .containsKeys(
                        "Secret lightpath-agents/lightpath-agent-tls",
                        "Secret lightpath-system/lightpath-agent-scraper");
    }

    @Test
    void agentsAndWorkersAreScrapedWithSecretsThatAreThere() throws IOException, InterruptedException {
        Objects chart = programs()
                .template(
                        "--set=agent.enabled=true,solver.workers=2,monitoring.podMonitors=true,drivers.lightpath-driver=null"
                                + ",drivers.row-b.image=");
        for (String name : List.of("lightpath-agent", "lightpath-solver", "row-b")) {
            JsonNode tls = chart.get("PodMonitor lightpath-system/" + name).at("/spec/podMetricsEndpoints/0/tlsConfig");
            String secret = tls.at("/keySecret/name").asText();
            assertThat(secret).isEqualTo(name.equals("lightpath-solver") ? "row-b-scraper" : name + "-scraper");
            assertThat(chart.all()).containsKey("Secret lightpath-system/" + secret);
        }
        assertThat(programs()
                        .template("--set=monitoring.podMonitors=true")
                        .all()
                        .keySet())
                .noneMatch(key -> key.contains("lightpath-agent") || key.contains("lightpath-solver"));
    }

    @Test
    void rendersTheEmulatorAndMonitoringOfTheOverlays() throws IOException, InterruptedException {
        Objects overlay = programs().kustomize("emulated").and(programs().kustomize("monitoring"));
        Objects chart = programs()
                .template(
                        "--set=certificates.source=Existing,emulator.enabled=true",
                        "--set=monitoring.podMonitors=true,monitoring.prometheusRule=true,monitoring.dashboards=true");
        assertSame(chart, overlay);
    }

    @Test
    void anEmulatorOfAnyScenarioIsFoundByItsDriver() throws IOException, InterruptedException {
        assertThat(programs()
                        .template("--set=emulator.enabled=true,emulator.scenario.seed=3")
                        .get("ConfigMap lightpath-drivers/lightpath-emulator")
                        .at("/data/scenario.yaml")
                        .asText()
                        .lines())
                .contains("listen: 0.0.0.0:9450", "seed: 3")
                .noneMatch(line -> line.startsWith("ring"));
    }

    @Test
    void alertsAndDashboardsLeadToRunbooksAndConsoleOfTheInstallation() throws IOException, InterruptedException {
        Objects chart = programs()
                .template(
                        "--set=monitoring.prometheusRule=true,monitoring.dashboards=true,monitoring.ports=true",
                        "--set=monitoring.runbooks=https://wiki.example/pages,monitoring.console=https://light.example/console");
        String monitoring = chart.yaml();
        assertThat(monitoring)
                .contains(
                        "https://wiki.example/pages/LightpathWaste.md",
                        "https://light.example/console/#/fabric/",
                        "lightpath-driver-ports")
                .doesNotContain("lightpath.example");
    }

    @Test
    void rendersTheCertificatesOfTheComponent() throws IOException, InterruptedException {
        Objects chart = programs().template("--set=certificates.source=CertManager");
        Objects certificates =
                Objects.read(Files.readString(Programs.CHART.resolve("kubernetes/cert-manager/certificates.yaml")));
        certificates
                .all()
                .forEach((key, object) ->
                        assertThat(chart.get(key).get("spec")).as(key).isEqualTo(object.get("spec")));
        assertThat(chart.all().keySet()).noneMatch(key -> key.startsWith("Secret "));
    }

    @Test
    void theOperatorMayLabelNodesOnlyWhereThatIsEnabled() throws IOException, InterruptedException {
        List<String> rights =
                List.of("ClusterRole /lightpath-topology-labels", "ClusterRoleBinding /lightpath-topology-labels");
        assertThat(programs().template().all().keySet()).doesNotContainAnyElementsOf(rights);
        assertThat(programs()
                        .template("--set=topologyLabels.enabled=true")
                        .all()
                        .keySet())
                .containsAll(rights);
    }

    @Test
    void replicasShareFabricsOnlyWhereThatIsEnabled() throws IOException, InterruptedException {
        List<String> rights = List.of(
                "Role lightpath-system/lightpath-shared-fabrics",
                "RoleBinding lightpath-system/lightpath-shared-fabrics");
        String operator = "Deployment lightpath-system/lightpath-operator";
        Objects alone = programs().template();
        assertThat(alone.all().keySet()).doesNotContainAnyElementsOf(rights);
        assertThat(alone.get(operator).toString()).doesNotContain("LIGHTPATH_SHARE_FABRICS");
        Objects shared = programs().template("--set=sharedFabrics.enabled=true");
        assertThat(shared.all().keySet()).containsAll(rights);
        assertThat(shared.get(operator).toString()).contains("LIGHTPATH_SHARE_FABRICS");
        assertThat(shared.get("Deployment lightpath-drivers/lightpath-driver").toString())
                .doesNotContain("LIGHTPATH_SHARE_FABRICS");
    }

    /** All that differs is listed here: Helm makes the operator's namespace, and no names with hashes. */
    private static void assertSame(Objects chart, Objects overlay) throws IOException {
        overlay.all().remove("Namespace /lightpath-system");
        Objects expected =
                Objects.read(overlay.yaml().replaceAll("(lightpath-(driver|emulator|agent))-[a-z0-9]{10}\\b", "$1"));
        chart.all().values().forEach(ChartIT::removeWhatIsHelms);
        assertThat(chart.all().keySet()).isEqualTo(expected.all().keySet());
        expected.all()
                .forEach((key, object) -> assertThat(chart.get(key)).as(key).isEqualTo(object));
    }

    private static void removeWhatIsHelms(JsonNode object) {
        removeAnnotation(object.get("metadata"), "helm.sh/resource-policy");
        removeAnnotation(object.at("/spec/template/metadata"), "checksum/config");
    }

    private static void removeAnnotation(JsonNode metadata, String name) {
        if (metadata.get("annotations") instanceof ObjectNode annotations) {
            annotations.remove(name);
            if (annotations.isEmpty()) {
                ((ObjectNode) metadata).remove("annotations");
            }
        }
    }

    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of("default", List.of()),
                Arguments.of("cert-manager", List.of("--set=certificates.source=CertManager")),
                Arguments.of("two drivers", List.of("--set-json=drivers=" + TWO_DRIVERS)),
                Arguments.of(
                        "everything",
                        List.of(
                                "--set=emulator.enabled=true,agent.enabled=true,monitoring.podMonitors=true,monitoring.prometheusRule=true",
                                "--set=monitoring.dashboards=true,monitoring.labels.release=prometheus",
                                "--set=solver.workers=2",
                                "--set=image.registry=registry.example/optics,image.pullPolicy=Always",
                                "--set=image.pullSecrets[0]=pull,operator.driverSecrets[0]=row-b-client",
                                "--set=operator.resources.limits.memory=4Gi,operator.nodeSelector.role=infra,topologyLabels.enabled=true,sharedFabrics.enabled=true",
                                "--set-json=operator.tolerations=[{\"operator\":\"Exists\"}]")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("values")
    void serverTakesEveryObject(String name, List<String> values) throws IOException, InterruptedException {
        Objects rendered = programs().template(values.toArray(String[]::new)).without(OF_OTHERS);
        assertThat(rendered.all()).as(name).hasSizeGreaterThan(40);
        assertTaken(rendered);
    }

    @Test
    void serverTakesThePodOfHelmTestWhereOnlyRestrictedPodsRun() throws IOException, InterruptedException {
        Objects test = Objects.read(programs()
                .helm(
                        "template",
                        "lightpath",
                        Programs.CHART.toString(),
                        "--namespace=lightpath-tested",
                        "--set=agent.enabled=true",
                        "--show-only=templates/tests/doctor.yaml")
                .expectSuccess());
        try (KubernetesClient client = server.client()) {
            client.resource(namespace("lightpath-tested", "enforce")).serverSideApply();
        }
        // a pod is refused without its service account, and a dry run makes none
        programs()
                .kubectl("create", "serviceaccount", "lightpath-test", "--namespace=lightpath-tested")
                .expectSuccess();
        assertTaken(test);
        assertThat(test.get("Pod lightpath-tested/lightpath-test")
                        .at("/spec/containers/0/args")
                        .toString())
                .isEqualTo(
                        "[\"doctor\",\"--operator-namespace\",\"lightpath-tested\",\"--driver-namespace\",\"lightpath-drivers\"]");
        assertThat(test.get("Role lightpath-agents/lightpath-test")
                        .at("/rules/0/resourceNames")
                        .toString())
                .as("of agents the doctor looks at the certificate that they share")
                .isEqualTo("[\"lightpath-agent-tls\"]");
    }

    private void assertTaken(Objects objects) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("objects.yaml"), objects.yaml());
        Outcome outcome = programs()
                .kubectl(
                        "apply",
                        "--server-side",
                        "--dry-run=server",
                        "--force-conflicts",
                        "--validate=strict",
                        "--output=name",
                        "--filename=" + file);
        assertThat(outcome.expectSuccess().lines()).hasSize(objects.all().size());
        assertThat(outcome.error()).as("warnings").isEmpty();
    }

    @Test
    void logsAndTracesOfOperatorAndDriversAreAsAsked() throws IOException, InterruptedException {
        Objects chart = programs()
                .template(
                        "--set=logs.json=true,tracing.endpoint=http://collector:4318,tracing.ratio=0.25,emulator.enabled=true");
        for (String key : List.of(
                "Deployment lightpath-system/lightpath-operator", "Deployment lightpath-drivers/lightpath-driver")) {
            Map<String, String> told = new TreeMap<>();
            chart.get(key)
                    .at("/spec/template/spec/containers/0/env")
                    .forEach(each -> told.put(
                            each.get("name").asText(), each.path("value").asText()));
            assertThat(told)
                    .as(key)
                    .containsEntry("LIGHTPATH_LOG_JSON", "true")
                    .containsEntry("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318")
                    .containsEntry("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")
                    .containsEntry("OTEL_TRACES_SAMPLER_ARG", "0.25");
        }
        assertThat(chart.get("Deployment lightpath-system/lightpath-operator").toString())
                .contains("QUARKUS_TLS_KEY_STORE_P12_PATH");
        assertThat(chart.get("Deployment lightpath-drivers/lightpath-emulator").toString())
                .doesNotContain("OTEL_");
    }

    @Test
    void givesEachDriverItsOwn() throws IOException, InterruptedException {
        Objects chart = programs().template("--set-json=drivers=" + TWO_DRIVERS);
        for (String driver : List.of("lightpath-driver", "row-b")) {
            JsonNode set = chart.get("Deployment lightpath-drivers/" + driver);
            JsonNode pod = set.at("/spec/template/metadata/labels");
            assertThat(pod.get("app.kubernetes.io/name").asText()).isEqualTo(driver);
            assertThat(pod.get("app.kubernetes.io/component").asText()).isEqualTo("driver");
            for (String selector : List.of(
                    "Deployment %s/spec/selector/matchLabels",
                    "Service %s/spec/selector",
                    "PodDisruptionBudget %s/spec/selector/matchLabels",
                    "NetworkPolicy %s/spec/podSelector/matchLabels")) {
                String kind = selector.substring(0, selector.indexOf(' '));
                assertThat(chart.get(kind + " lightpath-drivers/" + driver)
                                .at(selector.substring(selector.indexOf('/')))
                                .toString())
                        .as(kind)
                        .isEqualTo("{\"app.kubernetes.io/name\":\"" + driver + "\"}");
            }
            Set<String> mounts = new TreeSet<>();
            set.at("/spec/template/spec/volumes")
                    .forEach(volume -> mounts.add(
                            volume.at("/persistentVolumeClaim/claimName").asText()
                                    + volume.at("/configMap/name").asText()
                                    + volume.at("/secret/secretName").asText()));
            assertThat(mounts).contains(driver + "-state", driver, driver + "-tls");
            chart.get("Secret lightpath-drivers/" + driver + "-tls");
            chart.get("Secret lightpath-system/" + driver + "-scraper");
            chart.get("ServiceAccount lightpath-drivers/" + driver);
            assertThat(set.at("/spec/template/spec/serviceAccountName").asText())
                    .isEqualTo(driver);
        }
        JsonNode rowB = chart.get("Deployment lightpath-drivers/row-b").at("/spec/template/spec");
        assertThat(rowB.at("/containers/0/image").asText()).isEqualTo("lightpath-driver:0.1.0");
        assertThat(rowB.at("/containers/0/resources").toString())
                .isEqualTo("{\"limits\":{\"memory\":\"3Gi\"},\"requests\":{\"cpu\":\"100m\",\"memory\":\"256Mi\"}}");
        assertThat(rowB.at("/containers/0/volumeMounts").toString()).contains("/etc/lightpath-secrets/row-b.login");
        JsonNode claim = chart.get("PersistentVolumeClaim lightpath-drivers/row-b-state");
        assertThat(claim.at("/spec/resources/requests/storage").asText()).isEqualTo("2Gi");
        assertThat(claim.at("/spec/storageClassName").asText()).isEqualTo("fast");
        assertThat(claim.at("/spec/accessModes/0").asText()).isEqualTo("ReadWriteMany");
        assertThat(chart.get("PersistentVolumeClaim lightpath-drivers/lightpath-driver-state")
                        .at("/spec/accessModes/0")
                        .asText())
                .isEqualTo("ReadWriteOnce");
        assertThat(rowB.at("/tolerations").findValuesAsText("key"))
                .containsExactly("node.kubernetes.io/unreachable", "node.kubernetes.io/not-ready", "rack");
        assertThat(chart.get("ConfigMap lightpath-drivers/row-b")
                        .at("/data/driver.yaml")
                        .asText())
                .contains("elsewhere:9450", "stateDirectory: /var/lib/lightpath-driver", "dns:lightpath-operator");
    }

    /** By the name in its certificate, and with a certificate that its authority made. */
    @Test
    void scrapesEachDriverByItsOwnCertificate() throws IOException, InterruptedException {
        Objects chart = programs()
                .template(
                        "--set-json=drivers=" + TWO_DRIVERS,
                        "--set=monitoring.podMonitors=true,monitoring.ports=true,monitoring.labels.release=prometheus");
        for (String driver : List.of("lightpath-driver", "row-b")) {
            for (String monitor : List.of(driver, driver + "-ports")) {
                JsonNode scraped = chart.get("PodMonitor lightpath-system/" + monitor);
                assertThat(scraped.at("/metadata/labels/release").asText()).isEqualTo("prometheus");
                assertThat(scraped.at("/spec/selector/matchLabels").toString())
                        .isEqualTo("{\"app.kubernetes.io/name\":\"" + driver + "\"}");
                JsonNode endpoint = scraped.at("/spec/podMetricsEndpoints/0");
                assertThat(endpoint.get("scheme").asText()).isEqualTo("https");
                JsonNode tls = endpoint.get("tlsConfig");
                assertThat(tls.get("serverName").asText()).isEqualTo(driver + ".lightpath-drivers.svc");
                assertThat(tls.findValuesAsText("name")).hasSize(3).containsOnly(driver + "-scraper");
                assertThat(tls.has("insecureSkipVerify")).isFalse();
            }
        }
    }

    /** As OpenFlow switches call their controller. */
    @Test
    void letsSwitchesReachTheDriverThatListensForThem() throws IOException, InterruptedException {
        Objects chart = programs().template("--set-json=drivers=" + """
                {"lightpath-driver": {}, "row-b": {"switches": {
                  "port": 6653, "from": ["10.20.0.0/16", "fd00::/8"], "annotations": {"pool": "optics"}}}}""");
        JsonNode service = chart.get("Service lightpath-drivers/row-b-switches");
        assertThat(service.at("/metadata/annotations/pool").asText()).isEqualTo("optics");
        assertThat(service.at("/spec").toString())
                .contains("\"LoadBalancer\"", "\"Local\"", "\"port\":6653", "\"targetPort\":\"switches\"");
        assertThat(chart.get("Deployment lightpath-drivers/row-b")
                        .at("/spec/template/spec/containers/0/ports")
                        .toString())
                .contains("{\"containerPort\":6653,\"name\":\"switches\"}");
        assertThat(chart.get("NetworkPolicy lightpath-drivers/row-b")
                        .at("/spec/ingress/2")
                        .toString())
                .isEqualTo(
                        "{\"from\":[{\"ipBlock\":{\"cidr\":\"10.20.0.0/16\"}},{\"ipBlock\":{\"cidr\":\"fd00::/8\"}}],"
                                + "\"ports\":[{\"port\":\"switches\"}]}");
        assertThat(chart.get("NetworkPolicy lightpath-drivers/lightpath-driver").at("/spec/ingress"))
                .hasSize(2);
        assertThat(chart.all()).doesNotContainKey("Service lightpath-drivers/lightpath-driver-switches");
    }

    @Test
    void usesTheNamesOfAnotherNamespaceEverywhere() throws IOException, InterruptedException {
        String text = programs()
                .helm(
                        "template",
                        "lightpath",
                        Programs.CHART.toString(),
                        "--namespace=lightpath-one",
                        "--set=driverNamespace.name=lightpath-two,monitoring.namespace=scrapers,crds.enabled=false")
                .expectSuccess();
        assertThat(text)
                .doesNotContain("lightpath-system", "lightpath-drivers", "metadata.name: monitoring")
                .contains(
                        "system:serviceaccount:lightpath-one:lightpath-operator",
                        "kubernetes.io/metadata.name: lightpath-one",
                        "kubernetes.io/metadata.name: scrapers");
    }

    @Test
    void rendersTheSameFromAPackage() throws IOException, InterruptedException {
        Programs programs = programs();
        programs.helm("package", Programs.CHART.toString(), "--destination", folder.toString())
                .expectSuccess();
        String fromPackage = programs.helm(
                        "template",
                        "lightpath",
                        folder.resolve("lightpath-0.1.0.tgz").toString(),
                        "--namespace=lightpath-system",
                        "--skip-tests",
                        "--set=certificates.source=Existing")
                .expectSuccess();
        assertThat(Objects.read(fromPackage).all())
                .isEqualTo(
                        programs.template("--set=certificates.source=Existing").all());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        operator.replicas=many                | at '/operator/replicas': got string, want integer
        operator.replicas=0                   | at '/operator/replicas': minimum: got 0, want 1
        operatr.replicas=1                    | at '': additional properties 'operatr' not allowed
        certificates.source=Cert              | at '/certificates/source': value must be one of 'Generated', 'CertManager', 'Existing'
        drivers.Row_B.image=x                 | drivers: 'Row_B' is no name of a driver; allowed are lower-case letters
        drivers.lightpath.image=x             | drivers: 'lightpath' is a name whose Secret or PodMonitor the operator has
        drivers.row-b.storage.size=lots       | at '/drivers/row-b/storage/size': 'lots' does not match pattern
        drivers.row-b.switches.port=6653      | at '/drivers/row-b/switches': missing property 'from'
        drivers.row-b.config.adapters[0].type=polatis | at '/drivers/row-b/config/adapters/0': missing property 'kind'
        drivers.row-b.config.adapters[0].kind=polati  | at '/drivers/row-b/config/adapters/0/kind': value must be one of
        drivers.row-b.tolerations[0].opertor=Exists   | at '/drivers/row-b/tolerations/0': additional properties 'opertor' not allowed
        emulator.scenario.foo=bar             | at '/emulator/scenario': additional properties 'foo' not allowed
        emulator.scenario.ring.namePrefix=false | at '/emulator/scenario/ring/namePrefix': got boolean, want string
        agent.config.adapters[0].kind=tl1     | at '/agent/config/adapters/0/kind': value must be one of
        agent.moduleTypes.a\\.txt.vendor=x     | at '/agent/moduleTypes': additional properties 'a.txt' not allowed
        image.registry=https://a.example/b    | at '/image/registry': 'https://a.example/b' does not match pattern
        operator.image=a b                    | at '/operator/image': 'a b' does not match pattern
        logs.json=maybe                       | at '/logs/json': got string, want boolean
        tracing.endpoint=collector:4318       | at '/tracing/endpoint': 'collector:4318' does not match pattern
        tracing.ratio=2                       | at '/tracing/ratio': maximum: got 2, want 1
        tracing.ratio=1.5                     | at '/tracing/ratio': '1.5' does not match pattern
        driverNamespace.name=drivers          | at '/driverNamespace/name': 'drivers' does not match pattern
        driverNamespace.name=lightpath-system | driverNamespace.name is 'lightpath-system', which is the operator's
        """)
    void saysInOneLineWhatIsWrong(String setting, String line) throws IOException, InterruptedException {
        Outcome outcome = programs()
                .helm(
                        "template",
                        "lightpath",
                        Programs.CHART.toString(),
                        "--namespace=lightpath-system",
                        "--set=" + setting);
        assertThat(outcome.code()).isNotZero();
        assertThat(outcome.error().lines()).anyMatch(said -> said.contains(line));
    }

    @Test
    void refusesANamespaceThatThePoliciesDoNotProtect() throws IOException, InterruptedException {
        Outcome outcome = programs().helm("template", "lightpath", Programs.CHART.toString(), "--namespace=default");
        assertThat(outcome.code()).isNotZero();
        assertThat(outcome.error()).contains("namespace 'default': its name must begin with lightpath-");
    }
}
