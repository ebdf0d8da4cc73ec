package dev.lightpath.app.publish.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.console.ReadBack;
import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.world.World;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DeviceLightsTest {
    private final DeviceLights lights = new DeviceLights();

    private static ReadBack.DeviceLight device(ReadBack fabric, String name) {
        return Objects.requireNonNull(fabric.devices().get(name));
    }

    private ReadBack ring(Outcome outcome) {
        return Objects.requireNonNull(lights.of(outcome).get("ring-a"));
    }

    @Test
    void showsWhatTheViewShows() {
        Outcome outcome = Scenes.outcome();
        ReadBack light = ring(outcome);
        View.FabricView view = ViewProjector.whole(outcome).fabrics().getFirst();
        assertThat(light.devices()).hasSize(view.devices().size());
        assertThat(view.devices()).allSatisfy(device -> {
            assertThat(device(light, device.device()).observed()).isEqualTo(device.observed());
            assertThat(device(light, device.device()).presence()).isEqualTo(device.presence());
        });
        assertThat(light.foreign()).isEqualTo(view.foreign());
    }

    @Test
    void remembersADeviceAsLongAsItIsTheSame() {
        Outcome outcome = Scenes.outcome();
        ReadBack first = ring(outcome);
        assertThat(device(ring(outcome), "n0")).isSameAs(device(first, "n0"));
        World unheard = Scenes.world(DriverState.unheard("never heard"));
        ReadBack later = ring(new Outcome(unheard, FabricEngine.deliberate(unheard)));
        assertThat(device(later, "n0").presence()).isEqualTo("unknown");
        assertThat(device(later, "n0").observed()).isEmpty();
        assertThat(ring(outcome)).isEqualTo(first);
    }
}
