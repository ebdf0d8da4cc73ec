package dev.lightpath.app.publish.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.publish.status.Scenes;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FabricDetailTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final FabricDetail detail = new FabricDetail(registry);

    @Test
    void namesWhatFailedAndSinceWhen() {
        detail.shows(new TreeMap<>(Map.of("ring-a", Scenes.faulty(3))));
        assertThat(registry.get("lightpath.fault.since.seconds")
                        .tags("fabric", "ring-a", "kind", "node", "device", "n2", "signal", "NodeNotReady")
                        .tag("quarantined", "false")
                        .gauge()
                        .value())
                .isEqualTo(Scenes.NOW.getEpochSecond() - 2);
        detail.shows(new TreeMap<>(Map.of("ring-a", Scenes.sound())));
        assertThat(registry.find("lightpath.fault.since.seconds").gauges()).isEmpty();
    }

    @Test
    void namesAtMostSixtyFourAndThoseInQuarantineFirst() {
        detail.shows(new TreeMap<>(Map.of("ring-a", Scenes.faulty(100))));
        assertThat(registry.get("lightpath.fault.since.seconds").gauges()).hasSize(FabricDetail.MOST_FAULTS);
        assertThat(registry.get("lightpath.fault.since.seconds")
                        .tags("device", "n1", "quarantined", "true")
                        .gauges())
                .hasSize(1);
        assertThat(registry.find("lightpath.fault.since.seconds")
                        .tag("device", "n99")
                        .gauges())
                .as("the oldest")
                .isEmpty();
    }
}
