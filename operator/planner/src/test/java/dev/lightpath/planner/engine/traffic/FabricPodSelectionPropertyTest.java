package dev.lightpath.planner.engine.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.EverySeating;
import dev.lightpath.planner.engine.Gpt7b;
import dev.lightpath.planner.engine.ToyOcs;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A new job among others whose light may not move, on fabrics so small that every set of pods can be tried. */
class FabricPodSelectionPropertyTest {
    private static final int WORLDS = 200;

    @Test
    void aJobIsPlacedWheneverSomePodsAreJoinedByFreePorts() {
        int alone = 0;
        int waiting = 0;
        List<String> missed = new ArrayList<>();
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = crowded(chance);
            Demand.Traffic traffic = traffic(chance);
            boolean feasible = EverySeating.of(ocs, traffic);
            SliceId id = ocs.wishTraffic("newcomer", traffic);
            Placement placement =
                    ocs.settleAfter(Duration.ofSeconds(40)).slices().get(id).placement();
            boolean placed = placement instanceof Placement.Placed;
            if (placed != feasible) {
                missed.add("seed " + seed + ": " + traffic.parallelism() + " " + placement);
            }
            if (placement instanceof Placement.Unplaced why) {
                assertThat(why.message())
                        .as("seed %d", seed)
                        .containsPattern("[0-9]+ (missing|miss|pods|nodes|replicas)");
                waiting++;
            } else {
                alone++;
            }
        }
        assertThat(missed).isEmpty();
        assertThat(alone).isGreaterThan(WORLDS / 4);
        assertThat(waiting).isGreaterThan(WORLDS / 10);
    }

    /** Fibres that are not there, ports that failed, and jobs whose pods run. */
    private static ToyOcs crowded(Random chance) {
        DeviceKind kind = chance.nextBoolean() ? DeviceKind.ANY_TO_ANY : DeviceKind.TWO_SIDED;
        ToyOcs ocs = ToyOcs.logical(4 + chance.nextInt(3), 1 + chance.nextInt(2), 2 + chance.nextInt(3), kind, 1);
        ocs.switches.replaceAll((name, of) -> {
            List<OcsSwitch.Wire> wires = new ArrayList<>(of.wiring());
            wires.removeIf(wire -> wires.size() > 2 && chance.nextInt(3) == 0);
            return ToyOcs.rewired(of, wires);
        });
        ocs.wiring.tellWiredPorts();
        for (int job = chance.nextInt(3); job > 0; job--) {
            ocs.wishTraffic(
                    "job" + job, traffic(chance), 1, true, new Workload.Pods(new TreeSet<>(List.of("x")), false));
        }
        ocs.settleAfter(Duration.ofSeconds(40));
        List.copyOf(ocs.slices.keySet()).stream()
                .filter(id -> !ocs.ledger
                        .get(id)
                        .allocation()
                        .filter(Allocation::placed)
                        .isPresent())
                .forEach(ocs::forget);
        return ocs;
    }

    private static Demand.Traffic traffic(Random chance) {
        int stages = 1 + chance.nextInt(3);
        int replicas = stages == 1 ? 2 : 1 + chance.nextInt(stages == 2 ? 2 : 1);
        return Gpt7b.traffic(Parallelism.ofDegrees(8, stages, replicas, 1, 1), new Batch(2, 1, 1024, true), 1);
    }
}
