package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Ports looked up by an index are those that a walk over all circuits finds, two slices on one port among them. */
class HeldPortsPropertyTest {
    private static final int WORLDS = 300;
    private static final int PODS = 4;

    private record Held(SliceId by, String opticalSwitch, Circuit circuit) {
        private List<PortUse> ports(DeviceKind kind) {
            return PortUse.of(opticalSwitch, kind, circuit);
        }
    }

    private static OcsWiring wiring(DeviceKind kind) {
        List<OcsPod> pods = new ArrayList<>();
        TreeMap<String, OcsSwitch> switches = new TreeMap<>();
        for (int pod = 0; pod < PODS; pod++) {
            pods.add(new OcsPod("pod-" + pod, pod, 8, new TreeMap<>()));
        }
        for (String name : List.of("ocs-0", "ocs-1")) {
            List<OcsSwitch.Wire> wires = new ArrayList<>();
            for (int pod = 0; pod < PODS; pod++) {
                String egress = (kind == DeviceKind.TWO_SIDED ? "1" : "") + pod;
                wires.add(new OcsSwitch.Wire(Integer.toString(pod), egress, "pod-" + pod, 0));
            }
            switches.put(
                    name,
                    new OcsSwitch(
                            name,
                            new DeviceId("driver:1", name),
                            kind,
                            OptionalInt.empty(),
                            wires,
                            new TreeSet<>(),
                            false));
        }
        return OcsWiring.of(new OcsIntent(
                "spine",
                "cluster/spine",
                pods,
                switches,
                new OcsTopology.Logical(),
                FabricPolicy.standard(),
                false,
                Optional.empty(),
                false,
                List.of()));
    }

    /** Some end at ports that are wired to no pod. */
    private static Circuit circuit(Random chance, DeviceKind kind) {
        String ingress = Integer.toString(chance.nextInt(PODS + 1));
        return new Circuit(ingress, (kind == DeviceKind.TWO_SIDED ? "1" : "") + chance.nextInt(PODS + 1));
    }

    @Test
    void theIndexFindsWhatAWalkOverAllCircuitsFinds() {
        int barred = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            DeviceKind kind = chance.nextBoolean() ? DeviceKind.TWO_SIDED : DeviceKind.ANY_TO_ANY;
            OcsWiring wiring = wiring(kind);
            Set<PortUse> blocked = Set.copyOf(PortUse.of("ocs-1", kind, circuit(chance, kind)));
            HeldPorts index = new HeldPorts(wiring, blocked);
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
            String pod = "pod-" + chance.nextInt(PODS);
            Set<PortUse> here = new HashSet<>(blocked);
            Set<PortUse> everywhere = new HashSet<>(blocked);
            for (Held held : all) {
                if (!held.by().equals(slice)) {
                    everywhere.addAll(held.ports(kind));
                    if (wiring.ends(held.opticalSwitch(), held.circuit())
                            .map(ends -> ends.from().equals(pod) || ends.to().equals(pod))
                            .orElse(true)) {
                        here.addAll(held.ports(kind));
                    }
                }
            }
            assertThat(index.barredTo(slice, List.of(pod))).as("seed %d", seed).isEqualTo(here);
            assertThat(index.barredTo(slice)).as("seed %d", seed).isEqualTo(everywhere);
            for (OcsSwitch of : wiring.intent().switches().values()) {
                for (int port = 0; port <= PODS; port++) {
                    for (PortUse use : PortUse.of(
                            of.name(),
                            kind,
                            new Circuit(Integer.toString(port), (kind == DeviceKind.TWO_SIDED ? "1" : "") + port))) {
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
