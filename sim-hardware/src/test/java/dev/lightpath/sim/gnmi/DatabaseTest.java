package dev.lightpath.sim.gnmi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.fault.FaultRequest;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.Scenario;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DatabaseTest {
    private static final ManagedSwitch.Listener NOBODY = new ManagedSwitch.Listener() {
        @Override
        public boolean hears() {
            return false;
        }

        @Override
        public void alarm(String port, boolean stands) {}

        @Override
        public void over() {}
    };

    /** It was shown as made, so nothing of it can fail any more; nobody need have looked in between. */
    @Test
    void whatALiarTookIsGoneWithTheLie() throws Exception {
        Scenario scenario = Scenario.parse("test.yaml", """
                listen: 127.0.0.1:0
                devices:
                  - {id: ocs-1, kind: switch, preset: mems, ports: 16, twoSided: true}
                gnmi:
                  - {device: ocs-1, listen: "127.0.0.1:0", user: admin, password: "pass-1"}
                """);
        Hardware hardware = new Hardware(scenario.plant(), scenario.cabling(), scenario.seed());
        try (HardwareLoop loop = new HardwareLoop(hardware, true, Instant.EPOCH);
                ManagedSwitch device = new ManagedSwitch("ocs-1", hardware, loop, NOBODY)) {
            Database database = new Database(scenario.gnmi().getFirst(), device);
            var unusedFault = loop.ask(() -> hardware.inject(FaultRequest.of("ocs-1", "", FaultKind.LIE_FALSE_OK)));
            database.set(new Wanted(
                    List.of(),
                    List.of(Map.of("cross_connect_id", "1A-2B", "a_side", "1A", "b_side", "2B")),
                    List.of()));
            assertThat(database.circuits()).containsOnlyKeys("1A-2B");
            int cleared = loop.ask(() -> hardware.clearFaults(fault -> true));
            assertThat(cleared).isEqualTo(1);
            database.look();
            assertThat(database.circuits()).isEmpty();
        }
    }
}
