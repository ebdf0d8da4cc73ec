package dev.lightpath.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.FabricPod;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricSpec;
import dev.lightpath.crds.fabric.PolarFly;
import dev.lightpath.crds.fabric.Topology;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.OpticalSwitchSpec;
import dev.lightpath.crds.opticalswitch.PortWiring;
import dev.lightpath.crds.opticalswitch.StripedWiring;
import dev.lightpath.crds.opticalswitch.SwitchDriver;
import dev.lightpath.crds.opticalswitch.Wiring;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.WiringCheck;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OcsIntentReaderTest {
    private final List<FabricPod> pods = new ArrayList<>(List.of(
            new FabricPod("rack-b", 1, 3, 8), new FabricPod("rack-a", 0, 3, 8), new FabricPod("rack-c", 2, 3, 8)));
    private final List<OpticalSwitch> switches = new ArrayList<>();

    private OpticalFabric fabric() {
        return fabric("nvidia.com/gpu");
    }

    private OpticalFabric fabric(String gpuResource) {
        OpticalFabric fabric = new OpticalFabric();
        fabric.setMetadata(new ObjectMetaBuilder().withName("spine").build());
        fabric.setSpec(new OpticalFabricSpec(
                null,
                new Ocs(null, null, gpuResource, pods, null, new Topology(null, null, new PolarFly(7, List.of()))),
                null,
                null,
                null,
                null,
                null,
                null));
        return fabric;
    }

    private OcsIntent read(Node... nodes) {
        return new OcsIntentReader("cluster")
                .read(fabric(), switches, List.of(nodes))
                .orElseThrow();
    }

    private void wired(String name, Integer plane, Wiring wiring) {
        OpticalSwitch of = new OpticalSwitch();
        of.setMetadata(new ObjectMetaBuilder().withName(name).build());
        of.setSpec(new OpticalSwitchSpec(
                "spine",
                new SwitchDriver("driver:9440", "device-" + name, null),
                null,
                wiring,
                List.of("9"),
                plane,
                false));
        switches.add(of);
    }

    @Test
    void podsAreInTheOrderOfTheirIndicesWithTheirNodes() {
        Node node = new NodeBuilder()
                .withNewMetadata()
                .withName("n1")
                .addToLabels("lightpath.dev/pod", "rack-b")
                .endMetadata()
                .build();
        OcsIntent intent = read(node);
        assertThat(intent.pods()).extracting(OcsPod::name).containsExactly("rack-a", "rack-b", "rack-c");
        assertThat(intent.pods().get(1).nodes()).containsOnlyKeys("n1");
        assertThat(intent.topology()).isEqualTo(new OcsTopology.PolarFly(7, List.of()));
        assertThat(intent.role()).isEqualTo("cluster/spine");
    }

    @Test
    void nodesThatAreCordonedOrBusyAreClosedOneByOne() {
        Node busy = node("n1").build();
        Node cordoned =
                node("n2").withNewSpec().withUnschedulable(true).endSpec().build();
        Node free = node("n3").build();
        OcsPod pod = new OcsIntentReader("cluster")
                .read(fabric(), switches, List.of(busy, cordoned, free), Map.of("nvidia.com/gpu", Set.of("n1")))
                .orElseThrow()
                .pods()
                .get(1);
        assertThat(pod.closed()).containsExactly("n1", "n2");
        assertThat(pod.placeable()).isFalse();
    }

    @Test
    void aNodeIsBusyByTheResourceThatTheFabricNames() {
        OcsPod pod = new OcsIntentReader("cluster")
                .read(
                        fabric("amd.com/gpu"),
                        switches,
                        List.of(node("n1").build(), node("n2").build()),
                        Map.of("nvidia.com/gpu", Set.of("n1"), "amd.com/gpu", Set.of("n2")))
                .orElseThrow()
                .pods()
                .get(1);
        assertThat(pod.closed()).containsExactly("n2");
    }

    private static NodeBuilder node(String name) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("lightpath.dev/pod", "rack-b")
                .endMetadata();
    }

    @Test
    void stripedWiringFollowsTheIndexOfThePod() {
        wired("two", 0, new Wiring(new StripedWiring(1, 161, 2), List.of(), null));
        OcsSwitch of = read().switches().get("two");
        assertThat(of.kind()).isEqualTo(DeviceKind.TWO_SIDED);
        assertThat(of.device()).isEqualTo(new DeviceId("driver:9440", "device-two"));
        assertThat(of.wiring()).contains(new OcsSwitch.Wire("4", "164", "rack-b", 1));
        assertThat(of.reserved()).containsExactly("9");
    }

    @Test
    void withoutAnEgressSideAnyPortMayMeetAnyOther() {
        wired("any", 0, new Wiring(new StripedWiring(1, null, 1), List.of(), null));
        OcsSwitch of = read().switches().get("any");
        assertThat(of.kind()).isEqualTo(DeviceKind.ANY_TO_ANY);
        assertThat(of.wiring()).contains(new OcsSwitch.Wire("3", "3", "rack-c", 0));
    }

    @Test
    void contradictionsAreNamed() {
        pods.add(new FabricPod("rack-d", 2, 3, 8));
        wired(
                "a",
                4,
                new Wiring(
                        null,
                        List.of(new PortWiring("1", "11", "rack-a", 0), new PortWiring("2", null, "rack-x", 0)),
                        null));
        wired("b", 4, new Wiring(new StripedWiring(1, null, 1), List.of(), null));
        assertThat(String.join("\n", WiringCheck.findings(OcsWiring.of(read()))))
                .contains("pods rack-c, rack-d all have index 2")
                .contains("switch a: port 2 of pod rack-x has no egress")
                .contains("switch a: port 2 is wired to pod rack-x, and fabric spine has only rack-a, rack-b, rack-c")
                .contains("switch b: port 3 is wired to pods rack-c and rack-d")
                .contains("switches a and b are both plane 4")
                .contains("switches a have an egress side and b have none")
                .contains("polarFly of order 7 has 57 pods, spec.ocs.pods lists 4")
                .contains("planes 0 to ");
    }
}
