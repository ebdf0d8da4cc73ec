package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitsChanged;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Streams that tell another loss of a circuit than reads, or one of the two none. */
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

    /** Reads what it tells. */
    private static class Reading extends Measuring {
        private final double readDb;

        Reading(String bug, double readDb) {
            super(bug);
            this.readDb = readDb;
        }

        @Override
        GetCircuitsResponse circuits(GetCircuitsRequest request) {
            GetCircuitsResponse.Builder read = super.circuits(request).toBuilder();
            read.getDevicesBuilderList().stream()
                    .flatMap(device -> device.getCircuitsBuilderList().stream())
                    .forEach(circuit -> circuit.setMeasuredLossDb(readDb));
            return read.build();
        }
    }

    /** As a client is told of circuits after a snapshot. */
    private static List<WatchResponse> changed(WatchResponse message, Consumer<CircuitsChanged.Builder> how) {
        WatchResponse.Builder changed = message.toBuilder();
        if (message.hasCircuitsChanged()) {
            how.accept(changed.getCircuitsChangedBuilder());
        }
        return List.of(changed.build());
    }

    static List<Mutant> all() {
        return List.of(
                new Measuring("tells losses that it does not read"),
                new Reading("reads other losses than it tells", TOLD_DB + 1),
                new Reading("reads losses that it tells in no event", TOLD_DB) {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return changed(
                                super.told(message).getFirst(),
                                event -> event.getChangedBuilderList().forEach(Circuit.Builder::clearMeasuredLossDb));
                    }
                },
                new Reading("takes back the losses of a circuit with the event of another", TOLD_DB) {
                    private final Map<CircuitKey, Circuit> before = new ConcurrentHashMap<>();

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return changed(super.told(message).getFirst(), event -> {
                            event.getRemovedList().forEach(before::remove);
                            List<Circuit> now = event.getChangedList();
                            now.forEach(circuit -> before.remove(circuit.getKey()));
                            event.addAllChanged(before.values());
                            now.forEach(circuit -> before.put(
                                    circuit.getKey(),
                                    circuit.toBuilder().clearMeasuredLossDb().build()));
                        });
                    }
                });
    }
}
