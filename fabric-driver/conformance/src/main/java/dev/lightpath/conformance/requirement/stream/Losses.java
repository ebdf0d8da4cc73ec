package dev.lightpath.conformance.requirement.stream;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Expect;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What a circuit loses is told by a read as on a stream. A device that measures no loss tells it nowhere. */
public final class Losses {
    /** A stream tells changes by 0.2 dB, and light may change between the two. */
    private static final double ALIKE_DB = 0.5;

    private Losses() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "stream/losses",
                "Streams; Circuit.measured_loss_db",
                "A loss that streams tell of a circuit is told by reads too, and is the same",
                Losses::alike));
    }

    private static void alike(Bench bench) {
        try (Watching watching = bench.watch()) {
            CircuitKey key = bench.layout().circuit(0);
            CircuitKey next = bench.layout().circuit(1);
            bench.change().make(0).apply();
            // what the device told of the first circuit is there before what it tells of the second
            bench.change().make(1).apply();
            if (Streams.carries(bench, StreamKind.STREAM_KIND_CIRCUITS)) {
                var unused = bench.await(
                        Circuits.text(key) + " and " + Circuits.text(next) + " by all that was told on the stream",
                        () -> watching.circuits(bench.deviceId()),
                        known -> known.containsAll(List.of(key, next)));
            }
            OptionalDouble told = watching.losses(bench.deviceId(), key).stream()
                    .mapToDouble(Double::doubleValue)
                    .reduce((before, after) -> after);
            OptionalDouble read = read(bench, key);
            Expect.that(
                    isAlike(told, read),
                    "measured_loss_db of " + Circuits.text(key) + " in GetCircuits: " + words(told)
                            + ", as the stream told last",
                    words(read));
        }
    }

    private static OptionalDouble read(Bench bench, CircuitKey key) {
        return bench.read(bench.layout().scope(0)).getCircuitsList().stream()
                .filter(circuit -> circuit.getKey().equals(key) && circuit.hasMeasuredLossDb())
                .mapToDouble(Circuit::getMeasuredLossDb)
                .findFirst();
    }

    /** A loss that is measured only now may be read before it is told. */
    private static boolean isAlike(OptionalDouble told, OptionalDouble read) {
        return told.isEmpty() || read.isPresent() && Math.abs(told.getAsDouble() - read.getAsDouble()) <= ALIKE_DB;
    }

    private static String words(OptionalDouble lossDb) {
        return lossDb.isPresent() ? String.format(Locale.ROOT, "%.2f dB", lossDb.getAsDouble()) : "none";
    }
}
