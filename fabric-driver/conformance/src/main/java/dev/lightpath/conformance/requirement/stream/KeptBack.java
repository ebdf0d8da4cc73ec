package dev.lightpath.conformance.requirement.stream;

import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import java.time.Duration;
import java.util.List;

/** A stream on which nothing is told while much happens elsewhere. */
public final class KeptBack {
    private static final Duration BETWEEN = Duration.ofMillis(50);
    private static final int LEAST_MESSAGES = 5;

    /** In which there should be five times as many. */
    private static final Duration WITHIN = Duration.ofSeconds(5);

    private KeptBack() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "stream/heartbeat-beside-changes",
                "WatchRequest.heartbeat_interval",
                "Changes that a stream is not told of keep no heartbeat back",
                KeptBack::besideChanges));
    }

    /** Changes of a port outside the scope, more often than the interval; any message ends a silence. */
    private static void besideChanges(Bench bench) {
        WatchRequest narrow = WatchRequest.newBuilder()
                .addDevices(DeviceScope.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setScope(bench.layout().scope(1)))
                .addKinds(StreamKind.STREAM_KIND_CIRCUITS)
                .setHeartbeatInterval(com.google.protobuf.Duration.newBuilder().setNanos(200_000_000))
                .build();
        String port = bench.layout().circuit(0).getEgress();
        try (Watching watching = bench.watch(narrow)) {
            watching.awaitSynced();
            int begun = watching.messages().size();
            long deadline = System.nanoTime() + WITHIN.toNanos();
            boolean out = false;
            while (watching.messages().size() < begun + LEAST_MESSAGES && System.nanoTime() - deadline < 0) {
                out = !out;
                var unused = bench.override(
                        port, out ? PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE : PortOverride.PORT_OVERRIDE_NONE);
                bench.pause(BETWEEN);
            }
            int told = watching.messages().size() - begun;
            that(
                    told >= LEAST_MESSAGES,
                    LEAST_MESSAGES + " heartbeats of 200 ms within " + WITHIN.toMillis()
                            + " ms, while a port outside the scope changes",
                    told + " messages");
        }
    }
}
