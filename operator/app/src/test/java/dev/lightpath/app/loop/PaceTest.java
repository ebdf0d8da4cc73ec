package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Pace pace = new Pace(nanos::get);

    private void pass(Duration took) {
        pass(took, false);
    }

    private void pass(Duration took, boolean repairing) {
        nanos.addAndGet(took.toNanos());
        pace.passed(took, repairing);
    }

    private void later(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    @Test
    void theThreePassesOfARepairWaitForNothing() {
        for (int pass = 0; pass < 3; pass++) {
            pass(Duration.ofMillis(80), true);
            assertThat(pace.whileBusy()).isZero();
            later(Duration.ofMillis(30));
        }
    }

    @Test
    void theFourPassesOfAJobOnTenThousandNodesWaitForNothing() {
        for (int pass = 0; pass < 4; pass++) {
            pass(Duration.ofMillis(40));
            assertThat(pace.whileBusy()).isZero();
            later(Duration.ofMillis(30));
        }
    }

    @Test
    void passesOfJobsOneAfterTheOtherSoonTakeATenthOfTheTime() {
        assertThat(share(false)).isBetween(0.07, 0.13);
    }

    /** A clock that begins with the machine, or at any other time. */
    @Test
    void theClockMayBeOfAnyOrigin() {
        AtomicLong early = new AtomicLong(-Duration.ofDays(30).toNanos());
        Pace other = new Pace(early::get);
        for (int pass = 0; pass < 20; pass++) {
            early.addAndGet(Duration.ofMillis(40).toNanos());
            other.passed(Duration.ofMillis(40), false);
        }
        assertThat(other.whileBusy()).isPositive();
    }

    @Test
    void passesBesideRepairsOneAfterTheOtherSoonTakeAQuarterOfTheTime() {
        assertThat(share(true)).isBetween(0.18, 0.30);
    }

    @Test
    void aJobAfterManyRepairsWaitsNoLongerThanForAQuarter() {
        for (int pass = 0; pass < 4; pass++) {
            pass(Duration.ofMillis(100), true);
        }
        assertThat(pace.whileBusy()).isZero();
    }

    private double share(boolean repairing) {
        Duration began = Duration.ofNanos(nanos.get());
        int passes = 0;
        while (nanos.get() < Duration.ofSeconds(60).toNanos()) {
            pass(Duration.ofMillis(40), repairing);
            passes++;
            later(pace.whileBusy().plusMillis(10));
        }
        Duration elapsed = Duration.ofNanos(nanos.get()).minus(began);
        return passes * 40.0 / elapsed.toMillis();
    }

    @Test
    void oneLongPassHoldsNothingUpAndManyDoForASecondAtMost() {
        pass(Duration.ofMinutes(1));
        assertThat(pace.whileBusy()).isZero();
        for (int pass = 0; pass < 30; pass++) {
            pass(Duration.ofMillis(100));
        }
        assertThat(pace.whileBusy()).isEqualTo(Duration.ofSeconds(1));
        later(Duration.ofMillis(1001));
        assertThat(pace.whileBusy()).isZero();
    }

    @Test
    void aLoopThatDoesNotRestTellsAfterASecondAndAfterTwoWhileItRepairs() {
        pace.told();
        later(Duration.ofMillis(999));
        assertThat(pace.isSilent(false)).isFalse();
        later(Duration.ofMillis(1));
        assertThat(pace.isSilent(true)).isFalse();
        assertThat(pace.isSilent(false)).isTrue();
        later(Duration.ofSeconds(1));
        assertThat(pace.isSilent(true)).isTrue();
        pace.told();
        assertThat(pace.isSilent(false)).isFalse();
    }

    @Test
    void whileRepairsAreMadeHowThingsStandIsToldEveryTwoSeconds() {
        assertThat(pace.telling(false)).isZero();
        assertThat(pace.telling(true)).isEqualTo(Duration.ofSeconds(2));
        later(Duration.ofMillis(400));
        assertThat(pace.telling(true)).isEqualTo(Duration.ofMillis(1600));
        later(Duration.ofMillis(1600));
        assertThat(pace.telling(true)).as("two seconds are over").isZero();
        later(Duration.ofMillis(100));
        assertThat(pace.telling(true)).isEqualTo(Duration.ofMillis(1900));
        assertThat(pace.telling(false)).as("the repairs are made").isZero();
        assertThat(pace.telling(true)).isEqualTo(Duration.ofSeconds(2));
    }
}
