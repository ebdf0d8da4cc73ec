package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.GetEventLogRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetEventLogResponse;
import dev.lightpath.proto.emulator.v1alpha1.LightEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Every change of light that the emulator tells of, read on and judged: no instant is left out. */
public final class LightLog {
    private final ChaosServiceBlockingStub chaos;
    private final Map<String, Set<String>> used = new HashMap<>();
    private Set<String> quiet = Set.of();
    private boolean still;
    private Optional<AssertionError> wrong = Optional.empty();
    private long last;
    private int moves;

    public LightLog(ChaosServiceBlockingStub chaos) {
        this.chaos = chaos;
    }

    /** From here on light of these devices must not move. */
    void keepStill(Set<String> devices) {
        read();
        quiet = Set.copyOf(devices);
    }

    /** Whether from here on no light must move at all. */
    public void keepAllStill(boolean next) {
        read();
        still = next;
    }

    /** Reads on. What was wrong once stays wrong. */
    void read() {
        GetEventLogResponse page;
        do {
            page = chaos.getEventLog(
                    GetEventLogRequest.newBuilder().setAfter(last).build());
            assertThat(page.getOldest()).as("entries of the log are lost").isLessThanOrEqualTo(last + 1);
            for (LightEvent event : page.getEventsList()) {
                try {
                    judge(event);
                } catch (AssertionError e) {
                    wrong = wrong.or(() -> Optional.of(e));
                }
            }
            last = page.getLast();
        } while (page.getMore());
    }

    /** At no instant shared two circuits a port, and what was to keep still did. */
    public void assertSound() {
        read();
        wrong.ifPresent(e -> {
            throw e;
        });
    }

    /** How often light began or ceased since the beginning. */
    int moves() {
        return moves;
    }

    private void judge(LightEvent event) {
        Set<String> ports = used.computeIfAbsent(event.getDeviceId(), id -> new HashSet<>());
        switch (event.getChange()) {
            case LIGHT_CHANGE_LIT -> {
                assertThat(ports.add(event.getIngress()))
                        .as("ingress free when %s", event)
                        .isTrue();
                assertThat(ports.add(event.getEgress()))
                        .as("egress free when %s", event)
                        .isTrue();
                moved(event);
            }
            case LIGHT_CHANGE_DARK -> {
                ports.remove(event.getIngress());
                ports.remove(event.getEgress());
                moved(event);
            }
            case LIGHT_CHANGE_LOCKED, LIGHT_CHANGE_LOST, LIGHT_CHANGE_UNSPECIFIED, UNRECOGNIZED -> {}
        }
    }

    private void moved(LightEvent event) {
        moves++;
        assertThat(still).as("light moved and nobody asked for it: %s", event).isFalse();
        assertThat(quiet).as("light of another job moved: %s", event).doesNotContain(event.getDeviceId());
    }
}
