package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.fencing;
import static dev.lightpath.driver.Requests.scope;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream on which nothing is told while much happens beside its scope. */
final class QuietStreamTest {
    private static final String DEVICE = "ocs-1";
    private static final int CHANGES = 200;
    private static final int HEARTBEATS = 5;

    @Test
    void whatItIsNotToldOfKeepsNoHeartbeatBack(@TempDir Path state) throws Exception {
        try (EmulatedPlant plant = new EmulatedPlant(state)) {
            WatchRequest onePort = WatchRequest.newBuilder()
                    .addDevices(DeviceScope.newBuilder().setDeviceId(DEVICE).setScope(scope("1")))
                    .setHeartbeatInterval(Durations.fromMillis(400))
                    .build();
            try (Watching watching = Watching.start(plant.telemetry(), onePort)) {
                watching.await(EventCase.HEARTBEAT);
                long before = heartbeats(watching);
                for (int change = 0; change < CHANGES; change++) {
                    var unused = plant.circuits()
                            .setPortOverride(SetPortOverrideRequest.newBuilder()
                                    .setDeviceId(DEVICE)
                                    .setFencing(fencing("r", 1))
                                    .setPort("9")
                                    .setOverride(
                                            change % 2 == 0
                                                    ? PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE
                                                    : PortOverride.PORT_OVERRIDE_NONE)
                                    .build());
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                }
                assertThat(heartbeats(watching) - before)
                        .as("heartbeats beside %d changes", CHANGES)
                        .isGreaterThanOrEqualTo(HEARTBEATS);
            }
        }
    }

    private static long heartbeats(Watching watching) {
        return watching.messages().stream()
                .filter(m -> m.getEventCase() == EventCase.HEARTBEAT)
                .count();
    }
}
