package dev.lightpath.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lightpath.crds.slice.AnnouncedMove;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.Origin;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
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

    private static Map<String, FabricSlice> kept(List<SliceParts.Part> parts) {
        Map<String, FabricSlice> slices = new HashMap<>();
        for (SliceParts.Part part : parts) {
            String name = part.name(NAME);
            slices.put(name, slice(name, part.record()));
        }
        return slices;
    }

    private static int bytes(dev.lightpath.crds.slice.Allocation record) {
        return Serialization.asJson(record).getBytes(StandardCharsets.UTF_8).length;
    }

    private static void survives(Allocation allocation, int parts) {
        List<SliceParts.Part> records = SliceParts.split(AllocationCodec.write(allocation));
        assertThat(records).hasSize(parts);
        assertThat(records).allSatisfy(part -> assertThat(bytes(part.record())).isLessThan(SliceParts.MOST_BYTES));
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

    /** A record with every group to move to other nodes. */
    private static Allocation announced(Allocation before, String prefix) {
        List<Allocation.Group> groups = before.groups().stream()
                .map(group -> new Allocation.Group(group.members().stream()
                        .map(member -> new Allocation.Member(prefix + member.position(), member.position()))
                        .toList()))
                .toList();
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        return before.announced(new Announcement(
                before.nextRevision(),
                at,
                at.plusSeconds(300),
                new Announcement.Move(
                        groups,
                        before.circuits(),
                        Optional.of(new Origin(Origin.Planner.COMPACTION, 8, "makes room")),
                        Optional.empty(),
                        Optional.of("uid"))));
    }

    @Test
    void aMoveOfAThousandNodesIsAnnouncedInTheSliceItself() {
        survives(
                announced(allocation(1024, 4, "gpu-worker.pod-17.row-b.hall-2.cluster-seven.example.internal-"), "n"),
                1);
    }

    @Test
    void aLargerMoveHasPartsOfItsOwn() {
        survives(announced(allocation(10_000, 4, "node-"), "next-"), 2);
        survives(announced(allocation(32_768, 4, "node-"), "next-"), 6);
    }

    @Test
    void whatIsAnnouncedLeavesThePartsOfTheRecordAsTheyAre() {
        Allocation before = allocation(32_768, 4, "node-");
        Map<String, FabricSlice> plain = kept(SliceParts.split(AllocationCodec.write(before)));
        Map<String, FabricSlice> asked = kept(SliceParts.split(AllocationCodec.write(announced(before, "next-"))));
        assertThat(asked)
                .containsAllEntriesOf(plain.entrySet().stream()
                        .filter(part -> !part.getKey().equals(NAME))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        // a crash before part 0 is written leaves the record without an announcement
        asked.put(NAME, plain.get(NAME));
        assertThat(AllocationCodec.read(SliceParts.joined(plain.get(NAME), asked::get)))
                .isEqualTo(before);
    }

    @Test
    void allPartsOfAMoveAreNamed() {
        List<SliceParts.Part> parts =
                SliceParts.split(AllocationCodec.write(announced(allocation(32_768, 4, "node-"), "next-")));
        Map<String, FabricSlice> slices = kept(parts);
        assertThat(SliceParts.names(slices.get(NAME)))
                .containsExactly(
                        parts.stream().skip(1).map(part -> part.name(NAME)).toArray(String[]::new))
                .contains(SliceParts.name(NAME, 8, 63), SliceParts.name(NAME, 8, 61));
        String lost = SliceParts.name(NAME, 8, 62);
        slices.remove(lost);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SliceParts.joined(slices.get(NAME), slices::get))
                .withMessageContaining(lost);
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
                    nodes.chosen(),
                    seed % 2 == 0 ? null : announcement(random));
            List<SliceParts.Part> records = SliceParts.split(whole);
            assertThat(records)
                    .as("seed " + seed)
                    .allSatisfy(part -> assertThat(bytes(part.record())).isLessThanOrEqualTo(SliceParts.MOST_BYTES));
            Map<String, FabricSlice> slices = kept(records);
            assertThat(SliceParts.joined(slices.get(NAME), slices::get))
                    .as("seed " + seed)
                    .isEqualTo(whole);
        }
    }

    private static dev.lightpath.crds.slice.Announcement announcement(Random random) {
        return new dev.lightpath.crds.slice.Announcement(
                8,
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:05:00Z",
                null,
                null,
                new AnnouncedMove(
                        AllocationCodec.write(allocation(4 * random.nextInt(6000), 4, "next-"))
                                .groups(),
                        switches(random),
                        switches(random),
                        null,
                        null,
                        "uid",
                        null));
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
        List<SliceParts.Part> records = SliceParts.split(AllocationCodec.write(allocation(32_768, 4, "node-")));
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
                        .getFirst()
                        .record());
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
