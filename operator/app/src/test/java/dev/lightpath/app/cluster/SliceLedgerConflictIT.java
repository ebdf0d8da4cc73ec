package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
class SliceLedgerConflictIT {
    private final KubernetesClient client;
    private final SliceLedger ledger;

    SliceLedgerConflictIT(ApiServer server) {
        client = server.client();
        ledger = new SliceLedger(client, List::of, slice -> true, () -> true);
    }

    @AfterEach
    void close() {
        ledger.close();
        slices().delete();
        client.close();
    }

    @Test
    void whatIsRecordedIsReadBack() throws InterruptedException {
        SliceId id = slice("read-back");
        record(id, entry(id).version(), allocation(1, "n1", "n2"));
        assertThat(entry(id).allocation()).contains(allocation(1, "n1", "n2"));
        try (SliceLedger fresh = new SliceLedger(client, List::of, slice -> true, () -> true)) {
            assertThat(fresh.entries().get(id)).isEqualTo(entry(id));
        }
    }

    @Test
    void aConditionWrittenMeanwhileIsNoConflict() throws InterruptedException {
        SliceId id = slice("condition");
        String version = entry(id).version();
        status(id, "{\"status\":{\"observedGeneration\":1}}");
        record(id, version, allocation(1, "n1", "n2"));
        assertThat(entry(id).allocation()).contains(allocation(1, "n1", "n2"));
        assertThat(read(id).getStatus().observedGeneration()).isEqualTo(1);
    }

    @Test
    void aConditionThatAWatchShowsCostsNoSecondRequest(ApiServer server) throws InterruptedException {
        SliceId id = slice("watched");
        AtomicInteger requests = new AtomicInteger();
        try (KubernetesClient counted = counting(server, requests);
                SliceLedger watching = new SliceLedger(counted, () -> List.of(read(id)), slice -> true, () -> true)) {
            String version = Optional.ofNullable(watching.entries().get(id))
                    .orElseThrow()
                    .version();
            record(watching, id, version, allocation(1, "n1", "n2"));
            version = Optional.ofNullable(watching.entries().get(id))
                    .orElseThrow()
                    .version();
            status(id, "{\"status\":{\"observedGeneration\":1}}");
            requests.set(0);
            record(watching, id, version, allocation(2, "n1", "n3"));
            assertThat(requests).hasValue(1);
            assertThat(Optional.ofNullable(watching.entries().get(id))
                            .orElseThrow()
                            .allocation())
                    .contains(allocation(2, "n1", "n3"));
        }
    }

