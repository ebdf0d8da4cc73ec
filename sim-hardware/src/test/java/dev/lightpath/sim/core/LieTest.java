package dev.lightpath.sim.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.sim.core.fault.Fault;
import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.fault.FaultRequest;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.MoveOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which lie is found out by which evidence. */
class LieTest {
    @Test
    void levelOneAnswersTooEarlyAndIsFoundOutByReadingBack() {
        Bench bench = cabled();
        bench.inject(FaultRequest.of("s", "", FaultKind.LIE_OK_BEFORE_TUNED));
        List<MoveOutcome> outcomes = new ArrayList<>();
        bench.begin("s", "1", "2", outcomes);
        assertThat(outcomes.getFirst().state()).isEqualTo(ConnectionState.TUNED);
        assertThat(bench.hardware
                        .report(bench.plant.findDevice("s"))
                        .connections()
                        .getFirst()
                        .state())
                .isEqualTo(ConnectionState.TUNING);
        assertThat(bench.truth("s")).isEmpty();
        bench.pass(100);
        assertThat(bench.truth("s")).isEqualTo(Map.of("1", "2"));
        assertThat(outcomes).hasSize(1);
    }

    @Test
    void levelTwoEchoesWhatItWasToldAndIsFoundOutByFarEnds() {
        Bench bench = cabled();
        bench.inject(FaultRequest.of("s", "1", FaultKind.STUCK_ELEMENT));
        bench.inject(FaultRequest.of("s", "", FaultKind.LIE_CONFIG_ECHO));
        assertThat(bench.connect("s", "1", "2").state()).isEqualTo(ConnectionState.TUNED);
        assertThat(bench.reported("s")).isEqualTo(Map.of("1", "2"));
        assertThat(bench.truth("s")).isEmpty();
        assertThat(bench.hears("pod-1", "1")).isEqualTo("LOSS_OF_SIGNAL");
    }

    @Test
    void levelThreeReportsThePastAndIsFoundOutByFarEnds() {
        Bench bench = cabled();
        bench.connect("s", "1", "2");
        Fault lie = bench.inject(FaultRequest.of("s", "", FaultKind.LIE_STALE_CACHE));
        bench.disconnect("s", "1", "2");
        assertThat(bench.reported("s")).isEqualTo(Map.of("1", "2"));
        assertThat(bench.hears("pod-1", "1")).isEqualTo("LOSS_OF_SIGNAL");
        bench.clear(lie);
        assertThat(bench.reported("s")).isEmpty();
    }

    @Test
    void levelThreeRefreshesAsOftenAsItIsTold() {
        Bench bench = cabled();
        bench.inject(FaultRequest.of("s", "", FaultKind.LIE_STALE_CACHE).withValue(500));
        bench.connect("s", "1", "2");
        bench.disconnect("s", "1", "2");
        List<Map<String, String>> told = new ArrayList<>();
        bench.hardware.listen(new Told(() -> told.add(bench.reported("s"))));
        bench.pass(400);
        assertThat(bench.reported("s")).isEqualTo(Map.of("1", "2"));
        assertThat(told).isEmpty();
        bench.pass(200);
        assertThat(bench.reported("s")).isEmpty();
        assertThat(told).as("who listens only").containsExactly(Map.of());
    }

    @Test
    void levelThreeRefreshesNotWithoutEnd() {
        Bench bench = cabled();
        bench.inject(FaultRequest.of("s", "", FaultKind.LIE_STALE_CACHE).withValue(1e-7));
        bench.pass(100);
        assertThat(bench.hardware.nowNanos()).isEqualTo(100 * Bench.MILLI);
    }

    /** A listener that hears of one device that it must read again. */
    private record Told(Runnable answers) implements HardwareListener {
        @Override
        public void connection(int device, long seq, Report.ConnectionView connection) {}

        @Override
        public void port(int device, long seq, Report.PortView port) {}

        @Override
        public void alarm(int device, long seq, Report.AlarmView alarm, boolean raised) {}

        @Override
        public void environment(int device, long seq, double temperatureCelsius, double powerWatts) {}

        @Override
        public void silent(int device, long seq) {}

        @Override
        public void answering(int device) {
            answers.run();
        }
    }

    @Test
    void levelFourMovesNothingAndIsFoundOutByFarEnds() {
        Bench bench = cabled();
        bench.connect("s", "1", "2");
        Fault lie = bench.inject(FaultRequest.of("s", "", FaultKind.LIE_FALSE_OK));
        bench.disconnect("s", "1", "2");
        assertThat(bench.connect("s", "1", "3").state()).isEqualTo(ConnectionState.TUNED);
        assertThat(bench.reported("s")).isEqualTo(Map.of("1", "3"));
        assertThat(bench.truth("s")).isEqualTo(Map.of("1", "2"));
        assertThat(bench.hears("pod-1", "1")).isEqualTo("pod-0/1");
        assertThat(bench.hears("pod-2", "1")).isEqualTo("LOSS_OF_SIGNAL");
        bench.clear(lie);
        assertThat(bench.reported("s")).isEqualTo(Map.of("1", "2"));
    }

    /** Three endpoints on the first three ports of a switch that joins any with any. */
    private static Bench cabled() {
        return new Bench(
                "devices:",
                "  - {id: pod-, count: 3, kind: endpoints, ports: 1}",
                "  - {id: s, kind: switch, ports: 4, preset: piezo}",
                "fibres:",
                "  - {a: pod-0/1, b: s/1}",
                "  - {a: pod-1/1, b: s/2}",
                "  - {a: pod-2/1, b: s/3}");
    }
}
