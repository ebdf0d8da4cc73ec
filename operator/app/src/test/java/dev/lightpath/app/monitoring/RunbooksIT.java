package dev.lightpath.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetConnectionsRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Each runbook is walked on the local environment: its alert is made to fire, the commands of the page are run, what
 * the page says is done, and the alert ends.
 */
class RunbooksIT extends RunbookTrial {
    @Test
    void everyPageIsWalked() throws IOException {
        Set<String> walked = new TreeSet<>();
        for (Method method : RunbooksIT.class.getDeclaredMethods()) {
            String name = method.getName();
            if (method.isAnnotationPresent(Test.class) && !name.equals("everyPageIsWalked")) {
                walked.add("Lightpath" + Character.toUpperCase(name.charAt(0)) + name.substring(1));
            }
        }
        assertThat(AlertRules.all().stream().map(AlertRules.Alert::name)).containsExactlyInAnyOrderElementsOf(walked);
    }

    @Test
    void agentsAway() throws IOException, InterruptedException {
        Path objects = Files.writeString(folder.resolve("ring-d.yaml"), """
                apiVersion: v1
                kind: Node
                metadata: {name: localhost, labels: {of: agents, lightpath.dev/ring-position: "0"}}
                ---
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: ring-d}
                spec:
                  ocsTrx:
                    shape: Ring
                    reach: 2
                    gpusPerNode: 2
                    positions: 8
                    nodeSelector: {matchLabels: {of: agents}}
                    driver: {endpoint: "{node}:1"}
                """);
        environment.kubectl("apply", "-f", objects.toString());
        RunbookPage page = null;
        try {
            page = fires("LightpathAgentsAway", Map.of("fabric", "ring-d"));
            assertThat(look(page, Map.of("FABRIC", "ring-d"))).contains("0 of 1 agents answer; away: localhost");
        } finally {
            environment.kubectl("delete", "-f", objects.toString(), "--timeout=60s");
        }
        ends(requirePage(page));
    }

    @Test
    void certificateExpires() throws IOException, InterruptedException {
        Map<String, String> names =
                Map.of("FABRIC", "ring-c", "FOLDER", folder.resolve("authority").toString());
        RunbookPage page = new RunbookPage("LightpathCertificateExpires");
        String renew = page.command("Act", "certificates");
        said(renew.replace(" |", " --days 3 |"), names);
        Path fabric = Files.writeString(folder.resolve("ring-c.yaml"), """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: ring-c}
                spec:
                  ocsTrx:
                    shape: Ring
                    reach: 2
                    gpusPerNode: 2
                    positions: 8
                    nodeSelector: {matchLabels: {of: nobody}}
                    driver: {endpoint: "127.0.0.1:1", tls: {secretName: lightpath-driver-client}}
                """);
        environment.kubectl("apply", "-f", fabric.toString());
        try {
            fires(page.alert(), Map.of("source", "Secret lightpath-system/lightpath-driver-client"));
            assertThat(look(page, names)).contains("Connected=False");
            said(renew, names);
            ends(page);
        } finally {
            environment.kubectl("delete", "opticalfabric", "ring-c", "--timeout=60s");
        }
    }

    @Test
    void changesRefused() throws IOException, InterruptedException {
        light();
        String node = nodes("light").getFirst();
        // takes every change, and goes on telling of the circuits that it had
        inject(node, FaultKind.FAULT_KIND_LIE_STALE_CACHE);
        environment.kubectl("delete", "trainingjob", "light", "--wait=false");
        RunbookPage page = fires("LightpathChangesRefused", Map.of("device", node));
        assertThat(look(page, NONE)).contains("\"device\":\"" + node + '"', "READ_BACK_DIFFERS");
        act(page, "refuses circuits", Map.of("NODE", node));
        heal();
        ends(page);
        environment.kubectl("annotate", "node", node, "lightpath.dev/faulty-");
    }

