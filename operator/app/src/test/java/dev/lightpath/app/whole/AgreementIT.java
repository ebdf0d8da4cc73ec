package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.AnnouncementAnswer;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.SortedSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Switches are drained under a running job that asks to be asked. The operator is killed while it waits. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgreementIT {
    private static final String SPEC = """
            {model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2}, reconfiguration: Live,
             agreement: {waitSeconds: 86400}, scaleOut: {fabric: dc, stagesPerPod: 1},
             workload: {template: {spec: {containers: [{name: train, image: example/train,
              resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""";

    @AutoClose
    private final JobOnSwitches scene;

    private final Installation all;

    AgreementIT(ApiServer server, @TempDir Path folder) throws IOException {
        scene = JobOnSwitches.started(server, folder);
        all = scene.all;
    }

    @Test
    void lightOfARunningJobMovesOnceTheJobAgreesOrItsLimitHasPassed() throws JsonProcessingException {
        scene.apply(SPEC);
        scene.awaitRunning();

        String first = scene.opticalSwitch();
        SortedSet<String> before = scene.lit();
        scene.drain(first, true);
        Announcement announced = awaitAnnouncement();
        assertThat(scene.lit()).containsAll(before);
        all.eventually(
                "its pods are told",
                () -> assertThat(scene.pods()).allSatisfy(pod -> {
                    JsonNode told = darkness(pod).path(0);
                    assertThat(told.path("agree").asText()).isEqualTo(word());
                    assertThat(told.path("until").asText()).isEqualTo(announced.until());
                }));
        all.eventually(
                "an event tells it",
                () -> assertThat(all.client
                                .v1()
                                .events()
                                .inNamespace("default")
                                .list()
                                .getItems())
                        .anyMatch(event -> "DarknessAnnounced".equals(event.getReason())));

        all.kill();
        all.start();
        all.eventually("another process leads", () -> assertThat(all.isLed()).isTrue());
        assertThat(awaitAnnouncement()).isEqualTo(announced);
        assertThat(scene.lit()).containsAll(before);
        agree(word() + "0");
        agree(word());
        all.eventually("the light has moved", () -> {
            scene.assertLeft(first);
            assertThat(scene.says("Agreed")).isEqualTo("True Agreed");
            assertThat(scene.pods()).allSatisfy(pod -> assertThat(darkness(pod)).isEmpty());
        });

        scene.drain(first, false);
        String second = scene.opticalSwitch();
        before = scene.lit();
        scene.drain(second, true);
        Announcement waits = awaitAnnouncement();
        assertThat(Instant.parse(waits.until()))
                .isEqualTo(Instant.parse(waits.at()).plusSeconds(86400));
        assertThat(scene.lit()).containsAll(before);
        all.kill();
        assertThat(scene.lit()).containsAll(before);
        scene.patch("{\"spec\":{\"agreement\":null}}");
        all.start();
        all.eventually(
                "it is not asked any more",
                () -> assertThat(announcement()).matches(asked -> asked.answer() == AnnouncementAnswer.NOT_NEEDED));
        all.eventually("the light has moved unasked", () -> scene.assertLeft(second));

        scene.drain(second, false);
        scene.patch("{\"spec\":{\"agreement\":{\"waitSeconds\":5}}}");
        all.eventually("the operator knows that it is to ask again", () -> {
            TrainingJob job = scene.job();
            assertThat(job.getStatus().observedGeneration())
                    .isEqualTo(job.getMetadata().getGeneration());
        });
        String third = scene.opticalSwitch();
        scene.drain(third, true);
        all.eventually("the light has moved without an answer", () -> {
            scene.assertLeft(third);
            assertThat(scene.says("Agreed")).isEqualTo("True LimitPassed");
        });
        Announcement passed = Objects.requireNonNull(announcement());
        assertThat(passed.answer()).isEqualTo(AnnouncementAnswer.LIMIT_PASSED);
        assertThat(Instant.parse(passed.until()))
                .isEqualTo(Instant.parse(passed.at()).plusSeconds(5));
        assertThat(Instant.parse(passed.answeredAt())).isAfterOrEqualTo(Instant.parse(passed.until()));
    }

    private void agree(String word) {
        scene.annotate(LightpathAnnotations.AGREED_REVISION, word);
    }

    private Announcement awaitAnnouncement() {
        all.eventually("the job is asked", () -> {
            assertThat(scene.says("Agreed")).isEqualTo("False AwaitingAgreement");
            assertThat(announcement()).matches(Announcement::open);
        });
        return Objects.requireNonNull(announcement());
    }

    private Announcement announcement() {
        return scene.record().announcement();
    }

    private String word() {
        return scene.slice().getMetadata().getName() + "/" + announcement().revision();
    }

    private static JsonNode darkness(Pod pod) throws JsonProcessingException {
        return new ObjectMapper()
                .readTree(pod.getMetadata().getAnnotations().get(LightpathAnnotations.LIGHT))
                .path("darkness");
    }
}
