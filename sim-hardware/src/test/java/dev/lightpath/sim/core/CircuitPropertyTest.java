package dev.lightpath.sim.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.fault.FaultRequest;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.MoveOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random commands against a slow oracle of one map. */
class CircuitPropertyTest {
    private static final int PORTS = 8;
    private static final int STEPS = 400;

    @ParameterizedTest
    @CsvSource({
        "mems,false,1",
        "mems,true,2",
        "piezo,false,3",
        "piezo,true,4",
        "liquid-crystal,true,5",
        "robotic,false,6",
    })
    void settledLightAndReportAreWhatAnIdealSwitchWouldDo(String preset, boolean twoSided, long seed) {
        Bench bench = bench(preset, twoSided, seed);
        boolean replaces = preset.equals("piezo");
        Map<Integer, Integer> ideal = new TreeMap<>();
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            int a = 1 + random.nextInt(PORTS + 1);
            int b = 1 + random.nextInt(PORTS + 1);
            String what = "seed " + seed + " step " + step + ": " + a + "->" + b;
            if (random.nextBoolean()) {
                boolean there = ideal.containsKey(a) && ideal.get(a) == b;
                MoveOutcome outcome = bench.disconnect("s", "" + a, "" + b);
                assertThat(outcome.state() == ConnectionState.BLOCKED).as(what).isEqualTo(there);
                if (there) {
                    ideal.remove(a);
                }
            } else {
                boolean may = idealConnect(ideal, a, b, twoSided, replaces);
                List<MoveOutcome> outcomes = new ArrayList<>();
                bench.begin("s", "" + a, "" + b, outcomes);
                bench.pass(200_000);
                assertThat(outcomes).as(what).hasSize(1);
                assertThat(outcomes.getFirst().state() == ConnectionState.TUNED)
                        .as(what)
                        .isEqualTo(may);
            }
            Map<String, String> expected = new TreeMap<>();
            ideal.forEach((in, out) -> expected.put("" + in, "" + out));
            assertThat(bench.truth("s")).as(what).isEqualTo(expected);
            assertThat(bench.reported("s")).as(what).isEqualTo(expected);
        }
        assertThat(ideal).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"mems,false,8,11", "piezo,false,8,12", "piezo,true,8,13", "liquid-crystal,true,60,14"})
    void noPortCarriesTwoCircuitsAtAnyInstantEvenWithFaultsAndOverlappingMoves(
            String preset, boolean twoSided, int pauseMillis, long seed) {
        Bench bench = bench(preset, twoSided, seed);
        Random random = new Random(seed);
        FaultKind[] kinds = {
            FaultKind.STUCK_ELEMENT,
            FaultKind.DEAD_ELEMENT,
            FaultKind.DISCONNECT_IGNORED,
            FaultKind.WRONG_ELEMENT,
            FaultKind.INTERMITTENT,
            FaultKind.PORT_FAILED_SILENT,
        };
        List<MoveOutcome> outcomes = new ArrayList<>();
        int begun = 0;
        for (int step = 0; step < STEPS; step++) {
            String a = "" + (1 + random.nextInt(PORTS));
            String b = "" + (1 + random.nextInt(PORTS));
            switch (random.nextInt(5)) {
                case 0 -> bench.disconnect("s", a, "");
                case 1 ->
                    bench.inject(FaultRequest.of("s", a, kinds[random.nextInt(kinds.length)])
                            .lasting(1 + random.nextInt(100)));
                case 2 -> {
                    if (random.nextInt(20) == 0) {
                        bench.inject(
                                FaultRequest.of("s", "", FaultKind.POWER_LOSS).lasting(5));
                    }
                }
                default -> {
                    bench.begin("s", a, b, outcomes);
                    begun++;
                }
            }
            bench.pass(random.nextInt(pauseMillis));
        }
        bench.pass(20_000_000);
        assertThat(outcomes).as("seed " + seed + ": every move is answered").hasSize(begun);
        replay(bench, seed);
    }

    /** Reads the log as an outsider would. */
    private static void replay(Bench bench, long seed) {
        LightLog log = bench.hardware.log();
        Map<Integer, Integer> lit = new HashMap<>();
        Set<Integer> used = new HashSet<>();
        long last = 0;
        int changes = 0;
        for (long seq = log.oldest(); seq <= log.last(); seq++) {
            LightLog.Entry entry = log.get(seq);
            assertThat(entry.atNanos()).isGreaterThanOrEqualTo(last);
            last = entry.atNanos();
            String what = "seed " + seed + " entry " + entry;
            if (entry.change() == LightChange.LIT) {
                assertThat(used.add(entry.ingress())).as(what).isTrue();
                assertThat(used.add(entry.egress())).as(what).isTrue();
                lit.put(entry.ingress(), entry.egress());
                changes++;
            } else if (entry.change() == LightChange.DARK) {
                assertThat(lit.remove(entry.ingress())).as(what).isEqualTo(entry.egress());
                used.remove(entry.ingress());
                used.remove(entry.egress());
            }
        }
        assertThat(changes).isGreaterThan(5);
        Map<String, String> end = new TreeMap<>();
        lit.forEach((in, out) -> end.put(bench.plant.portName(in), bench.plant.portName(out)));
        assertThat(bench.truth("s")).isEqualTo(end);
    }

    private static boolean idealConnect(Map<Integer, Integer> ideal, int a, int b, boolean twoSided, boolean replaces) {
        boolean sides = twoSided ? a <= PORTS / 2 && b > PORTS / 2 : a != b;
        if (a > PORTS || b > PORTS || !sides) {
            return false;
        }
        if (ideal.containsKey(a) && ideal.get(a) == b) {
            return true;
        }
        Set<Integer> inTheWay = new HashSet<>();
        ideal.forEach((in, out) -> {
            if (in == a || in == b || out == a || out == b) {
                inTheWay.add(in);
            }
        });
        if (!inTheWay.isEmpty() && !replaces) {
            return false;
        }
        inTheWay.forEach(ideal::remove);
        ideal.put(a, b);
        return true;
    }

    private static Bench bench(String preset, boolean twoSided, long seed) {
        return new Bench(
                "seed: " + seed,
                "devices:",
                "  - {id: s, kind: switch, ports: " + PORTS + ", twoSided: " + twoSided + ", preset: " + preset + "}");
    }
}
