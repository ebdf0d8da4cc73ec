package dev.lightpath.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.soak.oracle.Records;
import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.soak.oracle.SpineScheme;
import dev.lightpath.soak.script.Change;
import dev.lightpath.soak.script.NodeFault;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InspectionTest {
    private static final RingScheme RING = new RingScheme(
            "ring-a",
            true,
            3,
            4,
            IntStream.range(0, 8).mapToObj(node -> "n" + node).toList());
    private static final SpineScheme SPINE = new SpineScheme("spine", Map.of("ocs-1", "device-1"), Map.of());

    private final Scene scene = new Scene(new Site(RING, Optional.of(SPINE), Map.of()));
    private final Inspection inspection = new Inspection(new Site(RING, Optional.of(SPINE), Map.of()), scene);

    private static FabricSlice slice(String allocation) {
        return Serialization.unmarshal("""
                metadata: {name: gone, namespace: default, uid: u, deletionTimestamp: "2026-01-01T00:00:00Z"}
                spec: {fabric: spine, attempt: 1, job: {name: gone, uid: u}, demand: {}}
                status: {allocation: {revision: 2, releasing: %s}}
                """.formatted(allocation), FabricSlice.class);
    }

    private List<String> leftOver(FabricSlice slice) {
        OpticalFabric fabric = Serialization.unmarshal("""
                metadata: {name: ring-a}
                status: {nodes: {faulty: 0}, circuits: {}}
                """, OpticalFabric.class);
        Records records = new Records(new TreeMap<>(), List.of(slice), new TreeMap<>(Map.of("ring-a", fabric)));
        return inspection.unsettled(records).stream()
                .filter(line -> line.contains("slice"))
                .toList();
    }

    @Test
    void aSliceStaysWhileASwitchWithoutPowerCannotBeReadBackDark() {
        FabricSlice slice = slice("{circuits: [{switch: ocs-1, circuits: [1-9]}]}");
        assertThat(leftOver(slice)).containsExactly("left over: slice gone");
        scene.note(new Change.SwitchFails("device-1"));
        assertThat(leftOver(slice)).isEmpty();
        scene.note(new Change.SwitchRecovers("device-1"));
        assertThat(leftOver(slice)).hasSize(1);
    }

    @Test
    void aSliceStaysWhileATransceiverWithoutPowerCannotBeReadBackDark() {
        FabricSlice slice = slice("{nodes: [n3]}");
        assertThat(leftOver(slice)).containsExactly("left over: slice gone");
        scene.note(new Change.NodeFails(3, NodeFault.POWER_LOSS));
        assertThat(leftOver(slice)).isEmpty();
    }

    /** The status of the ring may be written before that of the switches, which keep their own fault of the node. */
    @Test
    void aFaultOfANodeThatOnlyTheSwitchesStillHaveIsWaitedFor() {
        OpticalFabric ring = Serialization.unmarshal("""
                metadata: {name: ring-a}
                status: {nodes: {faulty: 0}, circuits: {}, conditions: [{type: Ready, status: "True"}]}
                """, OpticalFabric.class);
        OpticalFabric spine = Serialization.unmarshal("""
                metadata: {name: spine}
                status:
                  conditions: [{type: Ready, status: "True"}]
                  faults: [{subject: node/n5, reason: NodeNotReady, since: "2026-01-01T00:00:00Z"}]
                """, OpticalFabric.class);
        Records records =
                new Records(new TreeMap<>(), List.of(), new TreeMap<>(Map.of("ring-a", ring, "spine", spine)));
        assertThat(inspection.unsettled(records)).containsExactly("status: fabric spine takes node/n5 for broken");
        OpticalFabric healed = Serialization.unmarshal("""
                metadata: {name: spine}
                status: {conditions: [{type: Ready, status: "True"}]}
                """, OpticalFabric.class);
        assertThat(inspection.unsettled(new Records(
                        new TreeMap<>(), List.of(), new TreeMap<>(Map.of("ring-a", ring, "spine", healed)))))
                .isEmpty();
    }
}
