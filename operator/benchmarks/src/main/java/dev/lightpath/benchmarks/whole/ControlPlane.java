package dev.lightpath.benchmarks.whole;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An etcd and a kube-apiserver on loopback, which notes every write of the operator. */
final class ControlPlane implements AutoCloseable {
    private static final String OPERATOR = "lightpath-operator";

    private static final String AUDIT = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            rules:
              - {level: None, verbs: [%s]}
              - {level: Metadata, users: [%s]}
              - {level: None}
            """;

    private static final Pattern REQUESTS = Pattern.compile("^apiserver_request_total\\{(.*)} ([0-9.e+]+)$");

    private final Path folder;
    private final int port;
    private final String token = UUID.randomUUID().toString();
    private final String operatorToken = UUID.randomUUID().toString();
    private final Program etcd;
    private final Program server;
    final KubernetesClient client;

    /**
     * @param programs where etcd and kube-apiserver are
     * @param port of the API server; etcd takes the two after it
     * @param fast whether time passes a thousand times as fast: events that live an hour and a compaction each five
     *     minutes would outlast what is measured; reads are noted, too
     * @param apart whether both have the first processor of the machine to themselves, as a control plane on other
     *     machines
     */
    ControlPlane(Path programs, Path folder, int port, boolean fast, boolean apart) throws IOException {
        this.folder = folder;
        this.port = port;
        String store = store();
        String peers = "http://127.0.0.1:" + (port + 2);
        etcd = program(
                "etcd",
                apart,
                List.of(),
                List.of(
                        programs.resolve("etcd").toString(),
                        "--name=local",
                        "--data-dir=" + folder.resolve("etcd"),
                        "--unsafe-no-fsync",
                        "--log-level=warn",
                        "--listen-client-urls=" + store,
                        "--advertise-client-urls=" + store,
                        "--listen-peer-urls=" + peers,
                        "--initial-advertise-peer-urls=" + peers,
                        "--initial-cluster=local=" + peers));
        Path tokens = Files.writeString(
                folder.resolve("tokens.csv"),
                "%s,admin,admin,system:masters\n%s,%s,%s,system:masters\n"
                        .formatted(token, operatorToken, OPERATOR, OPERATOR));
        Path audit = Files.writeString(
                folder.resolve("audit.yaml"), AUDIT.formatted(fast ? "watch" : "get, list, watch", OPERATOR));
        String pki = folder.resolve("pki").toString();
        List<String> times = fast
                ? List.of("--event-ttl=10s", "--lease-reuse-duration-seconds=5", "--etcd-compaction-interval=10s")
                : List.of();
        // its first start writes the key that the third option names; the second reads it
        server = program(
                "kube-apiserver",
                apart,
                times,
                List.of(
                        programs.resolve("kube-apiserver").toString(),
                        "--bind-address=127.0.0.1",
                        "--advertise-address=127.0.0.1",
                        "--secure-port=" + port,
                        "--cert-dir=" + pki,
                        "--etcd-servers=" + store,
                        "--endpoint-reconciler-type=none",
                        "--service-cluster-ip-range=10.0.0.0/16",
                        "--authorization-mode=RBAC",
                        "--token-auth-file=" + tokens,
                        "--service-account-issuer=https://kubernetes.default.svc",
                        "--service-account-key-file=" + pki + "/apiserver.key",
                        "--service-account-signing-key-file=" + pki + "/apiserver.key",
                        // there is no controller that would untaint a new node, nor one that makes service accounts
                        "--disable-admission-plugins=TaintNodesByCondition,ServiceAccount",
                        "--audit-policy-file=" + audit,
                        "--audit-log-path=" + auditLog(),
                        // MiB: what is counted is one file
                        "--audit-log-maxsize=100000"));
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig("admin", token)))
                .build();
        try {
            prepare();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private Program program(String name, boolean apart, List<String> more, List<String> command) {
        List<String> bound = new ArrayList<>(apart ? List.of("taskset", "--cpu-list", "0") : List.of());
        bound.addAll(command);
        bound.addAll(more);
        return Program.start(name, folder, Map.of(), bound);
    }

    private void prepare() {
        Patience.until("the API server", 120, () -> {
            server.assertAlive();
            etcd.assertAlive();
            return isReady();
        });
        for (String plural : List.of("opticalfabrics", "opticalswitches", "trainingjobs", "fabricslices")) {
            client.resource(definition(plural)).create();
        }
        Patience.until("the definitions", 60, this::isEstablished);
    }

    /** Teaches the API server a kind that is not ours. */
    void define(Path file) throws IOException {
        try (InputStream yaml = Files.newInputStream(file)) {
            client.resource(client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class))
                    .create();
        }
        Patience.until("the definition of " + file.getFileName(), 60, this::isEstablished);
    }

    /** Creates all objects of a file. */
    void apply(Path file) throws IOException {
        try (InputStream yaml = Files.newInputStream(file)) {
            client.load(yaml).items().forEach(object -> client.resource(object).create());
        }
    }

    private boolean isReady() {
        try {
            return client.namespaces().withName("kube-system").get() != null
                    && client.namespaces().withName("default").get() != null;
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    private boolean isEstablished() {
        return client.apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                .allMatch(definition -> definition.getStatus() != null
                        && definition.getStatus().getConditions() != null
                        && definition.getStatus().getConditions().stream()
                                .anyMatch(condition -> condition.getType().equals("Established")
                                        && condition.getStatus().equals("True")));
    }

    private CustomResourceDefinition definition(String plural) {
        String file = "/META-INF/kubernetes/" + plural + ".lightpath.dev-v1.yaml";
        try (InputStream yaml =
                Objects.requireNonNull(dev.lightpath.crds.fabric.OpticalFabric.class.getResourceAsStream(file), file)) {
            return client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String kubeconfig(String user, String secret) {
        return """
                apiVersion: v1
                kind: Config
                clusters: [{name: local, cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}}]
                users: [{name: "%s", user: {token: "%s"}}]
                contexts: [{name: local, context: {cluster: local, user: "%s", namespace: lightpath-system}}]
                current-context: local
                """.formatted(port, user, secret, user);
    }

    /** A kubeconfig file of the operator, whose writes are counted. */
    Path operatorConfig() throws IOException {
        return Files.writeString(folder.resolve("operator.kubeconfig"), kubeconfig(OPERATOR, operatorToken));
    }

    /** A kubeconfig file of one who may do everything. */
    Path adminConfig() throws IOException {
        return Files.writeString(folder.resolve("admin.kubeconfig"), kubeconfig("admin", token));
    }

    /** By name. */
    SortedMap<String, Program> programs() {
        return new TreeMap<>(Map.of("etcd", etcd, "API server", server));
    }

    /** Where etcd answers. */
    String store() {
        return "http://127.0.0.1:" + (port + 1);
    }

    /** What the operator wrote, and read where time passes fast: a line of JSON for each request. */
    Path auditLog() {
        return folder.resolve("audit.log");
    }

    /** Writes of the operator since the start, those of its Lease left out. Where time passes fast: reads, too. */
    long writes() {
        if (!Files.exists(auditLog())) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(auditLog())) {
            return lines.filter(line -> !line.contains("\"resource\":\"leases\""))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Requests answered since the start, by verb and resource, those of its own left out. */
    SortedMap<String, Double> requests() {
        SortedMap<String, Double> requests = new TreeMap<>();
        client.raw("/metrics")
                .lines()
                .map(REQUESTS::matcher)
                .filter(Matcher::find)
                .forEach(line -> requests.merge(
                        label(line.group(1), "verb") + " " + label(line.group(1), "resource")
                                + label(line.group(1), "subresource")
                                        .transform(part -> part.isEmpty() ? "" : "/" + part),
                        Double.parseDouble(line.group(2)),
                        Double::sum));
        return requests;
    }

    private static String label(String labels, String name) {
        Matcher value = Pattern.compile("\\b" + name + "=\"([^\"]*)\"").matcher(labels);
        return value.find() ? value.group(1) : "";
    }

    /** Processor time of the API server and etcd so far. */
    Duration processorTime() {
        return server.processorTime().plus(etcd.processorTime());
    }

    @Override
    public void close() {
        client.close();
        server.close();
        etcd.close();
    }
}
