package dev.lightpath.planner.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.Policies;
import dev.lightpath.planner.engine.ToyOcs;
import dev.lightpath.planner.engine.ToyRing;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.ForeignRule;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Records that were lost while the light that they asked for burns on. */
class AllocationRecoveryTest {
    private static void lose(ToyRing ring, SliceId slice) {
        ring.ledger.put(slice, LedgerEntry.missing("restored"));
        ring.decisions.clear();
    }

    private static boolean movedLight(ToyRing ring) {
        return ring.decisions.stream().anyMatch(Decision.Apply.class::isInstance);
    }

    private static Workload.Pods pods(ToyRing ring, SliceId slice) {
        SortedMap<Integer, String> ranks = new TreeMap<>();
        ring.groups(slice).forEach(group -> group.forEach(node -> ranks.putIfAbsent(ranks.size(), node)));
        return new Workload.Pods(new TreeSet<>(ranks.values()), false, ranks);
    }

    private static FabricPolicy adopting(
            FabricPolicy was, FabricPolicy.Adoption adoption, FabricPolicy.ForeignCircuits foreign) {
        return Policies.foreign(was, foreign, Optional.of(adoption));
    }

    @Test
    void theOnlySliceThatFitsTheLightGetsItsRecordBackAndNoLightMoves() {
        ToyRing ring = ToyRing.of(32, 3);
        SliceId job = ring.wish("job", 3, 16);
        ring.settle();
        List<List<Integer>> before = ring.positions(job);
        lose(ring, job);
        Deliberation rest = ring.settle();
        assertThat(ring.positions(job)).isEqualTo(before);
        assertThat(movedLight(ring)).isFalse();
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(rest.fabrics().get("ring-a").foreign()).isEmpty();
        assertThat(rest.fabrics().get("ring-a").awaitingAdoption()).isFalse();
        assertThat(ring.ledger
                        .get(job)
                        .allocation()
                        .orElseThrow()
                        .origin()
                        .orElseThrow()
                        .planner())
                .isEqualTo(Origin.Planner.INHERITANCE);
    }

    @Test
    void neitherResetNorRemovalOfForeignLightTakesDownWhatASliceExplains() {
        ToyRing ring = ToyRing.of(32, 3);
        SliceId job = ring.wish("job", 2, 16);
        ring.settle();
        ring.policy = adopting(ring.policy, FabricPolicy.Adoption.RESET, FabricPolicy.ForeignCircuits.REMOVE);
        lose(ring, job);
        ring.settle();
        assertThat(movedLight(ring)).isFalse();
        assertThat(ring.ledger.get(job).allocation()).isPresent();
    }

    @Test
    void lightIsNotRemovedWhileItIsInDoubtWhoseItIs() {
        ToyRing ring = ToyRing.of(48, 3);
        SliceId first = ring.wish("first", 2, 16);
        SliceId second = ring.wish("second", 2, 16);
        ring.settle();
        ring.policy = removing(ring.policy);
        // one slice's light is gone, so nobody can tell whose the other's is
        ring.groups(second)
                .forEach(group ->
                        group.forEach(node -> java.util.Arrays.fill(ring.bundles.get(node), BundleState.LOOPBACK)));
        lose(ring, first);
        lose(ring, second);
        Deliberation rest = ring.settle();
        assertThat(movedLight(ring)).isFalse();
        assertThat(rest.slices().get(first).placement()).isInstanceOf(Placement.Unplaced.class);
    }

