package dev.lightpath.sim.netconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.managed.ActivityLog;
import dev.lightpath.sim.scenario.NetconfSpec;
import dev.lightpath.sim.scenario.Scenario;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class DatastoresTest {
    /** A connection may end while requests of its session still wait for their turn. */
    @Test
    void aRequestThatASessionLeftBehindLocksNothing() {
        Scenario scenario = Scenario.parse("test.yaml", """
                listen: 127.0.0.1:0
                devices:
                  - {id: ocs-1, kind: switch, preset: mems, ports: 16}
                netconf:
                  - {device: ocs-1, listen: "127.0.0.1:0", user: admin, password: "pass-1"}
                """);
        NetconfSpec spec = scenario.netconf().getFirst();
        Hardware hardware = new Hardware(scenario.plant(), scenario.cabling(), scenario.seed());
        try (HardwareLoop loop = new HardwareLoop(hardware, true, Instant.EPOCH);
                Datastores datastores = new Datastores(spec, hardware, loop, new ActivityLog())) {
            NetconfServer gone = new NetconfServer(spec, datastores);
            assertThat(datastores.enter(gone)).isTrue();
            datastores.leave(gone);
            assertThatThrownBy(() -> datastores.lock("running", gone)).hasMessage("the session has ended");
            NetconfServer next = new NetconfServer(spec, datastores);
            assertThat(datastores.enter(next)).isTrue();
            assertThatCode(() -> datastores.lock("running", next)).doesNotThrowAnyException();
        }
    }
}
