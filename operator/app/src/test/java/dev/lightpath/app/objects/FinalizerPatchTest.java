package dev.lightpath.app.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.job.TrainingJob;
import java.util.List;
import org.junit.jupiter.api.Test;

class FinalizerPatchTest {
    private static final String VERSION = "{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\"100\"}";

    @Test
    void addsOursBesideThoseOfOthers() {
        assertThat(FinalizerPatch.adding(job()))
                .contains("[" + VERSION
                        + ",{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"lightpath.dev/light\"]}]");
        assertThat(FinalizerPatch.adding(job("a/b")))
                .contains("[" + VERSION
                        + ",{\"op\":\"add\",\"path\":\"/metadata/finalizers/-\",\"value\":\"lightpath.dev/light\"}]");
        assertThat(FinalizerPatch.adding(job("lightpath.dev/light"))).isEmpty();
    }

    @Test
    void removesOnlyOurs() {
        assertThat(FinalizerPatch.removing(job("a/b", "lightpath.dev/light")))
                .contains("[" + VERSION + ",{\"op\":\"remove\",\"path\":\"/metadata/finalizers/1\"}]");
        assertThat(FinalizerPatch.removing(job("a/b"))).isEmpty();
    }

    private static TrainingJob job(String... finalizers) {
        TrainingJob job = new SampleJob().job();
        job.getMetadata().setFinalizers(List.of(finalizers));
        return job;
    }
}
