package dev.lightpath.planner.engine.circuits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.ocs.Spine;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ports looked up by an index are those that a walk over all circuits finds, two slices on one port among them. */
class PortHoldersPropertyTest {
    private static final int WORLDS = 300;
    private static final int PODS = 4;

    private record Held(SliceId by, String opticalSwitch, Circuit circuit) {
        private List<PortUse> ports(DeviceKind kind) {
            return PortUse.of(opticalSwitch, kind, circuit);
        }
    }

    /** Some end at ports that are wired to no pod. */
    private static Circuit circuit(Random chance, DeviceKind kind) {
        return circuit(kind, 1 + chance.nextInt(PODS + 1), 1 + chance.nextInt(PODS + 1));
    }

    private static Circuit circuit(DeviceKind kind, int from, int to) {
        return new Circuit(Integer.toString(from), Spine.egress(kind, to));
    }

    @Test
    void theIndexFindsWhatAWalkOverAllCircuitsFinds() {
        int barred = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            DeviceKind kind = chance.nextBoolean() ? DeviceKind.TWO_SIDED : DeviceKind.ANY_TO_ANY;
            OcsWiring wiring = OcsWiring.of(Spine.striped(kind, PODS, 2, 1));
            Set<PortUse> blocked = Set.copyOf(PortUse.of("ocs-1", kind, circuit(chance, kind)));
            PortHolders index = new PortHolders(wiring, blocked);
            List<Held> all = new ArrayList<>();
            for (int number = chance.nextInt(7); number > 0; number--) {
                Held held = new Held(
                        new SliceId("team", "job-" + chance.nextInt(3)),
                        "ocs-" + chance.nextInt(2),
                        circuit(chance, kind));
                all.add(held);
                index.hold(held.by(), held.opticalSwitch(), held.circuit());
            }
            SliceId slice = new SliceId("team", "job-0");
            Set<PortUse> everywhere = new HashSet<>(blocked);
            for (Held held : all) {
                if (!held.by().equals(slice)) {
                    everywhere.addAll(held.ports(kind));
                }
            }
            assertThat(index.barredTo(slice)).as("seed %d", seed).isEqualTo(everywhere);
            for (OcsSwitch of : wiring.intent().switches().values()) {
                for (int port = 1; port <= PODS + 1; port++) {
                    for (PortUse use : PortUse.of(of.name(), kind, circuit(kind, port, port))) {
                        boolean is = index.barredTo(slice, use);
                        assertThat(is).as("seed %d, %s", seed, use).isEqualTo(everywhere.contains(use));
                        barred += is ? 1 : 0;
                    }
                }
            }
        }
        assertThat(barred).isGreaterThan(WORLDS);
    }
}
