package dev.lightpath.sim.core.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.sim.core.AlarmKind;
import dev.lightpath.sim.core.Bench;
import dev.lightpath.sim.core.BootReason;
import dev.lightpath.sim.core.PortHealth;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.MoveError;
import dev.lightpath.sim.core.move.MoveOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FaultTest {
    private static final String LINK = "n1/b0.path1";
    private static final String LINK_FAR = "n0/b1.path1";

    @ParameterizedTest
    @EnumSource(
            value = FaultKind.class,
            names = {
                "DEAD_ELEMENT",
                "PORT_FAILED",
                "PORT_FAILED_SILENT",
                "FIBRE_CUT",
                "SWAPPED_PAIR",
                "TRANSMITTER_FAILED"
            })
    void darkensTheFarEndAndHealsWhenItEnds(FaultKind kind) {
        Bench bench = linked();
        bench.inject(FaultRequest.of("n0", "b1.path1", kind).lasting(500));
        bench.pass(100);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("LOSS_OF_SIGNAL");
        assertThat(bench.alarms("n1")).containsExactly(AlarmKind.LOSS_OF_SIGNAL);
        bench.pass(500);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("n0/b1.path1");
        assertThat(bench.hears("n0", "b1.path1")).isEqualTo(LINK);
        assertThat(bench.alarms("n0")).isEmpty();
        assertThat(bench.alarms("n1")).isEmpty();
    }

    @Test
    void dirtAndCutsThrowLightBack() {
        Bench bench = new Bench("ring: {nodes: 8, reach: 2}");
        double clean = bench.port("n0", "b0.path1").returnLossDb();
        assertThat(clean).isBetween(38.0, 54.0);
        assertThat(bench.port("n0", "b0.path2").returnLossDb()).isNotEqualTo(clean);
        assertThat(bench.port("n0", "b0.loop").returnLossDb()).isNaN();
        Fault dirt = bench.inject(FaultRequest.of("n0", "b0.path1", FaultKind.DIRTY_CONNECTOR));
        assertThat(bench.port("n0", "b0.path1").returnLossDb()).isCloseTo(clean - 12, within(1e-9));
        Fault cut = bench.inject(FaultRequest.of("n0", "b0.path1", FaultKind.FIBRE_CUT));
        assertThat(bench.port("n0", "b0.path1").returnLossDb()).isEqualTo(14.7);
        assertThat(bench.port("n7", "b1.path1").returnLossDb()).isEqualTo(14.7);
        bench.clear(cut);
        bench.clear(dirt);
        assertThat(bench.port("n0", "b0.path1").returnLossDb()).isEqualTo(clean);
    }

    @Test
    void oneDirectionFailsAlone() {
        Bench bench = linked();
        bench.inject(FaultRequest.of("n0", "b1.path1", FaultKind.TRANSMITTER_FAILED));
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("LOSS_OF_SIGNAL");
        assertThat(bench.hears("n0", "b1.path1")).isEqualTo(LINK);
        Bench other = linked();
        other.inject(FaultRequest.of("n0", "b1.path1", FaultKind.RECEIVER_FAILED));
        assertThat(other.hears("n0", "b1.path1")).isEqualTo("LOSS_OF_SIGNAL");
        assertThat(other.hears("n1", "b0.path1")).isEqualTo("n0/b1.path1");
    }

    @ParameterizedTest
    @CsvSource({"PORT_FAILED,FAILED,1", "PORT_FAILED_SILENT,OK,0"})
    void aFailedPortTellsOrKeepsSilent(FaultKind kind, PortHealth health, int alarms) {
        Bench bench = linked();
        bench.inject(FaultRequest.of("n0", "b1.path1", kind));
        assertThat(bench.port("n0", "b1.path1").health()).isEqualTo(health);
        assertThat(bench.alarms("n0").stream().filter(AlarmKind.PORT_FAILED::equals))
                .hasSize(alarms);
        assertThat(bench.truth("n0")).doesNotContainKey("b1.common");
    }

    @Test
    void aFailedBundleRefusesToMoveAndIsNamedOnce() {
        Bench bench = linked();
        bench.inject(FaultRequest.of("n0", "b1", FaultKind.PORT_FAILED));
        assertThat(bench.hardware.report(0).alarms()).hasSize(1);
        assertThat(bench.hardware.report(0).alarms().getFirst().where()).isEqualTo("b1");
        assertThat(bench.connect("n0", "b1.common", "b1.loop").error()).isEqualTo(MoveError.PORT_FAILED);
        assertThat(bench.connect("n0", "b0.common", "b0.path1").state()).isEqualTo(ConnectionState.TUNED);
    }

    @Test
    void aStuckSelectorKeepsItsLightAndSaysSoWhenItIsAsked() {
        Bench bench = linked();
        Fault stuck = bench.inject(FaultRequest.of("n0", "b1.path1", FaultKind.STUCK_ELEMENT));
        assertThat(bench.alarms("n0")).isEmpty();
        assertThat(bench.connect("n0", "b1.common", "b1.loop").error()).isEqualTo(MoveError.ELEMENT_STUCK);
        assertThat(bench.reported("n0")).containsEntry("b1.common", "b1.path1");
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("n0/b1.path1");
        assertThat(bench.alarms("n0")).containsExactly(AlarmKind.STUCK);
        bench.clear(stuck);
        assertThat(bench.alarms("n0")).isEmpty();
        assertThat(bench.connect("n0", "b1.common", "b1.loop").state()).isEqualTo(ConnectionState.TUNED);
    }

    @Test
    void aStuckEgressKeepsItsCircuitAndItsAlarmEndsWithIt() {
        Bench bench = switched();
        bench.connect("s", "1", "3");
        Fault stuck = bench.inject(FaultRequest.of("s", "3", FaultKind.STUCK_ELEMENT));
        assertThat(bench.disconnect("s", "1", "3").error()).isEqualTo(MoveError.ELEMENT_STUCK);
        assertThat(bench.reported("s")).isEqualTo(Map.of("1", "3"));
        assertThat(bench.alarms("s")).containsExactly(AlarmKind.STUCK);
        bench.clear(stuck);
        assertThat(bench.alarms("s")).isEmpty();
        assertThat(bench.disconnect("s", "1", "3").state()).isEqualTo(ConnectionState.BLOCKED);
    }

    @Test
    void anIgnoredDisconnectLeavesLightThatNobodyReports() {
        Bench bench = switched();
        bench.connect("s", "1", "3");
        bench.inject(FaultRequest.of("s", "1", FaultKind.DISCONNECT_IGNORED));
        assertThat(bench.disconnect("s", "1", "3").state()).isEqualTo(ConnectionState.BLOCKED);
        assertThat(bench.reported("s")).isEmpty();
        assertThat(bench.truth("s")).isEqualTo(Map.of("1", "3"));
    }

    @Test
    void aWrongElementLandsElsewhereUnnoticed() {
        Bench bench = switched();
        bench.inject(FaultRequest.of("s", "1", FaultKind.WRONG_ELEMENT));
        assertThat(bench.connect("s", "1", "3").state()).isEqualTo(ConnectionState.TUNED);
        assertThat(bench.reported("s")).isEqualTo(Map.of("1", "3"));
        assertThat(bench.truth("s")).isEqualTo(Map.of("1", "4"));
    }

    @Test
    void exchangedFibresShowByTheNamesOfTheirNeighbours() {
        Bench bench = linked();
        Fault swap = bench.inject(
                FaultRequest.of("n0", "b1.path1", FaultKind.SWAPPED_PAIR).withOtherPort("n3/b1.path1"));
        bench.connect("n3", "b1.common", "b1.path1");
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("n3/b1.path1");
        bench.clear(swap);
        bench.pass(50);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("n0/b1.path1");
    }

    /** Ended in the order in which they came, as all are that are cleared at once. */
    @Test
    void exchangesThatShareAPortLeaveTheFibresAsTheyWere() {
        Bench bench = linked();
        bench.connect("n3", "b1.common", "b1.path1");
        bench.connect("n5", "b1.common", "b1.path1");
        Fault first = bench.inject(
                FaultRequest.of("n0", "b1.path1", FaultKind.SWAPPED_PAIR).withOtherPort("n3/b1.path1"));
        Fault second = bench.inject(
                FaultRequest.of("n3", "b1.path1", FaultKind.SWAPPED_PAIR).withOtherPort("n5/b1.path1"));
        bench.pass(50);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("n5/b1.path1");
        bench.clear(first);
        bench.pass(50);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo(LINK_FAR);
        bench.clear(second);
        bench.pass(50);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo(LINK_FAR);
        assertThat(bench.hears("n0", "b1.path1")).isEqualTo(LINK);
        bench.connect("n4", "b0.common", "b0.path1");
        bench.connect("n6", "b0.common", "b0.path1");
        assertThat(bench.hears("n4", "b0.path1")).isEqualTo("n3/b1.path1");
        assertThat(bench.hears("n6", "b0.path1")).isEqualTo("n5/b1.path1");
    }

    /** It found the port free while the element of that port was on its way. */
    @Test
    void aMoveFromAPortOnWhichOtherLightLandedEnds() {
        Bench bench = switchedOneSided();
        bench.inject(FaultRequest.of("s", "1", FaultKind.WRONG_ELEMENT));
        List<MoveOutcome> outcomes = new ArrayList<>();
        bench.begin("s", "1", "2", outcomes);
        bench.inject(FaultRequest.of("s", "", FaultKind.SLOW_MOVES));
        bench.begin("s", "3", "4", outcomes);
        bench.pass(1000);
        assertThat(outcomes).hasSize(2);
        assertThat(bench.truth("s")).isEqualTo(Map.of("3", "4"));
    }

    @Test
    void aPortThatComesAndGoesTooFastLetsTimePass() {
        Bench bench = linked();
        bench.inject(FaultRequest.of("n0", "b1.path1", FaultKind.INTERMITTENT).withValue(1e-7));
        long before = bench.hardware.nowNanos();
        bench.pass(1);
        assertThat(bench.hardware.nowNanos()).isEqualTo(before + Bench.MILLI);
    }

    @Test
    void dirtWeakensAndTooMuchOfItDarkens() {
        Bench bench = linked();
        double clean = bench.port("n1", "b0.path1").receivePowerDbm();
        Fault dirt = bench.inject(
                FaultRequest.of("n0", "b1.path1", FaultKind.DIRTY_CONNECTOR).withValue(10));
        assertThat(bench.port("n1", "b0.path1").receivePowerDbm()).isBetween(clean - 11, clean - 9);
        assertThat(bench.alarms("n1")).containsExactly(AlarmKind.LOW_POWER);
        assertThat(bench.port("n1", "b0.path1").health()).isEqualTo(PortHealth.DEGRADED);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("n0/b1.path1");
        bench.inject(
                FaultRequest.of("n0", "b1.path1", FaultKind.DIRTY_CONNECTOR).withValue(5));
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("LOSS_OF_SIGNAL");
        bench.clear(dirt);
        bench.pass(50);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("n0/b1.path1");
        assertThat(bench.alarms("n1")).isEmpty();
    }

    @Test
    void driftDarkensWithTime() {
        Bench bench = linked();
        bench.inject(FaultRequest.of("n0", "b1.path1", FaultKind.LOSS_DRIFT).withValue(6));
        bench.pass(3_600_000);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("n0/b1.path1");
        bench.pass(4 * 3_600_000);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("LOSS_OF_SIGNAL");
    }

    @Test
    void anIntermittentPortComesAndGoes() {
        Bench bench = linked();
        long before = bench.hardware.log().last();
        bench.inject(FaultRequest.of("n0", "b1.path1", FaultKind.INTERMITTENT).lasting(10_500));
        bench.pass(20_000);
        assertThat(bench.hardware.log().last() - before).isBetween(20L, 100L);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("n0/b1.path1");
    }

    @Test
    void powerLossLosesCircuitsAndComesBackInLoopbackAsAnotherRun() {
        Bench bench = linked();
        int n0 = bench.plant.findDevice("n0");
        String boot = bench.hardware.bootId(n0);
        bench.inject(FaultRequest.of("n0", "", FaultKind.POWER_LOSS).lasting(1000));
        assertThat(bench.hardware.reachable(n0)).isFalse();
        assertThat(bench.truth("n0")).isEmpty();
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("LOSS_OF_SIGNAL");
        bench.pass(1100);
        assertThat(bench.hardware.reachable(n0)).isTrue();
        assertThat(bench.hardware.bootId(n0)).isNotEqualTo(boot);
        assertThat(bench.hardware.bootReason(n0)).isEqualTo(BootReason.POWER_ON);
        assertThat(bench.hardware.powerCycles(n0)).isEqualTo(1);
        assertThat(bench.truth("n0")).containsEntry("b1.common", "b1.loop");
        assertThat(bench.reported("n0")).containsEntry("b1.common", "b1.loop");
        assertThat(bench.hears("n0", "b1.loop")).isEqualTo("n0/b1.loop");
    }

    @Test
    void aSwitchComesBackEmptyAndAMoveUnderWayFails() {
        Bench bench = switched();
        bench.connect("s", "1", "3");
        List<MoveOutcome> outcomes = new ArrayList<>();
        bench.begin("s", "2", "4", outcomes);
        bench.inject(FaultRequest.of("s", "", FaultKind.POWER_LOSS).lasting(10));
        assertThat(outcomes.getFirst().error()).isEqualTo(MoveError.POWER_LOST);
        bench.pass(1000);
        assertThat(bench.truth("s")).isEmpty();
        assertThat(bench.reported("s")).isEmpty();
    }

    @Test
    void aManagementRestartKeepsLightAndChangesTheRun() {
        Bench bench = linked();
        int n0 = bench.plant.findDevice("n0");
        String boot = bench.hardware.bootId(n0);
        bench.inject(FaultRequest.of("n0", "", FaultKind.MANAGEMENT_RESTART));
        assertThat(bench.hardware.reachable(n0)).isFalse();
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("n0/b1.path1");
        bench.pass(2001);
        assertThat(bench.hardware.reachable(n0)).isTrue();
        assertThat(bench.hardware.bootId(n0)).isNotEqualTo(boot);
        assertThat(bench.hardware.bootReason(n0)).isEqualTo(BootReason.MANAGEMENT_RESTART);
        assertThat(bench.reported("n0")).containsEntry("b1.common", "b1.path1");
        assertThat(bench.hardware.powerCycles(n0)).isZero();
    }

    @Test
    void aReplacedDeviceHasAnotherSerialAndPowerOnCircuits() {
        Bench bench = linked();
        String serial = bench.hardware.serial(0);
        bench.inject(FaultRequest.of("n0", "", FaultKind.DEVICE_REPLACED));
        assertThat(bench.hardware.serial(0)).isNotEqualTo(serial);
        assertThat(bench.truth("n0")).containsEntry("b1.common", "b1.loop");
        assertThat(bench.hardware.faults()).isEmpty();
    }

    @Test
    void environmentFaultsRaiseAlarmsThatOutliveAPowerCycle() {
        Bench bench = linked();
        bench.inject(FaultRequest.of("n0", "", FaultKind.TEMPERATURE).lasting(5000));
        bench.inject(FaultRequest.of("n0", "", FaultKind.FAN));
        bench.inject(FaultRequest.of("n0", "", FaultKind.POWER_SUPPLY));
        bench.inject(FaultRequest.of("n0", "", FaultKind.POWER_LOSS).lasting(10));
        bench.pass(100);
        assertThat(bench.alarms("n0")).containsExactly(AlarmKind.POWER_SUPPLY, AlarmKind.FAN, AlarmKind.TEMPERATURE);
        assertThat(bench.hardware.report(0).temperatureCelsius()).isEqualTo(85);
        bench.pass(5000);
        bench.hardware.clearFaults(fault -> true);
        assertThat(bench.alarms("n0")).isEmpty();
    }

    @Test
    void slowMovesTakeAsManyTimesLonger() {
        Bench bench = switched();
        bench.inject(FaultRequest.of("s", "", FaultKind.SLOW_MOVES).withValue(100));
        List<MoveOutcome> outcomes = new ArrayList<>();
        bench.begin("s", "1", "3", outcomes);
        bench.pass(900);
        assertThat(outcomes).isEmpty();
        bench.pass(2000);
        assertThat(outcomes.getFirst().state()).isEqualTo(ConnectionState.TUNED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n9 | b0.path1 | FIBRE_CUT | unknown device 'n9'",
                "n0 | b7.path1 | FIBRE_CUT | unknown port n0/b7.path1, ports are b0.common..b2.path2",
                "n0 | '' | FIBRE_CUT | FIBRE_CUT needs a port, path or module of n0",
                "n0 | b0.common | FIBRE_CUT | FIBRE_CUT cannot happen at n0/b0.common",
                "n0 | b0 | POWER_LOSS | POWER_LOSS concerns a whole device, but port, path or module 'b0' is given",
            })
    void refusesWhatCannotBreak(String device, String where, FaultKind kind, String message) {
        Bench bench = linked();
        assertThatThrownBy(() -> bench.inject(FaultRequest.of(device, where, kind)))
                .hasMessage(message);
    }

    /** n0 and n1 joined by n0/b1.path1 - n1/b0.path1. */
    private static Bench linked() {
        Bench bench = new Bench("ring: {nodes: 8, reach: 3}");
        bench.connect("n0", "b1.common", "b1.path1");
        bench.connect("n1", "b0.common", "b0.path1");
        assertThat(bench.hears("n0", "b1.path1")).isEqualTo(LINK);
        return bench;
    }

    private static Bench switchedOneSided() {
        return new Bench("devices:", "  - {id: s, kind: switch, ports: 4}");
    }

    private static Bench switched() {
        return new Bench("devices:", "  - {id: s, kind: switch, ports: 4, twoSided: true}");
    }
}
