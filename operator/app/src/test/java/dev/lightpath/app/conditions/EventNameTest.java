package dev.lightpath.app.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventNameTest {
    private static TrainingJob job(String name) {
        TrainingJob job = new TrainingJob();
        job.setMetadata(new ObjectMetaBuilder().withName(name).withUid("uid").build());
        return job;
    }

    private static String name(String job, EventReason reason, String message) {
        return EventWriter.name(job(job), new ObjectEvent(reason, false, message));
    }

    /** One status tells them in one second, and kubectl sorts by that and by name. */
    @Test
    void theStepsOfAJobAreListedInTheirOrder() {
        for (int number = 0; number < 100; number++) {
            String message = "message " + number;
            List<String> names = Stream.of(
                            EventReason.ACCEPTED,
                            EventReason.PLACED,
                            EventReason.PROGRAMMED,
                            EventReason.QUALIFIED,
                            EventReason.READY,
                            EventReason.RELEASED)
                    .map(reason -> name("llm", reason, message))
                    .toList();
            assertThat(names).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void otherWordsAreAnotherEventAndNoNameIsTooLong() {
        assertThat(name("llm", EventReason.PLACED, "on n0")).isNotEqualTo(name("llm", EventReason.PLACED, "on n1"));
        assertThat(name("j".repeat(253), EventReason.READY, "all light burns"))
                .hasSizeLessThanOrEqualTo(253)
                .matches("[a-z0-9.-]+");
    }
}
