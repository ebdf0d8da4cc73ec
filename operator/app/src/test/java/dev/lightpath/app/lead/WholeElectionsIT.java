package dev.lightpath.app.lead;

import static dev.lightpath.app.lead.ElectionScene.FABRICS;
import static dev.lightpath.app.lead.ElectionScene.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Replicas that share fabrics, beside one that leads all of them. */
@ExtendWith(ApiServerExtension.class)
class WholeElectionsIT {
    private final ElectionScene scene;

    WholeElectionsIT(ApiServer server) {
        this.scene = new ElectionScene(server.client());
    }

    @AfterEach
    void stop() {
        scene.close();
    }

    /** As while an update brings replicas that share. */
    @Test
    void whoLeadsEverythingIsWaitedFor() {
        scene.stand("share-whole");
        Candidate whole = scene.whole("whole-6666");
        scene.eventually(() -> assertThat(FABRICS).allMatch(whole::leads));
        Candidate sharing = scene.candidate("sharing-7777");
        scene.eventually(() -> assertThat(scene.client
                        .leases()
                        .inNamespace(scene.namespace())
                        .withName("lightpath-replica-sharing-7777")
                        .get()
                        .getSpec()
                        .getHolderIdentity())
                .isEqualTo("sharing-7777"));
        await().during(Duration.ofSeconds(5))
                .atMost(PATIENCE)
                .until(() -> FABRICS.stream().noneMatch(sharing::leads));

        whole.close();

        scene.eventually(() -> assertThat(FABRICS).allMatch(sharing::leads));
        assertThat(sharing.fencing.held()).isGreaterThan(1);
    }

    /** As while an update goes back: it waits until none that shares can lead any more. */
    @Test
    void whoWouldLeadEverythingWaitsForAllThatShare() {
        scene.stand("share-back");
        Candidate sharing = scene.candidate("sharing-8888");
        scene.eventually(() -> assertThat(FABRICS).allMatch(sharing::leads));
        Candidate whole = scene.whole("whole-9999");
        await().during(Duration.ofSeconds(20))
                .atMost(PATIENCE)
                .until(() -> whole.fencing.held() == 0 && FABRICS.stream().allMatch(sharing::leads));

        sharing.close();

        scene.eventually(() -> assertThat(FABRICS).allMatch(whole::leads));
        assertThat(whole.fencing.held()).isGreaterThan(1);
    }
}
