package dev.lightpath.driver.contract.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of a device beside its readings. */
final class MirrorTest {
    private static final CircuitPair PAIR = new CircuitPair("1", "2");

    @TempDir
    private Path directory;

    private final List<ViewChange> changes = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private Ledger ledger;
    private Mirror mirror;

    @BeforeEach
    void start() throws Exception {
        ledger = Ledger.open(directory, Clock.systemUTC(), 1 << 30);
        mirror = new Mirror(
                new DeviceDescription(
                        Device.newBuilder().setDeviceId("ocs-1").build(),
                        Capabilities.getDefaultInstance(),
                        DeviceInventory.newBuilder().setDeviceId("ocs-1").build()),
                ledger.device("ocs-1"),
                clock(),
                changes::add);
        mirror.present(
                new DeviceReading(
                        List.of(circuit(OptionalDouble.of(6))), List.of(), List.of(), Environment.getDefaultInstance()),
                true);
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
    }

    @AfterEach
    void stop() throws Exception {
        ledger.close();
    }

    private static NativeCircuit circuit(OptionalDouble lossDb) {
        return new NativeCircuit(PAIR, CircuitState.CIRCUIT_STATE_CONNECTED, lossDb);
    }

    private OptionalDouble lossDb() {
        var seen = mirror.view().circuits().get(PAIR);
        return seen.hasMeasuredLossDb() ? OptionalDouble.of(seen.getMeasuredLossDb()) : OptionalDouble.empty();
    }

    @Test
    void aHintWithoutALossLeavesWhatAReadMeasured() {
        mirror.hintedLosses(List.of(circuit(OptionalDouble.empty())));
        assertThat(lossDb()).hasValue(6);
    }

    @Test
    void aHintWithALossIsTaken() {
        mirror.hintedLosses(List.of(circuit(OptionalDouble.of(2))));
        assertThat(lossDb()).hasValue(2);
    }

    @Test
    void aReadWithoutALossClearsIt() {
        mirror.losses(List.of(circuit(OptionalDouble.empty())));
        assertThat(lossDb()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
    void aMeasurementThatIsNoNumberIsNone(double broken) {
        mirror.losses(List.of(circuit(OptionalDouble.of(broken))));
        assertThat(lossDb()).isEmpty();
        mirror.ports(List.of(PortStatus.newBuilder()
                .setPort("1")
                .setReceivePowerDbm(-3)
                .setPreFecBitErrorRatio(broken)
                .setTemperatureCelsius(broken)
                .build()));
        PortStatus port = mirror.view().ports().get("1");
        assertThat(port.getReceivePowerDbm()).isEqualTo(-3);
        assertThat(port.hasPreFecBitErrorRatio()).isFalse();
        assertThat(port.hasTemperatureCelsius()).isFalse();
        int told = changes.size();
        mirror.losses(List.of(circuit(OptionalDouble.of(broken))));
        assertThat(changes).as("what is not there does not change").hasSize(told);
    }

    /** A program may call an alarm anything, also one that the driver raises and ends itself. */
    @Test
    void anAlarmOfTheDriversOwnKindsIsNoAlarmOfTheDevice() {
        mirror.alarms(List.of(alarm(AlarmKind.ALARM_KIND_POWER_CYCLED), alarm(AlarmKind.ALARM_KIND_FAN)));
        mirror.alarms(List.of());
        assertThat(mirror.view().alarms()).isEmpty();
    }

    private static Alarm alarm(AlarmKind kind) {
        return Alarm.newBuilder().setKind(kind).build();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-60, -99.99, -30.01, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NaN})
    void thePowerThatAMeterShowsOfNoLightIsNone(double dbm) {
        mirror.ports(List.of(
                PortStatus.newBuilder().setPort("1").setReceivePowerDbm(dbm).build()));
        assertThat(mirror.view().ports().get("1").hasReceivePowerDbm()).isFalse();
    }

    @Test
    void weakLightIsLight() {
        mirror.ports(List.of(
                PortStatus.newBuilder().setPort("1").setReceivePowerDbm(-29.5).build()));
        assertThat(mirror.view().ports().get("1").getReceivePowerDbm()).isEqualTo(-29.5);
    }

    /** A session breaks, and then the device shows another host key: that is what is to be mended. */
    @Test
    void theAlarmOfASilenceSaysWhyTheDeviceIsSilentNow() {
        mirror.silent("the session broke");
        Alarm first = onlyAlarm();
        mirror.silent("the host key is another one");
        assertThat(onlyAlarm())
                .isEqualTo(first.toBuilder()
                        .setNativeText("the host key is another one")
                        .build());
    }

    /** Each attempt to reach it may fail otherwise: who watches is told of all that recurs, and then of nothing. */
    @Test
    void reasonsThatComeByTurnsAreToldTogether() {
        mirror.silent("no answer within 10 s");
        mirror.silent("connection refused");
        mirror.silent("no answer within 10 s");
        String both = "connection refused; at other times: no answer within 10 s";
        assertThat(onlyAlarm().getNativeText()).isEqualTo(both);
        int told = changes.size();
        for (int attempt = 0; attempt < 20; attempt++) {
            mirror.silent("connection refused");
            mirror.silent("no answer within 10 s");
        }
        assertThat(changes).hasSize(told);
        mirror.silent("the host key is another one");
        assertThat(onlyAlarm().getNativeText()).isEqualTo("the host key is another one");
    }

    @Test
    void aDeviceThatGivesAnotherReasonEachTimeIsNotToldOfEachTime() {
        for (int attempt = 0; attempt < 4; attempt++) {
            mirror.silent("down since " + attempt);
        }
        int told = changes.size();
        for (int attempt = 4; attempt < 20; attempt++) {
            mirror.silent("down since " + attempt);
        }
        assertThat(changes).hasSize(told);
    }

    /** What keeps it silent now may be the fifth reason within minutes. */
    @Test
    void oneOfManyReasonsIsToldEachMinute() {
        for (int attempt = 0; attempt < 4; attempt++) {
            mirror.silent("down since " + attempt);
        }
        mirror.silent("the host key is another one");
        now = now.plus(Duration.ofSeconds(61));
        mirror.silent("the host key is another one");
        assertThat(onlyAlarm().getNativeText()).isEqualTo("the host key is another one");
        int told = changes.size();
        for (int attempt = 4; attempt < 20; attempt++) {
            mirror.silent("down since " + attempt);
        }
        assertThat(changes).hasSize(told);
    }

    @Test
    void aReasonThatDoesNotRecurIsForgotten() {
        mirror.silent("connection refused");
        mirror.silent("the host key is another one");
        mirror.silent("connection refused");
        now = now.plus(Duration.ofMinutes(11));
        mirror.silent("connection refused");
        assertThat(onlyAlarm().getNativeText()).isEqualTo("connection refused");
    }

    private Alarm onlyAlarm() {
        assertThat(mirror.view().alarms()).hasSize(1);
        return mirror.view().alarms().values().iterator().next();
    }
}