    private static KubernetesClient counting(ApiServer server, AtomicInteger requests) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(server.kubeConfigYaml()))
                .withHttpClientBuilderConsumer(builder -> builder.addOrReplaceInterceptor("count", new Interceptor() {
                    @Override
                    public void before(BasicBuilder request, HttpRequest before, Interceptor.RequestTags tags) {
                        requests.incrementAndGet();
                    }
                }))
                .build();
    }

    @Test
    void aRecordWrittenByAnotherLeaderMeansThinkAgain() throws InterruptedException {
        SliceId id = slice("two-leaders");
        LedgerEntry before = entry(id);
        try (SliceLedger other = new SliceLedger(client, List::of, slice -> true, () -> true)) {
            other.entries();
            record(other, id, before.version(), allocation(1, "n7", "n8"));
        }
        record(id, before.version(), allocation(1, "n1", "n2"));
        assertThat(entry(id).allocation())
                .as("what the other wrote stands, and is what is known from now on")
                .contains(allocation(1, "n7", "n8"));
    }

    @Test
    void aDecisionOnAnOlderRecordIsNotWritten() throws InterruptedException {
        SliceId id = slice("older");
        String version = entry(id).version();
        record(id, version, allocation(1, "n1", "n2"));
        record(id, version, allocation(1, "n3", "n4"));
        assertThat(entry(id).allocation()).contains(allocation(1, "n1", "n2"));
    }

    @Test
    void aLoserThatCannotBeWrittenKeepsTheWinnerFromBeingWritten() throws InterruptedException {
        SliceId loser = slice("loser");
        SliceId winner = slice("winner");
        LedgerEntry stale = entry(loser);
        record(loser, stale.version(), allocation(1, "n1", "n2"));
        CountDownLatch done = new CountDownLatch(1);
        ledger.record(
                List.of(
                        new Decision.Adopt.Entry(loser, stale.version(), allocation(2, "n5")),
                        new Decision.Adopt.Entry(winner, entry(winner).version(), allocation(1, "n1", "n2"))),
                written -> {},
                (refused, why) -> {},
                done::countDown);
        assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
        assertThat(entry(winner).allocation()).isEmpty();
    }

    /** Others may be queued while it fails, decided on what was known before. */
    @Test
    void aRecordThatFailsCostsOnlyItself(ApiServer server) throws InterruptedException {
        SliceId failing = slice("failing");
        SliceId queued = slice("queued");
        AtomicInteger requests = new AtomicInteger();
        try (KubernetesClient counted = counting(server, requests);
                SliceLedger shared = new SliceLedger(counted, List::of, slice -> true, () -> true)) {
            String stale = entry(shared, failing).version();
            String version = entry(shared, queued).version();
            record(shared, failing, stale, allocation(1, "n1", "n2"));
            status(queued, "{\"status\":{\"observedGeneration\":1}}");
            requests.set(0);
            record(shared, failing, stale, allocation(1, "n3", "n4"));
            assertThat(entry(shared, failing).allocation()).contains(allocation(1, "n1", "n2"));
            assertThat(requests).as("it alone is read again").hasValue(1);
            record(shared, queued, version, allocation(1, "n5", "n6"));
            assertThat(entry(shared, queued).allocation()).contains(allocation(1, "n5", "n6"));
        }
    }

    /** A watch shows what somebody else wrote, and all are listed again. */
    @Test
    void whatIsListedAgainAndHasTheSameRecordIsStillWritten() throws InterruptedException {
        SliceId theirs = slice("theirs");
        SliceId queued = slice("queued-beside");
        try (SliceLedger watching =
                        new SliceLedger(client, () -> List.of(read(theirs), read(queued)), slice -> true, () -> true);
                SliceLedger other = new SliceLedger(client, List::of, slice -> true, () -> true)) {
            String version = entry(watching, queued).version();
            status(queued, "{\"status\":{\"observedGeneration\":1}}");
            record(other, theirs, entry(other, theirs).version(), allocation(1, "n7", "n8"));
            assertThat(entry(watching, theirs).allocation()).contains(allocation(1, "n7", "n8"));
            record(watching, queued, version, allocation(1, "n5", "n6"));
            assertThat(entry(watching, queued).allocation()).contains(allocation(1, "n5", "n6"));
        }
    }

    /** A watch that lags behind shows it still: it would be decided and written again in each pass. */
    @Test
    void whatIsGoneIsNotTriedAgain() throws InterruptedException {
        AtomicReference<List<FabricSlice>> seen = new AtomicReference<>(List.of());
        try (SliceLedger watching = new SliceLedger(client, seen::get, slice -> true, () -> true)) {
            watching.entries();
            SliceId id = slice("gone");
            seen.set(List.of(read(id)));
            String version = entry(watching, id).version();
            slices().withName(id.name()).delete();
            record(watching, id, version, allocation(1, "n1", "n2"));
            assertThat(watching.entries()).doesNotContainKey(id);
        }
    }

    /** No ring has such a position. */
    @Test
    void whatTheApiServerRefusesIsToldInItsWords() throws InterruptedException {
        SliceId id = slice("refused");
        SliceId other = slice("not-refused");
        List<String> told = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        ledger.record(
                List.of(
                        new Decision.Adopt.Entry(id, entry(id).version(), allocation(1, "n1", "n99999")),
                        new Decision.Adopt.Entry(other, entry(other).version(), allocation(1, "n3", "n4"))),
                written -> told.add(written.slice().name()),
                (refused, why) -> told.add(refused.slice().name() + ": " + why),
                done::countDown);
        assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
        assertThat(told)
                .hasSize(2)
                .contains("not-refused")
                .anySatisfy(line -> assertThat(line).startsWith("refused: ").contains("positions"));
        assertThat(entry(id).allocation()).isEmpty();
    }

    private void record(SliceId id, String version, Allocation allocation) throws InterruptedException {
        record(ledger, id, version, allocation);
    }

    private static void record(SliceLedger ledger, SliceId id, String version, Allocation allocation)
            throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        ledger.record(
                List.of(new Decision.Adopt.Entry(id, version, allocation)),
                written -> {},
                (refused, why) -> {},
                done::countDown);
        assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
    }

    private LedgerEntry entry(SliceId id) {
        return entry(ledger, id);
    }

    private static LedgerEntry entry(SliceLedger ledger, SliceId id) {
        return Optional.ofNullable(ledger.entries().get(id)).orElseThrow();
    }

    private static Allocation allocation(long revision, String... nodes) {
        List<Allocation.Member> members = new java.util.ArrayList<>();
        for (String node : nodes) {
            members.add(new Allocation.Member(node, Integer.parseInt(node.substring(1))));
        }
        return new Allocation(revision, List.of(new Allocation.Group(members)), new TreeSet<>());
    }

    private SliceId slice(String name) {
        client.resource(client.getKubernetesSerialization().unmarshal("""
                        apiVersion: lightpath.dev/v1alpha1
                        kind: FabricSlice
                        metadata: {name: %s, namespace: default}
                        spec:
                          fabric: ring-a
                          job: {name: %s, uid: u, attempt: 1}
                          demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
                        """.formatted(name, name), FabricSlice.class))
                .create();
        return new SliceId("default", name);
    }

    private FabricSlice read(SliceId id) {
        return slices().withName(id.name()).get();
    }

    private void status(SliceId id, String patch) {
        slices().withName(id.name()).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    private io.fabric8.kubernetes.client.dsl.NonNamespaceOperation<
                    FabricSlice,
                    io.fabric8.kubernetes.api.model.KubernetesResourceList<FabricSlice>,
                    io.fabric8.kubernetes.client.dsl.Resource<FabricSlice>>
            slices() {
        return client.resources(FabricSlice.class).inNamespace("default");
    }
}
