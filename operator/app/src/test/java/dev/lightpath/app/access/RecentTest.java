package dev.lightpath.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentTest {
    private final AtomicLong now = new AtomicLong();
    private final Recent<String, Boolean> recent = new Recent<>(2, Duration.ofSeconds(10), now::get);

    @Test
    void anAnswerCountsForItsTime() {
        recent.put("a", true);
        now.addAndGet(Duration.ofSeconds(9).toNanos());
        assertThat(recent.get("a")).isTrue();
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(recent.get("a")).isNull();
    }

    @Test
    void readingMakesNoAnswerYounger() {
        recent.put("a", true);
        for (int second = 0; second < 10; second++) {
            recent.get("a");
            now.addAndGet(Duration.ofSeconds(1).toNanos());
        }
        assertThat(recent.get("a")).isNull();
    }

    @Test
    void theOldestGoesWhereThereAreTooMany() {
        recent.put("a", true);
        recent.put("b", true);
        recent.put("a", false);
        recent.put("c", true);
        assertThat(recent.get("a")).isFalse();
        assertThat(recent.get("b")).isNull();
        assertThat(recent.get("c")).isTrue();
    }
}
