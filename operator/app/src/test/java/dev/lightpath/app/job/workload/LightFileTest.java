package dev.lightpath.app.job.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.job.facts.FabricGeometry;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.job.Model;
import dev.lightpath.crds.job.ModelPreset;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.Rates;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.ChosenCircuits;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LightFileTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path SCHEMA = Path.of("..", "..", "docs", "reference", "light.schema.json");
    private static final int POSITIONS = 8;

    private final SampleJob sample = new SampleJob();

    @Test
    void namesTheNeighboursOfANodeOnARingAndTheBundlesToThem() throws JsonProcessingException {
        ring(2, POSITIONS, group(0, 7, 1), group(1, 3, 4));
        sample.own();
        String host = SampleJob.JOB_SET + "-workers-0-%d." + SampleJob.JOB_SET;
        assertThat(file(0)).isEqualTo(JSON.readTree("""
                {"version": 1, "job": {"namespace": "team-a", "name": "train", "attempt": 1},
                 "node": "n7", "rank": 0, "nodes": 4,
                 "ring": {"fabric": "ring-a", "revision": 3, "groups": [
                   {"group": 0, "stage": 0, "replica": 0, "member": 0, "members": 2, "neighbours": [
                     {"side": "right", "node": "n1", "rank": 1, "host": "%s",
                      "position": 1, "hop": 2, "bundle": 1, "path": 2}]}], "position": 7},
                 "darkness": []}
                """.formatted(host.formatted(1))));
        assertThat(file(1).at("/ring/groups/0/neighbours")).isEqualTo(JSON.readTree("""
                [{"side": "left", "node": "n7", "rank": 0, "host": "%s",
                  "position": 7, "hop": -2, "bundle": 0, "path": 2}]
                """.formatted(host.formatted(0))));
        assertThat(file(2).at("/ring/groups/0/replica").asInt()).isEqualTo(1);
    }

    /** Its circuits are dark, or those of the rank whose node this is now. */
    @Test
    void aPodWhoseRankHasGoneToAnotherNodeHasNoLight() throws JsonProcessingException {
        ring(2, POSITIONS, group(0, 7, 1), group(1, 3, 4));
        sample.own();
        for (String node : List.of("n2", "n7")) {
            assertThat(JSON.readTree(LightFile.of(sample.facts()).told(new RankedNode(node, 1, "0"))))
                    .isEqualTo(JSON.readTree("""
                            {"version": 1, "job": {"namespace": "team-a", "name": "train", "attempt": 1},
                             "node": "%s", "rank": 1, "nodes": 4,
                             "ring": {"fabric": "ring-a", "revision": 3, "groups": []}, "darkness": []}
                            """.formatted(node)));
        }
    }

    /** What the devices are told follows from the same groups by code that this file does not use. */
    @Test
    void namesTheBundlesThatTheDevicesLight() throws JsonProcessingException {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int reach = 2 + random.nextInt(7);
            boolean closed = random.nextBoolean();
            int length = 60;
            List<Integer> members = new ArrayList<>();
            int position = random.nextInt(length);
            for (int i = 0; i < 4; i++) {
                members.add(closed ? position % length : position);
                // the farthest hop of an odd reach serves one side of a node only
                position += 1 + random.nextInt(reach - reach % 2);
            }
            sample.slices.clear();
            ring(reach, closed ? length : 0, new GroupAllocation(0, names(members), members));
            RingFabric fabric =
                    RingFabric.of(closed ? RingShape.RING : RingShape.LINE, closed ? length : 2 * length, reach, 8);
            var derived = BundleDerivation.derive(fabric, List.of(RingGroup.of(members)));
            assertThat(derived.conflicts()).isEmpty();
            for (int rank = 0; rank < members.size(); rank++) {
                Map<Integer, Integer> told = new TreeMap<>();
                for (JsonNode neighbour : file(rank).at("/ring/groups/0/neighbours")) {
                    told.put(
                            neighbour.get("bundle").asInt(),
                            neighbour.get("path").asInt());
                }
                Map<Integer, Integer> lit = new TreeMap<>();
                List<BundleState> states = derived.states().of(members.get(rank));
                for (int bundle = 0; bundle < states.size(); bundle++) {
                    if (states.get(bundle) != BundleState.LOOPBACK) {
                        lit.put(bundle, states.get(bundle).ordinal());
                    }
                }
                assertThat(told).isEqualTo(lit);
            }
        }
    }

    @Test
    void countsTheCircuitsToEachPodOfTheFabric() throws JsonProcessingException {
        ring(2, POSITIONS, group(0, 7, 1), group(1, 3, 4));
        spine(3);
        assertThat(file(0).get("switches")).isEqualTo(JSON.readTree("""
                {"fabric": "spine", "revision": 5, "circuitGbps": 400, "groups": [
                   {"group": 0, "stage": 0, "replica": 0, "member": 0, "members": 2}],
                 "pod": "a", "circuits": [{"pod": "b", "circuits": 3, "gbps": 1200}]}
                """));
        assertThat(file(3).at("/switches/circuits")).isEqualTo(JSON.readTree("""
                [{"pod": "a", "circuits": 3, "gbps": 1200}]
                """));
    }

    @Test
    void namesTheCircuitsOfTheReplicasThatThereAre() throws JsonProcessingException {
        ring(2, POSITIONS, group(0, 7, 1), group(1, 3, 4));
        spine(3, new Parallelism(8, 1, 3, 1, 1, 2));
        assertThat(file(0).at("/switches/circuits")).isEqualTo(JSON.readTree("""
                [{"pod": "b", "circuits": 3, "gbps": 1200}]
                """));
    }

    @Test
    void isSilentOnWhatAFabricThatIsGoneLookedLike() throws JsonProcessingException {
        sample.lit();
        sample.fabric = Optional.empty();
        assertThat(file(0).has("ring")).isFalse();
        assertThat(file(0).get("rank").asInt()).isZero();
    }

    @Test
    void aLaterRevisionAloneIsNoOtherLight() {
        assertThat(LightFile.isSameLight("{\"revision\":3,\"a\":1}", "{\"revision\":14,\"a\":1}"))
                .isTrue();
        assertThat(LightFile.isSameLight("{\"revision\":3,\"a\":1}", "{\"revision\":3,\"a\":2}"))
                .isFalse();
    }

    @Test
    void aHostfileListsThePodsInRankOrderOrIsTooLongToCarry() {
        PodHosts hosts = new PodHosts("j");
        assertThat(hosts.file(2, 4)).isEqualTo("j-workers-0-0.j slots=4\nj-workers-0-1.j slots=4\n");
        assertThat(hosts.file(100_000, 4)).isEmpty();
    }

    /** Each field that is written is described, and all are written that the schema requires. */
    @Test
    void followsItsSchema() throws IOException {
        JsonNode schema = JSON.readTree(Files.readString(SCHEMA));
        ring(2, POSITIONS, group(0, 7, 1), group(1, 3, 4));
        spine(3);
        sample.own();
        for (int rank = 0; rank < 4; rank++) {
            follows(schema, file(rank), "light.json");
        }
    }

    private static void follows(JsonNode schema, JsonNode value, String where) {
        JsonNode type = schema.path("type");
        assertThat(value.isObject()).as(where).isEqualTo("object".equals(type.asText()));
        assertThat(value.isArray()).as(where).isEqualTo("array".equals(type.asText()));
        if (value.isObject()) {
            schema.path("required")
                    .forEach(name -> assertThat(value.has(name.asText()))
                            .as(where + " has " + name.asText())
                            .isTrue());
            value.fieldNames().forEachRemaining(name -> {
                assertThat(schema.path("properties").has(name))
                        .as(where + "." + name + " is described")
                        .isTrue();
                follows(schema.path("properties").path(name), value.get(name), where + "." + name);
            });
        } else if (value.isArray()) {
            value.forEach(item -> follows(schema.path("items"), item, where + "[]"));
        } else if (schema.has("enum")) {
            assertThat(schema.get("enum")).as(where).contains(value);
        } else if (schema.has("const")) {
            assertThat(value).as(where).isEqualTo(schema.get("const"));
        } else {
            assertThat(value.isTextual() ? "string" : value.isIntegralNumber() ? "integer" : "other")
                    .as(where)
                    .isEqualTo(type.asText());
        }
    }

    private JsonNode file(int rank) throws JsonProcessingException {
        RankedNode place = RankedNode.of(sample.facts().current()).get(rank);
        return JSON.readTree(LightFile.of(sample.facts()).text(place));
    }

    private void ring(int reach, int positions, GroupAllocation... groups) {
        sample.fabric = Optional.of(SampleFabric.ring("ring-a", new FabricGeometry.Fibre(reach, positions)));
        sample.slices.add(
                SampleJob.slice(1, Optional.of(new Allocation(1, 3, null, List.of(groups), List.of(), null))));
    }

    /** The two replicas of the job stand in two pods. Beside a ring the record names these, and no nodes. */
    private void spine(int circuits) {
        spine(circuits, new Parallelism(8, 1, 2, 1, 1));
    }

    private void spine(int circuits, Parallelism split) {
        sample.beside = Optional.of(SampleFabric.switches("spine", 400, "a", "b"));
        Allocation allocation = new Allocation(
                1,
                5,
                null,
                List.of(
                        new GroupAllocation(0, List.of("a"), List.of(0)),
                        new GroupAllocation(1, List.of("b"), List.of(1))),
                List.of(),
                null,
                null,
                new ChosenCircuits("question", List.of(circuits), new Prediction("1", "1", "1", 1, 1, true)));
        sample.slices.add(SampleSlice.of(
                        "train-spine-1",
                        "spine",
                        1,
                        new Demand(
                                null,
                                new ScaleOutDemand(
                                        new Model(ModelPreset.GPT_7B, null, null),
                                        split,
                                        1,
                                        1,
                                        Rates.JOINT,
                                        "0",
                                        null,
                                        null,
                                        null,
                                        null),
                                null))
                .recorded(allocation)
                .facts());
    }

    private static GroupAllocation group(int index, Integer... positions) {
        return new GroupAllocation(index, names(List.of(positions)), List.of(positions));
    }

    private static List<String> names(List<Integer> positions) {
        return IntStream.range(0, positions.size())
                .mapToObj(member -> "n" + positions.get(member))
                .toList();
    }
}
