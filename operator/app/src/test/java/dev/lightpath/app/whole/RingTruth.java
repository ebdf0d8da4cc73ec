package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.DeviceTruth;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.TrueCircuit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which path each bundle of a ring of reach 3 takes, as `n5/b2 -> path1`: really, and by the records alone. */
final class RingTruth {
    /** InfinitePOD, the port map of K = 3: B0 -1/-2, B1 +1/+2, B2 -3/+3. */
    private static final Map<Integer, String> PATH_OF_HOP =
            Map.of(-1, "b0.path1", -2, "b0.path2", 1, "b1.path1", 2, "b1.path2", -3, "b2.path1", 3, "b2.path2");

    private RingTruth() {}

    static SortedMap<String, String> measured(ChaosServiceBlockingStub chaos) {
        SortedMap<String, String> paths = new TreeMap<>();
        for (DeviceTruth device :
                chaos.getGroundTruth(GetGroundTruthRequest.getDefaultInstance()).getDevicesList()) {
            if (!device.getDeviceId().matches("n\\d+")) {
                continue;
            }
            for (TrueCircuit circuit : device.getCircuitsList()) {
                String[] egress = circuit.getEgress().split("\\.");
                paths.merge(device.getDeviceId() + "/" + egress[0], egress[1], (a, b) -> a + "+" + b);
            }
        }
        return paths;
    }

    /** What slices of multi-node groups record; everything else loops back. */
    static SortedMap<String, String> recorded(int nodes, Collection<FabricSlice> slices) {
        SortedMap<String, String> paths = new TreeMap<>();
        for (int node = 0; node < nodes; node++) {
            for (int bundle = 0; bundle < 3; bundle++) {
                paths.put("n" + node + "/b" + bundle, "loop");
            }
        }
        for (FabricSlice slice : slices) {
            boolean onRing = slice.getSpec().fabric().equals("ring-a");
            if (onRing && slice.getStatus() != null && slice.getStatus().allocation() != null) {
                slice.getStatus().allocation().groups().forEach(group -> light(nodes, group, paths));
            }
        }
        return paths;
    }

    private static void light(int nodes, GroupAllocation group, Map<String, String> paths) {
        for (int i = 1; i < group.nodes().size(); i++) {
            int hop = Math.floorMod(group.positions().get(i) - group.positions().get(i - 1), nodes);
            put(group.nodes().get(i - 1), hop, paths);
            put(group.nodes().get(i), -hop, paths);
        }
    }

    private static void put(String node, int hop, Map<String, String> paths) {
        String port = PATH_OF_HOP.get(hop);
        if (port == null) {
            throw new AssertionError("a hop of " + hop + " at " + node + " is out of reach");
        }
        String[] parts = port.split("\\.");
        String before = paths.put(node + "/" + parts[0], parts[1]);
        if (!"loop".equals(before)) {
            throw new AssertionError("bundle " + node + "/" + parts[0] + " is recorded twice");
        }
    }

    /**
     * The {@code light.json} of a member of a group names its neighbours by the record, and the paths to them that its
     * device really takes.
     *
     * @param first rank of the first member of the group
     * @param truth as {@link #measured} found it
     */
    static void assertNeighbours(
            JsonNode light, List<String> members, int first, int member, Map<String, String> truth) {
        assertThat(light.get("rank").asInt()).isEqualTo(first + member);
        assertThat(light.get("node").asText()).isEqualTo(members.get(member));
        JsonNode neighbours = light.at("/ring/groups/0/neighbours");
        assertThat(neighbours).hasSize((member > 0 ? 1 : 0) + (member < members.size() - 1 ? 1 : 0));
        for (JsonNode neighbour : neighbours) {
            int other = member + (neighbour.get("side").asText().equals("left") ? -1 : 1);
            assertThat(neighbour.get("node").asText()).isEqualTo(members.get(other));
            assertThat(neighbour.get("rank").asInt()).isEqualTo(first + other);
            assertThat(truth.get(
                            members.get(member) + "/b" + neighbour.get("bundle").asInt()))
                    .as("the path that the device really takes")
                    .isEqualTo("path" + neighbour.get("path").asInt());
        }
    }
}
