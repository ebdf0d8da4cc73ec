package dev.lightpath.reading;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.Announcement.Move;
import dev.lightpath.planner.world.Origin;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class AllocationCodecTest {
    private static Allocation.Group group(Object... nodesAndPositions) {
        var members = new java.util.ArrayList<Allocation.Member>();
        for (int i = 0; i < nodesAndPositions.length; i += 2) {
            members.add(new Allocation.Member((String) nodesAndPositions[i], (Integer) nodesAndPositions[i + 1]));
        }
        return new Allocation.Group(members);
    }

    @Test
    void readsBackWhatItWrote() {
        var allocation = new Allocation(
                3,
                List.of(group("n7", 7, "n8", 8, "n0", 0), group("n3", 3, "n3", 3)),
                new TreeSet<>(List.of("n5", "n6")));

        assertThat(AllocationCodec.read(AllocationCodec.write(allocation))).isEqualTo(allocation);
    }

    @Test
    void readsBackCircuitsOfSwitchesWhateverTheirPortsAreCalled() {
        SwitchedLight lit = new SwitchedLight.Builder()
                .add("ocs-1", new Circuit("1", "177"))
                .add("ocs-2", new Circuit("port-1", "port-2"))
                .build();
        SwitchedLight dark = new SwitchedLight.Builder()
                .add("ocs-1", new Circuit("1", "178"))
                .build();
        var allocation = new Allocation(2, List.of(), new TreeSet<>(), Optional.empty(), lit, dark);

        assertThat(AllocationCodec.write(allocation).circuits().getFirst().circuits())
                .containsExactly("1-177");
        assertThat(AllocationCodec.read(AllocationCodec.write(allocation))).isEqualTo(allocation);
    }

    @Test
    void readsBackAnAllocationThatGaveUpEverything() {
        var allocation = new Allocation(9, List.of(), new TreeSet<>());

        assertThat(AllocationCodec.read(AllocationCodec.write(allocation))).isEqualTo(allocation);
    }

    @Test
    void readsBackWhatWasAnnounced() {
        Instant at = Instant.parse("2026-01-01T00:00:00.123Z");
        var allocation = new Allocation(
                9,
                List.of(group("n1", "n2"), group("n3", "n4")),
                new TreeSet<>(),
                Optional.empty(),
                light("1-2", "3-4"),
                SwitchedLight.none());
        Move move = new Move(
                List.of(group("n1", "n2"), group("n3", "n5")),
                light("3-4", "5-6"),
                Optional.of(new Origin(Origin.Planner.LINK_REPAIR, 1, "a switch is drained")),
                Optional.empty(),
                Optional.of("5a1e0f9e-0000-4000-8000-000000000001"));
        Announcement open = new Announcement(10, at, at.plusSeconds(300), move);
        for (Announcement.Kind kind : Announcement.Kind.values()) {
            var answered = allocation.announced(open.answered(new Announcement.Answer(kind, at.plusSeconds(7))));
            assertThat(AllocationCodec.read(AllocationCodec.write(answered))).isEqualTo(answered);
        }
        var asked = allocation.announced(open);
        assertThat(AllocationCodec.read(AllocationCodec.write(asked))).isEqualTo(asked);
        var unreadable = new dev.lightpath.crds.slice.Allocation(
                1,
                9,
                null,
                List.of(),
                List.of(),
                null,
                null,
                null,
                new dev.lightpath.crds.slice.Announcement(10, "soon", "later", null, null, null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllocationCodec.read(unreadable))
                .withMessage("allocation.announcement.at is 'soon'; write a time as RFC 3339");
    }

    private static Allocation.Group group(String... nodes) {
        return new Allocation.Group(
                Stream.of(nodes).map(node -> new Allocation.Member(node, 0)).toList());
    }

    private static SwitchedLight light(String... circuits) {
        SwitchedLight.Builder light = new SwitchedLight.Builder();
        for (String circuit : circuits) {
            light.add("ocs-1", new Circuit(circuit.substring(0, 1), circuit.substring(2)));
        }
        return light.build();
    }

    @Test
    void readsWhatAnEarlierVersionAnnounced() {
        for (String answer : List.of("", ",\"answer\":\"Agreed\",\"answeredAt\":\"2026-01-01T00:01:00Z\"")) {
            var record = Serialization.unmarshal(
                    "{\"format\":1,\"revision\":9,\"announcement\":{\"at\":\"2026-01-01T00:00:00Z\","
                            + "\"until\":\"2026-01-01T00:05:00Z\"" + answer + "}}",
                    dev.lightpath.crds.slice.Allocation.class);
            assertThat(requireNonNull(record.announcement()).open()).isFalse();
            var read = AllocationCodec.read(record);
            assertThat(read.awaitsAnswer()).isFalse();
            assertThat(read.announcement().flatMap(Announcement::answer).map(Announcement.Answer::kind))
                    .contains(answer.isEmpty() ? Announcement.Kind.NOT_NEEDED : Announcement.Kind.AGREED);
            assertThat(requireNonNull(AllocationCodec.write(read).announcement())
                            .revision())
                    .isEqualTo(9);
        }
    }

    @Test
    void readsGroupsInOrderOfTheirIndexes() {
        var record = new dev.lightpath.crds.slice.Allocation(
                1,
                1,
                null,
                List.of(
                        new GroupAllocation(1, List.of("b"), List.of(1)),
                        new GroupAllocation(0, List.of("a"), List.of(0))),
                List.of(),
                null);

        assertThat(AllocationCodec.read(record).groups()).containsExactly(group("a", 0), group("b", 1));
    }

    /** One kept record for each format this version has to read: the current and, once there is one, the one before. */
    @Test
    void readsARecordKeptFromEachFormat() throws IOException {
        for (int format = Math.max(1, dev.lightpath.crds.slice.Allocation.CURRENT_FORMAT - 1);
                format <= dev.lightpath.crds.slice.Allocation.CURRENT_FORMAT;
                format++) {
            try (InputStream kept = getClass().getResourceAsStream("/ledger/format-" + format + ".yaml")) {
                var record = Serialization.unmarshal(kept, dev.lightpath.crds.slice.Allocation.class);

                assertThat(AllocationCodec.read(record))
                        .isEqualTo(new Allocation(
                                4,
                                List.of(group("n7", 7, "n8", 8, "n0", 0), group("n3", 3), group("n3", 3)),
                                new TreeSet<>(List.of("n5", "n6"))));
            }
        }
    }

    @Test
    void refusesANewerFormat() {
        var record = new dev.lightpath.crds.slice.Allocation(2, 1, null, List.of(), List.of(), null);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllocationCodec.read(record))
                .withMessageContaining("allocation.format 2 is not known; this version reads 1");
    }

    @Test
    void refusesAGroupThatLacksPositions() {
        var record = new dev.lightpath.crds.slice.Allocation(
                1,
                1,
                null,
                List.of(new GroupAllocation(0, List.of("a", "b"), List.of(0))),
                List.of(),
                new Releasing(List.of(), List.of()));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllocationCodec.read(record))
                .withMessageContaining("allocation.groups[0] has 1 positions for 2 nodes");
    }
}
