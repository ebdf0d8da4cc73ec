package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WaitingJobsTest {
    private final WaitingJobs waitingJobs = new WaitingJobs();
    private int counts;

    private long ask(String namespace, long millis, long there) {
        return waitingJobs.of(namespace, TimeUnit.MILLISECONDS.toNanos(millis), () -> {
            counts++;
            return there;
        });
    }

    @Test
    void jobsOfANamespaceAreCountedOnceASecond() {
        assertThat(ask("a", 5000, 3)).isEqualTo(3);
        assertThat(ask("a", 5999, 4)).as("counted just now").isEqualTo(3);
        assertThat(ask("b", 5999, 7)).as("another namespace").isEqualTo(7);
        assertThat(ask("a", 6000, 4)).isEqualTo(4);
        assertThat(counts).isEqualTo(3);
    }

    @Test
    void noMoreNamespacesAreRememberedThanAFew() {
        for (int namespace = 0; namespace < 3000; namespace++) {
            assertThat(ask("ns-" + namespace, 1, namespace)).isEqualTo(namespace);
        }
        assertThat(ask("ns-2999", 2, 5)).as("the last is remembered").isEqualTo(2999);
        assertThat(ask("ns-0", 2, 5)).as("the first is forgotten").isEqualTo(5);
    }
}
