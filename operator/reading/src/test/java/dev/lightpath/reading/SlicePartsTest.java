package dev.lightpath.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.planner.world.Allocation;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SlicePartsTest {
    private static final String NAME = "llm-ring-a-1-abcde";

    private static Allocation allocation(int nodes, int perGroup, String prefix) {
        List<Allocation.Group> groups = new ArrayList<>();
        for (int first = 0; first < nodes; first += perGroup) {
            List<Allocation.Member> members = new ArrayList<>();
            for (int node = first; node < first + perGroup; node++) {
                members.add(new Allocation.Member(prefix + node, node));
            }
            groups.add(new Allocation.Group(members));
        }
        return new Allocation(7, groups, new TreeSet<>());
    }

    private static FabricSlice slice(String name, dev.lightpath.crds.slice.@Nullable Allocation record) {
        FabricSlice slice = new FabricSlice();
        slice.setMetadata(
                new ObjectMetaBuilder().withNamespace("team").withName(name).build());
        slice.setStatus(new FabricSliceStatus(null, List.of(), record, null));
        return slice;
    }

    private static Map<String, FabricSlice> kept(List<dev.lightpath.crds.slice.Allocation> records) {
        Map<String, FabricSlice> slices = new HashMap<>();
        for (int part = 0; part < records.size(); part++) {
            String name = part == 0 ? NAME : SliceParts.name(NAME, 7, part);
            slices.put(name, slice(name, records.get(part)));
        }
        return slices;
    }

    private static void survives(Allocation allocation, int parts) {
        List<dev.lightpath.crds.slice.Allocation> records = SliceParts.split(AllocationCodec.write(allocation));
        assertThat(records).hasSize(parts);
        assertThat(records)
                .allSatisfy(record -> assertThat(Serialization.asJson(record).getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan(SliceParts.MOST_BYTES));
        Map<String, FabricSlice> slices = kept(records);
        FabricSlice first = slices.get(NAME);
        assertThat(AllocationCodec.read(SliceParts.joined(first, slices::get))).isEqualTo(allocation);
    }

    @Test
    void tenThousandNodesFitIntoOneSlice() {
        survives(allocation(10_000, 4, "node-"), 1);
    }

    @Test
    void moreGpusThanOneSliceHoldsAreSplit() {
        survives(allocation(32_768, 4, "node-"), 3);
    }

    @Test
    void longNamesAreSplitEarlier() {
        survives(allocation(10_000, 4, "gpu-worker.pod-17.row-b.hall-2.cluster-seven.example.internal-"), 2);
    }

    @Test
    void aGroupGoesOnInTheNextPart() {
        survives(allocation(60_000, 60_000, "node-"), 2);
    }

    @Test
    void releasedNodesAreSplitToo() {
        TreeSet<String> releasing = new TreeSet<>();
        for (int node = 0; node < 50_000; node++) {
            releasing.add("node-" + node);
        }
        survives(new Allocation(7, List.of(), releasing), 2);
    }

    /** The record as it is written, whatever is in it. */
    @Test
    void anyRecordThatIsSplitIsJoinedAsItWas() {
        for (long seed = 1; seed <= 25; seed++) {
            Random random = new Random(seed);
            dev.lightpath.crds.slice.Allocation nodes =
                    AllocationCodec.write(allocation(4 * random.nextInt(4000), 4, "node-"));
            List<String> leaving = IntStream.range(0, random.nextInt(20_000))
                    .mapToObj(node -> "gone-" + node)
                    .toList();
            List<SwitchCircuits> dark = switches(random);
            dev.lightpath.crds.slice.Allocation whole = new dev.lightpath.crds.slice.Allocation(
                    nodes.format(),
                    nodes.revision(),
                    null,
                    nodes.groups(),
                    switches(random),
                    leaving.isEmpty() && dark.isEmpty() ? null : new Releasing(leaving, dark),
                    nodes.origin(),
                    nodes.chosen());
            List<dev.lightpath.crds.slice.Allocation> records = SliceParts.split(whole);
            assertThat(records)
                    .as("seed " + seed)
                    .allSatisfy(
                            record -> assertThat(Serialization.asJson(record).getBytes(StandardCharsets.UTF_8).length)
                                    .isLessThanOrEqualTo(SliceParts.MOST_BYTES));
            Map<String, FabricSlice> slices = kept(records);
            assertThat(SliceParts.joined(slices.get(NAME), slices::get))
                    .as("seed " + seed)
                    .isEqualTo(whole);
        }
    }

    private static List<SwitchCircuits> switches(Random random) {
        List<SwitchCircuits> switches = new ArrayList<>();
        for (int of = 0; of < random.nextInt(40); of++) {
            switches.add(new SwitchCircuits(
                    "ocs-" + of,
                    IntStream.range(0, 1 + random.nextInt(8000))
                            .mapToObj(circuit -> circuit + "-" + (circuit + 1))
                            .toList()));
        }
        return switches;
    }

    @Test
    void aMissingPartIsNamed() {
        List<dev.lightpath.crds.slice.Allocation> records =
                SliceParts.split(AllocationCodec.write(allocation(32_768, 4, "node-")));
        Map<String, FabricSlice> slices = kept(records);
        String lost = SliceParts.name(NAME, 7, 2);
        slices.remove(lost);
        FabricSlice first = slices.get(NAME);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SliceParts.joined(first, slices::get))
                .withMessageContaining(lost);
    }

    private static FabricSlice part(int part, String owner) {
        FabricSlice slice = slice(SliceParts.name(NAME, 7, part), null);
        slice.getMetadata()
                .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                        .withKind(FabricSlice.KIND)
                        .withName(NAME)
                        .withUid(owner)
                        .build()));
        return slice;
    }

    private static FabricSlice first(String uid, dev.lightpath.crds.slice.@Nullable Allocation record) {
        FabricSlice slice = slice(NAME, record);
        slice.getMetadata().setUid(uid);
        return slice;
    }

    private static boolean isLeft(FabricSlice part, @Nullable FabricSlice first) {
        return SliceParts.isLeft(part, name -> NAME.equals(name) ? first : null);
    }

    @Test
    void aPartIsLeftOnceItsSliceIsGone() {
        FabricSlice part = part(1, "before");
        assertThat(isLeft(part, null)).isTrue();
        assertThat(isLeft(part, first("before", null))).isFalse();
        assertThat(isLeft(part, first("after", null))).isTrue();
    }

    @Test
    void aPartThatALaterSliceNamesIsNotLeft() {
        FabricSlice after = first(
                "after",
                SliceParts.split(AllocationCodec.write(allocation(32_768, 4, "node-")))
                        .getFirst());
        assertThat(SliceParts.names(after)).containsExactly(SliceParts.name(NAME, 7, 1), SliceParts.name(NAME, 7, 2));
        assertThat(isLeft(part(2, "before"), after)).isFalse();
        assertThat(isLeft(part(3, "before"), after)).isTrue();
    }

    @Test
    void aPartWithoutAnOwnerIsNotJudged() {
        FabricSlice part = part(1, "before");
        part.getMetadata().setOwnerReferences(List.of());
        assertThat(isLeft(part, null)).isFalse();
    }

    @Test
    void namesOfPartsAreLabelsAndToldApart() {
        String name = SliceParts.name("a".repeat(63), 123_456, 63);
        assertThat(name).hasSizeLessThanOrEqualTo(63).endsWith("-123456-63");
        assertThat(SliceParts.name("a".repeat(62) + "b", 123_456, 63)).isNotEqualTo(name);
    }
}
