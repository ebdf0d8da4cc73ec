package dev.lightpath.sim.scenario;

import dev.lightpath.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a person may write into the emulator's scenario. */
class ScenarioFuzzTest {
    @Test
    void scenarios() throws Exception {
        Fuzz.read(
                "scenario",
                Fuzz.texts("""
                        listen: 127.0.0.1:9450
                        http: 127.0.0.1:9451
                        seed: 1
                        clock: virtual
                        start: 2026-01-01T00:00:00Z
                        ring: {nodes: 8, reach: 3, shape: line, gpusPerNode: 4, namePrefix: n, preset: ocstrx}
                        presets:
                          slow: {extends: mems, moveMillis: [400, 500], parallel: false, replaces: true, maxBatch: 16}
                        devices:
                          - {id: ocs-3, kind: switch, ports: 32, twoSided: true, preset: slow, power: feed-1, rack: r7, firmware: 2.1.0}
                          - {id: pod-, count: 3, kind: endpoints, ports: 16}
                          - {id: spare, kind: transceivers, modules: 3}
                        fibres:
                          - {from: pod-0/1, to: ocs-3/1}
                          - {from: ocs-3/17, to: pod-0/1}
                        timeline:
                          - {at: 5s, inject: POWER_LOSS, device: n3, for: 10s}
                          - {at: 1min, every: 10min, inject: DIRTY_CONNECTOR, device: n5, path: b0.path1, value: 4, for: 30s}
                          - {at: 1h, clear: n5}
                        faultRates:
                          - {preset: ocs, percentPerDay: 1, for: 30min}
                          - {preset: cable, speed: 1440}
                        """, """
                        ring: {nodes: 8, reach: 3}
                        devices:
                          - {id: ocs-4, kind: switch, ports: 32}
                        netconf:
                          - {device: ocs-4, listen: "127.0.0.1:0", user: u, password: p, base: "1.0", quirks: [echo]}
                        fibres:
                          - {a: n0/b0.path1, b: ocs-4/1}
                        """),
                ScenarioException.class,
                text -> Scenario.parse("scenario.yaml", new String(text, StandardCharsets.UTF_8)));
    }
}
