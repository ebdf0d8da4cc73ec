package dev.lightpath.planner.ocs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.stripe.Striping;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.Recall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A fabric with more ports than the striper takes is planned without it. */
class LinkPlanSizeTest {
    /** Switches times pods is just more than 2^20. */
    private static final int SWITCHES = 1024;

    private static final int PODS = 1026;

    private static OcsSwitch ocs(int number, List<Integer> pods) {
        List<OcsSwitch.Wire> wires = new ArrayList<>();
        for (int pod : pods) {
            String port = Integer.toString(1 + pod);
            wires.add(new OcsSwitch.Wire(port, port, pod(pod), 0));
        }
        String name = String.format("ocs-%04d", number);
        return new OcsSwitch(
                name,
                new DeviceId("driver:1", name),
                DeviceKind.ANY_TO_ANY,
                OptionalInt.of(number),
                wires,
                new TreeSet<>(),
                false);
    }

    private static String pod(int index) {
        return "pod-" + index;
    }

    /** All pods but two share the first switch; the last two have a port each, on different switches. */
    private static OcsWiring wiring() {
        List<OcsPod> pods = new ArrayList<>();
        List<Integer> most = new ArrayList<>();
        for (int pod = 0; pod < PODS; pod++) {
            pods.add(new OcsPod(pod(pod), pod, 8, new TreeMap<>()));
            if (pod < PODS - 2) {
                most.add(pod);
            }
        }
        SortedMap<String, OcsSwitch> switches = new TreeMap<>();
        for (int number = 0; number < SWITCHES; number++) {
            List<Integer> wired = switch (number) {
                case 0 -> most;
                case 1 -> List.of(PODS - 2);
                case 2 -> List.of(PODS - 1);
                default -> List.of();
            };
            OcsSwitch of = ocs(number, wired);
            switches.put(of.name(), of);
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

    @Test
    void whatTheStriperDoesNotTakeIsLeftAsItIs() {
        List<Link> links = new ArrayList<>();
        for (int pod = 0; pod < PODS; pod += 2) {
            links.add(new Link(pod(pod), pod(pod + 1), "ocs-0000"));
        }
        LinkPlan.Outcome plan = LinkPlan.follow(
                wiring(),
                OcsHealth.sound(),
                Set.of(),
                links,
                true,
                SwitchedLight.none(),
                new Recall<>(Recall.Known.nothing(), Striping::bytes));
        assertThat(plan.missing()).containsExactly(links.getLast());
        assertThat(plan.light().size()).isEqualTo(links.size() - 1);
    }
}
