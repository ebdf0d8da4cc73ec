package dev.lightpath.app.lead;

import static dev.lightpath.app.lead.ElectionScene.FABRICS;
import static dev.lightpath.app.lead.ElectionScene.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Replicas that share fabrics: from one that leads all of them to one that leads all of them again. */
@ExtendWith(ApiServerExtension.class)
class SharedElectionsIT {
    private final ElectionScene scene;

    SharedElectionsIT(ApiServer server) {
        this.scene = new ElectionScene(server.client());
    }

    @AfterEach
    void stop() {
        scene.close();
    }

    @Test
    void fabricsThatShareNothingAreLedIndependentlyAndByOneWhereAJobIsPlacedOnBoth() {
        scene.stand("share-two");
        Candidate first = scene.candidate("first-1111");
        scene.eventually(() -> assertThat(FABRICS).allMatch(first::leads));

        Candidate second = scene.candidate("second-2222");
        scene.eventually(() -> {
            assertThat(FABRICS).filteredOn(first::leads).hasSize(1);
            assertThat(FABRICS).filteredOn(second::leads).hasSize(1);
        });
        assertThat(first.fencing.held()).isNotEqualTo(second.fencing.held());
        long highest = Math.max(first.fencing.held(), second.fencing.held());

        TrainingJob unused = scene.job();
        await().during(Duration.ofSeconds(5))
                .atMost(PATIENCE)
                .until(() -> List.of(first, second).stream()
                        .allMatch(each -> FABRICS.stream().filter(each::leads).count() == 1));

        FABRICS.forEach(scene::placed);
        scene.eventually(() -> {
            Candidate leader = FABRICS.stream().allMatch(first::leads) ? first : second;
            assertThat(FABRICS).allMatch(leader::leads);
            assertThat(leader.fencing.held()).isGreaterThan(highest);
        });

        scene.client.resources(FabricSlice.class).inNamespace("default").delete();
        scene.eventually(() -> {
            assertThat(FABRICS).filteredOn(first::leads).hasSize(1);
            assertThat(FABRICS).filteredOn(second::leads).hasSize(1);
        });

        first.close();
        scene.eventually(() -> assertThat(FABRICS).allMatch(second::leads));
        assertThat(scene.ledTwice()).isEmpty();
    }
}
