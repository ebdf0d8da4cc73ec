package dev.lightpath.driver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MoveTimeTest {
    private static Capabilities switching(Duration most, MoveConcurrency concurrency) {
        return Capabilities.newBuilder()
                .setMaxSwitchTime(com.google.protobuf.Duration.newBuilder()
                        .setSeconds(most.toSeconds())
                        .setNanos(most.toNanosPart()))
                .setMoveConcurrency(concurrency)
                .build();
    }

    private static final Capabilities MIRRORS =
            switching(Duration.ofMillis(25), MoveConcurrency.MOVE_CONCURRENCY_PARALLEL);
    private static final Capabilities ROBOT =
            switching(Duration.ofSeconds(20), MoveConcurrency.MOVE_CONCURRENCY_SERIAL);

    @Test
    void movesSettleWithinTwiceTheLongestOneByOneWhereTheDeviceMakesThemSo() {
        assertThat(MoveTime.settling(MIRRORS, 100)).isEqualTo(Duration.ofSeconds(2));
        assertThat(MoveTime.settling(ROBOT, 3)).isEqualTo(Duration.ofSeconds(120));
        assertThat(MoveTime.settling(Capabilities.getDefaultInstance(), 3)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void anAnswerThatWasLostHoldsAQuickDeviceUpForSecondsOnly() {
        assertThat(MoveTime.answering(MIRRORS, 100)).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void aDeviceTenTimesTooSlowIsNotSilentUpToFiveMinutesNorOneThatIsStillSettling() {
        Capabilities minutes = switching(Duration.ofSeconds(6), MoveConcurrency.MOVE_CONCURRENCY_PARALLEL);
        assertThat(MoveTime.answering(minutes, 8)).isEqualTo(Duration.ofSeconds(120));
        assertThat(MoveTime.answering(ROBOT, 3)).isEqualTo(Duration.ofMinutes(5));
        assertThat(MoveTime.answering(ROBOT, 64)).isEqualTo(MoveTime.settling(ROBOT, 64));
        assertThat(MoveTime.answering(Capabilities.getDefaultInstance(), 1)).isEqualTo(Duration.ofMinutes(5));
    }
}
