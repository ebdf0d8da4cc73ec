package dev.lightpath.app.job.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.lightpath.app.job.facts.SampleRun;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.kueue.Workloads;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which Workloads of Kueue admit pods that are a workload by their label alone. */
class PodQueueTest {
    private static final String GONE = ", deletionTimestamp: \"2026-05-01T10:00:00Z\"";
    private static final String ADMITTED = "[{type: Admitted, status: \"True\"}]";
    private static final String EVICTED = "[{type: Admitted, status: \"False\"}, {type: Evicted, status: \"True\"}]";
    private static final String RESERVED =
            "[{type: QuotaReserved, status: \"True\"}], admissionChecks: [{name: light, state: Pending}]";
    private static final WorkloadFacts.Run RUN = SampleRun.running().run();

    /** Workloads by name. */
    private final Map<String, String> workloads = new LinkedHashMap<>();

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads", this::answer);
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .build())
                .build();
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    /** Kueue deletes all pods of a group at once, and keeps them by its finalizer. */
    @Test
    void aGroupThatIsPreemptedWaitsAgain() {
        workload("together", EVICTED, "a", "b");
        PodQueue queue = queue(pod("a", "together", GONE, "Running"), pod("b", "together", GONE, "Failed"));
        assertThat(queue.held()).isTrue();
        assertThat(queue.of(RUN).awaitsQuota()).isTrue();
    }

    @Test
    void podsThatReplaceOthersSpeakForTheGroup() {
        workload("before", EVICTED, "a");
        workload("now", ADMITTED, "b");
        PodQueue queue = queue(pod("a", "before", GONE, "Running"), pod("b", "now", "", "Pending"));
        assertThat(queue.workloads()).extracting("name").containsExactly("now");
        assertThat(queue.of(RUN).awaitsQuota()).isFalse();
    }

    /** Kueue admits a pod without a group by itself. */
    @Test
    void podsThatEndedAreNoPartsOfTheQueue() {
        alone("a", ADMITTED);
        alone("b", ADMITTED);
        assertThat(queue(pod("a", null, "", "Failed"), pod("b", null, "", "Running")))
                .satisfies(queue -> assertThat(queue.split()).isFalse())
                .satisfies(queue ->
                        assertThat(queue.workloads()).extracting("name").containsExactly("pod-b"));
        assertThat(queue(pod("a", null, "", "Succeeded"), pod("b", null, GONE, "Failed"))
                        .split())
                .as("of pods that are not there any more, those that go now")
                .isFalse();
        assertThat(queue(pod("a", null, "", "Running"), pod("b", null, "", "Running"))
                        .split())
                .isTrue();
    }

    /** Labels are anybody's: else a pod could answer, and park, the Workload of another. */
    @Test
    void aWorkloadThatThesePodsDoNotOwnIsNotTheirs() {
        workload("colleague", ADMITTED, "x", "y");
        PodQueue queue = queue(pod("a", "colleague", "", "Pending"), pod("b", "colleague", "", "Pending"));
        assertThat(queue.held()).isTrue();
        assertThat(queue.workloads()).isEmpty();
        workload("mine", ADMITTED, "x", "b");
        assertThat(queue(pod("a", "mine", "", "Pending"), pod("b", "mine", "", "Pending"))
                        .workloads())
                .extracting("name")
                .containsExactly("mine");
    }

    /** Kueue has a StatefulSet own the Workload of its pods. */
    @Test
    void aWorkloadOfWhatControlsThePodsIsTheirs() {
        workload("set", ADMITTED, "sts");
        Pod pod = pod("a", "set", ", ownerReferences: [{kind: StatefulSet, name: s, uid: sts, controller: true}]", "");
        assertThat(queue(pod).workloads()).extracting("name").containsExactly("set");
    }

    /** Kueue does so too, by default: what it writes itself is the annotation. */
    @Test
    void theAnnotationNamesTheGroupBeforeTheLabelDoes() {
        workload("together", ADMITTED, "a");
        Pod pod = pod("a", "other", ", annotations: {kueue.x-k8s.io/pod-group-name: together}", "Pending");
        assertThat(queue(pod).workloads()).extracting("name").containsExactly("together");
        assertThat(asked).noneMatch(path -> path.endsWith("/other"));
    }

    @Test
    void manyGroupsAndManyPodsCostFewRequests() {
        Pod[] grouped = IntStream.range(0, 50)
                .mapToObj(i -> pod("p" + i, "g" + i, "", "Pending"))
                .toArray(Pod[]::new);
        assertThat(queue(grouped).workloads()).isEmpty();
        assertThat(asked).hasSize(2);
        workload("g0", ADMITTED, "p0");
        assertThat(queue(grouped).split()).as("the others are not asked about").isTrue();

        asked.clear();
        Pod[] alone = IntStream.range(0, 500)
                .mapToObj(i -> pod("a" + i, null, "", "Pending"))
                .toArray(Pod[]::new);
        alone("a0", ADMITTED);
        assertThat(queue(alone).split()).isTrue();
        assertThat(asked).singleElement().asString().contains("a0", "a19").doesNotContain("a20");
        workloads.clear();
        asked.clear();
        alone("a27", ADMITTED);
        assertThat(queue(alone).workloads()).hasSize(1);
        assertThat(asked).hasSize(2).allSatisfy(path -> assertThat(path).hasSizeLessThan(1000));
    }

    /** Each holds quota of its own until it is answered, and one is answered at a time. */
    @Test
    void ofPodsWithoutAGroupTheFirstThatAsksIsAnswered() {
        for (int i = 0; i < 4; i++) {
            alone("a" + i, i < 3 ? EVICTED : RESERVED);
        }
        Pod[] pods = IntStream.range(0, 4)
                .mapToObj(i -> pod("a" + i, null, "", "Pending"))
                .toArray(Pod[]::new);
        PodQueue queue = queue(pods);
        assertThat(queue.split()).isTrue();
        assertThat(queue.workloads().getFirst()).satisfies(first -> {
            assertThat(first.name()).isEqualTo("pod-a3");
            assertThat(first.asks()).isTrue();
        });
    }

    private PodQueue queue(Pod... pods) {
        return PodQueue.of(new Workloads(client, () -> Optional.of(Set.of("light"))), "default", List.of(pods));
    }

    private static Pod pod(String name, @Nullable String group, String metadata, String phase) {
        return Serialization.unmarshal(
                "--- {apiVersion: v1, kind: Pod, metadata: {namespace: default, name: %s, uid: %s%s, labels: {kueue.x-k8s.io/managed: \"true\"%s}}, spec: {}, status: {phase: \"%s\"}}"
                        .formatted(
                                name,
                                name,
                                metadata,
                                group == null ? "" : ", kueue.x-k8s.io/pod-group-name: " + group,
                                phase),
                Pod.class);
    }

    private void workload(String name, String conditions, String... owners) {
        String references = String.join(
                ", ",
                Arrays.stream(owners)
                        .map(uid -> "{apiVersion: v1, kind: Pod, name: " + uid + ", uid: " + uid + "}")
                        .toList());
        workloads.put(
                name,
                "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {namespace: default, name: %s, ownerReferences: [%s]}, status: {conditions: %s}}"
                        .formatted(name, references, conditions));
    }

    private void alone(String pod, String conditions) {
        workload("pod-" + pod, conditions, pod);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        @Nullable String query = exchange.getRequestURI().getQuery();
        asked.add(query == null ? path : URLDecoder.decode(query, StandardCharsets.UTF_8));
        @Nullable String one = workloads.get(path.substring(path.lastIndexOf('/') + 1));
        boolean list = path.endsWith("/workloads");
        String items = String.join(
                ", ",
                workloads.entrySet().stream()
                        .filter(each ->
                                list && uids(query).contains(each.getKey().replaceFirst("pod-", "")))
                        .map(Map.Entry::getValue)
                        .toList());
        String yaml = list
                ? "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadList, metadata: {}, items: [" + items + "]}"
                : one == null ? "{apiVersion: v1, kind: Status, code: 404}" : one;
        byte[] body = Serialization.asJson(Serialization.unmarshal("--- " + yaml, Map.class))
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(!list && one == null ? 404 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Of the selector {@code kueue.x-k8s.io/job-uid in (...)}. */
    private static Set<String> uids(@Nullable String query) {
        String selector = query == null ? "" : URLDecoder.decode(query, StandardCharsets.UTF_8);
        int open = selector.indexOf('(');
        return open < 0
                ? Set.of()
                : Set.of(selector.substring(open + 1, selector.indexOf(')')).split(","));
    }
}
