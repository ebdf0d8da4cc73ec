package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.time.Instant;
import java.util.List;

/** Drivers that take their time over a snapshot, and have no good idea of what happens meanwhile. */
final class BeginningMutants {
    private static final String REQUIREMENT = "stream/changes-as-it-begins";
    private static final int A_WHILE_MILLIS = 150;

    private BeginningMutants() {}

    /** Of one stream at a time. */
    private abstract static class Slow extends Mutant {
        private volatile WatchRequest asked = WatchRequest.getDefaultInstance();
        private volatile Instant begun = Instant.MIN;
        private long unsaid;

        Slow(String bug) {
            super(bug, REQUIREMENT);
        }

        @Override
        WatchRequest watch(WatchRequest request) {
            asked = request;
            begun = Instant.MAX;
            unsaid = 0;
            return request;
        }

        @Override
        List<WatchResponse> told(WatchResponse message) {
            if (message.hasSnapshot() && begun.equals(Instant.MAX)) {
                pause();
                WatchResponse snapshot = snapshot(message);
                begun = Instant.now();
                return List.of(snapshot);
            }
            if (message.hasCircuitsChanged() && observed(message).isBefore(begun) && isLost()) {
                unsaid++;
                return List.of();
            }
            return List.of(message.toBuilder().setSeq(message.getSeq() - unsaid).build());
        }

        private static Instant observed(WatchResponse message) {
            return Instant.ofEpochSecond(
                    message.getObservedAt().getSeconds(),
                    message.getObservedAt().getNanos());
        }

        private static void pause() {
            try {
                Thread.sleep(A_WHILE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        final GetCircuitsRequest devices() {
            return GetCircuitsRequest.newBuilder()
                    .addAllDevices(asked.getDevicesList())
                    .build();
        }

        /** What is sent as the snapshot when it is time. */
        WatchResponse snapshot(WatchResponse message) {
            return message;
        }

        /** Whether what was observed before the snapshot was sent is lost. */
        boolean isLost() {
            return false;
        }
    }

    static List<Mutant> all() {
        return List.of(
                new Slow("loses what changes while it sends a snapshot") {
                    @Override
                    boolean isLost() {
                        return true;
                    }
                },
                new Slow("tells after a snapshot what was there before it") {
                    @Override
                    WatchResponse snapshot(WatchResponse message) {
                        if (devices().getDevicesCount() != 1) {
                            return message;
                        }
                        DeviceCircuits now = driver().getCircuits(devices()).getDevices(0);
                        WatchResponse.Builder late = message.toBuilder();
                        late.getSnapshotBuilder()
                                .clearCircuits()
                                .addAllCircuits(now.getCircuitsList())
                                .setObservedDigest(now.getObservedDigest());
                        return late.build();
                    }
                });
    }
}