    @Test
    void circuitsMissing() throws IOException, InterruptedException {
        said("kubectl lightpath pause fabric/spine", NONE);
        var lit = DeviceServiceGrpc.newBlockingStub(emulator)
                .getConnections(
                        GetConnectionsRequest.newBuilder().setDeviceId("ocs-0").build())
                .getConnectionsList()
                .getFirst();
        byHand(SetConnectionsRequest.newBuilder()
                .setDeviceId("ocs-0")
                .addDisconnects(pair(lit.getIngress(), lit.getEgress())));
        RunbookPage page = fires("LightpathCircuitsMissing", Map.of("fabric", "spine"));
        assertThat(look(page, SPINE)).contains("1 device differs", lit.getIngress() + "->" + lit.getEgress());
        act(page, "resume", SPINE);
        asMeant(SPINE);
        ends(page);
    }

    @Test
    void devicesNewerThanLedger() throws IOException, InterruptedException {
        kill("operator");
        environment.kubectl("delete", "configmap", "lightpath-epoch", "-n", "lightpath-system");
        CompletableFuture<Void> started = starting();
        RunbookPage page = fires("LightpathDevicesNewerThanLedger", Map.of("fabric", "spine"));
        assertThat(look(page, SPINE)).contains("LedgerOlderThanDevices", "installation:");
        for (Map<String, String> fabric : List.of(RING, SPINE)) {
            Matcher options = Pattern.compile("(?:--(?:epoch|revision) \\d+ ?)+")
                    .matcher(shell.run(
                                    page.command("Act", "accept-devices fabric/FABRIC --epoch 7")
                                            .replace(" --epoch 7", ""),
                                    fabric)
                            .text());
            assertThat(options.find()).isTrue();
            said(
                    page.command("Act", "--epoch 7")
                            .replace("--epoch 7", options.group().trim()),
                    fabric);
        }
        started.join();
        asMeant(SPINE);
        asMeant(RING);
        ends(page);
    }

