package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;

/** Silences that end with what nobody is told. */
final class KeptBackMutants {
    private static final long SILENCE_NANOS = 200_000_000;

    private KeptBackMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("counts a silence from a change that it does not tell", "stream/heartbeat-beside-changes") {
                    private volatile long changedNanos = System.nanoTime() - SILENCE_NANOS;

                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        changedNanos = System.nanoTime();
                        return super.override(request);
                    }

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        boolean quiet = System.nanoTime() - changedNanos >= SILENCE_NANOS;
                        return message.hasHeartbeat() && !quiet ? List.of() : List.of(message);
                    }
                });
    }
}
