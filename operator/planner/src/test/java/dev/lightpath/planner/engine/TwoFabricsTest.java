package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.Batch;
import dev.lightpath.planner.delta.Parallelism;
import dev.lightpath.planner.engine.SliceVerdict.Placement;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A ring of nodes with four GPUs, in pods of four nodes on six switches. */
class TwoFabricsTest {
    private final ToyRing ring = ToyRing.of(24, 3);
    private final ToyOcs ocs = ToyOcs.logical(6, 0, 6, DeviceKind.TWO_SIDED, 1);

    private void wire() {
        ocs.beside = Optional.of(ring);
        ocs.pods.clear();
        for (int pod = 0; pod < 6; pod++) {
            SortedMap<String, List<Signal>> nodes = new TreeMap<>();
            for (int node = 0; node < 4; node++) {
                nodes.put("n" + (4 * pod + node), List.of());
            }
            ocs.pods.add(new OcsPod(ToyOcs.pod(pod), pod, 16, 6, nodes, true));
        }
    }

    /** Two replicas of two stages of eight GPUs: groups of two nodes, one stage a pod. */
    private SliceId wish(String name, int stagesPerPod) {
        Demand.Traffic traffic = Gpt7b.traffic(Parallelism.ofDegrees(8, 2, 2, 1, 1), new Batch(8, 1, 4096, true), stagesPerPod);
        SliceId spine = ocs.wishTraffic(name, traffic, 0, true, new Workload.LightOnly());
        SliceId id = new SliceId("team", name + "-ring");
        SliceIntent other = ocs.slices.get(spine);
        ring.slices.put(
                id,
                new SliceIntent(
                        id,
                        other.job(),
                        1,
                        "ring-a",
                        new Demand.ScaleUp(4, 8),
                        0,
                        other.createdAt(),
                        true,
                        new Workload.LightOnly(),
                        new Replacement.Immediately(),
                        true,
                        Reconfiguration.LIVE,
                        false,
                        Optional.empty(),
                        false));
        ring.ledger.putIfAbsent(id, new LedgerEntry(Optional.empty(), "r-" + name));
        return id;
    }

    @Test
    void groupsOfAStageSitInThePodOfTheStage() {
        wire();
        SliceId job = wish("llm", 1);
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        SliceId spine = new SliceId("team", "llm");
        assertThat(rest.slices().get(spine).light().qualified()).isTrue();
        List<Integer> pods = ocs.ledger.get(spine).allocation().orElseThrow().groups().stream()
                .map(group -> group.members().getFirst().position())
                .toList();
        List<List<Integer>> groups = ring.positions(job);
        for (int group = 0; group < groups.size(); group++) {
            int pod = pods.get(group);
            assertThat(groups.get(group))
                    .allSatisfy(position -> assertThat(position / 4).isEqualTo(pod));
        }
    }

    @Test
    void theRingWaitsForTheWishOfPods() {
        placesBothHalvesOrNone(true);
    }

    @Test
    void thePodsWaitForTheWishOfGroups() {
        placesBothHalvesOrNone(false);
    }

