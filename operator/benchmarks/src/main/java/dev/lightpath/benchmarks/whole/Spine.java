package dev.lightpath.benchmarks.whole;

import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.SwitchCircuits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The fabric of switches, as its slices record it and as the emulator knows it. */
final class Spine {
    private static final String NAME = "spine";
    private static final int PATIENCE_SECONDS = 30;

    private final Supplier<? extends Collection<FabricSlice>> slices;
    private final Light light;
    private final List<String> switches = IntStream.range(0, Size.SWITCHES)
            .mapToObj(number -> "ocs-" + number)
            .toList();

    /** @param slices as a watch shows them */
    Spine(Supplier<? extends Collection<FabricSlice>> slices, Light light) {
        this.slices = slices;
        this.light = light;
    }

    /** A port that light enters a switch by. */
    record Port(String opticalSwitch, String ingress) {
        /** How its circuits begin, as {@link Light#of} writes them. */
        private String prefix() {
            return opticalSwitch + "/" + ingress + "->";
        }
    }

    private static List<SwitchCircuits> circuits(FabricSlice slice) {
        return slice.getSpec().fabric().equals(NAME)
                        && slice.getStatus() != null
                        && slice.getStatus().allocation() != null
                ? slice.getStatus().allocation().circuits()
                : List.of();
    }

    private List<SwitchCircuits> of(String job) {
        return slices.get().stream()
                .filter(slice -> slice.getMetadata().getName().startsWith(job + "-" + NAME))
                .flatMap(slice -> circuits(slice).stream())
                .toList();
    }

    /** Recorded circuits of a job. */
    int circuits(String job) {
        return of(job).stream().mapToInt(each -> each.circuits().size()).sum();
    }

    /** One of the ports by which light of a job enters, another for each number. */
    Port port(String job, int number) {
        List<SwitchCircuits> all = of(job);
        SwitchCircuits chosen = all.get(number % all.size());
        String circuit = chosen.circuits().get(number % chosen.circuits().size());
        return new Port(chosen.opticalSwitch(), circuit.substring(0, circuit.indexOf('-')));
    }

    private SortedSet<String> recorded() {
        SortedSet<String> recorded = new TreeSet<>();
        for (FabricSlice slice : new ArrayList<>(slices.get())) {
            for (SwitchCircuits of : circuits(slice)) {
                for (String circuit : of.circuits()) {
                    int dash = circuit.indexOf('-');
                    recorded.add(
                            of.opticalSwitch() + "/" + circuit.substring(0, dash) + "->" + circuit.substring(dash + 1));
                }
            }
        }
        return recorded;
    }

    boolean isAsRecorded() {
        return light.of(switches).equals(recorded());
    }

    /** Of the light of all switches. */
    LightWatch watch() {
        return new LightWatch(light, switches);
    }

    /**
     * When light changed last before it stood still as records say that leave the port alone, by the emulator's clock.
     *
     * @param stableMillis so long it stands
     * @throws IllegalStateException where that takes too long
     */
    Instant repaired(Port port, LightWatch watch, long stableMillis) {
        long deadline = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
        while (System.nanoTime() < deadline) {
            watch.look();
            if (watch.isStill(stableMillis)) {
                SortedSet<String> recorded = recorded();
                if (recorded.tailSet(port.prefix()).stream().noneMatch(circuit -> circuit.startsWith(port.prefix()))
                        && watch.lit().equals(recorded)) {
                    return watch.changed();
                }
            }
            Patience.sleepMillis(LightWatch.PERIOD_MILLIS);
        }
        throw new IllegalStateException(
                port + " failed, and after " + PATIENCE_SECONDS + " s the light is not that of a record without it");
    }
}
