package dev.lightpath.app.conditions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
final class EventWriterIT {
    private static final Instant EARLIER = Instant.parse("2026-05-01T10:00:00Z");
    private static final ObjectEvent READY = new ObjectEvent(EventReason.READY, false, "all light burns");

    @Test
    void theSameWordsAreOneEventThatCountsAlsoAfterARestart(ApiServer server) {
        try (KubernetesClient client = server.client()) {
            EventWriter earlier = new EventWriter(client, () -> EARLIER);
            earlier.tell(job(), READY);
            untilWritten(earlier);
            earlier.close();
            assertThat(told(client)).singleElement().satisfies(event -> {
                assertThat(event.getReason()).isEqualTo("Ready");
                assertThat(event.getCount()).isEqualTo(1);
                assertThat(event.getLastTimestamp()).isEqualTo(EARLIER.toString());
            });

            Instant later = EARLIER.plusSeconds(60);
            EventWriter restarted = new EventWriter(client, () -> later);
            restarted.tell(job(), READY);
            untilWritten(restarted);
            assertThat(told(client))
                    .singleElement()
                    .satisfies(event -> assertThat(event.getLastTimestamp()).isEqualTo(later.toString()));
            restarted.tell(job(), READY);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(told(client))
                            .singleElement()
                            .satisfies(event -> assertThat(event.getCount()).isEqualTo(2)));
            restarted.close();
        }
    }

    @Test
    void aWarningIsWrittenBeforeNormalEventsThatWait(ApiServer server) {
        try (KubernetesClient client = server.client()) {
            EventWriter events = new EventWriter(client, () -> EARLIER);
            for (int job = 0; job < 200; job++) {
                events.tell(job("many-" + job), READY);
            }
            events.tell(job("degraded"), new ObjectEvent(EventReason.DEGRADED, true, "a node failed"));
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(events.written()).hasSize(201));
            assertThat(events.written().getLast().getType()).isEqualTo("Normal");
            events.close();
        }
    }

    private static void untilWritten(EventWriter events) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(events.written()).hasSize(1));
    }

    private static List<Event> told(KubernetesClient client) {
        return client.v1()
                .events()
                .inNamespace("default")
                .withField("involvedObject.name", "told-of")
                .list()
                .getItems();
    }

    private static TrainingJob job() {
        return job("told-of");
    }

    private static TrainingJob job(String name) {
        TrainingJob job = new TrainingJob();
        job.setMetadata(new ObjectMetaBuilder()
                .withNamespace("default")
                .withName(name)
                .withUid("5a1e0f9e-0000-4000-8000-0000000000ee")
                .build());
        return job;
    }
}
