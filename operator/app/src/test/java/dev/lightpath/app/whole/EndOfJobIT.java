package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code activeDeadlineSeconds} and {@code ttlSecondsAfterFinished}, as users of Jobs know them. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndOfJobIT {
    private static final String JOB = "llm";

    private Installation all;
    private WorkloadControllers controllers;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(server, folder, 8);
        controllers = new WorkloadControllers(all.client);
        controllers.install();
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        try (Installation ending = all) {
            all.kill();
            controllers.uninstall();
        }
    }

    private static String spec(String fields) {
        return """
                {model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}, %s,
                 workload: {template: {spec: {containers: [{name: train, image: example/train,
                  resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""".formatted(fields);
    }

    @Test
    void aJobThatCompletedIsDeletedWithAllThatItHad() {
        all.apply(JOB, spec("ttlSecondsAfterFinished: 1"));
        awaitRunning();
        controllers.complete();
        awaitGone();
    }

    @Test
    void aJobWhoseTimeIsOverFailsAndStaysUnlessItIsToGo() {
        all.apply(JOB, spec("activeDeadlineSeconds: 5"));
        all.eventually("its time is over", () -> {
            controllers.work();
            assertThat(all.says(JOB, "Failed")).isEqualTo("True DeadlineExceeded");
            assertThat(all.slices()).as("its light is down").isEmpty();
            assertThat(controllers.jobSets()).as("its pods ended").isEmpty();
        });
        all.client
                .resources(TrainingJob.class)
                .inNamespace("default")
                .withName(JOB)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"ttlSecondsAfterFinished\":0}}");
        awaitGone();
    }

    private void awaitRunning() {
        all.eventually("it runs", () -> {
            controllers.work();
            assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
        });
    }

    private void awaitGone() {
        all.eventually("nothing is left", () -> {
            controllers.work();
            all.assertNothingLeft();
        });
    }
}
