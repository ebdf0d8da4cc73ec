package dev.lightpath.sim.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.fault.FaultRequest;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.MoveOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingLightTest {
    @Test
    void powersOnInLoopbackHearingItself() {
        Bench bench = new Bench("ring: {nodes: 8, reach: 3}");
        assertThat(bench.truth("n0"))
                .isEqualTo(Map.of("b0.common", "b0.loop", "b1.common", "b1.loop", "b2.common", "b2.loop"));
        assertThat(bench.hears("n0", "b1.loop")).isEqualTo("n0/b1.loop");
        assertThat(bench.hears("n0", "b1.path1")).isEqualTo("IDLE");
    }

    /**
     * Port maps printed by an independent implementation of the InfinitePOD fabric, and the odd reach 5 by its rule.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | -1 -2 +1 +2",
                "3 | -1 -2 +1 +2 -3 +3",
                "4 | -1 -2 -3 -4 +1 +2 +3 +4",
                "5 | -1 -2 -3 -4 +1 +2 +3 +4 -5 +5",
            })
    void pathsReachTheNodesOfThePortMap(int reach, String hops) {
        String[] byPath = hops.split(" ");
        for (int place = 0; place < byPath.length; place++) {
            Bench bench = new Bench("ring: {nodes: 12, reach: " + reach + "}");
            int hop = Integer.parseInt(byPath[place]);
            String far = "n" + Math.floorMod(hop, 12);
            String back = hop > 0 ? "-" + hop : "+" + -hop;
            int farPlace = List.of(byPath).indexOf(back);
            bench.connect("n0", "b" + place / 2 + ".common", port(place));
            bench.connect(far, "b" + farPlace / 2 + ".common", port(farPlace));
            assertThat(bench.hears("n0", port(place))).isEqualTo(far + "/" + port(farPlace));
            assertThat(bench.hears(far, port(farPlace))).isEqualTo("n0/" + port(place));
        }
    }

    @Test
    void aLineEndsDark() {
        Bench bench = new Bench("ring: {nodes: 8, reach: 3, shape: line}");
        bench.connect("n0", "b0.common", "b0.path1");
        assertThat(bench.hears("n0", "b0.path1")).isEqualTo("LOSS_OF_SIGNAL");
        assertThat(bench.alarms("n0")).containsExactly(AlarmKind.LOSS_OF_SIGNAL);
    }

    @Test
    void lightArrivesOnlyWhenBothEndsSelectTheFibre() {
        Bench bench = new Bench("ring: {nodes: 8, reach: 3}");
        bench.connect("n0", "b1.common", "b1.path1");
        assertThat(bench.hears("n0", "b1.path1")).isEqualTo("LOSS_OF_SIGNAL");
        assertThat(bench.port("n1", "b0.path1").receivePowerDbm()).isBetween(-3.0, 0.5);
        assertThat(bench.hears("n1", "b0.path1")).isEqualTo("IDLE");
        bench.connect("n1", "b0.common", "b0.path1");
        assertThat(bench.hears("n0", "b1.path1")).isEqualTo("n1/b0.path1");
        assertThat(bench.alarms("n0")).isEmpty();
        bench.connect("n1", "b0.common", "b0.loop");
        assertThat(bench.hears("n0", "b1.path1")).isEqualTo("LOSS_OF_SIGNAL");
    }

    @Test
    void aSelectorIsDarkWhileItMovesAndLocksAfterwards() {
        Bench bench = new Bench("ring: {nodes: 8, reach: 3}");
        bench.connect("n1", "b0.common", "b0.path1");
        List<MoveOutcome> outcomes = new ArrayList<>();
        bench.begin("n0", "b1.common", "b1.path1", outcomes);
        assertThat(bench.truth("n0")).doesNotContainKey("b1.common");
        bench.hardware.advanceTo(bench.hardware.nowNanos() + 59_000);
        assertThat(outcomes).isEmpty();
        bench.hardware.advanceTo(bench.hardware.nowNanos() + 22_000);
        assertThat(outcomes.getFirst().state()).isEqualTo(ConnectionState.TUNED);
        assertThat(bench.truth("n0")).containsEntry("b1.common", "b1.path1");
        assertThat(bench.hears("n0", "b1.path1")).isEqualTo("ACQUIRING");
        bench.pass(11);
        assertThat(bench.hears("n0", "b1.path1")).isEqualTo("n1/b0.path1");
    }

    @Test
    void lightCrossesASwitchWithTheLossOfItsParts() {
        Bench bench = new Bench(
                "devices:",
                "  - {id: pod-, count: 2, kind: endpoints, ports: 1}",
                "  - {id: ocs, kind: switch, ports: 4, twoSided: true}",
                "fibres:",
                "  - {from: pod-0/1, to: ocs/1}",
                "  - {from: pod-1/1, to: ocs/2}",
                "  - {from: ocs/3, to: pod-0/1}",
                "  - {from: ocs/4, to: pod-1/1}");
        bench.connect("ocs", "1", "4");
        assertThat(bench.hears("pod-1", "1")).isEqualTo("pod-0/1");
        assertThat(bench.hears("pod-0", "1")).isEqualTo("LOSS_OF_SIGNAL");
        bench.connect("ocs", "2", "3");
        assertThat(bench.hears("pod-0", "1")).isEqualTo("pod-1/1");
        double entering = bench.port("ocs", "1").receivePowerDbm();
        double leaving = bench.port("pod-1", "1").receivePowerDbm();
        double loss = bench.hardware.factoryLossDb(bench.plant.findPort(0, "1"), bench.plant.findPort(0, "4"));
        assertThat(entering - leaving).isBetween(loss + 0.3 - 0.6, loss + 0.7 + 0.6);
    }

    @Test
    void theSameSeedTellsTheSameStory() {
        assertThat(story(7)).isEqualTo(story(7));
        assertThat(story(7)).isNotEqualTo(story(8));
    }

    private static String story(long seed) {
        Bench bench = new Bench("seed: " + seed, "ring: {nodes: 8, reach: 3}");
        bench.inject(FaultRequest.of("n1", "b0.path1", FaultKind.INTERMITTENT));
        bench.connect("n0", "b1.common", "b1.path1");
        bench.connect("n1", "b0.common", "b0.path1");
        bench.pass(60_000);
        StringBuilder story = new StringBuilder();
        for (long seq = 1; seq <= bench.hardware.log().last(); seq++) {
            story.append(bench.hardware.log().get(seq)).append('\n');
        }
        return story.toString();
    }

    private static String port(int place) {
        return "b" + place / 2 + ".path" + (place % 2 + 1);
    }
}
