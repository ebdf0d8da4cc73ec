package dev.lightpath.driver.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Alarms stand as long as the device means them, whatever the way to it does. */
final class StandingAlarmsTest {
    private static final Instant FIRST = Instant.parse("2026-11-28T10:00:00Z");

    private final StandingAlarms alarms = new StandingAlarms(Clock.systemUTC());

    private void raise(Instant at) {
        alarms.raise("7", "7", false, "port-power-alarm", Optional.of(at));
    }

    private void clear(Instant at) {
        alarms.clear("7", "7", Optional.of(at));
    }

    private static PortStatus reads(double dbm) {
        return PortStatus.newBuilder().setPort("7").setReceivePowerDbm(dbm).build();
    }

    @Test
    void anAlarmThatComesAfterItsEndDoesNotStand() {
        clear(FIRST.plusSeconds(1));
        raise(FIRST);
        assertThat(alarms.all(List.of())).isEmpty();
        raise(FIRST.plusSeconds(2));
        assertThat(alarms.all(List.of())).hasSize(1);
    }

    @Test
    void aClockThatWasSetBackIsBelieved() {
        raise(FIRST);
        clear(FIRST.minusSeconds(3600));
        assertThat(alarms.all(List.of())).isEmpty();
    }

    /** TL1 tells no time: the order is that in which the device tells. */
    @Test
    void theDriversOwnClockSaysNothingOfTheOrder() {
        Iterator<Instant> times = List.of(FIRST, FIRST.minusSeconds(30)).iterator();
        InstantSource setBack = times::next;
        StandingAlarms untimed = new StandingAlarms(setBack.withZone(ZoneOffset.UTC));
        untimed.raise("7", "7", false, "LOS", Optional.empty());
        untimed.clear("7", "7", Optional.empty());
        assertThat(untimed.all(List.of())).isEmpty();
    }

    @Test
    void anAlarmOfAnEarlierSessionStandsUntilThePortReceivesLight() {
        raise(FIRST);
        alarms.begin();
        assertThat(alarms.all(List.of(reads(-60)))).hasSize(1);
        assertThat(alarms.all(List.of(reads(-3)))).isEmpty();
        assertThat(alarms.all(List.of(reads(-60)))).isEmpty();
    }

    @Test
    void weakLightOfAnEarlierSessionIsNotTakenForGoodLight() {
        raise(FIRST);
        assertThat(alarms.all(List.of(reads(-12)))).hasSize(1);
        alarms.begin();
        assertThat(alarms.all(List.of(reads(-12.5)))).hasSize(1);
        assertThat(alarms.all(List.of(reads(-5)))).isEmpty();
    }

    @Test
    void whatIsToldInTheSessionCountsWhateverThePortReceives() {
        alarms.begin();
        raise(FIRST);
        assertThat(alarms.all(List.of(reads(-3)))).hasSize(1);
    }

    /** A device says that an alarm stands, and not whether there is too little light or too much. */
    @Test
    void whatIsMeasuredSaysWhatWasToldMoreExactly() {
        Alarm bright = Alarm.newBuilder()
                .setKind(AlarmKind.ALARM_KIND_HIGH_POWER)
                .setWhere("7")
                .setSeverity(AlarmSeverity.ALARM_SEVERITY_CRITICAL)
                .build();
        assertThat(alarms.all(List.of(reads(5)), List.of(bright))).containsExactly(bright);
        assertThat(alarms.all()).containsExactly(bright);
        raise(FIRST);
        assertThat(alarms.all())
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.getKind()).isEqualTo(AlarmKind.ALARM_KIND_HIGH_POWER))
                .satisfies(alarm -> assertThat(alarm.getNativeText()).isEqualTo("port-power-alarm"));
        clear(FIRST.plusSeconds(1));
        assertThat(alarms.all(List.of(reads(0)), List.of())).isEmpty();
    }
}
