package dev.lightpath.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.lightpath.cli.TestRun;
import dev.lightpath.cli.cluster.access.OperatorAnswer;
import dev.lightpath.cli.cluster.show.LightDiffTest;
import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.console.forecast.PlanPage;
import dev.lightpath.console.forecast.PlanReport;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.light.EpochMark;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a real API server that holds what an operator would have written. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterCommandsIT {
    private final ApiServer server;
    private KubernetesClient client;

    private Path folder;
    private Path kubeconfig;

    ClusterCommandsIT(ApiServer server) {
        this.server = server;
    }

    @BeforeAll
    void fill(@TempDir Path files) throws IOException {
        folder = files;
        client = server.client();
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeConfigYaml());
        Shown.create(client);
    }

    @AfterAll
    void close() {
        client.close();
    }

    private TestRun run(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        return TestRun.of(all.toArray(String[]::new));
    }

    @Test
    void showsTheStatusOfEverything() {
        JsonNode status = run("status", "-o", "json").json();
        assertThat(status.at("/fabrics/0/name").asText()).isEqualTo("ring-a");
        assertThat(status.at("/fabrics/0/faults/0/subject").asText()).isEqualTo("node/n7");
        assertThat(status.at("/jobs/0/ready/reason").asText()).isEqualTo("Programming");
        assertThat(status.at("/slices/0/releasing").asInt()).isEqualTo(1);
        assertThat(status.at("/switches/0/name").asText()).isEqualTo("ocs-3");
    }

    @Test
    void showsNothingOfOtherNamespacesWhenOneIsNamed() {
        TestRun run = run("status", "-n", "kube-system");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("ring-a").doesNotContain("llm");
    }

    @Test
    void drawsTheTreeOfAJob() {
        TestRun run = run("tree", "tj/llm");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("group 1").contains("rank 4    n5  @5    path1 path1 loop");
    }

    @Test
    void explainsTheSeatsOfAJob() {
        TestRun run = run("explain", "tj/llm");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("why these seats: n0 in for n7").contains("group 1: n4@4 n5@5 n6@6");
        assertThat(run("explain", "tj/llm", "-o", "json")
                        .json()
                        .at("/scaleUp/0/fabric")
                        .asText())
                .isEqualTo("ring-a");
    }

    @Test
    void namesTheJobsThereAreForOneThatIsNot() {
        TestRun run = run("tree", "tj/nope");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .isEqualToIgnoringNewLines(
                        "lightpath: there is no TrainingJob nope in namespace default; there are llm");
    }

    @Test
    void plansAJobAndTouchesNothing() throws IOException {
        Path file = manifest("small", "tensor: 4, data: 1", "");
        TestRun run = run("plan", "-f", file.toString(), "-o", "json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode job = run.json().at("/jobs/0");
        assertThat(job.at("/groups/0/nodes/0").asText())
                .as("the one node that is free and well")
                .isEqualTo("n3");
        assertThat(job.at("/held").asBoolean()).isFalse();
        assertThat(client.resources(TrainingJob.class)
                        .inNamespace("default")
                        .list()
                        .getItems())
                .hasSize(1);
    }

    /** The node n3 is the only one that is free and well. */
    @Test
    void plansNoJobOnANodeThatAPodHoldsWhateverJobItsLabelNames() throws IOException {
        TrainingJob waiting =
                client.resource(Shown.yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: waiting, namespace: default}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 4, data: 1}
                  scaleUp: {fabric: ring-a}
                  workload: {template: {spec: {containers: [{name: train, image: train}]}}}
                """)).create();
        Pod holder = client.resource(Shown.yaml(Pod.class, """
                apiVersion: v1
                kind: Pod
                metadata: {name: holder, namespace: default, labels: {lightpath.dev/job: waiting}}
                spec:
                  nodeName: n3
                  automountServiceAccountToken: false
                  containers:
                  - {name: train, image: train, resources: {requests: {nvidia.com/gpu: 4}, limits: {nvidia.com/gpu: 4}}}
                """)).create();
        try {
            TestRun run = run(
                    "plan", "-f", manifest("small", "tensor: 4, data: 1", "").toString(), "-o", "json");
            assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(1);
            assertThat(run.json().get("infeasible").asText()).startsWith("default/small: InsufficientCapacity: ");
        } finally {
            client.resource(holder).withGracePeriod(0).delete();
            client.resource(waiting).delete();
        }
    }

    /** The node n3 is the only one that is free and well. */
    @Test
    void plansByThePriorityClassesThatJobsName() throws IOException {
        Path classed = manifest("classed", "tensor: 4, data: 1", "  priorityClassName: urgent\n");
        TestRun missing = run("plan", "-f", classed.toString(), "-o", "json");
        assertThat(missing.exitCode()).as(missing.out() + missing.err()).isEqualTo(1);
        assertThat(missing.json().get("infeasible").asText())
                .isEqualTo("default/classed: PriorityClassNotFound: spec.priorityClassName: there is no PriorityClass"
                        + " urgent; create it, or name one that is there");

        PriorityClass urgent = client.resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName("urgent")
                        .endMetadata()
                        .withValue(1000)
                        .build())
                .create();
        try {
            String plain = Files.readString(manifest("plain", "tensor: 4, data: 1", ""));
            Path both = Files.writeString(folder.resolve("both.yaml"), plain + "---\n" + Files.readString(classed));
            JsonNode plan = run("plan", "-f", both.toString(), "-o", "json").json();
            assertThat(plan.at("/jobs/0/name").asText()).isEqualTo("classed");
            assertThat(plan.at("/jobs/0/groups/0/nodes/0").asText()).isEqualTo("n3");
            assertThat(plan.at("/jobs/1/name").asText()).isEqualTo("plain");
            assertThat(plan.at("/jobs/1/reason").asText()).isEqualTo("InsufficientCapacity");
        } finally {
            client.resource(urgent).delete();
        }
    }

    @Test
    void plansNothingOnAFabricThatClaimsTheNodesOfAnOlderOne() throws IOException {
        OpticalFabric later = Shown.fabric();
        later.getMetadata().setName("ring-b");
        later.setStatus(null);
        client.resource(later).create();
        try {
            Path file = manifest("small", "tensor: 4, data: 1", "");
            TestRun run = run(
                    "plan",
                    "-f",
                    Files.writeString(file, Files.readString(file).replace("ring-a", "ring-b"))
                            .toString(),
                    "-o",
                    "json");
            assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(1);
            assertThat(run.json().get("infeasible").asText())
                    .startsWith(
                            "default/small: InvalidWiring: fabric ring-b: nodes n0..n7 (8) belong to fabric ring-a");
        } finally {
            client.resource(later).delete();
        }
    }

    @Test
    void plansTheCircuitsOfAJobOnSwitches() throws IOException {
        OpticalFabric spine =
                client.resource(Shown.yaml(OpticalFabric.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: spine}
                spec:
                  ocs:
                    topology: {logical: {}}
                    pods: [{name: pod-0, index: 0, ports: 2, gpus: 64}, {name: pod-1, index: 1, ports: 2, gpus: 64}]
                """)).create();
        try {
            Path file = Files.writeString(folder.resolve("piped.yaml"), """
                    apiVersion: lightpath.dev/v1alpha1
                    kind: TrainingJob
                    metadata: {name: piped}
                    spec:
                      model: {preset: gpt-7b}
                      parallelism: {tensor: 8, pipeline: 2}
                      scaleOut: {fabric: spine, stagesPerPod: 1}
                    """);
            TestRun run = run("plan", "-f", file.toString(), "-o", "json");
            assertThat(run.exitCode()).as(run.err()).isZero();
            JsonNode job = run.json().at("/scaleOut/0");
            assertThat(job.at("/stages/1/pod").asText()).isEqualTo("pod-1");
            assertThat(job.at("/circuits/0/from").asText()).isEqualTo("pod-0");
            assertThat(job.at("/circuits/0/circuits").asInt()).isBetween(1, 2);
            assertThat(job.at("/iterationSeconds").asDouble())
                    .isGreaterThanOrEqualTo(job.at("/lowerBoundSeconds").asDouble());
            String page = run("plan", "-f", file.toString()).out();
            assertThat(page).contains("stage 1 in pod-1").contains("s, bound ");
            // as it comes from the operator
            PlanReport read = new OperatorAnswer("the operator", run.out()).as(PlanReport.class, "plan");
            assertThat(PlanPage.of(read).render()).isEqualToIgnoringWhitespace(page);
        } finally {
            client.resource(spine).delete();
        }
    }

    @Test
    void saysWhyAJobWouldNotBePlaced() throws IOException {
        TestRun run =
                run("plan", "-f", manifest("big", "tensor: 12, data: 1", "").toString(), "-o", "json");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.json().get("infeasible").asText())
                .startsWith("default/big: InsufficientCapacity: wanted 12 GPUs");
        assertThat(run.err()).contains("InsufficientCapacity").hasLineCount(1);
    }

    @Test
    void saysWhatTheOperatorWouldNotAccept() throws IOException {
        TestRun run = run(
                "plan",
                "-f",
                manifest("dense", "tensor: 4, data: 1, expert: 3", "").toString(),
                "-o",
                "json");
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(1);
        assertThat(run.json().at("/jobs/0/reason").asText()).isEqualTo("InvalidParallelism");
        assertThat(run.err()).contains("the model of spec.model.preset has no experts: omit expert");
        assertThat(run.json().has("notes")).as("it has no pods").isFalse();
    }

    @Test
    void givesTheApiServersWordsAboutAField() throws IOException {
        Path file = manifest("bad", "tensor: 0", "");
        TestRun run = run("plan", "-f", file.toString());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("lightpath: " + file + ": TrainingJob bad: spec.parallelism.tensor: Invalid value: 0")
                .hasLineCount(1);
    }

    @Test
    void refusesAFieldThatDoesNotExist() throws IOException {
        TestRun run = run(
                "plan", "-f", manifest("typo", "tensor: 4", "  colour: red\n").toString());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("unknown field \"spec.colour\"").hasLineCount(1);
    }

    @Test
    void previewsARepair() {
        TestRun run = run("simulate-fault", "node/n5");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("was  group 1: n4 n5 n6").contains("then group 1: n3 n4 n6");
        assertThat(client.nodes().withName("n5").get().getMetadata().getAnnotations())
                .isNullOrEmpty();
    }

    @Test
    void drainsASwitchOnce() {
        assertThat(run("drain", "switch/ocs-3").out()).isEqualToIgnoringNewLines("switch/ocs-3 drained");
        assertThat(drained()).isTrue();
        assertThat(run("drain", "osw/ocs-3", "-o", "json").json().get("changed").asBoolean())
                .isFalse();
        assertThat(run("undrain", "ocs-3").exitCode()).isZero();
        assertThat(drained()).isFalse();
    }

    private boolean drained() {
        return client.resources(OpticalSwitch.class)
                .withName("ocs-3")
                .get()
                .getSpec()
                .drained();
    }

    @Test
    void pausesAndResumesAFabric() {
        assertThat(run("pause", "fabric/ring-a").exitCode()).isZero();
        assertThat(fabric().getSpec().paused()).isTrue();
        assertThat(run("resume", "fabric/ring-a").exitCode()).isZero();
        assertThat(fabric().getSpec().paused()).isFalse();
        assertThat(fabric().getMetadata().getAnnotations())
                .as("no mass failure was seen, so that none is waved through")
                .isNullOrEmpty();
    }

    @Test
    void acceptsDevicesThatKnowMoreOnlyByTheirNumbers() {
        assertThat(run("accept-devices", "fabric/ring-a", "--epoch", "3").err())
                .contains("is not stopped by LedgerOlderThanDevices");
        OpticalFabric before = fabric();
        OpticalFabric stopped = Shown.fabric();
        var ready = stopped.getStatus().conditions().getFirst();
        ready.setStatus("False");
        ready.setReason("LedgerOlderThanDevices");
        client.resource(stopped).patchStatus();
        try {
            TestRun asked = run("accept-devices", "fabric/ring-a");
            assertThat(asked.exitCode()).isEqualTo(2);
            assertThat(asked.err()).contains("accept-devices fabric/ring-a --epoch 3", "foreignCircuits: Report");
            assertThat(run("accept-devices", "fabric/ring-a", "--epoch", "2").err())
                    .contains("allowed is --epoch 3");
            assertThat(fabric().getMetadata().getAnnotations()).isNullOrEmpty();

            ConfigMap epoch = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName("lightpath-epoch")
                    .withNamespace("default")
                    .endMetadata()
                    .addToData("epoch", Long.toString(3 - EpochMark.MOST_ABOVE - 1))
                    .build();
            client.resource(epoch).create();
            try {
                TestRun high =
                        run("accept-devices", "fabric/ring-a", "--epoch", "3", "--operator-namespace", "default");
                assertThat(high.exitCode()).isEqualTo(2);
                assertThat(high.err()).contains("epoch 3 cannot be accepted", "ConfigMap default/lightpath-epoch");
                assertThat(fabric().getMetadata().getAnnotations()).isNullOrEmpty();
            } finally {
                client.resource(epoch).delete();
            }

            ready.setStatus("True");
            client.resource(stopped).patchStatus();
            TestRun alone = run("accept-devices", "fabric/ring-a", "--epoch", "3");
            assertThat(alone.exitCode()).isEqualTo(2);
            assertThat(alone.err()).contains("One agent alone is not accepted", "/var/lib/lightpath-agent");
            assertThat(fabric().getMetadata().getAnnotations()).isNullOrEmpty();
            ready.setStatus("False");
            client.resource(stopped).patchStatus();

            assertThat(run("accept-devices", "fabric/ring-a", "--epoch", "3").exitCode())
                    .isZero();
            assertThat(fabric().getMetadata().getAnnotations()).containsEntry("lightpath.dev/accepted-epoch", "3");
        } finally {
            before.getMetadata().setResourceVersion(null);
            client.resource(before).patchStatus();
            client.resources(OpticalFabric.class).withName("ring-a").edit(now -> {
                now.getMetadata().setAnnotations(null);
                return now;
            });
        }
    }

    private OpticalFabric fabric() {
        return client.resources(OpticalFabric.class).withName("ring-a").get();
    }

    @Test
    void clearsANode() {
        assertThat(run("clear", "node/n7").exitCode()).isZero();
        assertThat(client.nodes().withName("n7").get().getMetadata().getAnnotations())
                .hasEntrySatisfying(
                        "lightpath.dev/clear-fault", time -> assertThat(time).matches("[0-9-]+T[0-9:.]+Z"));
    }

    @Test
    void clearsASwitch() {
        assertThat(run("clear", "switch/ocs-3").out()).isEqualToIgnoringNewLines("switch/ocs-3 cleared");
        assertThat(client.resources(OpticalSwitch.class)
                        .withName("ocs-3")
                        .get()
                        .getMetadata()
                        .getAnnotations())
                .hasEntrySatisfying(
                        "lightpath.dev/clear-fault", time -> assertThat(time).matches("[0-9-]+T[0-9:.]+Z"));
    }

    @Test
    void exportsTheLedgerInAListThatAnotherServerTakes() {
        JsonNode list = run("export").json();
        JsonNode slice = null;
        for (JsonNode item : list.get("items")) {
            assertThat(item.at("/metadata/resourceVersion").isMissingNode()).isTrue();
            assertThat(item.at("/metadata/managedFields").isMissingNode()).isTrue();
            if (item.get("kind").asText().equals(FabricSlice.KIND)) {
                slice = item;
            }
        }
        assertThat(slice).isNotNull();
        assertThat(slice.at("/status/allocation/groups/1/nodes/2").asText()).isEqualTo("n6");
        assertThat(list.get("items")).anySatisfy(item -> {
            assertThat(item.get("kind").asText()).isEqualTo("Node");
            assertThat(item.at("/metadata/labels/lightpath.dev~1ring-position").asText())
                    .isEqualTo("7");
        });
    }

    /** The view, and who asked for it. */
    private HttpServer operator(AtomicReference<String> authorization) throws IOException {
        HttpServer operator = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] view = LightDiffTest.VIEW.getBytes(StandardCharsets.UTF_8);
        operator.createContext("/view", exchange -> {
            authorization.set(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(200, view.length);
            exchange.getResponseBody().write(view);
            exchange.close();
        });
        operator.start();
        return operator;
    }

    private void account(String namespace, String name) {
        ApiServer.namespace(client, namespace);
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .build())
                .serverSideApply();
    }

    private String knownAs(String authorization) {
        return client.tokenReviews()
                .create(new TokenReviewBuilder()
                        .withNewSpec()
                        .withToken(authorization.replaceFirst("^Bearer ", ""))
                        .endSpec()
                        .build())
                .getStatus()
                .getUser()
                .getUsername();
    }

    /** The administrator of this API server has a client certificate. */
    @Test
    void asksTheOperatorAsTheViewerWhereTheKubeconfigHasNoToken() throws IOException {
        account("viewed", "lightpath-viewer");
        AtomicReference<String> authorization = new AtomicReference<>();
        HttpServer operator = operator(authorization);
        try {
            String url = "http://127.0.0.1:" + operator.getAddress().getPort();
            TestRun run = run("diff", "fabric/ring-a", "--operator", url, "--operator-namespace", "viewed");
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("2 devices differ");
            assertThat(knownAs(authorization.get())).isEqualTo("system:serviceaccount:viewed:lightpath-viewer");

            TestRun none = run("diff", "fabric/ring-a", "--operator", url, "--operator-namespace", "unviewed");
            assertThat(none.exitCode()).isEqualTo(2);
            assertThat(none.err())
                    .contains("the operator asks for a token", "unviewed/lightpath-viewer")
                    .hasLineCount(1);
        } finally {
            operator.stop(0);
        }
    }

    @Test
    void asksTheOperatorWithTheTokenOfTheKubeconfig() throws IOException, InterruptedException {
        account("viewed", "somebody");
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("somebody")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                        .addNewSubject("", "ServiceAccount", "somebody", "viewed")
                        .build())
                .serverSideApply();
        AccountKubeconfig own =
                AccountKubeconfig.write(client, "viewed", "somebody", folder.resolve("token.kubeconfig"));
        // a role holds a moment after it was written
        for (int tries = 0;
                tries < 300
                        && TestRun.of("status", "--kubeconfig", own.file().toString())
                                        .exitCode()
                                != 0;
                tries++) {
            Thread.sleep(100);
        }
        AtomicReference<String> authorization = new AtomicReference<>();
        HttpServer operator = operator(authorization);
        try {
            TestRun run = TestRun.of(
                    "diff",
                    "fabric/ring-a",
                    "--operator",
                    "http://127.0.0.1:" + operator.getAddress().getPort(),
                    "--kubeconfig",
                    own.file().toString());
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(authorization.get()).isEqualTo("Bearer " + own.token());
        } finally {
            operator.stop(0);
        }
    }

    @Test
    void sendsNoTokenInTheClearToAnotherMachine() {
        TestRun run = run("diff", "fabric/ring-a", "--operator", "http://10.0.0.1:8080");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("http://10.0.0.1:8080/view is not asked", "https", "--operator URL")
                .hasLineCount(1);
    }

    @Test
    void saysHowToReachAnOperatorThatIsNotFound() {
        TestRun run = run("diff", "fabric/ring-a", "--operator-namespace", "nowhere", "--operator", "");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("no operator has ever led")
                .contains("--operator URL")
                .hasLineCount(1);
    }

    private Path manifest(String name, String parallelism, String more) throws IOException {
        return Files.writeString(folder.resolve(name + ".yaml"), """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {%s}
                  scaleUp: {fabric: ring-a}
                %s""".formatted(name, parallelism, more));
    }
}
