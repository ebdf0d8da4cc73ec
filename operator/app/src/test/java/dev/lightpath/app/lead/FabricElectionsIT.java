package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.cluster.Newcomers;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.share.Seat;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Replicas in one process, whose drivers are away: who leads what. */
@ExtendWith(ApiServerExtension.class)
class FabricElectionsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final List<String> FABRICS = List.of("shared-a", "shared-b");

    private final KubernetesClient client;
    private final List<Candidate> candidates = new ArrayList<>();
    private final AtomicReference<String> twice = new AtomicReference<>("");
    private final ScheduledExecutorService watcher = Executors.newSingleThreadScheduledExecutor();
    private String namespace = "";

    FabricElectionsIT(ApiServer server) {
        this.client = server.client();
    }

    @BeforeEach
    void describe() {
        for (String fabric : FABRICS) {
            client.resource(client.getKubernetesSerialization()
                            .unmarshal("""
                    apiVersion: lightpath.dev/v1alpha1
                    kind: OpticalFabric
                    metadata: {name: %s}
                    spec:
                      ocsTrx:
                        shape: Ring
                        reach: 2
                        gpusPerNode: 4
                        positions: 8
                        nodeSelector: {matchLabels: {of: %s}}
                        driver: {endpoint: "127.0.0.1:%d"}
                    """.formatted(fabric, fabric, 1 + FABRICS.indexOf(fabric)), OpticalFabric.class))
                    .create();
        }
        watcher.scheduleAtFixedRate(this::look, 0, 5, TimeUnit.MILLISECONDS);
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

    @AfterEach
    void stop() {
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

    @Test
    void fabricsThatShareNothingAreLedIndependentlyAndByOneWhereAJobIsPlacedOnBoth() {
        namespace("share-two");
        Candidate first = candidate("first-1111");
        eventually(() -> assertThat(FABRICS).allMatch(first::leads));

        Candidate second = candidate("second-2222");
        eventually(() -> {
            assertThat(FABRICS).filteredOn(first::leads).hasSize(1);
            assertThat(FABRICS).filteredOn(second::leads).hasSize(1);
        });
        assertThat(first.fencing.held()).isNotEqualTo(second.fencing.held());
        long highest = Math.max(first.fencing.held(), second.fencing.held());

        TrainingJob unused = job();
        await().during(Duration.ofSeconds(5))
                .atMost(PATIENCE)
                .until(() -> List.of(first, second).stream()
                        .allMatch(each -> FABRICS.stream().filter(each::leads).count() == 1));

        FABRICS.forEach(this::placed);
        eventually(() -> {
            Candidate leader = FABRICS.stream().allMatch(first::leads) ? first : second;
            assertThat(FABRICS).allMatch(leader::leads);
            assertThat(leader.fencing.held()).isGreaterThan(highest);
        });

        client.resources(FabricSlice.class).inNamespace("default").delete();
        eventually(() -> {
            assertThat(FABRICS).filteredOn(first::leads).hasSize(1);
            assertThat(FABRICS).filteredOn(second::leads).hasSize(1);
        });

        first.close();
        eventually(() -> assertThat(FABRICS).allMatch(second::leads));
        assertThat(twice.get()).isEmpty();
    }

    @Test
    void aLeaseThatIsTakenAwayCostsThatFabricAndNoOther() {
        namespace("share-lost");
        Candidate only = candidate("only-3333");
        eventually(() -> assertThat(FABRICS).allMatch(only::leads));
        long held = only.fencing.held();

        // tried again: whoever holds it renews it meanwhile
        eventually(() -> client.leases()
                .inNamespace(namespace)
                .withName("lightpath-fabric-shared-a")
                .edit(lease -> {
                    lease.getSpec().setHolderIdentity("somebody-else");
                    lease.getSpec().setRenewTime(java.time.ZonedDateTime.now(java.time.ZoneOffset.UTC));
                    lease.getSpec().setLeaseDurationSeconds(600);
                    return lease;
                }));
        eventually(() -> {
            assertThat(only.leads("shared-a")).isFalse();
            assertThat(only.leads("shared-b")).isTrue();
            assertThat(only.fencing.held()).isGreaterThan(held);
        });

        client.leases()
                .inNamespace(namespace)
                .withName("lightpath-fabric-shared-a")
                .edit(lease -> {
                    lease.getSpec().setHolderIdentity("");
                    return lease;
                });
        eventually(() -> assertThat(FABRICS).allMatch(only::leads));
    }

    /** Whose requests of a kind end when they are let. */
    private KubernetesClient slow(Predicate<HttpRequest> which, AtomicReference<CountDownLatch> until) {
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

    /** Its own thread waits for the API server, while others take what it led. */
    @Test
    void whoseLeasesRunOutWhileARequestHangsTellsNothingMore() {
        namespace("share-runs-out");
        AtomicReference<CountDownLatch> hangs = new AtomicReference<>(new CountDownLatch(0));
        KubernetesClient slow =
                slow(request -> request.uri().getPath().endsWith("/namespaces/share-runs-out/leases"), hangs);
        Candidate first = new Candidate(slow, "first-1212", namespace, true);
        synchronized (candidates) {
            candidates.add(first);
        }
        eventually(() -> assertThat(FABRICS).allMatch(first::leads));
        eventually(() -> assertThat(first.tells).isTrue());
        CountDownLatch end = new CountDownLatch(1);
        hangs.set(end);
        try {
            Candidate second = candidate("second-1313");
            eventually(() -> assertThat(FABRICS).allMatch(second::leads));
            eventually(() -> assertThat(first.tells).isFalse());
            eventually(() -> assertThat(first.leadership.sinceLastPass()).isEmpty());
        } finally {
            end.countDown();
        }
        eventually(() -> {
            assertThat(FABRICS).anyMatch(first::leads);
            assertThat(first.tells).isTrue();
        });
        first.close();
        slow.close();
    }

    @Test
    void aNodeThatComesToAFabricIsUsedOnceNoRecordOfOthersNamesIt() {
        namespace("share-comes");
        Candidate only = candidate("only-1414");
        eventually(() -> assertThat(FABRICS).allMatch(only::leads));
        // a job that is there: else its slice would go
        String job = job().getMetadata().getUid();
        FabricSlice slice =
                recorded("shared-b", job, "{\"index\":0,\"nodes\":[\"node-that-comes\"],\"positions\":[3]}");
        Node node = client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("node-that-comes")
                        .addToLabels("of", "shared-a")
                        .addToLabels("lightpath.dev/ring-position", "0")
                        .endMetadata()
                        .build())
                .create();
        try {
            eventually(() -> assertThat(isClosed(only)).isTrue());
            await().during(Newcomers.WAIT.plusSeconds(3)).atMost(PATIENCE).until(() -> isClosed(only));
            client.resource(slice).delete();
            eventually(() -> assertThat(isClosed(only)).isFalse());
        } finally {
            client.resource(node).delete();
        }
    }

    private static boolean isClosed(Candidate candidate) {
        return candidate
                .seen
                .orElseThrow()
                .rings()
                .get("shared-a")
                .nodes()
                .get(0)
                .closed();
    }

    /** Jobs that name it alone are of whoever leads the rest from then on: its own share stays as it is. */
    @Test
    void whoLeadsTheRestCallsJobsOnceAFabricOfAnotherIsGone() {
        namespace("share-calls");
        Candidate first = candidate("first-1515");
        Candidate second = candidate("second-1616");
        eventually(() -> {
            assertThat(FABRICS).filteredOn(first::leads).hasSize(1);
            assertThat(FABRICS).filteredOn(second::leads).hasSize(1);
            assertThat(List.of(first, second))
                    .filteredOn(each -> each.share.get().rest())
                    .hasSize(1);
        });
        Candidate rest = first.share.get().rest() ? first : second;
        Candidate other = rest == first ? second : first;
        String gone = FABRICS.stream().filter(other::leads).findFirst().orElseThrow();
        assertThat(rest.terms.get()).isLessThanOrEqualTo(rest.begun.get());
        client.resources(OpticalFabric.class).withName(gone).delete();
        eventually(() -> assertThat(rest.terms.get()).isGreaterThan(rest.begun.get()));
    }

    /** As in a connection that is dead and not closed: the request ends long after the Lease has run out. */
    @Test
    void aWriteThatHangsHoldsUpNoOther() {
        namespace("share-hangs");
        AtomicReference<CountDownLatch> hangs = new AtomicReference<>(new CountDownLatch(0));
        KubernetesClient slow = slow(
                request -> request.method().equals("PUT")
                        && request.uri().getPath().endsWith("lightpath-fabric-shared-a"),
                hangs);
        Candidate only = new Candidate(slow, "only-1010", namespace, true);
        synchronized (candidates) {
            candidates.add(only);
        }
        eventually(() -> assertThat(FABRICS).allMatch(only::leads));

        CountDownLatch end = new CountDownLatch(1);
        hangs.set(end);
        try {
            eventually(() -> assertThat(only.leads("shared-a")).isFalse());
            await().during(Duration.ofSeconds(12))
                    .atMost(PATIENCE)
                    .until(() -> only.leads("shared-b") && !only.leads("shared-a"));
        } finally {
            end.countDown();
        }
        eventually(() -> assertThat(FABRICS).allMatch(only::leads));
        only.close();
        slow.close();
    }

    @Test
    void whoTakesALeaseBackHoldsItSinceThen() {
        namespace("share-since");
        Seat seat = Seat.ofFabric("shared-a");
        SharedLeases mine = new SharedLeases(client, namespace);
        SharedLeases theirs = new SharedLeases(client, namespace);
        String first = mine.write(seat, "me", "").orElseThrow();
        ZonedDateTime since = lease().getSpec().getAcquireTime();
        theirs.list();
        String second = theirs.write(seat, "they", first).orElseThrow();
        assertThat(mine.write(seat, "me", first)).isEmpty();
        assertThat(mine.write(seat, "me", second)).isPresent();
        assertThat(lease().getSpec().getAcquireTime()).isAfter(since);
        assertThat(lease().getSpec().getHolderIdentity()).isEqualTo("me");
    }

    private Lease lease() {
        return client.leases()
                .inNamespace(namespace)
                .withName("lightpath-fabric-shared-a")
                .get();
    }

    @Test
    void theLeaseOfWhatIsOfNoFabricIsHeldByOneReplica() {
        namespace("share-rest");
        Candidate first = candidate("first-4444");
        Candidate second = candidate("second-5555");
        eventually(() -> {
            assertThat(List.of(first, second))
                    .filteredOn(
                            each -> each.fencing.held() > 0 && each.share.get().rest())
                    .hasSize(1);
            Lease rest = client.leases()
                    .inNamespace(namespace)
                    .withName("lightpath-rest")
                    .get();
            assertThat(rest.getSpec().getHolderIdentity()).isIn("first-4444", "second-5555");
            // those that ask for a view ask for one that leads what is of no fabric
            assertThat(client.leases()
                            .inNamespace(namespace)
                            .withName(LightpathNames.LEASE)
                            .get()
                            .getSpec()
                            .getHolderIdentity())
                    .isEqualTo(rest.getSpec().getHolderIdentity() + "/shared");
        });
    }

    /** As while an update brings replicas that share. */
    @Test
    void whoLeadsEverythingIsWaitedFor() {
        namespace("share-whole");
        Candidate whole = new Candidate(client, "whole-6666", namespace, false);
        synchronized (candidates) {
            candidates.add(whole);
        }
        eventually(() -> assertThat(FABRICS).allMatch(whole::leads));
        Candidate sharing = candidate("sharing-7777");
        eventually(() -> assertThat(client.leases()
                        .inNamespace(namespace)
                        .withName("lightpath-replica-sharing-7777")
                        .get()
                        .getSpec()
                        .getHolderIdentity())
                .isEqualTo("sharing-7777"));
        await().during(Duration.ofSeconds(5))
                .atMost(PATIENCE)
                .until(() -> FABRICS.stream().noneMatch(sharing::leads));

        whole.close();

        eventually(() -> assertThat(FABRICS).allMatch(sharing::leads));
        assertThat(sharing.fencing.held()).isGreaterThan(1);
    }

    /** As while an update goes back: it waits until none that shares can lead any more. */
    @Test
    void whoWouldLeadEverythingWaitsForAllThatShare() {
        namespace("share-back");
        Candidate sharing = candidate("sharing-8888");
        eventually(() -> assertThat(FABRICS).allMatch(sharing::leads));
        Candidate whole = new Candidate(client, "whole-9999", namespace, false);
        synchronized (candidates) {
            candidates.add(whole);
        }
        await().during(Duration.ofSeconds(20))
                .atMost(PATIENCE)
                .until(() -> whole.fencing.held() == 0 && FABRICS.stream().allMatch(sharing::leads));

        sharing.close();

        eventually(() -> assertThat(FABRICS).allMatch(whole::leads));
        assertThat(whole.fencing.held()).isGreaterThan(1);
    }

    /** As of a job that is placed on both. */
    private void placed(String fabric) {
        FabricSlice unused = recorded(fabric, "1", "");
    }

    /**
     * @param job its UID
     * @param group of its record, as JSON
     */
    private FabricSlice recorded(String fabric, String job, String group) {
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

    private TrainingJob job() {
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

    private void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
            assertThat(twice.get()).as("fabric that two led at once").isEmpty();
            assertion.run();
        });
    }

    private Candidate candidate(String name) {
        Candidate candidate = new Candidate(client, name, namespace, true);
        synchronized (candidates) {
            candidates.add(candidate);
        }
        return candidate;
    }

    private void namespace(String name) {
        namespace = name;
        ApiServer.namespace(client, name);
    }
}