    /** It is ready before it leads, and may wait for a person. */
    private CompletableFuture<Void> starting() {
        return CompletableFuture.runAsync(() -> {
            try {
                restart("operator");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void devicesSilent() throws IOException, InterruptedException {
        inject("ocs-0", FaultKind.FAULT_KIND_UNREACHABLE);
        RunbookPage page = fires("LightpathDevicesSilent", Map.of("device", "ocs-0"));
        assertThat(look(page, Map.of("FABRIC", "spine", "DEVICE", "ocs-0")))
                .contains("device/ocs-0 DeviceSilent", "a device does not answer");
        heal();
        ends(page);
        assertThat(said("kubectl lightpath status", NONE)).doesNotContain("DeviceSilent");
    }

    @Test
    void driverAway() throws IOException, InterruptedException {
        kill("driver");
        RunbookPage page = fires("LightpathDriverAway", Map.of("fabric", "ring-a"));
        assertThat(look(page, RING)).contains("Connected=False DriverUnreachable");
        restart("driver");
        shows("kubectl lightpath status", NONE, "connected");
        ends(page);
    }

    @Test
    void driverJournalGrows() throws IOException, InterruptedException {
        RunbookPage page = null;
        for (int jobs = 0; page == null && jobs < 20; jobs++) {
            light();
            environment.kubectl("delete", "trainingjob", "light", "--timeout=100s");
            if (prometheus.value("max(lightpath_driver_journal_bytes)") > 16 * 1024) {
                page = fires("LightpathDriverJournalGrows", NONE);
            }
        }
        assertThat(look(requirePage(page), NONE))
                .contains(
                        "lightpath_driver_journal_bytes", "lightpath_driver_journal_compactions_failed_total 0", "ok");
    }

    private static RunbookPage requirePage(RunbookPage page) {
        assertThat(page).as("the journal has grown").isNotNull();
        return page;
    }

    @Test
    void driverRefusesChanges() throws IOException, InterruptedException {
        // as a full disk: no file of the driver may grow
        said("prlimit --pid " + pid("driver") + " --fsize=1024:unlimited", NONE);
        apply("light", "tensor: 8, data: 1", "");
        RunbookPage page;
        try {
            page = fires("LightpathDriverRefusesChanges", NONE);
            assertThat(look(page, NONE))
                    .contains("state directory, changes are refused: ", "lightpath_driver_state_free_bytes");
        } finally {
            said("prlimit --pid " + pid("driver") + " --fsize=unlimited:unlimited", NONE);
        }
        shows(page.command("Verify", "health"), NONE, "ok");
        ready("light");
        ends(page);
    }

    @Test
    void faultsQuarantined() throws IOException, InterruptedException {
        policy("{\"faults\":{\"clearSeconds\":1}}");
        for (int times = 0; times < 7; times++) {
            inject(InjectFaultRequest.newBuilder()
                    .setDeviceId("ocs-6")
                    .setPort("15")
                    .setKind(FaultKind.FAULT_KIND_PORT_FAILED));
            shows("kubectl lightpath status", NONE, "port/ocs-6/15");
            heal();
            TimeUnit.SECONDS.sleep(3);
        }
        policy("{\"faults\":null}");
        RunbookPage page = fires("LightpathFaultsQuarantined", Map.of("fabric", "spine", "kind", "port"));
        assertThat(look(page, SPINE)).contains("port/ocs-6/15", "\"quarantined\":true");
        act(page, "clear switch/NAME", Map.of("NAME", "ocs-6"));
        ends(page);
        assertThat(said("kubectl lightpath status", NONE)).doesNotContain("ocs-6/15");
    }

    @Test
    void foreignCircuits() throws IOException, InterruptedException {
        byHand(SetConnectionsRequest.newBuilder().setDeviceId("ocs-4").addConnects(pair("15", "31")));
        RunbookPage page = fires("LightpathForeignCircuits", Map.of("fabric", "spine"));
        assertThat(look(page, SPINE)).contains("15->31");
        foreign("Remove");
        ends(page);
        asMeant(SPINE);
        foreign("Report");
    }

    @Test
    void jobsDegraded() throws IOException, InterruptedException {
        apply("pods", "tensor: 8, data: 1", """
                  workload:
                    template:
                      spec:
                        containers:
                        - {name: trainer, image: registry.example/trainer:1, resources: {limits: {nvidia.com/gpu: 4}}}
                """);
        ready("pods");
        String node = nodes("pods").getFirst();
        inject(node, FaultKind.FAULT_KIND_POWER_LOSS);
        RunbookPage page = fires("LightpathJobsDegraded", Map.of("job", "pods"));
        Map<String, String> names = Map.of("NAME", "pods", "NAMESPACE", "default");
        assertThat(look(page, names)).contains("waits for the pods of the job to stop", node);
        environment.kubectl(
                "delete",
                "pod",
                "-n",
                "default",
                "-l",
                "lightpath.dev/job=pods",
                "--field-selector=spec.nodeName=" + node);
        shows(page.command("Verify", "get tj"), names, "True");
        ends(page);
    }

    @Test
    void jobsWaiting() throws IOException, InterruptedException {
        apply("big", "tensor: 32, data: 4", "");
        RunbookPage page = fires("LightpathJobsWaiting", Map.of("job", "big", "namespace", "default"));
        Map<String, String> names = Map.of("NAME", "big", "NAMESPACE", "default");
        assertThat(look(page, names)).contains("TrainingJob default/big: InsufficientCapacity: wanted 128 GPUs");
        environment.kubectl("delete", "trainingjob", "big");
        ends(page);
    }

    @Test
    void lightDegrading() throws IOException, InterruptedException {
        light();
        String node = nodes("light").getFirst();
        // levels settle until five seconds after light came
        TimeUnit.SECONDS.sleep(8);
        for (String port : List.of("b0.path1", "b0.path2", "b1.path1", "b1.path2")) {
            inject(InjectFaultRequest.newBuilder()
                    .setDeviceId(node)
                    .setPort(port)
                    .setKind(FaultKind.FAULT_KIND_DIRTY_CONNECTOR)
                    .setValue(3));
        }
        RunbookPage page = fires("LightpathLightDegrading", Map.of("fabric", "ring-a"));
        Map<String, String> names = Map.of("FABRIC", "ring-a", "NAME", "light", "NAMESPACE", "default");
        assertThat(look(page, names)).contains("light that gets worse", "loses 3.0 dB more than at first");
        ready("light");
        heal();
        ends(page);
        assertThat(said(page.command("Verify", "degradingPorts"), RING)).isEqualTo("0");
    }

    @Test
    void nobodyLeads() throws IOException, InterruptedException {
        kill("operator");
        RunbookPage page = fires("LightpathNobodyLeads", NONE);
        // here the alert fires sooner than the Lease of a replica that was killed runs out
        shows("kubectl lightpath status", NONE, "nobody leads: the Lease was last renewed at");
        assertThat(look(page, NONE)).contains("nobody leads: the Lease was last renewed at");
        act(page, "delete pod -l", NONE);
        said(page.command("Verify", "--expect-leader"), NONE);
        ends(page);
    }

    /** Its Lease is held by nobody who is there. Ring and switches have nodes in common, so they are led together. */
    @Test
    void fabricUnled() throws IOException, InterruptedException {
        said("kubectl apply --server-side -f deploy/kubernetes/access/shared-fabrics.yaml", NONE);
        Path start = Path.of(environment.variable("STATE"), "operator.run");
        String alone = Files.readString(start);
        try {
            Files.writeString(start, alone.replace("exec env ", "exec env LIGHTPATH_SHARE_FABRICS=true "));
            restart("operator");
            await("the Lease of the fabric")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    environment.kubectl("get", "leases", "-n", "lightpath-system", "-o", "name"))
                            .contains("lightpath-fabric-spine"));
            environment.kubectl(
                    "patch",
                    "lease",
                    "lightpath-fabric-spine",
                    "-n",
                    "lightpath-system",
                    "--type=merge",
                    "-p",
                    "{\"spec\":{\"holderIdentity\":\"left-behind\",\"leaseDurationSeconds\":36000}}");
            RunbookPage page = fires("LightpathFabricUnled", Map.of("fabric", "spine"));
            assertThat(look(page, NONE)).contains("share of this replica");
            act(page, "holderIdentity", SPINE);
            ends(page);
        } finally {
            Files.writeString(start, alone);
            restart("operator");
        }
    }

    @Test
    void nodesFaulty() throws IOException, InterruptedException {
        environment.kubectl("annotate", "node", "n30", "n31", "lightpath.dev/faulty=fans");
        RunbookPage page = fires("LightpathNodesFaulty", Map.of("fabric", "ring-a"));
        assertThat(look(page, RING)).contains("n30", "n31", "DeclaredFaulty");
        for (String node : List.of("n30", "n31")) {
            act(page, "lightpath.dev/faulty-", Map.of("NAME", node));
        }
        ends(page);
    }

    @Test
    void planningFails() throws IOException, InterruptedException {
        light();
        JsonNode role = JSON.readTree(environment.kubectl("get", "clusterrole", "lightpath-operator", "-o", "json"));
        ArrayNode others = JSON.createArrayNode();
        role.get("rules").forEach(rule -> {
            if (!rule.path("resources").toString().contains("fabricslices")) {
                others.add(rule);
            }
        });
        Path less = Files.writeString(
                folder.resolve("role.yaml"),
                "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: lightpath-operator}, rules: "
                        + others + "}");
        environment.kubectl("apply", "--server-side", "-f", less.toString());
        environment.kubectl("annotate", "node", nodes("light").getFirst(), "lightpath.dev/faulty=optics");
        RunbookPage page = fires("LightpathPlanningFails", NONE);
        assertThat(look(page, NONE)).contains("the ledger cannot be read");
        act(page, "apply --server-side", NONE);
        ends(page);
        ready("light");
    }

    @Test
    void portsQuarantined() throws IOException, InterruptedException {
        light();
        String name = slice("light").at("/metadata/name").asText();
        kill("driver");
        environment.kubectl("delete", "trainingjob", "light", "--wait=false");
        environment.kubectl("annotate", "fabricslice", name, "-n", "default", "lightpath.dev/force-release=");
        RunbookPage page = fires("LightpathPortsQuarantined", Map.of("fabric", "ring-a"));
        assertThat(look(page, RING)).contains("b0.");
        restart("driver");
        ends(page);
        assertThat(said(page.command("Verify", "quarantinedPorts"), RING)).isIn("", "[]");
    }

    @Test
    void repairsSlow() throws IOException, InterruptedException {
        light();
        String node = nodes("light").getFirst();
        // as a driver that answers late
        said("kill -STOP " + pid("driver"), NONE);
        environment.kubectl("annotate", "node", node, "lightpath.dev/faulty=optics");
        TimeUnit.SECONDS.sleep(3);
        said("kill -CONT " + pid("driver"), NONE);
        RunbookPage page = fires("LightpathRepairsSlow", NONE);
        look(page, NONE);
        environment.kubectl("annotate", "node", node, "lightpath.dev/faulty-");
        ends(page);
    }

    @Test
    void searchesHang() throws Exception {
        said(
                "JAVA_TOOL_OPTIONS=" + HeldMethod.options(PORT_BASE + 90)
                        + " deploy/local/restart operator --port-base " + PORT_BASE,
                NONE);
        RunbookPage page;
        // as a search that goes on for ever
        try (HeldMethod held = HeldMethod.at(PORT_BASE + 90, "dev.lightpath.app.solving.Solve", "outcome")) {
            apply(
                    "light",
                    "tensor: 8, pipeline: 2, data: 1",
                    "  scaleOut: {fabric: spine, stagesPerPod: 1, timeLimitSeconds: 1}\n");
            assertThat(held.thread()).startsWith("solver-search-");
            page = fires("LightpathSearchesHang", NONE);
            assertThat(look(page, NONE)).contains("a choice of circuits did not stop and was left alone");
            act(page, "delete pod -l", NONE);
        }
        ready("light");
        ends(page);
    }

    @Test
    void unguarded() throws IOException, InterruptedException {
        environment.kubectl("delete", "validatingadmissionpolicybinding", "lightpath-ledger");
        RunbookPage page = fires("LightpathUnguarded", NONE);
        assertThat(look(page, RING)).contains("lightpath-ledger has no binding of its name");
        act(page, "apply --server-side", NONE);
        ends(page);
    }

    @Test
    void waitsForPerson() throws IOException, InterruptedException {
        List<String> many = List.of("n20", "n21", "n22", "n23", "n24", "n25", "n26", "n27");
        many.forEach(node -> inject(node, FaultKind.FAULT_KIND_POWER_LOSS));
        RunbookPage page = fires("LightpathWaitsForPerson", Map.of("fabric", "ring-a", "reason", "MassFailure"));
        assertThat(look(page, RING)).contains("Ready=False MassFailure: ", " of 32 nodes failed");
        act(page, "resume fabric/FABRIC", RING);
        ends(page);
        heal();
    }

    @Test
    void waste() throws IOException, InterruptedException {
        List<String> nodes = List.of("n24", "n25", "n26", "n27", "n28");
        for (String node : nodes) {
            environment.kubectl("cordon", node);
        }
        Files.writeString(folder.resolve("job.yaml"), "");
        apply("job", "tensor: 8, data: 1", "");
        environment.kubectl("delete", "trainingjob", "job");
        RunbookPage page = fires("LightpathWaste", Map.of("fabric", "ring-a"));
        assertThat(look(
                        page,
                        Map.of(
                                "FABRIC",
                                "ring-a",
                                "NODE",
                                "n24",
                                "job.yaml",
                                folder.resolve("job.yaml").toString())))
                .contains("SchedulingDisabled", "USABLE");
        for (String node : nodes) {
            act(page, "uncordon", Map.of("NODE", node));
        }
        ends(page);
    }
}
