package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;

/** Streams that tell a loss of each circuit of which reads know nothing, or another one. */
final class LossMutants {
    private static final double TOLD_DB = 2;

    private LossMutants() {}

    private static class Measuring extends Mutant {
        Measuring(String bug) {
            super(bug, "stream/losses");
        }

        @Override
        List<WatchResponse> told(WatchResponse message) {
            WatchResponse.Builder measured = message.toBuilder();
            if (message.hasSnapshot()) {
                measured.getSnapshotBuilder().getCircuitsBuilderList().forEach(Measuring::measure);
            }
            if (message.hasCircuitsChanged()) {
                measured.getCircuitsChangedBuilder().getChangedBuilderList().forEach(Measuring::measure);
            }
            return List.of(measured.build());
        }

        private static void measure(Circuit.Builder circuit) {
            circuit.setMeasuredLossDb(TOLD_DB);
        }
    }

    static List<Mutant> all() {
        return List.of(
                new Measuring("tells losses that it does not read"), new Measuring("reads other losses than it tells") {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder read = super.circuits(request).toBuilder();
                        read.getDevicesBuilderList().stream()
                                .flatMap(device -> device.getCircuitsBuilderList().stream())
                                .forEach(circuit -> circuit.setMeasuredLossDb(TOLD_DB + 1));
                        return read.build();
                    }
                });
    }
}
