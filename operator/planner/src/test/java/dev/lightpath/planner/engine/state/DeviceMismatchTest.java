package dev.lightpath.planner.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.OcsTrafficTest;
import dev.lightpath.planner.engine.ToyDevices;
import dev.lightpath.planner.engine.ToyOcs;
import dev.lightpath.planner.engine.ToyRing;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is wanted on devices, held against what their drivers say they consist of. */
class DeviceMismatchTest {
    private static final Duration HOLD = Duration.ofSeconds(1);
    private static final Demand.Traffic TRAFFIC = ToyOcs.twoByTwo();

    private static boolean touched(ToyRing ring, String node) {
        return ring.decisions.stream()
                .filter(Decision.Apply.class::isInstance)
                .map(decision -> ((Decision.Apply) decision).stage())
                .flatMap(stage -> stage.changes().stream())
                .anyMatch(change -> change.device().device().equals(node));
    }

    @Test
    void aNodeWithoutABundleIsNamedAndNeitherPlacedNorTouched() {
        ToyRing ring = ToyRing.of(8, 3);
        ring.inventories.put("n2", Optional.of(ToyRing.transceivers(2)));
        SliceId job = ring.wish("job", 2, 12);
        Deliberation rest = ring.settle();
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(ring.groups(job).toString()).doesNotContain("n2");
        assertThat(touched(ring, "n2")).isFalse();
        assertThat(rest.fabrics().get("ring-a").invalidWiring().orElseThrow())
                .contains("device n2 of driver driver:1", "no port b2.common", "its 8 ports are b0.common")
                .contains("reach 3 takes bundles b0 to b2");
        ring.pass(HOLD);
        assertThat(ring.settle().fabrics().get("ring-a").faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.reason()).isEqualTo("PortMissing"));
    }

    @Test
    void aDeviceThatComesBackSmallerIsRepairedAround() {
        ToyRing ring = ToyRing.of(8, 3);
        SliceId job = ring.wish("job", 1, 16);
        ring.settle();
        String member = ring.groups(job).getFirst().get(1);
        ring.inventories.put(member, Optional.of(ToyRing.transceivers(2)));
        ring.decisions.clear();
        ring.settle();
        ring.pass(HOLD);
        Deliberation rest = ring.settle();
        assertThat(ring.groups(job).toString()).doesNotContain(member + ",");
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        ring.inventories.clear();
        ring.pass(Duration.ofMinutes(1));
        assertThat(ring.settle().fabrics().get("ring-a").invalidWiring()).isEmpty();
    }

    @Test
    void lightOfAMemberThatMayNotMoveIsRejectedInWordsAndTheOthersAreCaredFor() {
        ToyRing ring = ToyRing.of(8, 3);
        SliceId job = ring.wish("job", 1, 16, new Workload.LightOnly(), new Replacement.Never(), true);
        ring.settle();
        ring.amend(job, true, new Workload.Pods(ring.litNodes(), false), false);
        String member = ring.groups(job).getFirst().get(1);
        ring.inventories.put(member, Optional.of(ToyRing.transceivers(2)));
        ring.bundles.get(member)[0] = BundleState.LOOPBACK;
        ring.decisions.clear();
        SliceId other = ring.wish("other", 1, 8);
        Deliberation rest = ring.settle();
        assertThat(touched(ring, member)).isFalse();
        assertThat(rest.slices().get(job).light().obstacle().orElseThrow().message())
                .contains(member);
        assertThat(rest.slices().get(other).light().qualified()).isTrue();
    }

    @Test
    void bundlesThatTheRingDoesNotTakeAreLeftAlone() {
        ToyRing ring = ToyRing.of(8, 3);
        ring.names.values().forEach(name -> {
            ring.inventories.put(name, Optional.of(ToyRing.transceivers(4)));
            BundleState[] four = new BundleState[4];
            java.util.Arrays.fill(four, BundleState.LOOPBACK);
            ring.bundles.put(name, four);
        });
        SliceId job = ring.wish("job", 1, 16);
        Deliberation rest = ring.settle();
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(rest.fabrics().get("ring-a").invalidWiring()).isEmpty();
        List<List<Integer>> before = ring.positions(job);
        ring.ledger.put(job, LedgerEntry.missing("restored"));
        ring.settle();
        assertThat(ring.positions(job)).as("recognised").isEqualTo(before);
    }

    @Test
    void nothingIsAskedOfADeviceBeforeItsInventoryIsRead() {
        ToyRing ring = ToyRing.of(8, 3);
        ring.names.values().forEach(name -> ring.inventories.put(name, Optional.empty()));
        SliceId job = ring.wish("job", 1, 16);
        Deliberation rest = ring.settle();
        assertThat(ring.litNodes()).isEmpty();
        assertThat(rest.fabrics().get("ring-a").invalidWiring()).isEmpty();
        assertThat(rest.slices().get(job).light().obstacle().orElseThrow())
                .satisfies(obstacle -> assertThat(obstacle.reason()).isEqualTo(Reason.PROGRAMMING))
                .satisfies(obstacle -> assertThat(obstacle.message()).contains("not read yet"));
        ring.inventories.clear();
        assertThat(ring.settle().slices().get(job).light().qualified()).isTrue();
    }

    @Test
    void lightOnADeviceThatLostABundleIsReleasedOnTheBundlesItHas() {
        ToyRing ring = ToyRing.of(8, 3);
        SliceId job = ring.wish("job", 1, 16);
        ring.settle();
        ring.names.values().forEach(name -> ring.inventories.put(name, Optional.of(ToyRing.transceivers(2))));
        ring.unwish(job);
        ring.settle();
        assertThat(ring.litNodes()).isEmpty();
    }

    @Test
    void aSwitchPortThatIsNotThereIsNamedAndPlannedAround() {
        ToyOcs ocs = ToyOcs.polarFly(7, 1);
        ocs.inventories.put("ocs-02", Optional.of(without(ToyDevices.asWired(ocs.switches.get("ocs-02")), "5")));
        ocs.wishStatic(true);
        ocs.settle();
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.fabrics().get("spine").invalidWiring().orElseThrow())
                .contains("switch ocs-02", "device-2", "no port 5", "56 ports", "pod-04 is wired to it");
        assertThat(uses(ocs.light(), "ocs-02", "5")).isFalse();
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
        assertThat(ocs.light().on("ocs-02")).isNotEmpty();
    }

    @Test
    void aSwitchWhoseSideForbidsWhatIsRecordedIsNotTouchedAndTheOthersAreLit() {
        ToyOcs ocs = ToyOcs.polarFly(3, 0).wishStatic(true);
        ocs.step();
        SortedMap<String, Inventory.Side> sides = new TreeMap<>();
        ToyDevices.asWired(ocs.switches.get("ocs-01"))
                .ports()
                .forEach((port, side) -> sides.put(port, Inventory.Side.INGRESS));
        ocs.inventories.put("ocs-01", Optional.of(new Inventory(Inventory.Make.unnamed(), sides, new TreeMap<>())));
        Deliberation rest = ocs.settle();
        assertThat(ocs.light().on("ocs-01")).isEmpty();
        assertThat(ocs.light().on("ocs-00")).isNotEmpty();
        assertThat(rest.slices().get(ToyOcs.STATIC).light().obstacle().orElseThrow())
                .satisfies(obstacle -> assertThat(obstacle.reason()).isEqualTo(Reason.REJECTED))
                .satisfies(obstacle ->
                        assertThat(obstacle.message()).contains("ocs-01", "device-1", "light only enters there"));
    }

    @Test
    void lightOfOthersIsReleasedOnASwitchThatCannotMakeWhatIsRecorded() {
        ToyOcs ocs = ToyOcs.logical(8, 1, 2, DeviceKind.TWO_SIDED, 1);
        SliceId keeps = ocs.wishTraffic("keeps", ToyOcs.twoByTwo());
        SliceId goes = ocs.wishTraffic("goes", ToyOcs.twoByTwo());
        ocs.settle();
        String name = ocs.recorded(goes).circuits().firstKey();
        Circuit lost = ocs.recorded(keeps).on(name).iterator().next();
        ocs.inventories.put(name, Optional.of(without(ToyDevices.asWired(ocs.switches.get(name)), lost.ingress())));
        ocs.lit.get(name).remove(lost);
        ocs.settleAfter(HOLD);
        SwitchedLight kept = ocs.recorded(keeps);
        assertThat(kept.on(name)).as("it finds no other ports").contains(lost);
        ocs.unwish(goes);
        assertThat(ocs.settle().slices().get(goes).placement()).isInstanceOf(SliceVerdict.Placement.Released.class);
        ocs.lit.get(name).add(lost);
        assertThat(ocs.light()).isEqualTo(kept);
    }

    /** Darkness that makes way for light that cannot be made helps nobody. */
    @Test
    void lightInTheWayStaysOnASwitchThatCannotMakeWhatIsRecorded() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 2, DeviceKind.TWO_SIDED, 1);
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        ocs.settle();
        Allocation recorded = ocs.ledger.get(job).allocation().orElseThrow();
        String name = recorded.circuits().circuits().firstKey();
        List<Circuit> wanted = List.copyOf(ocs.lit.get(name));
        List<Circuit> before = List.of(
                new Circuit(wanted.get(0).ingress(), wanted.get(1).egress()),
                new Circuit(wanted.get(1).ingress(), wanted.get(0).egress()));
        SwitchedLight.Builder darkening = new SwitchedLight.Builder();
        before.forEach(circuit -> darkening.add(name, circuit));
        ocs.ledger.put(
                job,
                new LedgerEntry(
                        Optional.of(new Allocation(
                                recorded.revision() + 1,
                                recorded.groups(),
                                recorded.releasing(),
                                recorded.origin(),
                                recorded.circuits(),
                                darkening.build(),
                                recorded.prediction())),
                        "v-crossed"));
        ocs.lit.get(name).clear();
        ocs.lit.get(name).addAll(before);
        Inventory whole = ToyDevices.asWired(ocs.switches.get(name));
        ocs.inventories.put(
                name,
                Optional.of(
                        without(whole, wanted.get(0).ingress(), wanted.get(1).ingress())));
        ocs.settleAfter(HOLD);
        assertThat(ocs.lit.get(name))
                .containsAll(before)
                .containsAll(wanted.subList(2, wanted.size()))
                .hasSameSizeAs(wanted);
        ocs.inventories.put(name, Optional.of(without(whole, wanted.get(0).ingress())));
        ocs.settleAfter(HOLD);
        assertThat(ocs.lit.get(name)).containsExactlyInAnyOrderElementsOf(wanted.subList(1, wanted.size()));
        ocs.inventories.clear();
        ocs.settleAfter(HOLD);
        assertThat(ocs.light()).isEqualTo(recorded.circuits());
    }

    @Test
    void aPortThatADeviceLacksCostsNobodyElseHisLight() {
        ToyOcs ocs = ToyOcs.torus("1x1x1", 4, 1);
        SliceId hurt = ocs.wishTorus("hurt", "4x4x8", true, new Workload.LightOnly());
        SliceId other = ocs.wishTorus("other", "4x4x8", true, new Workload.LightOnly());
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.lit.get("ocs-03").clear();
        ocs.inventories.put("ocs-03", Optional.of(without(ToyDevices.asWired(ocs.switches.get("ocs-03")), "1")));
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.slices().get(other).light().qualified()).isTrue();
        assertThat(before.minus(ocs.light()).size()).isEqualTo(1);
        assertThat(rest.slices().get(hurt).placement()).isInstanceOf(SliceVerdict.Placement.Faulted.class);
    }

    @Test
    void aMistypedStripingIsToldInOneLineAndIsNoFault() {
        for (int typo : List.of(1, 3)) {
            ToyOcs ocs = ToyOcs.logical(16, 1, 8, DeviceKind.TWO_SIDED, 2);
            ocs.hinted = true;
            ocs.measuring = true;
            SliceId job = ocs.wishTraffic("llm", TRAFFIC);
            ocs.settle();
            SwitchedLight before = ocs.light();
            ocs.misdescribe(typo);
            Deliberation wrong = ocs.settleAfter(HOLD.multipliedBy(5));
            FabricVerdict fabric = wrong.fabrics().get("spine");
            assertThat(fabric.massFailure()).isEmpty();
            assertThat(fabric.faults()).isEmpty();
            assertThat(ocs.light()).isEqualTo(before);
            assertThat(wrong.slices().get(job).light().programmed()).isTrue();
            assertThat(wrong.slices().get(job).light().obstacle().orElseThrow().reason())
                    .as("nothing is proved by a description that contradicts itself")
                    .isEqualTo(Reason.INVALID_WIRING);
            assertThat(fabric.invalidWiring().orElseThrow())
                    .contains("pods pod-00, pod-01", "and 8 more", "16 ports", "wired to " + 8 * typo + " of each")
                    .hasSizeLessThan(600);
            SliceId late = ocs.wishTraffic("late", TRAFFIC);
            assertThat(ocs.settle().slices().get(late).placement())
                    .isInstanceOfSatisfying(
                            SliceVerdict.Placement.Unplaced.class,
                            unplaced -> assertThat(unplaced.reason()).isEqualTo(Reason.INVALID_WIRING));
            ocs.described.clear();
            Deliberation right = ocs.settle();
            assertThat(right.fabrics().get("spine").invalidWiring()).isEmpty();
            assertThat(right.fabrics().get("spine").faults()).isEmpty();
            assertThat(right.slices().get(late).light().qualified()).isTrue();
            assertThat(right.slices().get(job).light().qualified()).isTrue();
        }
    }

    /**
     * Striping by a pod more than the switches have ports for runs into the ports where light of the first pod leaves.
     */
    @Test
    void aPortThatIsNamedForTheWrongSideIsStillGoodForTheRightOne() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 6, DeviceKind.TWO_SIDED, 1);
        SliceId job = ocs.wishTraffic("llm", OcsTrafficTest.gpt7b(2));
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.pods.add(new OcsPod(ToyOcs.pod(4), 4, 16, 6, new TreeMap<>(), true));
        ocs.switches.values().forEach(of -> {
            List<OcsSwitch.Wire> wires = new ArrayList<>(of.wiring());
            wires.add(new OcsSwitch.Wire("1001", "1099", ToyOcs.pod(4), 0));
            ocs.described.put(of.name(), ToyOcs.rewired(of, wires));
            ocs.inventories.put(of.name(), Optional.of(ToyDevices.asWired(of)));
        });
        Deliberation wrong = ocs.settleAfter(HOLD);
        assertThat(wrong.fabrics().get("spine").invalidWiring().orElseThrow())
                .contains("port 1001 begins no circuit (light only leaves there)", "pod-04 is wired to it");
        assertThat(ocs.light()).isEqualTo(before);
        assertThat(wrong.slices().get(job).light().qualified()).isTrue();
        SliceId late = ocs.wishTraffic("late", OcsTrafficTest.gpt7b(2));
        assertThat(ocs.settle().slices().get(late).light().qualified()).isTrue();
        assertThat(ocs.nodes(late).toString()).contains("node-0-");
    }

    @Test
    void portsThatSwitchesDoNotHaveAreLeftOutAtOnceAndAreNoFaults() {
        ToyOcs ocs = ToyOcs.polarFly(7, 1);
        for (String name : List.of("ocs-02", "ocs-03")) {
            ocs.inventories.put(
                    name, Optional.of(without(ToyDevices.asWired(ocs.switches.get(name)), "5", "6", "7", "8")));
        }
        ocs.wishStatic(true);
        Deliberation rest = ocs.settle();
        assertThat(uses(ocs.light(), "ocs-02", "5")).isFalse();
        assertThat(rest.fabrics().get("spine").faults()).isEmpty();
        assertThat(rest.fabrics().get("spine").invalidWiring().orElseThrow())
                .contains(
                        "switches ocs-02, ocs-03", "no port 5", "53 ports", "pod-04 is wired to it", "3 more: 6, 7, 8")
                .hasSizeLessThan(250);
        ocs.inventories.clear();
        Deliberation corrected = ocs.settle();
        assertThat(corrected.fabrics().get("spine").invalidWiring()).isEmpty();
        assertThat(corrected.fabrics().get("spine").faults()).isEmpty();
    }

    private static Inventory without(Inventory of, String... missing) {
        SortedMap<String, Inventory.Side> ports = new TreeMap<>(of.ports());
        ports.keySet().removeAll(List.of(missing));
        return new Inventory(of.make(), ports, of.paths());
    }

    private static boolean uses(SwitchedLight light, String name, String port) {
        for (Circuit circuit : light.on(name)) {
            if (List.of(circuit.ingress(), circuit.egress()).contains(port)) {
                return true;
            }
        }
        return false;
    }
}