    @Test
    void circuitsUnderPodsThatRunWithoutARecordAreNotRemoved() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, dev.lightpath.planner.stripe.DeviceKind.TWO_SIDED, 2);
        Workload running = new Workload.Pods(new TreeSet<>(List.of("node-0-0")), false);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo(), 0, true, running);
        ocs.settle();
        ocs.policy = removing(ocs.policy);
        // nothing is planned beside it meanwhile
        ocs.answering = false;
        ocs.answers.clear();
        var before = ocs.light();
        ocs.ledger.put(job, new LedgerEntry(Optional.empty(), "restored"));
        ocs.settle();
        assertThat(ocs.light()).isEqualTo(before);
        ocs.forget(job);
        ocs.settle();
        assertThat(ocs.light().isEmpty()).isTrue();
    }

    @Test
    void whoFindsNoRoomBesideForeignLightReadsWhatRemovesIt() {
        ToyRing ring = ToyRing.of(8, 2);
        ring.policy = removing(ring.policy);
        for (int position = 0; position < 8; position += 2) {
            ring.bundles.get("n" + position)[1] = BundleState.PATH_1;
        }
        SliceId job = ring.wish("job", 2, 16);
        Deliberation rest = ring.settle();
        assertThat(rest.fabrics().get("ring-a").foreignStays())
                .hasValueSatisfying(why -> assertThat(why).contains(job.toString(), "set spec.adopt to Reset"));
        assertThat(rest.slices().get(job).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        none -> assertThat(none.message())
                                .endsWith(
                                        "; 4 circuits that nobody planned, on nodes n0, n2, n4, n6, may be in its way: set"
                                                + " spec.adopt of the fabric to Reset to have them removed")
                                .hasLineCount(1));
        ring.policy = Policies.afterFirstContact(
                adopting(ring.policy, FabricPolicy.Adoption.RESET, FabricPolicy.ForeignCircuits.REMOVE));
        rest = ring.settle();
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(rest.fabrics().get("ring-a").foreignStays()).isEmpty();
    }

    @Test
    void whoFindsNoPortsBesideForeignCircuitsReadsWhatRemovesThem() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, dev.lightpath.planner.stripe.DeviceKind.TWO_SIDED, 2);
        ocs.policy = Policies.afterFirstContact(ocs.policy);
        ocs.world()
                .ocsFabrics()
                .get("spine")
                .switches()
                .values()
                .forEach(of -> of.wiring()
                        .forEach(wire -> ocs.lit
                                .computeIfAbsent(of.name(), none -> new TreeSet<>())
                                .add(new dev.lightpath.planner.light.Circuit(wire.ingress(), wire.egress()))));
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").foreignStays())
                .as("reported and left")
                .isEmpty();
        assertThat(rest.slices().get(job).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        none -> assertThat(none.message())
                                .endsWith(
                                        "set policy.foreignCircuits of the fabric to Remove and its spec.adopt to Reset to"
                                                + " have them removed"));
        ocs.policy = removing(ocs.policy);
        rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").foreignStays())
                .hasValueSatisfying(why -> assertThat(why).contains(job.toString(), "set spec.adopt to Reset"));
        ocs.policy = Policies.afterFirstContact(
                adopting(ocs.policy, FabricPolicy.Adoption.RESET, FabricPolicy.ForeignCircuits.REMOVE));
        rest = ocs.settle();
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void whoLacksNodesIsNotToldToRemoveForeignLight() {
        ToyRing ring = ToyRing.of(8, 2);
        ring.policy = removing(ring.policy);
        ring.bundles.get("n0")[1] = BundleState.PATH_1;
        for (int position = 3; position < 8; position++) {
            ring.busy.add("n" + position);
        }
        SliceId job = ring.wish("job", 2, 16);
        assertThat(ring.settle().slices().get(job).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        none -> assertThat(none.message()).contains("5 busy").doesNotContain("nobody planned"));
    }

    @Test
    void whoLacksGpusInPodsIsNotToldToRemoveForeignLight() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, dev.lightpath.planner.stripe.DeviceKind.TWO_SIDED, 2);
        SliceId first = ocs.wishTraffic("first", ToyOcs.twoByTwo());
        ocs.settle();
        var free = ocs.world().ocsFabrics().get("spine").switches().values().stream()
                .flatMap(of -> of.wiring().stream().map(wire -> Map.entry(of.name(), wire)))
                .filter(each -> ocs.lit.getOrDefault(each.getKey(), new TreeSet<>()).stream()
                        .noneMatch(circuit -> circuit.ingress()
                                        .equals(each.getValue().ingress())
                                || circuit.egress().equals(each.getValue().egress())))
                .findFirst()
                .orElseThrow();
        ocs.lit
                .computeIfAbsent(free.getKey(), none -> new TreeSet<>())
                .add(new dev.lightpath.planner.light.Circuit(
                        free.getValue().ingress(), free.getValue().egress()));
        SliceId second = ocs.wishTraffic("second", ToyOcs.twoByTwo());
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").circuits().foreign()).isEqualTo(1);
        assertThat(rest.slices().get(first).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(second).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        none -> assertThat(none.message()).contains("lack GPUs").doesNotContain("nobody planned"));
    }

    @Test
    void whoResetsAlreadyIsOnlyToldOfTheOtherField() {
        FabricPolicy reset = Policies.afterFirstContact(
                adopting(FabricPolicy.standard(), FabricPolicy.Adoption.RESET, FabricPolicy.ForeignCircuits.REPORT));
        assertThat(new ForeignRule(reset, false, Optional.empty()).advice(1, ""))
                .contains("set policy.foreignCircuits of the fabric to Remove to have them removed");
        FabricPolicy keep = Policies.afterFirstContact(
                adopting(FabricPolicy.standard(), FabricPolicy.Adoption.KEEP, FabricPolicy.ForeignCircuits.REPORT));
        assertThat(new ForeignRule(keep, false, Optional.empty()).advice(1, ""))
                .contains("to Remove and its spec.adopt to Reset to have them removed");
    }

    private static FabricPolicy removing(FabricPolicy was) {
        return Policies.afterFirstContact(Policies.foreign(was, FabricPolicy.ForeignCircuits.REMOVE, Optional.empty()));
    }

    @Test
    void slicesOfTheSameShapeAreToldApartByTheirPods() {
        ToyRing ring = ToyRing.of(48, 3);
        SliceId first = ring.wish("first", 2, 16);
        SliceId second = ring.wish("second", 2, 16);
        ring.settle();
        List<List<Integer>> before = ring.positions(second);
        List<List<Integer>> others = ring.positions(first);
        for (SliceId each : List.of(first, second)) {
            ring.amend(each, true, pods(ring, each), false);
        }
        lose(ring, first);
        lose(ring, second);
        ring.settle();
        assertThat(ring.positions(second)).isEqualTo(before);
        assertThat(ring.positions(first)).isEqualTo(others);
        assertThat(movedLight(ring)).isFalse();
    }

    @Test
    void podsThatSomebodyPinnedDoNotTakeTheLightOfASliceWithoutPods() {
        ToyRing ring = ToyRing.of(48, 3);
        SliceId victim = ring.wish("victim", 2, 16);
        SliceId attacker = ring.wish("attacker", 2, 16);
        ring.settle();
        ring.amend(attacker, true, pods(ring, victim), false);
        lose(ring, victim);
        lose(ring, attacker);
        Deliberation rest = ring.settle();
        assertThat(ring.ledger.get(attacker).allocation()).isEmpty();
        assertThat(movedLight(ring)).isFalse();
        assertThat(rest.slices().get(victim).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.reason()).isEqualTo(Reason.AWAITING_ADOPTION));
    }

    @Test
    void lightThatSomebodyElseMadeIsNotTakenForThatOfALostRecord() {
        ToyRing ring = ToyRing.of(32, 3);
        SliceId job = ring.wish("job", 2, 16);
        ring.settle();
        ring.handLit.addAll(ring.ledger.get(job).allocation().orElseThrow().nodes());
        lose(ring, job);
        assertThat(ring.settle().fabrics().get("ring-a").awaitingAdoption()).isTrue();
        assertThat(ring.ledger.get(job).allocation()).isEmpty();
        assertThat(movedLight(ring)).isFalse();
    }

    @Test
    void groupsOfSingleNodesAreRecognisedByTheRanksOfTheirPods() {
        ToyRing ring = ToyRing.of(16, 3);
        SliceId job = ring.wish("job", 5, 4);
        ring.settle();
        List<List<Integer>> before = ring.positions(job);
        Workload.Pods pods = pods(ring, job);
        SliceId other = ring.wish("other", 1, 8);
        ring.settle();
        ring.amend(job, true, pods, false);
        lose(ring, job);
        ring.settle();
        assertThat(ring.positions(job)).isEqualTo(before);
        assertThat(ring.ledger.get(other).allocation()).isPresent();
    }

    /** A pod is being replaced as the record is lost: a record without its rank would end the others. */
    @Test
    void anElasticJobIsNotRecognisedByFewerPodsThanItHas() {
        ToyRing ring = ToyRing.of(16, 3);
        SliceId job = ring.elastic("job", new Demand.ScaleUp(4, 4, 2, 1));
        ring.settle();
        Workload.Pods all = pods(ring, job);
        SortedMap<Integer, String> seen = all.ranks().headMap(3);
        for (OptionalInt told : List.of(OptionalInt.empty(), OptionalInt.of(4))) {
            lose(ring, job);
            ring.amend(job, true, of(told, seen), false);
            assertThat(ring.settle().slices().get(job).placement())
                    .isInstanceOfSatisfying(
                            Placement.Unplaced.class,
                            unplaced -> assertThat(unplaced.message()).contains("3 of its pods run"));
            assertThat(ring.ledger.get(job).allocation()).isEmpty();
            assertThat(movedLight(ring)).isFalse();
        }
        ring.amend(job, true, of(OptionalInt.of(4), all.ranks()), false);
        ring.settle();
        assertThat(ring.groups(job)).hasSize(4);
    }

    @Test
    void anElasticJobThatSaysThatItHasFewerReplicasIsRecognisedByThose() {
        ToyRing ring = ToyRing.of(16, 3);
        SliceId job = ring.elastic("job", new Demand.ScaleUp(4, 4, 2, 1));
        ring.settle();
        Workload.Pods all = pods(ring, job);
        lose(ring, job);
        ring.amend(job, true, of(OptionalInt.of(3), all.ranks()), false);
        ring.settle();
        assertThat(ring.ledger.get(job).allocation()).as("a pod of rank 3 runs").isEmpty();
        ring.amend(job, true, of(OptionalInt.of(3), all.ranks().headMap(3)), false);
        ring.settle();
        assertThat(ring.groups(job)).hasSize(3);
    }

    private static Workload.Pods of(OptionalInt replicas, SortedMap<Integer, String> ranks) {
        TreeSet<String> nodes = new TreeSet<>(ranks.values());
        return new Workload.Pods(nodes, false, ranks, nodes, replicas);
    }

    @Test
    void lightThatTwoSlicesMayHaveLitIsLeftToAPerson() {
        ToyRing ring = ToyRing.of(48, 3);
        SliceId first = ring.wish("first", 2, 16);
        SliceId second = ring.wish("second", 2, 16);
        SliceId third = ring.wish("third", 1, 8);
        ring.settle();
        TreeSet<String> lit = new TreeSet<>(ring.litNodes());
        lose(ring, first);
        lose(ring, second);
        Deliberation rest = ring.settle();
        assertThat(movedLight(ring)).isFalse();
        assertThat(rest.slices().get(first).placement()).isInstanceOfSatisfying(Placement.Unplaced.class, unplaced -> {
            assertThat(unplaced.reason()).isEqualTo(Reason.AWAITING_ADOPTION);
            assertThat(unplaced.message())
                    .contains("4 groups of 4 nodes burn", "2 slices", "spec.adopt of the fabric to Keep");
        });
        assertThat(rest.slices().get(third).light().qualified()).isTrue();
        ring.policy = adopting(ring.policy, FabricPolicy.Adoption.KEEP, FabricPolicy.ForeignCircuits.REPORT);
        rest = ring.settle();
        assertThat(rest.slices().get(first).light().qualified()).isTrue();
        assertThat(ring.litNodes()).containsAll(lit);
    }

    @Test
    void aJobWithRunningPodsIsNotPlacedElsewhereWhenItsLightDiffers() {
        ToyRing ring = ToyRing.of(32, 3);
        SliceId job = ring.wish("job", 2, 16);
        SliceId other = ring.wish("other", 1, 8);
        ring.settle();
        Workload.Pods pods = pods(ring, job);
        ring.amend(job, true, pods, false);
        ring.bundles.get(ring.groups(job).getFirst().get(1))[0] = BundleState.LOOPBACK;
        ring.bundles.get(ring.groups(job).getFirst().get(1))[1] = BundleState.LOOPBACK;
        lose(ring, job);
        Deliberation rest = ring.settle();
        assertThat(movedLight(ring)).isFalse();
        assertThat(rest.slices().get(job).placement()).isInstanceOfSatisfying(Placement.Unplaced.class, unplaced -> {
            assertThat(unplaced.reason()).isEqualTo(Reason.AWAITING_ADOPTION);
            assertThat(unplaced.message()).contains("8 of its pods run");
        });
        assertThat(rest.slices().get(other).placement()).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void withUnexplainedLightBesidesNothingIsRecordedBeforeAPersonDecides() {
        ToyRing ring = ToyRing.of(32, 3);
        SliceId job = ring.wish("job", 2, 16);
        ring.settle();
        String free = ring.names.values().stream()
                .filter(name -> !ring.litNodes().contains(name))
                .findFirst()
                .orElseThrow();
        ring.bundles.get(free)[1] = BundleState.PATH_1;
        lose(ring, job);
        Deliberation waits = ring.settle();
        assertThat(waits.fabrics().get("ring-a").awaitingAdoption()).isTrue();
        assertThat(waits.fabrics().get("ring-a").foreign())
                .singleElement()
                .asString()
                .startsWith(free + "/");
        assertThat(ring.ledger.get(job).allocation()).isEmpty();
        ring.policy = adopting(ring.policy, FabricPolicy.Adoption.RESET, FabricPolicy.ForeignCircuits.REPORT);
        Deliberation rest = ring.settle();
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(ring.litNodes()).doesNotContain(free);
    }

    @Test
    void aFreshSliceOfAnotherShapeIsPlacedBesideForeignLight() {
        ToyRing ring = ToyRing.of(32, 3);
        SliceId gone = ring.wish("gone", 1, 16);
        SliceId stays = ring.wish("stays", 1, 8);
        ring.settle();
        ring.slices.remove(gone);
        ring.ledger.remove(gone);
        SliceId fresh = ring.wish("fresh", 2, 12);
        Deliberation rest = ring.settle();
        assertThat(rest.slices().get(fresh).light().qualified()).isTrue();
        assertThat(rest.slices().get(stays).light().qualified()).isTrue();
        assertThat(rest.fabrics().get("ring-a").foreign()).isNotEmpty();
    }

    @Test
    void aRecordTakenOffTheApiServerIsWrittenAgainAsItWas() {
        ToyRing ring = ToyRing.of(32, 3);
        SliceId job = ring.wish("job", 2, 16);
        ring.settle();
        LedgerEntry was = ring.ledger.get(job);
        ring.ledger.put(job, new LedgerEntry(was.allocation(), "emptied", true, true));
        ring.decisions.clear();
        ring.settle();
        assertThat(ring.ledger.get(job).lost()).isFalse();
        assertThat(ring.ledger.get(job).allocation()).isEqualTo(was.allocation());
        assertThat(movedLight(ring)).isFalse();
    }

    @Test
    void whateverIsLostNoLightOfALitSliceEverMoves() {
        for (long seed = 1; seed <= Seeds.of(300); seed++) {
            Random random = new Random(seed);
            ToyRing ring = ToyRing.of(24 + random.nextInt(40), 2 + random.nextInt(3));
            int count = 1 + random.nextInt(4);
            for (int slice = 0; slice < count; slice++) {
                ring.wish(
                        "s" + slice,
                        1 + random.nextInt(3),
                        8 + 4 * random.nextInt(3),
                        new Workload.LightOnly(),
                        new Replacement.Never(),
                        true);
            }
            ring.settle();
            TreeMap<String, List<BundleState>> before = new TreeMap<>();
            ring.bundles.forEach((name, states) -> before.put(name, List.of(states)));
            for (SliceId slice : ring.slices.keySet()) {
                if (ring.ledger.get(slice).allocation().isEmpty()) {
                    continue;
                }
                if (random.nextBoolean()) {
                    ring.amend(slice, true, pods(ring, slice), false);
                }
                if (random.nextInt(3) > 0) {
                    lose(ring, slice);
                }
            }
            ring.settle();
            TreeMap<String, List<BundleState>> after = new TreeMap<>();
            ring.bundles.forEach((name, states) -> after.put(name, List.of(states)));
            TreeMap<String, List<BundleState>> changed = new TreeMap<>(after);
            changed.entrySet().removeIf(entry -> before.get(entry.getKey()).equals(entry.getValue()));
            List<BundleState> dark = java.util.Collections.nCopies(ring.ring.reach(), BundleState.LOOPBACK);
            assertThat(changed.keySet())
                    .as("seed " + seed + ": only nodes that were dark may be lit")
                    .allSatisfy(name -> assertThat(before.get(name)).isEqualTo(dark));
        }
    }
}
