package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.traffic.EveryRedistribution;
import dev.lightpath.planner.light.SwitchedLight;
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

/**
 * Placed jobs on fabrics so small that every redistribution of circuits can be tried: none that all concerned permit,
 * and that is worth its darkness, is left undone; and what is settled stays as it is.
 */
public class OcsFairnessPropertyTest {
    private static final int WORLDS = Seeds.of(110);
    private static final int PASSES = 50;

    @Test
    void noPlacedJobIsLeftShortOfWhatOthersCouldSpareOnOtherSwitches() {
        int judged = 0;
        List<String> unfair = new ArrayList<>();
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = world(chance);
            for (int event = 0; event < 9; event++) {
                happen(ocs, chance, event);
                ocs.settleAfter(Duration.ofSeconds(40));
                if (allPlaced(ocs)) {
                    String where = "seed " + seed + ", event " + event + ": ";
                    EveryRedistribution.of(ocs).ifPresent(better -> unfair.add(where + better));
                    judged++;
                }
            }
        }
        assertThat(unfair).as("of %d worlds", judged).isEmpty();
        assertThat(judged).isGreaterThan(WORLDS);
    }

    @Test
    void whatIsSettledStays() {
        for (long seed = 1; seed <= WORLDS / 3; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = world(chance);
            for (int event = 0; event < 9; event++) {
                happen(ocs, chance, event);
                ocs.settleAfter(Duration.ofSeconds(40));
            }
            SwitchedLight settled = ocs.light();
            for (int pass = 0; pass < PASSES; pass++) {
                ocs.now = ocs.now.plusSeconds(7);
                assertThat(ocs.step().decision())
                        .as("seed %d, pass %d", seed, pass)
                        .isInstanceOf(Decision.Rest.class);
            }
            assertThat(ocs.light()).as("seed %d", seed).isEqualTo(settled);
        }
    }

    public static ToyOcs world(Random chance) {
        DeviceKind kind = chance.nextBoolean() ? DeviceKind.ANY_TO_ANY : DeviceKind.TWO_SIDED;
        int switches = 2 + chance.nextInt(2);
        return ToyOcs.logical(3 + chance.nextInt(2), 3, switches, kind, switches == 2 ? 1 + chance.nextInt(2) : 1);
    }

    public static void happen(ToyOcs ocs, Random chance, int event) {
        ocs.now = ocs.now.plusSeconds(1 + chance.nextInt(30));
        List<String> names = List.copyOf(ocs.switches.keySet());
        switch (chance.nextInt(8)) {
            case 0, 1, 2, 3 ->
                ocs.wishTraffic("job" + event, traffic(chance), chance.nextInt(2), true, workload(chance));
            case 4 -> {
                String name = names.get(chance.nextInt(names.size()));
                List<OcsSwitch.Wire> wires = ocs.switches.get(name).wiring();
                ocs.fail(name, wires.get(chance.nextInt(wires.size())).ingress());
            }
            case 5 -> ocs.failedPorts.clear();
            default -> {
                List<SliceId> jobs = List.copyOf(ocs.slices.keySet());
                if (!jobs.isEmpty()) {
                    SliceId leaver = jobs.get(chance.nextInt(jobs.size()));
                    ocs.wishTraffic(
                            leaver.name(),
                            (Demand.Traffic) ocs.slices.get(leaver).demand(),
                            0,
                            false,
                            new Workload.LightOnly());
                    ocs.settle();
                    ocs.forget(leaver);
                }
            }
        }
    }

    private static Workload workload(Random chance) {
        return chance.nextInt(4) == 0
                ? new Workload.Pods(new TreeSet<>(List.of("somewhere")), false)
                : new Workload.LightOnly();
    }

    /** Stages of a node of eight GPUs, one in a pod: two replicas of one or two, or one of two or three. */
    private static Demand.Traffic traffic(Random chance) {
        boolean twins = chance.nextInt(3) > 0;
        int stages = twins ? 1 + chance.nextInt(2) : 2 + chance.nextInt(2);
        return Gpt7b.traffic(
                Parallelism.ofDegrees(8, stages, twins ? 2 : 1, 1, 1),
                new Batch(2 + chance.nextInt(4), 1, 1024 << chance.nextInt(3), true),
                1);
    }

    private static boolean allPlaced(ToyOcs ocs) {
        return ocs.slices.keySet().stream()
                .allMatch(id -> ocs.ledger
                        .get(id)
                        .allocation()
                        .filter(Allocation::placed)
                        .isPresent());
    }
}
