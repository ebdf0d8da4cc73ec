package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.TrainingWorkload;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Jobs come and go, ports and switches fail and heal, in random order on shared pods. The toy switches refuse a port
 * used twice. After each event the light is at rest and is what the records say, and every prediction is what a
 * simulator makes of the circuits that are lit.
 */
class OcsTrafficPropertyTest {
    private static final int WORLDS = 25;
    private static final int EVENTS = 14;

    @Test
    void predictionsAreThoseOfTheLightAfterEveryEvent() {
        int judged = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            DeviceKind kind = random.nextBoolean() ? DeviceKind.ANY_TO_ANY : DeviceKind.TWO_SIDED;
            ToyOcs ocs = ToyOcs.logical(4 + random.nextInt(6), 1 + random.nextInt(3), 6, kind, 1 + random.nextInt(2));
            for (int event = 0; event < EVENTS; event++) {
                happen(ocs, random, event);
                Deliberation rest = ocs.settleAfter(Duration.ofSeconds(40));
                judged += check(ocs, rest, "seed " + seed + ", event " + event);
            }
        }
        assertThat(judged).isGreaterThan(WORLDS);
    }

    @Test
    void sameWorldGivesTheSameDeliberation() {
        for (long seed = 1; seed <= 5; seed++) {
            Random random = new Random(seed);
            ToyOcs ocs = ToyOcs.logical(6, 2, 6, DeviceKind.ANY_TO_ANY, 1);
            for (int event = 0; event < 6; event++) {
                happen(ocs, random, event);
                Deliberation first = FabricEngine.deliberate(ocs.world());
                Deliberation second = FabricEngine.deliberate(ocs.world());
                assertThat(second.decision()).as("seed %d", seed).isEqualTo(first.decision());
                assertThat(second.questions()).as("seed %d", seed).isEqualTo(first.questions());
                ocs.settle();
            }
        }
    }

    static void happen(ToyOcs ocs, Random random, int event) {
        ocs.now = ocs.now.plusSeconds(1 + random.nextInt(60));
        List<String> names = new ArrayList<>(ocs.switches.keySet());
        String name = names.get(random.nextInt(names.size()));
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> ocs.wishTraffic("job" + event, traffic(random), random.nextInt(3), true, workload(random));
            case 3, 4 -> {
                var wires = ocs.switches.get(name).wiring();
                ocs.fail(name, wires.get(random.nextInt(wires.size())).ingress());
            }
            case 5 -> ocs.failedPorts.clear();
            case 6 -> {
                if (!ocs.silent.remove(name) && ocs.silent.isEmpty()) {
                    ocs.silent.add(name);
                    ocs.dark.add(name);
                } else {
                    ocs.silent.clear();
                    ocs.dark.clear();
                }
            }
            case 7 -> ocs.wiring.drain(name, !ocs.switches.get(name).drained());
            default -> {
                for (SliceId id : List.copyOf(ocs.slices.keySet())) {
                    if (random.nextInt(3) == 0) {
                        ocs.wishTraffic(
                                id.name(),
                                (Demand.Traffic) ocs.slices.get(id).demand(),
                                0,
                                false,
                                new Workload.LightOnly());
                    }
                }
            }
        }
    }

    private static Workload workload(Random random) {
        return random.nextInt(3) == 0
                ? new Workload.Pods(new TreeSet<>(List.of("somewhere")), false)
                : new Workload.LightOnly();
    }

    private static Demand.Traffic traffic(Random random) {
        int tensor = 2 << random.nextInt(2);
        return Gpt7b.traffic(
                Parallelism.ofDegrees(tensor, 2 << random.nextInt(2), 1 + random.nextInt(3), 1, 1),
                new Batch(6, 1, 4096, true),
                random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1),
                1e-9);
    }

    /** How many predictions were judged. */
    static int check(ToyOcs ocs, Deliberation rest, String where) {
        Set<String> recorded = new HashSet<>();
        ocs.ledger
                .values()
                .forEach(entry -> entry.allocation()
                        .ifPresent(allocation -> allocation
                                .circuits()
                                .forEach((name, circuit) -> assertThat(recorded.add(name + "/" + circuit))
                                        .as("%s: %s/%s is recorded twice", where, name, circuit)
                                        .isTrue())));
        ocs.lit.forEach((name, circuits) -> {
            if (!ocs.silent.contains(name)) {
                circuits.forEach(circuit -> assertThat(recorded)
                        .as("%s: %s has light of nobody", where, name)
                        .contains(name + "/" + circuit));
            }
        });
        int judged = 0;
        for (SliceId id : ocs.slices.keySet()) {
            Allocation allocation = ocs.ledger.get(id).allocation().orElse(null);
            if (allocation == null
                    || allocation.prediction().isEmpty()
                    || !(rest.slices().get(id).placement() instanceof Placement.Placed)
                    || !rest.slices().get(id).light().qualified()) {
                continue;
            }
            Demand.Traffic asked = (Demand.Traffic) ocs.slices.get(id).demand();
            assertPredicted(
                    ocs, asked.recorded(allocation.groups().size()).orElseThrow(), allocation, where + ", " + id);
            judged++;
        }
        return judged;
    }

    /** Counts what is lit between pods, and plays an iteration on the counts that every replica has. */
    private static void assertPredicted(ToyOcs ocs, Demand.Traffic traffic, Allocation allocation, String where) {
        Prediction prediction = allocation.prediction().orElseThrow();
        int stages = traffic.parallelism().pipeline();
        int replicas = traffic.parallelism().replicas();
        List<Integer> flat = allocation.groups().stream()
                .map(group -> group.members().getFirst().position())
                .toList();
        int together = (int)
                flat.subList(0, stages).stream().filter(flat.getFirst()::equals).count();
        int pods = Math.ceilDiv(stages, together);
        List<Integer> counts = new ArrayList<>();
        for (int pod = 0; pod + 1 < pods; pod++) {
            int least = Integer.MAX_VALUE;
            for (int replica = 0; replica < replicas; replica++) {
                int at = replica * stages + pod * together;
                least = Math.min(least, lit(ocs, allocation, flat.get(at), Set.of(flat.get(at + together))));
            }
            counts.add(least);
        }
        for (int pod = 0; replicas > 1 && pod < pods; pod++) {
            int least = Integer.MAX_VALUE;
            for (int replica = 0; replica < replicas; replica++) {
                Set<Integer> peers = new HashSet<>();
                for (int peer = 0; peer < replicas; peer++) {
                    peers.add(flat.get(peer * stages + pod * together));
                }
                int own = flat.get(replica * stages + pod * together);
                peers.remove(own);
                least = Math.min(least, lit(ocs, allocation, own, peers));
            }
            counts.add(least);
        }
        assertThat(prediction.circuits()).as(where).isEqualTo(counts);
        Iteration.OfModel of = (Iteration.OfModel) traffic.iteration();
        DeltaInstance instance = InstanceGenerator.generate(new TrainingWorkload(
                "check",
                of.model(),
                traffic.parallelism(),
                of.batch(),
                new dev.lightpath.planner.delta.iteration.Placement(together, 64, 400, false)));
        assertThat(prediction.iterationSeconds())
                .as(where)
                .isCloseTo(
                        new Simulator(instance).makespanSeconds(new Topology(counts), Rates.JOINT),
                        org.assertj.core.data.Offset.offset(1e-9));
        assertThat(prediction.lowerBoundSeconds()).as(where).isLessThanOrEqualTo(prediction.iterationSeconds());
    }

    /** Circuits between a pod and others, of two-sided switches those that have both directions. */
    private static int lit(ToyOcs ocs, Allocation allocation, int from, Set<Integer> to) {
        int[] there = new int[1];
        int[] back = new int[1];
        allocation.circuits().forEach((name, circuit) -> {
            int in = podOf(ocs, name, circuit, true);
            int out = podOf(ocs, name, circuit, false);
            boolean duplex = ocs.switches.get(name).kind() == DeviceKind.ANY_TO_ANY;
            if (in == from && to.contains(out)) {
                there[0]++;
                back[0] += duplex ? 1 : 0;
            } else if (out == from && to.contains(in)) {
                back[0]++;
                there[0] += duplex ? 1 : 0;
            }
        });
        return Math.min(there[0], back[0]);
    }

    private static int podOf(ToyOcs ocs, String name, Circuit circuit, boolean ingress) {
        return ocs.switches.get(name).wiring().stream()
                .filter(wire -> ingress
                        ? wire.ingress().equals(circuit.ingress())
                        : wire.egress().equals(circuit.egress()))
                .map(wire -> Integer.parseInt(wire.pod().substring(4)))
                .findFirst()
                .orElseThrow();
    }
}
