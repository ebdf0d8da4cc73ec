package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.RingManifest;
import dev.lightpath.app.loop.DesiredState;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
class ShareOfClusterIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LABEL = "part-of";

    private final KubernetesClient client;
    private final ClusterInformers informers;
    private final List<HasMetadata> made = new ArrayList<>();

    ShareOfClusterIT(ApiServer server) {
        this.client = server.client();
        this.informers = new ClusterInformers(client, new RingIntentReader("cluster"), new OcsIntentReader("cluster"));
    }

    @BeforeEach
    void describe() {
        for (String name : List.of("part-a", "part-b")) {
            made.add(client.resource(RingManifest.of(name, LABEL, 2, 8, name + ":9440"))
                    .create());
            made.add(node("node-" + name, name));
        }
        made.add(node("node-of-none", "nobody"));
        for (String fabric : List.of("part-a", "part-b", "part-gone")) {
            made.add(client.resource(client.getKubernetesSerialization()
                            .unmarshal("""
                            apiVersion: lightpath.dev/v1alpha1
                            kind: FabricSlice
                            metadata: {name: on-%s, namespace: default}
                            spec: {fabric: %s, job: {name: llm, uid: "1", attempt: 1}, demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}}
                            """.formatted(fabric, fabric), FabricSlice.class))
                    .create());
        }
        informers.start();
        await().atMost(PATIENCE)
                .until(() -> informers.synced()
                        && informers.read().rings().keySet().containsAll(Set.of("part-a", "part-b"))
                        && informers.slices().size() >= 3
                        && informers.nodes().size() >= 3);
    }

    private Node node(String name, String of) {
        return client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToLabels(LABEL, of)
                        .addToLabels("lightpath.dev/ring-position", "0")
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterEach
    void stop() {
        informers.close();
        made.forEach(each -> client.resource(each).delete());
        client.close();
    }

    @Test
    void whatOthersLeadIsNotThere() {
        ShareOfCluster part = new ShareOfCluster(informers, Share.of(Set.of("part-a"), false));
        assertThat(part.read().rings()).containsOnlyKeys("part-a");
        assertThat(part.read().slices().keySet()).extracting(id -> id.name()).containsExactly("on-part-a");
        assertThat(part.fabrics())
                .extracting(each -> each.getMetadata().getName())
                .containsExactly("part-a");
        assertThat(part.attended()).hasSize(1);
        assertThat(part.slices()).hasSize(1);
        assertThat(part.nodes())
                .extracting(each -> each.getMetadata().getName())
                .contains("node-part-a")
                .doesNotContain("node-part-b", "node-of-none");
    }

    /** Of a fabric that goes somebody must still take the light away, and it is never two. */
    @Test
    void slicesOfAFabricThatIsGoneAreOfWhoeverHoldsItsLease() {
        ShareOfCluster rest = new ShareOfCluster(informers, Share.of(Set.of(), true));
        assertThat(rest.read().rings()).isEmpty();
        assertThat(rest.read().slices()).isEmpty();
        assertThat(rest.slices()).isEmpty();
        assertThat(rest.nodes())
                .extracting(each -> each.getMetadata().getName())
                .contains("node-of-none")
                .doesNotContain("node-part-a", "node-part-b");
        ShareOfCluster gone = new ShareOfCluster(informers, Share.of(Set.of("part-gone"), false));
        assertThat(gone.read().slices().keySet()).extracting(id -> id.name()).containsExactly("on-part-gone");
    }

    @Test
    void aJobIsLookedAfterWhereTheFirstFabricIsLedThatIsKnown() {
        ShareOfCluster ofA = new ShareOfCluster(informers, Share.of(Set.of("part-a"), false));
        ShareOfCluster ofB = new ShareOfCluster(informers, Share.of(Set.of("part-b"), false));
        ShareOfCluster ofGone = new ShareOfCluster(informers, Share.of(Set.of("part-gone"), false));
        ShareOfCluster rest = new ShareOfCluster(informers, Share.of(Set.of(), true));
        List<ShareOfCluster> all = List.of(ofA, ofB, ofGone, rest);
        assertThat(all).filteredOn(each -> each.isOurs(job("part-b", "part-a"))).containsExactly(ofA);
        assertThat(all)
                .filteredOn(each -> each.isOurs(job("never-was", "part-b")))
                .containsExactly(ofB);
        assertThat(all)
                .filteredOn(each -> each.isOurs(job("part-gone", "part-gone")))
                .containsExactly(ofGone);
        assertThat(all)
                .filteredOn(each -> each.isOurs(job("never-was", "nor-this")))
                .containsExactly(rest);
    }

    /** It moves with every record, and devices are told it. */
    @Test
    void theRevisionOfRecordsIsKnownThoughNothingElseOfItsFabricChanged() {
        ShareOfCluster part = new ShareOfCluster(informers, Share.of(Set.of("part-a"), false));
        ledger("part-a", 40);
        await().atMost(PATIENCE).until(() -> revision(part, "part-a") == 40);
        DesiredState before = part.read();
        AtomicInteger wakes = new AtomicInteger();
        informers.listen(wakes::incrementAndGet);

        ledger("part-a", 41);
        await().atMost(PATIENCE).until(() -> revision(part, "part-a") == 41);
        assertThat(part.read().rings()).as("it is no other fabric").isSameAs(before.rings());
        assertThat(wakes).as("it is our own word").hasValue(0);

        ledger("part-a", 90);
        await().atMost(PATIENCE).until(() -> wakes.get() > 0);
        assertThat(revision(part, "part-a")).isEqualTo(90);
        assertThat(part.read().lineages()).containsOnlyKeys("part-a");
    }

    private static long revision(ShareOfCluster of, String fabric) {
        return Objects.requireNonNull(of.read().lineages().get(fabric)).revision();
    }

    private void ledger(String fabric, long revision) {
        client.resources(OpticalFabric.class)
                .withName(fabric)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\":{\"ledger\":{\"revision\":" + revision + ",\"digest\":\"d" + revision + "\"}}}");
    }

    private static TrainingJob job(String scaleUp, String scaleOut) {
        return Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: of-some, namespace: default}
                spec: {parallelism: {tensor: 8}, scaleUp: {fabric: %s}, scaleOut: {fabric: %s}}
                """.formatted(scaleUp, scaleOut), TrainingJob.class);
    }

    /** As after it was labelled for another ring while a job is on it. */
    @Test
    void aNodeThatAJobHoldsOnAFabricOfOthersTakesNothingNew() {
        ShareOfCluster part = new ShareOfCluster(informers, Share.of(Set.of("part-a"), false));
        ShareOfCluster both = new ShareOfCluster(informers, Share.of(Set.of("part-a", "part-b"), false));
        assertThat(closed(part)).isFalse();
        DesiredState before = part.read();
        record(
                "{\"format\":1,\"revision\":1,\"groups\":[{\"index\":0,\"nodes\":[\"node-part-a\"],\"positions\":[0]}]}");
        await().atMost(PATIENCE).until(() -> closed(part));
        assertThat(closed(both)).as("led by one, which sees the record itself").isFalse();
        assertThat(part.read().rings()).isNotSameAs(before.rings());
        record("{\"format\":1,\"revision\":2}");
        await().atMost(PATIENCE).until(() -> !closed(part));
    }

    @Test
    void aNodeThatCameAMomentAgoTakesNothingNew() {
        Newcomers newcomers = new Newcomers();
        ShareOfCluster part = new ShareOfCluster(informers, Share.of(Set.of("part-a"), false), newcomers);
        newcomers.look(Map.of("part-a", Set.of()), 0);
        assertThat(closed(part)).isTrue();
        newcomers.look(Map.of("part-a", Set.of("node-part-a")), 0);
        newcomers.settle(Map.of("part-a", Set.of("node-part-a")), Newcomers.WAIT.toNanos());
        informers.readAnew();
        assertThat(closed(part)).isFalse();
    }

    private static boolean closed(ShareOfCluster of) {
        return of.read().rings().get("part-a").nodes().get(0).closed();
    }

    private void record(String allocation) {
        client.resources(FabricSlice.class)
                .inNamespace("default")
                .withName("on-part-b")
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"allocation\":null}}");
        client.resources(FabricSlice.class)
                .inNamespace("default")
                .withName("on-part-b")
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"allocation\":%s}}".formatted(allocation));
    }

    /** The planner tells by the same object that no slice changed. */
    @Test
    void whatHappensElsewhereLeavesTheSameSlices() {
        ShareOfCluster part = new ShareOfCluster(informers, Share.of(Set.of("part-a"), false));
        DesiredState before = part.read();
        client.nodes()
                .withName("node-part-b")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"lightpath.dev/faulty\":\"smoke\"}}}");
        ShareOfCluster whole = new ShareOfCluster(informers, Share.WHOLE);
        await().atMost(PATIENCE)
                .until(() -> whole.read()
                        .rings()
                        .get("part-b")
                        .nodes()
                        .values()
                        .toString()
                        .contains("smoke"));
        DesiredState now = part.read();
        assertThat(now).isNotSameAs(before);
        assertThat(now.rings()).isEqualTo(before.rings());
        assertThat(now.slices()).isSameAs(before.slices());
    }
}
