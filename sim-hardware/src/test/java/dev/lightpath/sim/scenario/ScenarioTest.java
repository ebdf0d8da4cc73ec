package dev.lightpath.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.sim.core.Bench;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.MoveError;
import dev.lightpath.sim.core.move.MoveOutcome;
import dev.lightpath.sim.core.plant.DeviceKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class ScenarioTest {
    @Test
    void theBuiltInRingHasSixtyFourNodes() throws Exception {
        try (InputStream in = getClass().getResourceAsStream("/scenarios/ring-64.yaml")) {
            assertThat(in).isNotNull();
            Scenario scenario = Scenario.parse("ring-64.yaml", new String(in.readAllBytes(), StandardCharsets.UTF_8));
            assertThat(scenario.listen()).hasToString("127.0.0.1:9450");
            assertThat(scenario.http()).hasToString("127.0.0.1:9451");
            assertThat(scenario.plant().deviceCount()).isEqualTo(64);
            assertThat(scenario.plant()
                            .device(scenario.plant().findDevice("n63"))
                            .kind())
                    .isEqualTo(DeviceKind.TRANSCEIVERS);
            assertThat(scenario.wiring().duplexes()).hasSize(64 * 3);
            assertThat(scenario.virtualClock()).isFalse();
        }
    }

    @Test
    void whatIsWrittenOnSeveralLinesIsRefusedInOne() {
        assertThatThrownBy(() -> Scenario.parse("scenario.yaml", "ring: {nodes: \"3\\n\\n3\", reach: 1}"))
                .hasMessage("scenario.yaml:1: ring.nodes is '3 3', a whole number from 2 to 1048576 is needed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a: n0/b0.path1, b: ocs-3/999} | 5: fibre to unknown port ocs-3/999, ports of ocs-3 are 1..320",
                "{a: ocs-4/1, b: ocs-3/1} | 5: fibre to unknown device ocs-4",
                "{a: ocs-3, b: ocs-3/1} | 5: end of a fibre 'ocs-3', device/port is needed",
                "{a: n0/b0.path1, b: ocs-3/9} | 5: n0/b0.path1 already sends to n7/b1.path1",
                "{a: n0/b0.loop, b: ocs-3/9} | 5: no light leaves n0/b0.loop, its side is LOOP",
                "{a: ocs-3/9, b: ocs-3/9} | 5: fibre from ocs-3/9 to itself",
                "{a: ocs-3/9} | 5: a fibre needs 'a' and 'b' (duplex) or 'from' and 'to' (one strand)",
            })
    void aFibreToNowhereIsNamedWithItsLine(String fibre, String complaint) {
        String yaml = """
                ring: {nodes: 8, reach: 3}
                devices:
                  - {id: ocs-3, kind: switch, ports: 320}
                fibres:
                  - %s
                """.formatted(fibre);
        assertThatThrownBy(() -> Scenario.parse("scenario.yaml", yaml)).hasMessage("scenario.yaml:" + complaint);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'ring: {nodes: 8, reach: 5}' | 1: ring.reach 5 is too far for 8 nodes: at most 4",
                "'ring: {nodes: 8}' | 1: ring needs 'reach'",
                "'ring: {nodes: 8, reach: 3, gpusPerNode: 2}' | 1: ring.reach 3 is greater than ring.gpusPerNode 2: each bundle needs a pair of GPUs of its own",
                "'ring: {nodes: many, reach: 3}' | 1: ring.nodes is 'many', a whole number from 2 to 1048576 is needed",
                "'ring: {nodes: 8, reach: 3, shape: star}' | 1: ring.shape is 'star', allowed are line, ring",
                "'colour: red' | 1: unknown field 'colour' in the scenario, allowed are clock, cmis, deviceApi, devices, faultRates, fibres, gnmi, http, listen, netconf, openflow, presets, ring, seed, start, timeline, tl1",
                "'seed: 1' | 1: no devices: the scenario needs 'ring' or 'devices'",
                "'listen: 9450' | 1: no devices: the scenario needs 'ring' or 'devices'",
                "'devices: [{id: a, kind: switch, ports: 3, twoSided: true}]' | 1: device a: only a switch with an even number of ports, or with ingressPorts, is two-sided",
                "'devices: [{id: a, kind: switch, ports: 2, preset: magic}]' | 1: preset is 'magic', allowed are fixed, liquid-crystal, mems, ocstrx, ocstrx-paper, piezo, robotic",
                "'devices: [{id: a, kind: endpoints, ports: 2}, {id: a, kind: endpoints, ports: 2}]' | 1: device a is declared twice",
                "'devices: [{id: a b, kind: endpoints, ports: 2}]' | 1: 'a b' is no device name: letters, digits, '-', '.', '_', at most 253",
                "'{devices: [{id: a, kind: switch, ports: 2}], netconf: [{device: b, listen: \"a:1\", user: u, password: p}]}' | 1: netconf: 'b' is no switch of this scenario",
                "'{devices: [{id: a, kind: switch, ports: 2}], netconf: [{device: a, listen: \"a:1\", user: u, password: p, quirks: [x]}]}' | 1: a quirk is 'x', allowed are commit-after-failed-edit, echo, ends-at-limits, ends-idle, forgets-candidate, late-notifications, moves-by-itself, no-shutters, reordered-notifications, repeated-notifications, shutter-lies, slow-answers, strange-limits, two-sessions",
                "'{devices: [{id: a, kind: switch, ports: 2}], netconf: [{device: a, listen: \"a:1\", user: u, password: p, revision: new}]}' | 1: revision is 'new', a date like 2018-03-22 is needed",
                "'{devices: [{id: a, kind: switch, ports: 2}], netconf: [{device: a, listen: \"a:1\", user: u}]}' | 1: netconf needs 'password'",
                "'{devices: [{id: a, kind: switch, ports: 2}], openflow: [{device: a, controller: \"a:1\", datapath: \"00000000000000a1\"}]}' | 1: openflow: 'a' has one side; a flow goes from one side to the other",
                "'{devices: [{id: a, kind: switch, ports: 2, twoSided: true}], openflow: [{device: a, controller: \"a:1\", datapath: \"a1\"}]}' | 1: openflow.datapath is 'a1', 16 hexadecimal digits in quotes are needed",
                "'{devices: [{id: a, kind: switch, ports: 2, twoSided: true}], openflow: [{device: a, controller: \"a:1\", datapath: \"00000000000000a1\", version: \"1.5\"}]}' | 1: openflow.version is '1.5', allowed are 1.3, 1.4",
                "'{devices: [{id: a, kind: switch, ports: 2}], cmis: [{device: a, listen: \"a:1\"}]}' | 1: cmis: 'a' is no device with transceivers of this scenario",
                "'{ring: {nodes: 4, reach: 2}, cmis: [{device: n0, listen: \"a:1\"}, {device: n0, listen: \"a:1\"}]}' | 1: cmis: 'n0' is there twice",
                "'{ring: {nodes: 4, reach: 2}, cmis: [{device: n0, listen: \"a:1\", quirks: [x]}]}' | 1: a quirk is 'x', allowed are busy, late-flags, lost-position, no-flags, no-monitors, no-vendor-pages, other-type, second-program, slow-pages",
                "'{devices: [{id: a, kind: switch, ports: 2}], tl1: [{device: b, listen: \"a:1\", user: u, password: p}]}' | 1: tl1: 'b' is no switch of this scenario",
                "'{devices: [{id: a, kind: switch, ports: 2}], tl1: [{device: a, listen: \"a:1\", user: u, password: p, quirks: [x]}]}' | 1: a quirk is 'x', allowed are blocks, lists-when-done, logs-out, no-meters, one-session, quotes-input, replaces, slow-answers, terminal, waits",
                "'{devices: [{id: a, kind: switch, ports: 2}], tl1: [{device: a, listen: \"a:1\", user: u, password: p, dialect: x}]}' | 1: tl1.dialect is 'x', allowed are calient, polatis",
                "'{devices: [{id: a, kind: switch, ports: 2}], tl1: [{device: a, listen: \"a:1\", user: u, password: p, dialect: calient}]}' | 1: tl1: 'a' has not two sides of one size; dialect calient needs them",
                "'{devices: [{id: a, kind: switch, ports: 2}], gnmi: [{device: a, listen: \"a:1\", user: u, password: p}]}' | 1: gnmi: 'a' has not two sides of one size, and its ports are 1A and 1B",
                "'{devices: [{id: a, kind: switch, ports: 3, twoSided: true, ingressPorts: 2}], gnmi: [{device: a, listen: \"a:1\", user: u, password: p}]}' | 1: gnmi: 'a' has not two sides of one size, and its ports are 1A and 1B",
                "'devices: [{id: a, kind: switch, ports: 3, ingressPorts: 2}]' | 1: device a: only with 'twoSided: true' it has ingressPorts",
                "'devices: [{id: a, kind: switch, ports: 3, twoSided: true, ingressPorts: 3}]' | 1: ingressPorts is '3', a whole number from 1 to 2 is needed",
                "'devices: [{id: a, kind: endpoints, ports: 3, twoSided: true, ingressPorts: 2}]' | 1: device a: only a switch with an even number of ports, or with ingressPorts, is two-sided",
                "'{devices: [{id: a, kind: switch, ports: 2, twoSided: true}], gnmi: [{device: a, listen: \"a:1\", user: u, password: p, key: k}]}' | 1: gnmi with TLS needs 'certificate'",
                "'{devices: [{id: a, kind: switch, ports: 2}], deviceApi: [{devices: [a, b], listen: \"a:1\"}]}' | 1: deviceApi: 'b' is no device of this scenario that has circuits; allowed are switches and transceivers",
                "'{devices: [{id: a, kind: endpoints, ports: 2}], deviceApi: [{devices: [a], listen: \"a:1\"}]}' | 1: deviceApi: 'a' is no device of this scenario that has circuits; allowed are switches and transceivers",
                "'{devices: [{id: a, kind: switch, ports: 2}], deviceApi: [{devices: [a], listen: \"a:1\"}, {devices: [a], listen: \"a:2\"}]}' | 1: deviceApi: 'a' is there twice",
                "'{devices: [{id: a, kind: switch, ports: 2}], deviceApi: [{devices: [], listen: \"a:1\"}]}' | 1: deviceApi.devices is empty, a program offers at least one device",
                "'{devices: [{id: a, kind: switch, ports: 2}], deviceApi: [{devices: [a]}]}' | 1: deviceApi needs 'listen'",
                "'{devices: [{id: a, kind: switch, ports: 2}], deviceApi: [{devices: [a], listen: \"a\"}]}' | 1: deviceApi.listen is 'a', host:port with a port from 0 to 65535 is needed",
                "'{devices: [{id: a, kind: switch, ports: 2}], deviceApi: [{devices: [a], listen: \"a:1\", certificate: c, key: k}]}' | 1: deviceApi with TLS needs 'ca'",
                "'{devices: [{id: a, kind: switch, ports: 2}], deviceApi: [{devices: [a], listen: \"a:1\", quirks: [x]}]}' | 1: a quirk is 'x', allowed are fewer-answers, no-meters, short-streams, waits",
                "'{ring: {nodes: 4, reach: 2}, start: +10000-01-01T00:00:00Z}' | 1: start is '+10000-01-01T00:00:00Z', a time like 2026-01-01T00:00:00Z of the years 1 to 8999 is needed",
                "'ring: [' | 1: not YAML: expected the node content, but found '<stream end>'",
                "'' | 1: empty, a mapping is needed",
            })
    void saysWhatIsWrongAndWhatIsAllowed(String yaml, String complaint) {
        assertThatThrownBy(() -> Scenario.parse("s.yaml", yaml)).hasMessage("s.yaml:" + complaint);
    }

    @Test
    void refusesATimelineThatNamesNothing() {
        String yaml = """
                ring: {nodes: 8, reach: 3}
                timeline:
                  - {at: 5s, inject: POWER_LOSS, device: n3, for: 10s}
                  - {at: 5s, inject: FIBRE_CUT, device: n3, port: b9.path1}
                """;
        assertThatThrownBy(() -> Scenario.parse("s.yaml", yaml))
                .hasMessage("s.yaml:4: unknown port n3/b9.path1, ports are b0.common..b2.path2");
    }

    @Test
    void theTimelineBreaksAndHealsByItself() {
        Bench bench = new Bench("ring: {nodes: 8, reach: 3}");
        Timeline timeline = new Timeline(bench.hardware);
        timeline.add(ScheduleReader.parse("t.yaml", """
                - {at: 5s, inject: POWER_LOSS, device: n3, for: 10s}
                - {at: 2s, every: 1min, inject: FAN, device: n4}
                - {at: 3s, every: 1min, clear: n4}
                """, bench.hardware));
        bench.pass(4000);
        assertThat(bench.hardware.faults()).isEmpty();
        bench.pass(2000);
        assertThat(bench.truth("n3")).isEmpty();
        bench.pass(10_000);
        assertThat(bench.truth("n3")).hasSize(3);
        bench.pass(46_500);
        assertThat(bench.hardware.faults()).hasSize(1);
        assertThat(timeline.pending()).isEqualTo(2);
    }

    @Test
    void theSidesOfASwitchMayDifferInSize() {
        Bench bench = new Bench("devices: [{id: s, kind: switch, ports: 12, twoSided: true, ingressPorts: 8}]");
        assertThat(bench.connect("s", "8", "9").state()).isEqualTo(ConnectionState.TUNED);
        assertThat(bench.connect("s", "1", "8").error()).isEqualTo(MoveError.WRONG_SIDE);
        assertThat(bench.connect("s", "9", "12").error()).isEqualTo(MoveError.WRONG_SIDE);
        assertThat(bench.truth("s")).containsExactly(Map.entry("8", "9"));
    }

    @Test
    void anOwnPresetChangesAKnownOne() {
        Bench bench = new Bench(
                "presets:",
                "  slow: {extends: mems, moveMillis: [400, 500], replaces: true}",
                "devices:",
                "  - {id: s, kind: switch, ports: 4, preset: slow}");
        List<MoveOutcome> outcomes = new ArrayList<>();
        bench.begin("s", "1", "2", outcomes);
        bench.pass(399);
        assertThat(outcomes).isEmpty();
        bench.pass(102);
        assertThat(outcomes.getFirst().state()).isEqualTo(ConnectionState.TUNED);
        assertThat(bench.connect("s", "1", "3").state()).isEqualTo(ConnectionState.TUNED);
    }

    @Test
    void deviceCountsAndPortsAreThoseOfTheLargestPlant() {
        Scenario scenario = Scenario.parse("big.yaml", """
                ring: {nodes: 32768, reach: 3}
                devices:
                  - {id: ocs-, count: 128, kind: switch, ports: 320, twoSided: true}
                """);
        assertThat(scenario.plant().deviceCount()).isEqualTo(32_768 + 128);
        assertThat(scenario.plant().portCount()).isEqualTo(32_768 * 12 + 128 * 320);
        assertThat(scenario.cabling()
                        .to(scenario.plant().findPort(scenario.plant().findDevice("n0"), "b0.path1")))
                .isEqualTo(scenario.plant().findPort(scenario.plant().findDevice("n32767"), "b1.path1"));
    }

    /** Else it could not be installed with Helm. */
    @Test
    void theChartTakesEveryField() throws IOException {
        Path schema = Path.of(System.getProperty("basedir", "."), "../deploy/helm/lightpath/values.schema.json");
        Object part = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(schema));
        for (String name : List.of("properties", "emulator", "properties", "scenario", "properties")) {
            part = ((Map<?, ?>) part).get(name);
        }
        String taken = ((Map<?, ?>) part)
                .keySet().stream().map(Object::toString).sorted().collect(Collectors.joining(", "));
        assertThatThrownBy(() -> Scenario.parse("wrong.yaml", "none: of them"))
                .isInstanceOf(ScenarioException.class)
                .hasMessageEndingWith(", allowed are " + taken);
    }
}
