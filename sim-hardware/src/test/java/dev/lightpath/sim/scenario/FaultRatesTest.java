package dev.lightpath.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.LightChange;
import dev.lightpath.sim.core.LightLog;
import dev.lightpath.sim.core.fault.FaultKind;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults by chance, and those of a real cluster. */
class FaultRatesTest {
    private static final double NANOS_PER_DAY = 8.64e13;
    /** Days of the bundled trace. */
    private static final double TRACE_DAYS = 348.9798;

    private static Hardware running(String... yaml) {
        Scenario scenario = Scenario.parse("s.yaml", String.join("\n", yaml));
        Hardware hardware = new Hardware(scenario.plant(), scenario.cabling(), scenario.seed());
        new Timeline(hardware).add(scenario.schedule());
        return hardware;
    }

    private static void untilDay(Hardware hardware, double day) {
        hardware.advanceTo((long) (day * NANOS_PER_DAY));
    }

    /** Devices with a fault, each with the kinds of its faults. */
    private static List<String> broken(Hardware hardware, Predicate<String> devices) {
        return hardware.faults().stream()
                .filter(fault -> devices.test(fault.request().deviceId()))
                .map(fault -> fault.request().deviceId() + " " + fault.request().where() + " " + fault.kind())
                .distinct()
                .sorted()
                .toList();
    }

    /** 0.04 % of 128 switches a day: 512 in 10 000 days. */
    @Test
    void switchesLosePowerAsOftenAsThePresetSays() {
        Hardware hardware =
                running("devices: [{id: ocs-, count: 128, kind: switch, ports: 4}]", "faultRates: [{preset: ocs}]");
        untilDay(hardware, 10_000);
        int failed = IntStream.range(0, 128)
                .map(device -> hardware.powerCycles(device))
                .sum();
        assertThat(failed).as("seed %d", hardware.seed()).isBetween(420, 605);
    }

    /** 0.005 % of 200 cables a day: 500 in 50 000 days, at each of which two receivers lose their light. */
    @Test
    void cablesAreCutAsOftenAsThePresetSaysAndFasterWithSpeed() {
        StringBuilder fibres = new StringBuilder();
        for (int port = 1; port <= 200; port++) {
            fibres.append("  - {a: left/%d, b: right/%d}\n".formatted(port, port));
        }
        Hardware hardware = running(
                "devices: [{id: left, kind: endpoints, ports: 200}, {id: right, kind: endpoints, ports: 200}]",
                "fibres:",
                fibres.toString(),
                "faultRates: [{preset: cable, speed: 1000}]");
        untilDay(hardware, 50);
        LightLog log = hardware.log();
        long lost = IntStream.rangeClosed(1, (int) log.last())
                .filter(seq -> log.get(seq).change() == LightChange.LOST)
                .count();
        assertThat(lost).as("seed %d", hardware.seed()).isBetween(820L, 1210L);
        untilDay(hardware, 50.01);
        assertThat(hardware.faults().stream().map(fault -> fault.kind()).collect(Collectors.toSet()))
                .isSubsetOf(FaultKind.FIBRE_CUT);
    }

    @Test
    void aRateAndARepairOfItsOwn() {
        Hardware hardware = running(
                "devices: [{id: s, kind: switch, ports: 4}]",
                "faultRates: [{preset: ocs, percentPerDay: 10000000, for: 30s}]");
        int down = 0;
        for (int second = 1; second <= 36_000; second++) {
            untilDay(hardware, second / 86_400.0);
            down += hardware.reachable(0) ? 0 : 1;
        }
        // 0.864 s up on average, then 30 s down
        assertThat(down / 36_000.0).as("seed %d", hardware.seed()).isBetween(0.96, 0.98);
    }

    /** The means and the worst hundredth that were found in the trace itself: 2.31 % and 7.75 %. */
    @Test
    void asManyNodesAreBrokenAsInTheTrace() {
        Hardware hardware = running("ring: {nodes: 400, reach: 2}", "faultRates: [{preset: node-trace}]");
        int samples = 3489;
        int[] broken = new int[samples];
        for (int sample = 0; sample < samples; sample++) {
            untilDay(hardware, sample * TRACE_DAYS / samples);
            broken[sample] = (int) hardware.faults().stream()
                    .map(fault -> fault.request().deviceId())
                    .distinct()
                    .count();
        }
        assertThat(IntStream.of(broken).average().orElseThrow() / 400).isBetween(0.0226, 0.0236);
        assertThat(IntStream.of(broken).sorted().toArray()[samples * 99 / 100] / 400.0)
                .isBetween(0.0725, 0.0825);
        assertThat(hardware.log().last()).isPositive();
    }

    @Test
    void linksOfTheTraceCutFibresAndAllElseTakesThePower() {
        Hardware hardware = running("ring: {nodes: 400, reach: 2}", "faultRates: [{preset: node-trace, speed: 1000}]");
        int cut = 0;
        int dark = 0;
        for (double day = 0; day < TRACE_DAYS / 1000; day += TRACE_DAYS / 1e5) {
            untilDay(hardware, day);
            cut += (int) broken(hardware, each -> true).stream()
                    .filter(fault -> fault.matches("n\\d+ b[01]\\.path[12] FIBRE_CUT"))
                    .count();
            dark += (int) broken(hardware, each -> true).stream()
                    .filter(fault -> fault.matches("n\\d+ {2}POWER_LOSS"))
                    .count();
        }
        assertThat(cut).isPositive();
        assertThat(dark).isGreaterThan(cut);
    }

