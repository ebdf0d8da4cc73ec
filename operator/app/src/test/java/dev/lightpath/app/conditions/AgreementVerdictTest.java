package dev.lightpath.app.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgreementVerdictTest {
    private static final String RING = JobNames.slice("train", "ring-a", 2, "uid");
    private static final String SWITCHES = JobNames.slice("train", "switches", 2, "uid");

    /** The slice has revision 2, and 3 was announced. */
    @Test
    void blamesNoAnswersToOtherMoves() {
        assertThat(told(RING + "/2")).as("to the move before").endsWith(" of the job)");
        assertThat(told(SWITCHES + "/7")).as("for another slice").endsWith(" of the job)");
        assertThat(told(JobNames.slice("train", "ring-a", 1, "uid") + "/9"))
                .as("of the attempt before")
                .endsWith(" of the job)");
        assertThat(told(" ,")).endsWith(" of the job)");
    }

    @Test
    void saysWhatAgreesToNothing() {
        assertThat(told(RING + "/2, " + RING + "/4," + SWITCHES + "/3,ring-a/3, " + RING + "/x"))
                .endsWith(" of the job); now it is " + RING + "/4, ring-a/3, " + RING + "/x, which is not announced");
        assertThat(told(RING + "/4," + RING + "/3")).endsWith(" of the job)");
    }

    private static String told(String agreed) {
        TrainingJob job = Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: train, namespace: default, annotations: {lightpath.dev/agreed-revision: "%s"}}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a}}
                """.formatted(agreed), TrainingJob.class);
        return AgreementVerdict.of(
                        job,
                        List.of(RING, SWITCHES),
                        RING,
                        new Allocation(1, 2, null, List.of(), List.of(), null),
                        new Announcement(3, "2026-01-01T00:00:00Z", "2026-01-01T00:05:00Z", null, null, null))
                .message();
    }
}
