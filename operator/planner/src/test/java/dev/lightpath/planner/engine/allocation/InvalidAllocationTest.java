package dev.lightpath.planner.engine.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.ToyRing;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Records that the fabric, as somebody describes it now, cannot carry. */
class InvalidAllocationTest {
    private static ToyRing shrunk() {
        ToyRing ring = new ToyRing(RingFabric.of(RingShape.RING, 12, 3, 4));
        // still lit by the fabric of 16 positions that it was
        ring.bundles.put("n14", ring.bundles.get("n10").clone());
        ring.bundles.put("n15", ring.bundles.get("n10").clone());
        return ring;
    }

    @Test
    void aRecordBeyondTheFabricHasAVerdictAndTheOthersAreServed() {
        ToyRing ring = shrunk();
        SliceId outside = ring.sits("outside", new int[] {11, 14});
        SliceId other = ring.wish("other", 2, 8);
        Deliberation rest = ring.settle();
        assertThat(rest.slices().get(outside).placement())
                .isInstanceOfSatisfying(Placement.Unplaced.class, unplaced -> {
                    assertThat(unplaced.reason()).isEqualTo(Reason.INVALID_WIRING);
                    assertThat(unplaced.message()).contains("team/outside", "n14", "position 14", "0 to 11");
                });
        assertThat(rest.slices().get(other).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.fabrics().get("ring-a").invalidWiring().orElseThrow()).contains("team/outside", "position 14");
        assertThat(ring.groups(other).toString()).doesNotContain("n11");
    }

    @Test
    void lightOfARecordThatDoesNotFitIsLeftAlone() {
        ToyRing wide = ToyRing.of(16, 3);
        SliceId job = wide.wish("job", 1, 64);
        wide.settle();
        ToyRing ring = shrunk();
        ring.bundles.putAll(wide.bundles);
        ring.slices.putAll(wide.slices);
        ring.ledger.putAll(wide.ledger);
        TreeSet<String> lit = new TreeSet<>(wide.litNodes());
        ring.settle();
        assertThat(lit).hasSize(16);
        assertThat(ring.litNodes()).isEqualTo(lit);
        ring.unwish(job);
        assertThat(ring.settle().slices().get(job).placement()).isInstanceOf(Placement.Releasing.class);
        assertThat(ring.litNodes()).isEqualTo(lit);
    }

    @Test
    void aHopBeyondReachNamesBothPositions() {
        ToyRing ring = ToyRing.of(16, 2);
        SliceId job = ring.sits("job", new int[] {2, 5});
        assertThat(ring.settle().slices().get(job).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message())
                                .contains("no fibre leads from position 2 to position 5, reach is 2"));
    }

    @Test
    void ofTwoSlicesOnOneNodeTheEarlierKeepsIt() {
        ToyRing ring = ToyRing.of(16, 3);
        SliceId first = ring.sits("first", new int[] {2, 3});
        SliceId second = ring.sits("second", new int[] {3, 4});
        Deliberation rest = ring.settle();
        assertThat(rest.slices().get(first).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(second).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message()).contains("team/second", "n3", "team/first"));
        assertThat(ring.litNodes()).containsExactlyInAnyOrder("n2", "n3");
    }

    @Test
    void randomRecordsOnRandomFabricsAlwaysGetAVerdict() {
        for (long seed = 1; seed <= Seeds.of(3000); seed++) {
            Random random = new Random(seed);
            int reach = 2 + random.nextInt(3);
            int positions = 2 * reach + random.nextInt(12);
            RingShape shape = random.nextBoolean() ? RingShape.RING : RingShape.LINE;
            ToyRing ring = new ToyRing(RingFabric.of(shape, positions, reach, reach + random.nextInt(4)));
            int slices = 1 + random.nextInt(4);
            for (int slice = 0; slice < slices; slice++) {
                record(ring, random, slice);
            }
            String world = "seed " + seed;
            try {
                for (int pass = 0; pass < 4; pass++) {
                    assertThat(ring.step().slices().keySet()).as(world).isEqualTo(ring.slices.keySet());
                }
            } catch (RuntimeException e) {
                throw new AssertionError(world, e);
            }
        }
    }

    private static void record(ToyRing ring, Random random, int number) {
        int groups = 1 + random.nextInt(3);
        int gpus = 1 + random.nextInt(12);
        SliceId id = ring.wish(
                "s" + number,
                groups,
                gpus,
                new Workload.LightOnly(),
                new Replacement.Immediately(),
                random.nextInt(5) > 0);
        if (random.nextInt(6) == 0) {
            return;
        }
        List<Allocation.Group> recorded = new ArrayList<>();
        for (int group = random.nextInt(5) == 0 ? 1 : 0; group < groups; group++) {
            List<Allocation.Member> members = new ArrayList<>();
            int size = random.nextInt(3) == 0 ? random.nextInt(4) : Math.max(1, gpus / ring.ring.gpusPerNode());
            int at = random.nextInt(ring.ring.positions() + 3);
            for (int member = 0; member < size; member++) {
                members.add(new Allocation.Member("n" + (random.nextInt(9) == 0 ? 0 : at), at));
                at += random.nextInt(ring.ring.reach() + 1) + (random.nextInt(4) == 0 ? 1 : 0);
                at = random.nextInt(3) == 0 ? at : at % ring.ring.positions();
            }
            recorded.add(new Allocation.Group(members));
        }
        TreeSet<String> releasing = new TreeSet<>();
        if (random.nextInt(3) == 0) {
            releasing.add("n" + random.nextInt(ring.ring.positions() + 3));
        }
        ring.ledger.put(
                id,
                new LedgerEntry(Optional.of(new Allocation(1 + random.nextInt(3), recorded, releasing)), "r" + number));
        if (random.nextInt(8) == 0) {
            SliceIntent was = ring.slices.get(id);
            ring.amend(id, was.wanted(), was.workload(), random.nextBoolean());
        }
    }
}