    @Test
    void theTraceBeginsAgainWhenItEnds() {
        String[] yaml = {"ring: {nodes: 400, reach: 2}", "faultRates: [{preset: node-trace}]"};
        Hardware first = running(yaml);
        untilDay(first, 40);
        Hardware second = running(yaml);
        untilDay(second, TRACE_DAYS + 40);
        assertThat(broken(second, each -> true)).isNotEmpty().isEqualTo(broken(first, each -> true));
    }

    /** What stood on that day stands from the start. */
    @Test
    void theTraceBeginsOnTheDayThatIsAskedFor() {
        Hardware from = running("ring: {nodes: 400, reach: 2}", "faultRates: [{preset: node-trace, fromDay: 90}]");
        untilDay(from, 10);
        Hardware whole = running("ring: {nodes: 400, reach: 2}", "faultRates: [{preset: node-trace}]");
        untilDay(whole, 100);
        assertThat(broken(from, each -> true)).isNotEmpty().isEqualTo(broken(whole, each -> true));
    }

    @Test
    void furtherNodesAreServersOnOtherDays() {
        Hardware hardware = running(
                "devices:",
                "  - {id: a, count: 400, kind: transceivers, modules: 1}",
                "  - {id: b, count: 400, kind: transceivers, modules: 1}",
                "faultRates: [{preset: node-trace}]");
        untilDay(hardware, 100);
        List<String> one = broken(hardware, device -> device.startsWith("a"));
        List<String> other = broken(hardware, device -> device.startsWith("b"));
        assertThat(one).isNotEmpty();
        assertThat(other)
                .isNotEmpty()
                .isNotEqualTo(one.stream().map(each -> each.replace('a', 'b')).toList());
    }

    @Test
    void theSeedDrawsTheFaults() {
        String[] yaml = {
            "ring: {nodes: 100, reach: 2}", "faultRates: [{preset: node-trace}, {preset: cable, percentPerDay: 5}]"
        };
        Hardware first = running(yaml);
        Hardware same = running(yaml);
        Hardware other = running("seed: 2", yaml[0], yaml[1]);
        for (Hardware hardware : List.of(first, same, other)) {
            untilDay(hardware, 100);
        }
        assertThat(broken(same, each -> true)).isNotEmpty().isEqualTo(broken(first, each -> true));
        assertThat(broken(other, each -> true)).isNotEqualTo(broken(first, each -> true));
        assertThat(same.log().last()).isEqualTo(first.log().last());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{preset: rain}]|faultRates.preset is 'rain', allowed are cable, node-trace, ocs",
                "[{speed: 2}]|faultRates needs 'preset'",
                "{preset: ocs}|faultRates must be a list",
                "[{preset: ocs, rate: 1}]|"
                        + "unknown field 'rate' in faultRates, allowed are for, fromDay, percentPerDay, preset, speed",
                "[{preset: ocs}, {preset: ocs}]|faultRates: 'ocs' is there twice",
                "[{preset: ocs, fromDay: 3}]|faultRates: preset ocs has no 'fromDay'",
                "[{preset: cable}]|faultRates: preset cable needs a fibre",
                "[{preset: node-trace}]|"
                        + "faultRates: preset node-trace needs nodes: 'ring', or devices of kind transceivers",
                "[{preset: node-trace, for: 3s}]|faultRates: preset node-trace has no 'for'",
                "[{preset: node-trace, fromDay: 349}]|"
                        + "faultRates.fromDay is '349', a number from 0.0 to 348.9798 is needed",
                "[{preset: ocs, speed: 0}]|faultRates.speed is '0', a number from 1.0 to 100000.0 is needed",
                "[{preset: ocs, percentPerDay: -1}]|"
                        + "faultRates.percentPerDay is '-1', a number from 0.0 to 1.0E9 is needed",
                "[{preset: ocs, percentPerDay: 1e9}]|"
                        + "faultRates: preset ocs makes 116 faults a second, at most 100 are emulated",
                "[{preset: ocs, for: soon}]|for is 'soon', a duration such as 200ms, 5s, 2min, 1h or 3d is needed",
            })
    void saysWhatIsWrongAndWhatIsAllowed(String rates, String complaint) {
        assertThatThrownBy(() -> Scenario.parse(
                        "s.yaml", "devices: [{id: s, kind: switch, ports: 4}]\nfaultRates: " + rates + "\n"))
                .hasMessage("s.yaml:2: " + complaint);
    }

    @Test
    void noSwitchIsThereToFail() {
        assertThatThrownBy(() -> Scenario.parse(
                        "s.yaml", "{ring: {nodes: 4, reach: 1}, faultRates: [{preset: ocs, speed: 10}]}"))
                .hasMessage("s.yaml:1: faultRates: preset ocs needs a switch");
    }
}
