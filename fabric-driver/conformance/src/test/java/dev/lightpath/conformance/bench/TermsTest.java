package dev.lightpath.conformance.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TermsTest {
    private static final Terms TERMS = new Terms(
            "robot",
            "kit",
            List.of(),
            Optional.empty(),
            false,
            false,
            Duration.ofSeconds(20),
            Duration.ZERO,
            1,
            1,
            Optional.empty(),
            Optional.empty());

    private static Duration patience(MoveConcurrency concurrency, int longestMillis) {
        return TERMS.patientFor(Capabilities.newBuilder()
                        .setMoveConcurrency(concurrency)
                        .setMaxSwitchTime(com.google.protobuf.Duration.newBuilder()
                                .setSeconds(longestMillis / 1000)
                                .setNanos(longestMillis % 1000 * 1_000_000))
                        .build())
                .patience();
    }

    @Test
    void waitsLongerForDevicesThatMoveSlowly() {
        assertThat(patience(MoveConcurrency.MOVE_CONCURRENCY_PARALLEL, 25)).isEqualTo(Duration.ofSeconds(20));
        assertThat(patience(MoveConcurrency.MOVE_CONCURRENCY_PARALLEL, 120_000)).isEqualTo(Duration.ofMinutes(8));
        assertThat(patience(MoveConcurrency.MOVE_CONCURRENCY_SERIAL, 120_000)).isEqualTo(Duration.ofMinutes(32));
    }
}
