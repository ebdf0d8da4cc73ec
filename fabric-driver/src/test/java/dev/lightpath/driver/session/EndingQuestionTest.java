package dev.lightpath.driver.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which sessions are asked what a device may answer by ending them. */
final class EndingQuestionTest {
    private final AtomicLong nanos = new AtomicLong();
    private final EndingQuestion question = new EndingQuestion(nanos::get);

    private void ends() {
        question.begin();
        assertThat(question.isLeftAlone()).isFalse();
        var unused = question.ended();
    }

    /** A session without the question. Whether the next one is asked once more. */
    private boolean works() {
        question.begin();
        assertThat(question.isLeftAlone()).isTrue();
        return question.asksOnceMore();
    }

    @Test
    void theNetworkIsToBlameWhereTheDeviceAnswersOnceItWorksAgain() {
        ends();
        ends();
        assertThat(works()).isTrue();
        question.begin();
        assertThat(question.isLeftAlone()).isFalse();
        question.answered();
        ends();
        question.begin();
        assertThat(question.isLeftAlone()).as("it was one in a row").isFalse();
    }

    @Test
    void theDeviceIsToBlameWhereItEndsASessionAgainThoughTheNetworkWorks() {
        ends();
        ends();
        assertThat(works()).isTrue();
        ends();
        assertThat(works()).as("once is enough").isFalse();
        nanos.addAndGet(Duration.ofHours(1).minusNanos(1).toNanos());
        assertThat(works()).isFalse();
        nanos.addAndGet(1);
        ends();
        nanos.addAndGet(Duration.ofHours(2).minusNanos(1).toNanos());
        assertThat(works()).isFalse();
    }

    @Test
    void aSessionThatIsOfNoUseEitherProvesNothing() {
        ends();
        ends();
        question.begin();
        assertThat(question.isLeftAlone()).isTrue();
        assertThat(works()).isTrue();
    }
}