    /** The slices of a job are written one after the other, and the loop may look in between. */
    private void placesBothHalvesOrNone(boolean ringFirst) {
        wire();
        SliceId job = wish("llm", 1);
        SliceId spine = new SliceId("team", "llm");
        ring.slices.computeIfPresent(job, (id, slice) -> beside(slice, "spine"));
        ocs.slices.computeIfPresent(spine, (id, slice) -> beside(slice, "ring-a"));
        SliceIntent late = ringFirst ? ocs.slices.remove(spine) : ring.slices.remove(job);
        Deliberation half = ocs.settle();
        assertThat(half.slices().get(ringFirst ? job : spine).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.reason()).isEqualTo("AwaitingPods"));
        (ringFirst ? ocs.slices : ring.slices).put(late.id(), late);
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        List<Integer> pods = ocs.ledger.get(spine).allocation().orElseThrow().groups().stream()
                .map(group -> group.members().getFirst().position())
                .toList();
        for (int group = 0; group < pods.size(); group++) {
            int pod = pods.get(group);
            assertThat(ring.positions(job).get(group))
                    .allSatisfy(position -> assertThat(position / 4).isEqualTo(pod));
        }
    }

    /** Its other fabric is described so that nobody can serve it: the world has none of that name. */
    @Test
    void groupsOfAJobWhoseOtherFabricIsRefusedWait() {
        wire();
        SliceId job = wish("llm", 1);
        ring.slices.computeIfPresent(job, (id, slice) -> beside(slice, "spine"));
        SliceId spine = new SliceId("team", "llm");
        ring.slices.put(spine, ocs.slices.get(spine));
        ring.ledger.put(spine, new LedgerEntry(Optional.empty(), "s"));
        Deliberation rest = ring.settle();
        assertThat(rest.slices().get(job).placement())
                .isEqualTo(new Placement.Unplaced("AwaitingPods", "waits for its slice on fabric spine"));
        assertThat(rest.decision()).isInstanceOf(Decision.Rest.class);
        assertThat(ring.litNodes()).isEmpty();
    }

    @Test
    void aJobWhosePodsHaveNoSpareForItsGroupsAsksForOtherPods() {
        wire();
        SliceId job = wish("llm", 2);
        ocs.settle();
        SliceId spine = new SliceId("team", "llm");
        int pod = ocs.ledger
                .get(spine)
                .allocation()
                .orElseThrow()
                .groups()
                .getFirst()
                .members()
                .getFirst()
                .position();
        assertThat(ring.positions(job).getFirst())
                .allSatisfy(position -> assertThat(position / 4).isEqualTo(pod));
        for (int position = 4 * pod; position < 4 * pod + 3; position++) {
            ring.notReady.add("n" + position);
        }
        Deliberation rest = ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(rest.slices().get(job).placement())
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.degraded()).isTrue());
        assertThat(rest.slices().get(spine).placement())
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.relocatable()).isTrue());
    }

    private static SliceIntent beside(SliceIntent slice, String fabric) {
        return new SliceIntent(
                slice.id(),
                slice.job(),
                slice.attempt(),
                slice.fabric(),
                slice.demand(),
                slice.priority(),
                slice.createdAt(),
                slice.wanted(),
                slice.workload(),
                slice.replacement(),
                slice.relocatable(),
                slice.reconfiguration(),
                slice.renewed(),
                slice.inherited(),
                slice.forced(),
                Optional.of(fabric));
    }

    @Test
    void jobsOfTheRingAloneKeepOutOfTheWay() {
        wire();
        SliceId alone = ring.wish("alone", 4, 8);
        SliceId job = wish("llm", 1);
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(alone).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ring.positions(alone).stream().flatMap(List::stream))
                .doesNotContainAnyElementsOf(
                        ring.positions(job).stream().flatMap(List::stream).toList());
    }

    @Test
    void aFailedNodeIsReplacedWithinThePodOfItsStage() {
        wire();
        SliceId job = wish("llm", 1);
        ocs.settle();
        int failed = ring.positions(job).get(1).getFirst();
        ring.notReady.add("n" + failed);
        ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(ring.positions(job).get(1))
                .doesNotContain(failed)
                .allSatisfy(position -> assertThat(position / 4).isEqualTo(failed / 4));
    }

    @Test
    void whereThePodHasNoSpareTheJobSaysSo() {
        wire();
        SliceId job = wish("llm", 2);
        ocs.settle();
        int failed = ring.positions(job).getFirst().getFirst();
        ring.notReady.add("n" + failed);
        Deliberation rest = ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Faulted.class);
        assertThat(((Placement.Faulted) rest.slices().get(job).placement()).waitsFor())
                .contains("in the pod of its stage");
    }
}
