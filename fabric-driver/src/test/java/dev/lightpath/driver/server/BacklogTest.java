package dev.lightpath.driver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.contract.view.ViewChange;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class BacklogTest {
    private static ViewChange change(int ports) {
        Map<String, PortStatus> statuses = IntStream.range(0, ports)
                .boxed()
                .collect(Collectors.toMap(Object::toString, port -> PortStatus.getDefaultInstance()));
        DeviceView view = new DeviceView(
                new DeviceDescription(
                        Device.getDefaultInstance(),
                        Capabilities.getDefaultInstance(),
                        DeviceInventory.getDefaultInstance()),
                1,
                Availability.AVAILABILITY_PRESENT,
                Instant.EPOCH,
                "",
                true,
                new TreeMap<>(),
                statuses,
                new TreeMap<>(),
                Environment.getDefaultInstance(),
                0,
                "",
                0,
                "",
                0,
                List.of());
        return new ViewChange(view, view, List.of(), Instant.EPOCH);
    }

    private static long taken(Backlog backlog, int ports) {
        return IntStream.range(0, 100_000)
                .takeWhile(time -> backlog.offer(change(ports)))
                .count();
    }

    @Test
    void holdsNoMoreChangesThanItMay() {
        assertThat(taken(new Backlog(10, Backlog.MOST_BYTES), 1)).isEqualTo(10);
    }

    @Test
    void holdsFewerChangesOfLargeDevices() {
        long ofSmall = taken(new Backlog(100_000, 1 << 20), 2);
        long ofLarge = taken(new Backlog(100_000, 1 << 20), 320);
        assertThat(ofLarge).isBetween(10L, 100L);
        assertThat(ofSmall).isGreaterThan(10 * ofLarge);
    }

    @Test
    void hasRoomAgainForWhatWasRead() {
        Backlog backlog = new Backlog(100_000, 1 << 20);
        long all = taken(backlog, 320);
        while (backlog.poll() != null) {
            assertThat(all).isPositive();
        }
        assertThat(backlog.isEmpty()).isTrue();
        assertThat(taken(backlog, 320)).isEqualTo(all);
    }

    @Test
    void takesOneChangeHoweverLarge() {
        Backlog backlog = new Backlog(10, 1);
        assertThat(backlog.offer(change(320))).isTrue();
        assertThat(backlog.offer(change(1))).isFalse();
    }
}
