package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobNewsTest {
    private static final Map<String, String> TOLD = Map.of(LightpathAnnotations.ITERATION_SECONDS, "0.574");

    private final JobNews news = new JobNews();

    private static TrainingJob job(long generation, Map<String, String> annotations) {
        TrainingJob job = new TrainingJob();
        job.setMetadata(new ObjectMetaBuilder()
                .withName("llm")
                .withNamespace("team")
                .withGeneration(generation)
                .withAnnotations(annotations)
                .build());
        return job;
    }

    @Test
    void aMeasuredIterationIsHeard() {
        assertThat(news.accept(job(1, TOLD), job(1, null))).isTrue();
        assertThat(news.accept(job(1, Map.of(LightpathAnnotations.ITERATION_SECONDS, "0.6")), job(1, TOLD)))
                .isTrue();
        assertThat(news.accept(job(1, Map.of()), job(1, TOLD))).isTrue();
    }

    @Test
    void anAgreementIsHeard() {
        Map<String, String> agreed = Map.of(LightpathAnnotations.AGREED_REVISION, "llm-spine-1-0f3ac/6");
        assertThat(news.accept(job(1, agreed), job(1, null))).isTrue();
        assertThat(news.accept(job(1, agreed), job(1, agreed))).isFalse();
    }

    @Test
    void aSpecAndADeletionAreHeard() {
        assertThat(news.accept(job(2, TOLD), job(1, TOLD))).isTrue();
        TrainingJob going = job(1, TOLD);
        going.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(news.accept(going, job(1, TOLD))).isTrue();
        assertThat(news.accept(going, going)).isFalse();
    }

    @Test
    void whatTheOperatorWritesOrNobodyReadsIsNotHeard() {
        TrainingJob after = job(1, Map.of(LightpathAnnotations.ITERATION_SECONDS, "0.574", "example.com/a", "b"));
        ObjectMeta metadata = after.getMetadata();
        metadata.setFinalizers(List.of(LightpathNames.FINALIZER));
        metadata.setResourceVersion("7");
        after.setStatus(TrainingJobStatus.builder().observedGeneration(1L).build());
        assertThat(news.accept(after, job(1, TOLD))).isFalse();
    }

    @Test
    void theReconcilerHearsByIt() {
        ControllerConfiguration configured = TrainingJobReconciler.class.getAnnotation(ControllerConfiguration.class);
        assertThat(configured.informer().onUpdateFilter()).isEqualTo(JobNews.class);
        assertThat(configured.generationAwareEventProcessing())
                .as("the framework hears only what both filters accept")
                .isFalse();
    }
}
