package dev.lightpath.app.lead;

import static dev.lightpath.app.lead.ElectionScene.FABRICS;
import static dev.lightpath.app.lead.ElectionScene.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Replicas whose requests hang, as those of a connection that is dead and not closed. */
@ExtendWith(ApiServerExtension.class)
class HangingElectionsIT {
    private final ElectionScene scene;

    HangingElectionsIT(ApiServer server) {
        this.scene = new ElectionScene(server.client());
    }

    @AfterEach
    void stop() {
        scene.close();
    }

    /** Its own thread waits for the API server, while others take what it led. */
    @Test
    void whoseLeasesRunOutWhileARequestHangsTellsNothingMore() {
        scene.stand("share-runs-out");
        AtomicReference<CountDownLatch> hangs = new AtomicReference<>(new CountDownLatch(0));
        KubernetesClient slow =
                scene.slow(request -> request.uri().getPath().endsWith("/namespaces/share-runs-out/leases"), hangs);
        Candidate first = scene.candidate(slow, "first-1212");
        scene.eventually(() -> assertThat(FABRICS).allMatch(first::leads));
        scene.eventually(() -> assertThat(first.tells).isTrue());
        CountDownLatch end = new CountDownLatch(1);
        hangs.set(end);
        try {
            Candidate second = scene.candidate("second-1313");
            scene.eventually(() -> assertThat(FABRICS).allMatch(second::leads));
            scene.eventually(() -> assertThat(first.tells).isFalse());
            scene.eventually(() -> assertThat(first.leadership.sinceLastPass()).isEmpty());
        } finally {
            end.countDown();
        }
        scene.eventually(() -> {
            assertThat(FABRICS).anyMatch(first::leads);
            assertThat(first.tells).isTrue();
        });
        first.close();
        slow.close();
    }

    /** As in a connection that is dead and not closed: the request ends long after the Lease has run out. */
    @Test
    void aWriteThatHangsHoldsUpNoOther() {
        scene.stand("share-hangs");
        AtomicReference<CountDownLatch> hangs = new AtomicReference<>(new CountDownLatch(0));
        KubernetesClient slow = scene.slow(
                request -> request.method().equals("PUT")
                        && request.uri().getPath().endsWith("lightpath-fabric-shared-a"),
                hangs);
        Candidate only = scene.candidate(slow, "only-1010");
        scene.eventually(() -> assertThat(FABRICS).allMatch(only::leads));

        CountDownLatch end = new CountDownLatch(1);
        hangs.set(end);
        try {
            scene.eventually(() -> assertThat(only.leads("shared-a")).isFalse());
            await().during(Duration.ofSeconds(12))
                    .atMost(PATIENCE)
                    .until(() -> only.leads("shared-b") && !only.leads("shared-a"));
        } finally {
            end.countDown();
        }
        scene.eventually(() -> assertThat(FABRICS).allMatch(only::leads));
        only.close();
        slow.close();
    }
}
