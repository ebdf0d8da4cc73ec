package dev.lightpath.app.job.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.agreeing.AskedHooks;
import dev.lightpath.app.kueue.Workloads;
import dev.lightpath.app.measuring.QueriedTimes;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whose recorded traffic is read, and what is written down of it. */
@ExtendWith(ApiServerExtension.class)
final class TrafficFactsIT {
    private static final String OPEN = "traffic-open";
    private static final String SHUT = "traffic-shut";
    private static final String HOME = "traffic-home";
    private static final String FABRIC = "traffic-dc";

    private KubernetesClient client;

    @BeforeEach
    void start(ApiServer server) {
        client = server.client();
        for (String namespace : List.of(OPEN, SHUT, HOME)) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .addToLabels("light", namespace.equals(OPEN) ? "yes" : "no")
                            .endMetadata()
                            .build())
                    .serverSideApply();
        }
        client.resource(read("""
                        metadata: {name: %s}
                        spec:
                          ocs: {gpusPerNode: 4, topology: {logical: {}}, pods: [{name: a, index: 0, ports: 4, gpus: 16}, {name: b, index: 1, ports: 4, gpus: 16}]}
                          allowedNamespaces: {matchLabels: {light: "yes"}}
                        """.formatted(FABRIC), OpticalFabric.class)).create();
        write("no trace at all");
    }

    @AfterEach
    void stop() {
        client.resources(OpticalFabric.class).withName(FABRIC).delete();
        client.configMaps().inNamespace(HOME).withName("lightpath-readings").delete();
        client.close();
    }

    @Test
    void trafficIsReadForJobsThatMayBeServedAlone() {
        assertThat(problem(job(OPEN, "suspend: false")))
                .hasValueSatisfying(why ->
                        assertThat(why).startsWith("spec.scaleOut.traffic: ConfigMap recording: workload.txt:1: "));
        assertThat(problem(job(SHUT, "suspend: false"))).as("refused namespace").isEmpty();
        assertThat(problem(job(OPEN, "suspend: true"))).as("suspended").isEmpty();
        TrainingJob going = job(OPEN, "suspend: false");
        going.getMetadata().setDeletionTimestamp("2026-11-24T00:00:00Z");
        assertThat(problem(going)).as("being deleted").isEmpty();
    }

    @Test
    void aReadingThatEndsLeavesNoMark() {
        assertThat(problem(job(OPEN, "suspend: false"))).isPresent();
        assertThat(marks()).isEmpty();
    }

    @Test
    void aContentOverWhichAProcessEndedIsNotReadUntilItChangesOrAPersonClearsIt() {
        ReadingMarks killed = new ReadingMarks(client, HOME);
        assertThat(killed.begin("0f", "ns/other")).isEmpty();
        assertThat(killed.begin("0f", "ns/other")).as("its own mark").isEmpty();
        assertThat(marks()).containsOnlyKeys("0f");
        ReadingMarks next = new ReadingMarks(client, HOME);
        assertThat(next.begin("0f", "ns/job"))
                .hasValueSatisfying(why -> assertThat(why)
                        .contains("an operator ended while it read this content (for TrainingJob ns/other at 20")
                        .endsWith("delete key 0f of ConfigMap traffic-home/lightpath-readings"));
        assertThat(next.begin("10", "ns/job")).as("another content").isEmpty();
        next.end("10");
        assertThat(marks()).containsOnlyKeys("0f");
        client.configMaps().inNamespace(HOME).withName("lightpath-readings").delete();
        assertThat(next.begin("0f", "ns/job")).isEmpty();
        assertThat(next.begin("11", "ns/job")).isEmpty();
        next.stop();
        assertThat(marks())
                .as("a process that stops in order is not ended by what it reads")
                .isEmpty();
    }

    private Map<String, String> marks() {
        ConfigMap stored = client.configMaps()
                .inNamespace(HOME)
                .withName("lightpath-readings")
                .get();
        return stored == null || stored.getData() == null ? Map.of() : stored.getData();
    }

    private Optional<String> problem(TrainingJob job) {
        try (TrafficReadings readings = new TrafficReadings(read -> {}, System::nanoTime)) {
            FactsReader reader = new FactsReader(
                    client,
                    new TrafficFactsReader(client, new ReadingMarks(client, HOME), readings),
                    Workloads.none(client),
                    new QueriedTimes(System::nanoTime),
                    new AskedHooks(System::nanoTime));
            return await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(20))
                    .until(
                            () -> reader.read(job, new Watched(List.of(), Set.of(), Set.of()), Instant.now())
                                    .traffic(),
                            facts -> facts.awaited().isEmpty())
                    .problem();
        }
    }

    private static TrainingJob job(String namespace, String more) {
        return read("""
                metadata: {name: traced, namespace: %s, uid: 5a1e0f9e-0000-4000-8000-00000000beef}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 4, pipeline: 2, data: 2}
                  scaleOut: {fabric: %s, stagesPerPod: 1, traffic: {configMap: recording, format: AICB}}
                  %s
                """.formatted(namespace, FABRIC, more), TrainingJob.class);
    }

    private void write(String workload) {
        for (String namespace : List.of(OPEN, SHUT)) {
            client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("recording")
                            .withNamespace(namespace)
                            .endMetadata()
                            .addToData("workload.txt", workload)
                            .build())
                    .serverSideApply();
        }
    }

    private static <T> T read(String yaml, Class<T> type) {
        return Serialization.unmarshal(yaml, type);
    }
}
