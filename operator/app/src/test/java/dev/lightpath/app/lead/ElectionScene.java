package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.RingManifest;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.awaitility.core.ThrowingRunnable;

/** Two fabrics that share nothing, and replicas in one process, whose drivers are away. */
final class ElectionScene implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(120);
    static final List<String> FABRICS = List.of("shared-a", "shared-b");

    final KubernetesClient client;
    private final List<Candidate> candidates = new ArrayList<>();
    private final AtomicReference<String> twice = new AtomicReference<>("");
    private final ScheduledExecutorService watcher = Executors.newSingleThreadScheduledExecutor();
    private String namespace = "";

    /** @param client is closed with the scene */
    ElectionScene(KubernetesClient client) {
        this.client = client;
    }

    /** Replicas of this namespace stand for election. */
    void stand(String name) {
        namespace = name;
        ApiServer.namespace(client, name);
        describe();
        watcher.scheduleAtFixedRate(this::look, 0, 5, TimeUnit.MILLISECONDS);
    }

    private void describe() {
        for (String fabric : FABRICS) {
            client.resource(RingManifest.of(fabric, "127.0.0.1:" + (1 + FABRICS.indexOf(fabric))))
                    .create();
        }
    }

    /** At no moment do two lead one fabric. */
    private void look() {
        for (String fabric : FABRICS) {
            List<Candidate> leaders;
            synchronized (candidates) {
                leaders = candidates.stream()
                        .filter(candidate -> candidate.leads(fabric))
                        .toList();
            }
            // looked at again: one may have ended between the looks at two
            if (leaders.size() > 1
                    && leaders.stream().filter(each -> each.leads(fabric)).count() > 1) {
                twice.set(fabric);
            }
        }
    }

    String namespace() {
        return namespace;
    }

    /** A fabric that two led at once; empty while there is none. */
    String ledTwice() {
        return twice.get();
    }

    /** One that shares. */
    Candidate candidate(String name) {
        return candidate(client, name);
    }

    Candidate candidate(KubernetesClient of, String name) {
        return standing(new Candidate(of, name, namespace, true));
    }

    /** One that leads everything. */
    Candidate whole(String name) {
        return standing(new Candidate(client, name, namespace, false));
    }

    private Candidate standing(Candidate candidate) {
        synchronized (candidates) {
            candidates.add(candidate);
        }
        return candidate;
    }

    /** Whose requests of a kind end when they are let. */
    KubernetesClient slow(Predicate<HttpRequest> which, AtomicReference<CountDownLatch> until) {
        return new KubernetesClientBuilder()
                .withConfig(client.getConfiguration())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("hang", new Interceptor() {
                    @Override
                    public void before(BasicBuilder request, HttpRequest before, Interceptor.RequestTags tags) {
                        if (which.test(before)) {
                            try {
                                until.get().await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        }
                    }
                }))
                .build();
    }

    /** As of a job that is placed on both. */
    void placed(String fabric) {
        FabricSlice unused = recorded(fabric, "1", "");
    }

    /**
     * @param job its UID
     * @param group of its record, as JSON
     */
    FabricSlice recorded(String fabric, String job, String group) {
        FabricSlice slice = client.resource(client.getKubernetesSerialization()
                        .unmarshal("""
                        apiVersion: lightpath.dev/v1alpha1
                        kind: FabricSlice
                        metadata: {name: on-%s, namespace: default}
                        spec: {fabric: %s, job: {name: on-both, uid: "%s", attempt: 1}, demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}}
                        """.formatted(fabric, fabric, job), FabricSlice.class))
                .create();
        client.resource(slice)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\":{\"allocation\":{\"format\":1,\"revision\":1,\"groups\":[" + group + "]}}}");
        return slice;
    }

    TrainingJob job() {
        return client.resource(client.getKubernetesSerialization().unmarshal("""
                        apiVersion: lightpath.dev/v1alpha1
                        kind: TrainingJob
                        metadata: {name: on-both, namespace: default}
                        spec:
                          model: {preset: gpt-7b}
                          parallelism: {tensor: 8}
                          scaleUp: {fabric: shared-a}
                          scaleOut: {fabric: shared-b}
                        """, TrainingJob.class))
                .create();
    }

    void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
            assertThat(twice.get()).as("fabric that two led at once").isEmpty();
            assertion.run();
        });
    }

    @Override
    public void close() {
        watcher.shutdownNow();
        candidates.forEach(Candidate::close);
        client.resources(TrainingJob.class)
                .inNamespace("default")
                .withName("on-both")
                .delete();
        client.resources(FabricSlice.class).inNamespace("default").delete();
        FABRICS.forEach(
                fabric -> client.resources(OpticalFabric.class).withName(fabric).delete());
        client.close();
    }
}
