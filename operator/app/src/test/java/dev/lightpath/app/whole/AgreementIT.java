package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.AnnouncementAnswer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Switches are drained under a running job that asks to be asked. The operator is killed while it waits. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgreementIT {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String JOB = "llm";
    private static final String SPEC = """
            {model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2}, reconfiguration: Live,
             agreement: {waitSeconds: 86400}, scaleOut: {fabric: dc, stagesPerPod: 1},
             workload: {template: {spec: {containers: [{name: train, image: example/train,
              resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""";

    private Installation all;
    private WorkloadControllers controllers;
    private TwoFabrics scene;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(
                server,
                folder,
                TwoFabrics.NODES,
                ", devices: [%s], fibres: [%s]"
                        .formatted(String.join(", ", TwoFabrics.devices()), String.join(", ", TwoFabrics.fibres())));
        controllers = new WorkloadControllers(all.client);
        controllers.install();
        scene = new TwoFabrics(all);
        scene.describe();
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        all.kill();
        scene.remove();
        controllers.uninstall();
        all.close();
    }

    @Test
    void lightOfARunningJobMovesOnceTheJobAgreesOrItsLimitHasPassed() throws JsonProcessingException {
        all.apply(JOB, SPEC);
        all.eventually("its pods run in its light", () -> {
            controllers.work();
            assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
            assertThat(pods()).isNotEmpty().allMatch(pod -> pod.getSpec().getNodeName() != null);
        });

        String first = opticalSwitch();
        SortedSet<String> before = scene.lit();
        drain(first, true);
        Announcement announced = awaitAnnouncement();
        assertThat(scene.lit()).containsAll(before);
        all.eventually(
                "its pods are told",
                () -> assertThat(pods()).allSatisfy(pod -> {
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
            assertThat(scene.lit()).isEqualTo(scene.recorded(JOB)).noneMatch(on(first));
            assertThat(all.says(JOB, "Agreed")).isEqualTo("True Agreed");
            assertThat(pods()).allSatisfy(pod -> assertThat(darkness(pod)).isEmpty());
        });

        drain(first, false);
        String second = opticalSwitch();
        before = scene.lit();
        drain(second, true);
        Announcement waits = awaitAnnouncement();
        assertThat(Instant.parse(waits.until()))
                .isEqualTo(Instant.parse(waits.at()).plusSeconds(86400));
        assertThat(scene.lit()).containsAll(before);
        all.kill();
        assertThat(scene.lit()).containsAll(before);
        patch("{\"spec\":{\"agreement\":null}}");
        all.start();
        all.eventually(
                "it is not asked any more",
                () -> assertThat(announcement()).matches(asked -> asked.answer() == AnnouncementAnswer.NOT_NEEDED));
        all.eventually(
                "the light has moved unasked",
                () -> assertThat(scene.lit()).isEqualTo(scene.recorded(JOB)).noneMatch(on(second)));

        drain(second, false);
        patch("{\"spec\":{\"agreement\":{\"waitSeconds\":5}}}");
        all.eventually("the operator knows that it is to ask again", () -> {
            TrainingJob job = all.job(JOB);
            assertThat(job.getStatus().observedGeneration())
                    .isEqualTo(job.getMetadata().getGeneration());
        });
        String third = opticalSwitch();
        drain(third, true);
        all.eventually("the light has moved without an answer", () -> {
            assertThat(scene.lit()).isEqualTo(scene.recorded(JOB)).noneMatch(on(third));
            assertThat(all.says(JOB, "Agreed")).isEqualTo("True LimitPassed");
        });
        Announcement passed = Objects.requireNonNull(announcement());
        assertThat(passed.answer()).isEqualTo(AnnouncementAnswer.LIMIT_PASSED);
        assertThat(Instant.parse(passed.until()))
                .isEqualTo(Instant.parse(passed.at()).plusSeconds(5));
        assertThat(Instant.parse(passed.answeredAt())).isAfterOrEqualTo(Instant.parse(passed.until()));
    }

    private static Predicate<String> on(String opticalSwitch) {
        return circuit -> circuit.startsWith(opticalSwitch + "/");
    }

    /** A switch that the job has light on. */
    private String opticalSwitch() {
        String circuit = scene.recorded(JOB).first();
        return circuit.substring(0, circuit.indexOf('/'));
    }

    private void drain(String opticalSwitch, boolean drained) {
        all.client
                .resources(OpticalSwitch.class)
                .withName(opticalSwitch)
                .patch(MERGE, "{\"spec\":{\"drained\":" + drained + "}}");
    }

    private void agree(String word) {
        patch("{\"metadata\":{\"annotations\":{\"" + LightpathAnnotations.AGREED_REVISION + "\":\"" + word + "\"}}}");
    }

    private void patch(String change) {
        all.client
                .resources(TrainingJob.class)
                .inNamespace("default")
                .withName(JOB)
                .patch(MERGE, change);
    }

    private Announcement awaitAnnouncement() {
        all.eventually("the job is asked", () -> {
            assertThat(all.says(JOB, "Agreed")).isEqualTo("False AwaitingAgreement");
            assertThat(announcement()).matches(Announcement::open);
        });
        return Objects.requireNonNull(announcement());
    }

    private Announcement announcement() {
        return scene.slice(JOB).getStatus().allocation().announcement();
    }

    private String word() {
        return scene.slice(JOB).getMetadata().getName() + "/" + announcement().revision();
    }

    private static JsonNode darkness(Pod pod) throws JsonProcessingException {
        return new ObjectMapper()
                .readTree(pod.getMetadata().getAnnotations().get(LightpathAnnotations.LIGHT))
                .path("darkness");
    }

    private List<Pod> pods() {
        return all.client
                .pods()
                .inNamespace("default")
                .withLabel("lightpath.dev/job", JOB)
                .list()
                .getItems();
    }
}
