package dev.lightpath.conformance.requirement.stream;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a circuit loses is told by a read as on a stream. A device that measures no loss tells it nowhere. */
public final class Losses {
    /** A stream tells changes by 0.2 dB, and light may change between the two. */
    private static final double ALIKE_DB = 0.5;

    private Losses() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "stream/losses",
                "Streams; Circuit.measured_loss_db",
                "The loss of a circuit is the same by all that a stream told and by reads",
                Losses::alike));
    }

    /** What a client and a reader know of the losses of two circuits. */
    private record Known(Map<String, Double> told, Map<String, Double> read) {
        /** A loss that is measured only now may be read before it is told, or the other way round. */
        boolean isAlike() {
            return told.keySet().equals(read.keySet())
                    && told.entrySet().stream()
                            .allMatch(
                                    each -> Math.abs(each.getValue() - Objects.requireNonNull(read.get(each.getKey())))
                                            <= ALIKE_DB);
        }

        @Override
        public String toString() {
            return "told " + words(told) + ", read " + words(read);
        }

        private static String words(Map<String, Double> lossDb) {
            return lossDb.isEmpty()
                    ? "none"
                    : lossDb.entrySet().stream()
                            .map(each -> String.format(Locale.ROOT, "%.2f dB of %s", each.getValue(), each.getKey()))
                            .collect(Collectors.joining(" and "));
        }
    }

    private static void alike(Bench bench) {
        try (Watching watching = bench.watch()) {
            List<CircuitKey> keys =
                    List.of(bench.layout().circuit(0), bench.layout().circuit(1));
            bench.change().make(0).apply();
            // an event of the second circuit leaves the loss of the first as it was told
            bench.change().make(1).apply();
            boolean carries = Streams.carries(bench, StreamKind.STREAM_KIND_CIRCUITS);
            if (carries) {
                var unused = bench.await(
                        Circuits.texts(keys) + " by all that was told on the stream",
                        () -> watching.circuits(bench.deviceId()),
                        known -> known.containsAll(keys));
            }
            var unused = bench.await(
                    "measured_loss_db by all that was told on " + (carries ? "the" : "a new")
                            + " stream, and the same in GetCircuits",
                    () -> new Known(carries ? told(bench, watching, keys) : toldAnew(bench, keys), read(bench, keys)),
                    Known::isAlike);
        }
    }

    private static Map<String, Double> told(Bench bench, Watching watching, List<CircuitKey> keys) {
        return measured(keys.stream()
                .flatMap(key -> watching.circuit(bench.deviceId(), key).stream())
                .toList());
    }

    private static Map<String, Double> toldAnew(Bench bench, List<CircuitKey> keys) {
        try (Watching anew = bench.watch()) {
            return told(bench, anew, keys);
        }
    }

    private static Map<String, Double> read(Bench bench, List<CircuitKey> keys) {
        return measured(bench.read().getCircuitsList().stream()
                .filter(circuit -> keys.contains(circuit.getKey()))
                .toList());
    }

    private static Map<String, Double> measured(List<Circuit> circuits) {
        return circuits.stream()
                .filter(Circuit::hasMeasuredLossDb)
                .collect(Collectors.toMap(
                        circuit -> Circuits.text(circuit.getKey()),
                        Circuit::getMeasuredLossDb,
                        (one, same) -> same,
                        TreeMap::new));
    }
}
