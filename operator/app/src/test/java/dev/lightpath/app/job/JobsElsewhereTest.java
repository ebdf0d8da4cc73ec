package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobsElsewhereTest {
    private final JobsElsewhere elsewhere = new JobsElsewhere();

    private static ResourceID job(int number) {
        return new ResourceID("job-" + number, "team");
    }

    @Test
    void whoComesToLeadCallsEachOnce() {
        IntStream.range(0, 3).forEach(number -> elsewhere.add(job(number), Stream::empty));
        elsewhere.add(job(1), Stream::empty);
        elsewhere.remove(job(2));
        assertThat(elsewhere.takeAll()).containsExactlyInAnyOrder(job(0), job(1));
        assertThat(elsewhere.takeAll()).isEmpty();
    }

    @Test
    void jobsThatAreGoneAreForgotten() {
        IntStream.range(0, 5000).forEach(number -> elsewhere.add(job(number), () -> Stream.of(job(number), job(7))));
        assertThat(elsewhere.takeAll()).contains(job(7)).hasSizeLessThan(2100);
    }
}
