package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Ports and switches fail and heal, jobs come and go, strangers light circuits, in random order. The toy devices
 * themselves refuse a port used twice; after each event the light is at rest and is what the records say, wherever it
 * can be reached.
 */
class OcsPropertyTest {
    private static final int WORLDS = Seeds.of(40);
    private static final int EVENTS = 25;

    @Test
    void lightIsWhatTheRecordsSayAfterEveryEvent() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyOcs ocs = randomFabric(random);
            ocs.wishStatic(true).settle();
            for (int event = 0; event < EVENTS; event++) {
                String where = "seed " + seed + ", event " + event;
                happen(ocs, random, event);
                ocs.settleAfter(Duration.ofSeconds(2));
                check(ocs, where);
            }
        }
    }

    @Test
    void aPortThatFailsMovesItsOwnCircuitOnlyWhereThereIsRoom() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            int order = random.nextBoolean() ? 2 : 3;
            ToyOcs ocs = ToyOcs.polarFly(order, 1 + random.nextInt(2));
            ocs.wishStatic(true).settle();
            SwitchedLight before = ocs.light();
            List<String> names = new ArrayList<>(before.circuits().keySet());
            String name = names.get(random.nextInt(names.size()));
            List<Circuit> circuits = new ArrayList<>(before.on(name));
            ocs.fail(name, circuits.get(random.nextInt(circuits.size())).ingress());
            ocs.settleAfter(Duration.ofSeconds(2));
            assertThat(ocs.light().minus(before).size()).as("seed %d", seed).isEqualTo(1);
        }
    }

    @Test
    void aDrainedSwitchIsEmptiedWithinTheDisruptionBudget() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            ToyOcs ocs = ToyOcs.polarFly(3, 1);
            int percent = 1 + random.nextInt(20);
            ocs.policy = Policies.budget(FabricPolicy.standard(), percent);
            ocs.wishStatic(true).settle();
            SwitchedLight before = ocs.light();
            String drained = List.copyOf(before.circuits().keySet())
                    .get(random.nextInt(before.circuits().size()));
            ocs.wiring.drain(drained);
            // what is lit elsewhere before it goes dark here counts as lit
            int budget = Math.max(1, (before.size() + before.on(drained).size()) * percent / 100);
            int decided = ocs.decisions.size();
            ocs.settle();
            assertThat(ocs.light().on(drained)).as("seed %d", seed).isEmpty();
            assertThat(before.minus(ocs.light()).size())
                    .as("seed %d", seed)
                    .isEqualTo(before.on(drained).size());
            for (Decision decision : ocs.decisions.subList(decided, ocs.decisions.size())) {
                if (decision instanceof Decision.Apply apply) {
                    assertThat(apply.stage().changes().stream()
                                    .mapToInt(change -> change.disconnects().size())
                                    .sum())
                            .as("seed %d, %d percent", seed, percent)
                            .isLessThanOrEqualTo(budget);
                }
            }
        }
    }

    @Test
    void sameWorldGivesTheSameDeliberation() {
        for (long seed = 1; seed <= 10; seed++) {
            Random random = new Random(seed);
            ToyOcs ocs = randomFabric(random);
            ocs.wishStatic(true);
            for (int event = 0; event < 8; event++) {
                happen(ocs, random, event);
                Deliberation first = FabricEngine.deliberate(ocs.world());
                Deliberation second = FabricEngine.deliberate(ocs.world());
                assertThat(second.decision()).as("seed %d", seed).isEqualTo(first.decision());
                assertThat(second.slices()).as("seed %d", seed).isEqualTo(first.slices());
                ocs.settle();
            }
        }
    }

    static ToyOcs randomFabric(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> ToyOcs.polarFly(2, random.nextInt(2));
            case 1 -> ToyOcs.polarFly(3, random.nextInt(3));
            case 2 -> new ToyOcs(new OcsTopology.PolarFly(3, List.of()), 13, 2, DeviceKind.TWO_SIDED, 2, 1);
            case 3 -> ToyOcs.torus("1x1x2", 3 + random.nextInt(3), 1 + random.nextInt(2));
            default -> ToyOcs.torus("1x2x2", 4 + random.nextInt(3), 1);
        };
    }

    static void happen(ToyOcs ocs, Random random, int event) {
        ocs.now = ocs.now.plusSeconds(1 + random.nextInt(60));
        List<String> names = new ArrayList<>(ocs.switches.keySet());
        String name = names.get(random.nextInt(names.size()));
        var wires = ocs.switches.get(name).wiring();
        var wire = wires.get(random.nextInt(wires.size()));
        switch (random.nextInt(7)) {
            case 0, 1 -> ocs.fail(name, random.nextBoolean() ? wire.ingress() : wire.egress());
            case 2 -> ocs.failedPorts.clear();
            case 3 -> {
                if (ocs.silent.isEmpty()) {
                    ocs.silent.add(name);
                    ocs.dark.add(name);
                } else {
                    ocs.silent.clear();
                    ocs.dark.clear();
                }
            }
            case 4 -> {
                if (!ocs.silentPods.remove(wire.pod())) {
                    ocs.silentPods.add(wire.pod());
                }
            }
            case 5 ->
                ocs.wishTorus("job" + event, "4x4x" + 4 * (1 + random.nextInt(2)), true, new Workload.LightOnly());
            default -> {
                for (SliceId id : List.copyOf(ocs.slices.keySet())) {
                    if (!id.equals(ToyOcs.STATIC) && random.nextBoolean()) {
                        ocs.wishTorus(id.name(), "4x4x4", false, new Workload.LightOnly());
                    }
                }
            }
        }
    }

    private static void check(ToyOcs ocs, String where) {
        TreeMap<String, Set<Circuit>> recorded = new TreeMap<>();
        ocs.ledger
                .values()
                .forEach(entry -> entry.allocation().ifPresent(allocation -> {
                    allocation
                            .circuits()
                            .forEach((name, circuit) -> assertThat(recorded.computeIfAbsent(name, of -> new HashSet<>())
                                            .add(circuit))
                                    .as("%s: %s/%s is recorded twice", where, name, circuit)
                                    .isTrue());
                }));
        for (String name : ocs.switches.keySet()) {
            if (ocs.silent.contains(name)) {
                continue;
            }
            Set<Circuit> wanted = new HashSet<>(recorded.getOrDefault(name, Set.of()));
            Set<Circuit> stuck = new HashSet<>(wanted);
            wanted.removeIf(circuit -> failed(ocs, name, circuit));
            stuck.removeAll(wanted);
            Set<Circuit> lit = new HashSet<>(ocs.lit.get(name));
            assertThat(lit).as("%s: %s", where, name).containsAll(wanted);
            lit.removeAll(wanted);
            lit.removeAll(stuck);
            assertThat(lit).as("%s: %s has light of nobody", where, name).isEmpty();
        }
    }

    private static boolean failed(ToyOcs ocs, String name, Circuit circuit) {
        var ports = ocs.failedPorts.getOrDefault(name, new TreeMap<>());
        return ports.containsKey(circuit.ingress()) || ports.containsKey(circuit.egress());
    }
}
