package dev.lightpath.driver.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.emulator.v1alpha1.LightChange;
import dev.lightpath.proto.emulator.v1alpha1.LightEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The emulator's event log, replayed. */
final class LightHistory {
    private LightHistory() {}

    /** At no instant did two circuits of a device share a port. */
    static void assertNoPortUsedTwice(List<LightEvent> events) {
        Map<String, Set<String>> used = new HashMap<>();
        for (LightEvent event : events) {
            Set<String> ports = used.computeIfAbsent(event.getDeviceId(), id -> new HashSet<>());
            switch (event.getChange()) {
                case LIGHT_CHANGE_LIT -> {
                    assertThat(ports.add(event.getIngress()))
                            .as("ingress free when %s", event)
                            .isTrue();
                    assertThat(ports.add(event.getEgress()))
                            .as("egress free when %s", event)
                            .isTrue();
                }
                case LIGHT_CHANGE_DARK -> {
                    ports.remove(event.getIngress());
                    ports.remove(event.getEgress());
                }
                case LIGHT_CHANGE_LOCKED, LIGHT_CHANGE_LOST, LIGHT_CHANGE_UNSPECIFIED, UNRECOGNIZED -> {}
            }
        }
    }

    /** Circuits of a device among these ports were lit once at most, and never went dark. */
    static void assertUntouched(List<LightEvent> events, String deviceId, Set<String> ports) {
        assertThat(events)
                .filteredOn(e -> e.getDeviceId().equals(deviceId))
                .filteredOn(e -> ports.contains(e.getIngress()) || ports.contains(e.getEgress()))
                .noneMatch(e -> e.getChange() == LightChange.LIGHT_CHANGE_DARK);
    }
}
