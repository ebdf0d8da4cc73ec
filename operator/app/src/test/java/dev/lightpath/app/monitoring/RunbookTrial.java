package dev.lightpath.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.monitoring.RunbookShell.Said;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A local environment whose alerts wait three seconds in place of minutes, and what people do there. Runs with
 * {@code -Pdashboards}.
 */
@Tag("dashboards")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RunbookTrial {
    static final int PORT_BASE = 24400;
    private static final int NODES = 32;
    static final Duration PATIENCE = Duration.ofSeconds(70);
    private static final Pattern WAITS = Pattern.compile("(?m)^(\\s*(?:for|keep_firing_for): )\"?\\w+\"?$");
    private static final Pattern RANGES = Pattern.compile("\\[\\d+m]");
    static final ObjectMapper JSON = new ObjectMapper();

    static final Map<String, String> RING = Map.of("FABRIC", "ring-a");
    static final Map<String, String> SPINE = Map.of("FABRIC", "spine");
    static final Map<String, String> NONE = Map.of();

    /** Twenty pages take minutes. */
    @RegisterExtension
    static final AfterTestExecutionCallback PROGRESS = page -> System.err.println(page.getDisplayName() + ": "
            + page.getExecutionException().map(Throwable::toString).orElse("walked"));

    LocalEnvironment environment;
    Prometheus prometheus;
    RunbookShell shell;
    ManagedChannel emulator;
    Path folder;

    @BeforeAll
    void start(@TempDir Path own) throws IOException, InterruptedException {
        folder = own;
        environment = new LocalEnvironment(PORT_BASE, NODES);
        shell = new RunbookShell(environment, PORT_BASE, folder);
        emulator = Grpc.newChannelBuilder(environment.variable("EMULATOR"), InsecureChannelCredentials.create())
                .build();
        String rules = RANGES.matcher(WAITS.matcher(AlertRules.plain()).replaceAll("$13s"))
                .replaceAll("[15s]")
                .replace("64 * 1024 * 1024", "16 * 1024");
        prometheus = new Prometheus(
                folder,
                Files.writeString(folder.resolve("rules.yaml"), rules),
                new TreeMap<>(Map.of(
                        "operator", environment.address(14) + "/q/metrics",
                        "driver", environment.address(13) + "/metrics")));
        environment.train();
    }

    @AfterAll
    void stop() throws IOException, InterruptedException {
        if (prometheus != null) {
            prometheus.close();
        }
        if (emulator != null) {
            emulator.shutdownNow();
        }
        if (environment != null) {
            environment.close();
        }
    }

    /** Whatever a page left, so that the next one begins with a job that is Ready. */
    @AfterEach
    void mend() throws IOException, InterruptedException {
        heal();
        said("kubectl apply --server-side --force-conflicts -k deploy/kubernetes/access", NONE);
        said("kubectl uncordon --selector lightpath.dev/ring=ring-a", NONE);
        said("kubectl annotate node --all lightpath.dev/faulty-", NONE);
        for (String process : List.of("driver", "operator")) {
            if (ProcessHandle.of(pid(process)).filter(ProcessHandle::isAlive).isEmpty()) {
                restart(process);
            }
        }
        for (String job : List.of("light", "pods", "big")) {
            environment.kubectl("delete", "trainingjob", job, "--ignore-not-found", "--timeout=100s");
        }
        environment.kubectl("wait", "--for=condition=Ready", "trainingjob/llm", "--timeout=120s");
        for (String fabric : List.of("ring-a", "spine")) {
            environment.kubectl("wait", "--for=condition=Ready", "opticalfabric/" + fabric, "--timeout=120s");
        }
    }

    // --- what people do

    String said(String command, Map<String, String> names) throws IOException, InterruptedException {
        Said said = shell.run(command, names);
        assertThat(said.code()).as(said.command() + ": " + said.text()).isZero();
        return said.text();
    }

    /** Runs every command of "Look", and gives all that they said. */
    String look(RunbookPage page, Map<String, String> names) throws IOException, InterruptedException {
        StringBuilder all = new StringBuilder();
        assertThat(page.look()).as(page.alert()).isNotEmpty();
        for (String command : page.look()) {
            Said said = shell.run(command, names);
            // of diff and plan: something is found
            assertThat(said.code()).as(said.command() + ": " + said.text()).isBetween(0, 1);
            assertThat(said.text())
                    .as(said.command())
                    .doesNotContain("Error from server", "error: ", "lightpath: ", "not found");
            all.append(said.text());
        }
        return all.toString();
    }

    String act(RunbookPage page, String fragment, Map<String, String> names) throws IOException, InterruptedException {
        return said(page.command("Act", fragment), names);
    }

    RunbookPage fires(String alert, Map<String, String> labels) throws IOException {
        String of = labels.entrySet().stream()
                .map(label -> "," + label.getKey() + "=\"" + label.getValue() + "\"")
                .reduce("", String::concat);
        await(alert + " fires")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                prometheus.ask("ALERTS{alertname=\"" + alert + "\",alertstate=\"firing\"" + of + "}"))
                        .isNotEmpty());
        return new RunbookPage(alert);
    }

    void ends(RunbookPage page) {
        await(page.alert() + " ends")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                prometheus.ask("ALERTS{alertname=\"" + page.alert() + "\",alertstate=\"firing\"}"))
                        .isEmpty());
    }

    void shows(String command, Map<String, String> names, String what) {
        await(command)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(said(command, names)).contains(what));
    }

    void asMeant(Map<String, String> fabric) {
        await("everything is as meant")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(said("kubectl lightpath diff fabric/FABRIC", fabric))
                        .contains("everything read back is as meant"));
    }

    // --- what happens

    void inject(String device, FaultKind kind) {
        inject(InjectFaultRequest.newBuilder().setDeviceId(device).setKind(kind));
    }

    void inject(InjectFaultRequest.Builder fault) {
        var unused = ChaosServiceGrpc.newBlockingStub(emulator).injectFault(fault.build());
    }

    void heal() {
        var unused = ChaosServiceGrpc.newBlockingStub(emulator).clearFaults(ClearFaultsRequest.getDefaultInstance());
    }

    /** Past driver and operator. */
    void byHand(SetConnectionsRequest.Builder request) {
        var unused = DeviceServiceGrpc.newBlockingStub(emulator).setConnections(request.build());
    }

    static PortPair pair(String ingress, String egress) {
        return PortPair.newBuilder().setIngress(ingress).setEgress(egress).build();
    }

    long pid(String process) throws IOException {
        return Long.parseLong(Files.readString(Path.of(environment.variable("STATE"), process + ".pid"))
                .trim());
    }

    void kill(String process) throws IOException {
        ProcessHandle of = ProcessHandle.of(pid(process)).orElseThrow();
        of.destroyForcibly();
        of.onExit().orTimeout(1, TimeUnit.MINUTES).join();
    }

    void restart(String process) throws IOException, InterruptedException {
        String local = DashboardsTest.ROOT.resolve("deploy/local/restart").toString();
        var unused =
                LocalEnvironment.run(Duration.ofMinutes(4), local, process, "--port-base", Integer.toString(PORT_BASE));
    }

    void apply(String name, String parallelism, String more) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve(name + ".yaml"), """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {%s}
                  scaleUp: {fabric: ring-a}
                %s""".formatted(name, parallelism, more));
        environment.kubectl("apply", "-f", file.toString());
    }

    void ready(String job) throws IOException, InterruptedException {
        environment.kubectl("wait", "--for=condition=Ready", "trainingjob/" + job, "--timeout=120s");
    }

    /** A job of light alone on two nodes of the ring. */
    void light() throws IOException, InterruptedException {
        apply("light", "tensor: 8, data: 1", "");
        ready("light");
    }

    JsonNode slice(String job) throws IOException, InterruptedException {
        JsonNode slices = JSON.readTree(environment.kubectl(
                        "get", "fabricslices", "-n", "default", "-l", "lightpath.dev/job=" + job, "-o", "json"))
                .get("items");
        return slices.get(0);
    }

    List<String> nodes(String job) throws IOException, InterruptedException {
        List<String> nodes = new ArrayList<>();
        slice(job)
                .at("/status/allocation/groups")
                .forEach(group -> group.get("nodes").forEach(node -> nodes.add(node.asText())));
        assertThat(nodes).isNotEmpty();
        return nodes;
    }

    void foreign(String how) throws IOException, InterruptedException {
        policy("{\"foreignCircuits\":\"" + how + "\"}");
    }

    void policy(String json) throws IOException, InterruptedException {
        environment.kubectl(
                "patch", "opticalfabric", "spine", "--type=merge", "-p", "{\"spec\":{\"policy\":" + json + "}}");
    }
}
