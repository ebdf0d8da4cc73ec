package dev.lightpath.app.lead;

import static dev.lightpath.app.lead.ElectionScene.FABRICS;
import static dev.lightpath.app.lead.ElectionScene.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.cluster.Newcomers;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.share.Contender;
import dev.lightpath.planner.share.Seat;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Replicas in one process, whose drivers are away: who leads what. */
@ExtendWith(ApiServerExtension.class)
class FabricElectionsIT {
    private final ElectionScene scene;

    FabricElectionsIT(ApiServer server) {
        this.scene = new ElectionScene(server.client());
    }

    @AfterEach
    void stop() {
        scene.close();
    }

    @Test
    void aLeaseThatIsTakenAwayCostsThatFabricAndNoOther() {
        scene.stand("share-lost");
        Candidate only = scene.candidate("only-3333");
        scene.eventually(() -> assertThat(FABRICS).allMatch(only::leads));
        long held = only.fencing.held();

        // tried again: whoever holds it renews it meanwhile
        scene.eventually(() -> scene.client
                .leases()
                .inNamespace(scene.namespace())
                .withName("lightpath-fabric-shared-a")
                .edit(lease -> {
                    lease.getSpec().setHolderIdentity("somebody-else");
                    lease.getSpec().setRenewTime(ZonedDateTime.now(ZoneOffset.UTC));
                    lease.getSpec().setLeaseDurationSeconds(600);
                    return lease;
                }));
        scene.eventually(() -> {
            assertThat(only.leads("shared-a")).isFalse();
            assertThat(only.leads("shared-b")).isTrue();
            assertThat(only.fencing.held()).isGreaterThan(held);
        });

        scene.client
                .leases()
                .inNamespace(scene.namespace())
                .withName("lightpath-fabric-shared-a")
                .edit(lease -> {
                    lease.getSpec().setHolderIdentity("");
                    // as one that is given back
                    lease.getSpec().setLeaseDurationSeconds((int) Contender.GIVEN_BACK.toSeconds());
                    return lease;
                });
        scene.eventually(() -> assertThat(FABRICS).allMatch(only::leads));
    }

    @Test
    void aNodeThatComesToAFabricIsUsedOnceNoRecordOfOthersNamesIt() {
        scene.stand("share-comes");
        Candidate only = scene.candidate("only-1414");
        scene.eventually(() -> assertThat(FABRICS).allMatch(only::leads));
        // a job that is there: else its slice would go
        String job = scene.job().getMetadata().getUid();
        FabricSlice slice =
                scene.recorded("shared-b", job, "{\"index\":0,\"nodes\":[\"node-that-comes\"],\"positions\":[3]}");
        Node node = scene.client
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("node-that-comes")
                        .addToLabels("of", "shared-a")
                        .addToLabels("lightpath.dev/ring-position", "0")
                        .endMetadata()
                        .build())
                .create();
        try {
            scene.eventually(() -> assertThat(isClosed(only)).isTrue());
            await().during(Newcomers.WAIT.plusSeconds(3)).atMost(PATIENCE).until(() -> isClosed(only));
            scene.client.resource(slice).delete();
            scene.eventually(() -> assertThat(isClosed(only)).isFalse());
        } finally {
            scene.client.resource(node).delete();
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
        scene.stand("share-calls");
        Candidate first = scene.candidate("first-1515");
        Candidate second = scene.candidate("second-1616");
        scene.eventually(() -> {
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
        scene.client.resources(OpticalFabric.class).withName(gone).delete();
        scene.eventually(() -> assertThat(rest.terms.get()).isGreaterThan(rest.begun.get()));
    }

    @Test
    void whoTakesALeaseBackHoldsItSinceThen() {
        scene.stand("share-since");
        Seat seat = Seat.ofFabric("shared-a");
        SharedLeases mine = new SharedLeases(scene.client, scene.namespace());
        SharedLeases theirs = new SharedLeases(scene.client, scene.namespace());
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
        return scene.client
                .leases()
                .inNamespace(scene.namespace())
                .withName("lightpath-fabric-shared-a")
                .get();
    }

    @Test
    void theLeaseOfWhatIsOfNoFabricIsHeldByOneReplica() {
        scene.stand("share-rest");
        Candidate first = scene.candidate("first-4444");
        Candidate second = scene.candidate("second-5555");
        scene.eventually(() -> {
            assertThat(List.of(first, second))
                    .filteredOn(
                            each -> each.fencing.held() > 0 && each.share.get().rest())
                    .hasSize(1);
            Lease rest = scene.client
                    .leases()
                    .inNamespace(scene.namespace())
                    .withName("lightpath-rest")
                    .get();
            assertThat(rest.getSpec().getHolderIdentity()).isIn("first-4444", "second-5555");
            // those that ask for a view ask for one that leads what is of no fabric
            assertThat(scene.client
                            .leases()
                            .inNamespace(scene.namespace())
                            .withName(LightpathNames.LEASE)
                            .get()
                            .getSpec()
                            .getHolderIdentity())
                    .isEqualTo(rest.getSpec().getHolderIdentity() + "/shared");
        });
    }
}
