package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.polarfly.Expansion;
import dev.lightpath.planner.polarfly.PolarFly;
import dev.lightpath.planner.polarfly.SwitchPlanes;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.OcsTopology;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OcsPolarFlyTest {
    private static final Duration HOLD = Duration.ofSeconds(2);
    private static final Duration CLEAR = Duration.ofSeconds(31);

    private static SwitchedLight singer(int order) {
        SwitchedLight.Builder light = new SwitchedLight.Builder();
        List<List<int[]>> planes = SwitchPlanes.full(new PolarFly(order), DeviceKind.ANY_TO_ANY);
        for (int plane = 0; plane < planes.size(); plane++) {
            String name = String.format("ocs-%02d", plane);
            planes.get(plane)
                    .forEach(pair ->
                            light.add(name, new Circuit(Integer.toString(pair[0] + 1), Integer.toString(pair[1] + 1))));
        }
        return light.build();
    }

    private static ToyOcs settled(int order, int spares) {
        ToyOcs ocs = ToyOcs.polarFly(order, spares).wishStatic(true);
        ocs.settle();
        return ocs;
    }

    /** A circuit that was moved for a fault of its port, which is over. */
    private static Circuit movedAway(ToyOcs ocs) {
        Circuit lost = ocs.light().on("ocs-02").iterator().next();
        ocs.fail("ocs-02", lost.ingress());
        ocs.settleAfter(HOLD);
        ocs.failedPorts.clear();
        ocs.settleAfter(CLEAR);
        return lost;
    }

    @Test
    void lightsTheSingerPlanes() {
        ToyOcs ocs = ToyOcs.polarFly(7, 1).wishStatic(true);
        Deliberation rest = ocs.settle();
        assertThat(ocs.light()).isEqualTo(singer(7));
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
        assertThat(rest.slices().get(ToyOcs.STATIC).light().qualified()).isTrue();
        assertThat(rest.fabrics().get("spine").circuits()).isEqualTo(new FabricVerdict.Circuits(224, 224, 0, 0));
    }

    @Test
    void recordsBeforeItLights() {
        ToyOcs ocs = ToyOcs.polarFly(3, 0).wishStatic(true);
        ocs.step();
        assertThat(ocs.decisions.getLast()).isInstanceOf(Decision.Adopt.class);
        assertThat(ocs.light().isEmpty()).isTrue();
        ocs.step();
        assertThat(ocs.decisions.getLast()).isInstanceOf(Decision.Apply.class);
    }

    @Test
    void aFailedPortMovesOneCircuitToTheSpareSwitch() {
        ToyOcs ocs = settled(7, 1);
        SwitchedLight before = ocs.light();
        Circuit lost = before.on("ocs-02").iterator().next();
        ocs.fail("ocs-02", lost.ingress());
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(before.minus(ocs.light()).size()).isEqualTo(1);
        assertThat(ocs.light().minus(before).circuits()).containsOnlyKeys("ocs-08");
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
        ocs.failedPorts.clear();
        SwitchedLight repaired = ocs.light();
        ocs.settleAfter(CLEAR);
        assertThat(ocs.light()).as("nothing moves back").isEqualTo(repaired);
    }

    @Test
    void aFailedPortIsReplacedByASparePortOfThePodOnTheSameSwitch() {
        ToyOcs ocs =
                new ToyOcs(new OcsTopology.PolarFly(3, List.of()), 13, 4, DeviceKind.ANY_TO_ANY, 2, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight before = ocs.light();
        before.forEach((name, circuit) ->
                assertThat(ocs.switches.get(name).reserved()).doesNotContain(circuit.ingress(), circuit.egress()));
        Circuit lost = before.on("ocs-01").iterator().next();
        ocs.fail("ocs-01", lost.ingress());
        ocs.settleAfter(HOLD);
        SwitchedLight fresh = ocs.light().minus(before);
        String spare = Integer.toString(Integer.parseInt(lost.ingress()) + 1);
        Circuit moved = fresh.on("ocs-01").iterator().next();
        assertThat(fresh.size()).isEqualTo(1);
        assertThat(List.of(moved.ingress(), moved.egress())).contains(spare, lost.egress());
    }

    @Test
    void aFailedSwitchMovesItsCircuitsAndNoOther() {
        ToyOcs ocs = settled(7, 1);
        SwitchedLight before = ocs.light();
        ocs.silent.add("ocs-03");
        ocs.dark.add("ocs-03");
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(ocs.light().minus(before).size())
                .isEqualTo(before.on("ocs-03").size());
        assertThat(before.minus(ocs.light()).isEmpty())
                .as("the silent switch keeps what nobody can reach")
                .isTrue();
        assertThat(ocs.recorded(ToyOcs.STATIC).on("ocs-03")).isEmpty();
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
    }

    @Test
    void aSilentSwitchThatShinesOnIsLeftAlone() {
        ToyOcs ocs = settled(7, 1);
        SwitchedLight before = ocs.light();
        ocs.silent.add("ocs-03");
        ocs.settleAfter(HOLD);
        assertThat(ocs.light()).isEqualTo(before);
    }

    @Test
    void withoutRoomTheLinkIsMissingAndComesBackWithThePort() {
        ToyOcs ocs = settled(3, 0);
        SwitchedLight before = ocs.light();
        Circuit lost = before.on("ocs-01").iterator().next();
        ocs.fail("ocs-01", lost.ingress());
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(ocs.light().and(before).size() - before.size()).isLessThanOrEqualTo(2);
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle())
                .hasValueSatisfying(why -> assertThat(why.reason()).isEqualTo(Reason.DEGRADED));
        ocs.failedPorts.clear();
        assertThat(ocs.settleAfter(CLEAR).ocsFabrics().get("spine").topologyObstacle())
                .isEmpty();
    }

    @Test
    void aPortThatLosesLightSilentlyIsFoundByItsFarEnds() {
        ToyOcs ocs = settled(3, 1);
        SwitchedLight before = ocs.light();
        ocs.dark.add("ocs-02");
        ocs.settleAfter(HOLD);
        assertThat(ocs.recorded(ToyOcs.STATIC).on("ocs-02")).isEmpty();
        assertThat(ocs.recorded(ToyOcs.STATIC).minus(before).circuits()).containsOnlyKeys("ocs-04");
    }

    @Test
    void foreignCircuitsAreReportedAndLeft() {
        ToyOcs ocs = settled(3, 1);
        Circuit stray = new Circuit("1", "2");
        ocs.lit.get("ocs-04").add(stray);
        Deliberation rest = ocs.settle();
        assertThat(ocs.lit.get("ocs-04")).contains(stray);
        assertThat(rest.fabrics().get("spine").foreign()).containsExactly("ocs-04/1->2");
        assertThat(rest.ocsFabrics().get("spine").switches().get("ocs-04").foreign())
                .isEqualTo(1);
    }

    @Test
    void lightAtFirstContactWaitsForAPerson() {
        ToyOcs ocs = ToyOcs.polarFly(3, 0).wishStatic(true);
        Circuit stray = new Circuit("2", "3");
        ocs.lit.get("ocs-00").add(stray);
        boolean planned = singer(3).on("ocs-00").contains(stray);
        assertThat(planned).isFalse();
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").awaitingAdoption()).isTrue();
        assertThat(ocs.light().size()).isEqualTo(1);
        ocs.policy = adopting(FabricPolicy.Adoption.RESET);
        ocs.settle();
        assertThat(ocs.light()).isEqualTo(singer(3));
    }

    @Test
    void keptLightStaysAndIsPlannedAround() {
        ToyOcs ocs = ToyOcs.polarFly(3, 1).wishStatic(true);
        Circuit stray = new Circuit("2", "3");
        ocs.lit.get("ocs-00").add(stray);
        ocs.policy = adopting(FabricPolicy.Adoption.KEEP);
        Deliberation rest = ocs.settle();
        assertThat(ocs.lit.get("ocs-00")).contains(stray);
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
        assertThat(ocs.recorded(ToyOcs.STATIC).size()).isEqualTo(singer(3).size());
    }

    @Test
    void lightThatIsTheTopologyIsAdoptedWithoutAPerson() {
        ToyOcs ocs = ToyOcs.polarFly(3, 0).wishStatic(true);
        singer(3).forEach((name, circuit) -> ocs.lit.get(name).add(circuit));
        ocs.settle();
        assertThat(ocs.decisions).noneMatch(Decision.Apply.class::isInstance);
        assertThat(ocs.recorded(ToyOcs.STATIC)).isEqualTo(singer(3));
    }

    @Test
    void aPausedFabricAndAnAbsentDriverChangeNothing() {
        ToyOcs ocs = ToyOcs.polarFly(3, 1).wishStatic(true);
        ocs.paused = true;
        ocs.settle();
        assertThat(ocs.light().isEmpty()).isTrue();
        ocs.paused = false;
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.contact = DriverState.Contact.UNREACHABLE;
        ocs.fail("ocs-01", "1");
        ocs.settleAfter(HOLD);
        assertThat(ocs.light()).isEqualTo(before);
    }

    @Test
    void manyPortsAtOnceStopAllMoves() {
        ToyOcs ocs = settled(3, 1);
        ocs.now = ocs.now.plus(HOLD);
        SwitchedLight before = ocs.light();
        ocs.silent.addAll(List.of("ocs-00", "ocs-01"));
        ocs.dark.addAll(ocs.silent);
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.fabrics().get("spine").massFailure())
                .hasValueSatisfying(why -> assertThat(why)
                        .contains(" wires between pods and switches failed within 30 s (ocs-00, ocs-01), ")
                        .contains("resume fabric/spine"));
        assertThat(ocs.recorded(ToyOcs.STATIC)).isEqualTo(before);
    }

    @Test
    void portsThatAPersonTookOutOfServiceAreNoMassFailure() {
        ToyOcs ocs = settled(3, 1);
        ocs.now = ocs.now.plus(HOLD);
        for (String name : List.of("ocs-00", "ocs-01")) {
            SortedMap<String, String> ports = new TreeMap<>();
            ocs.light().on(name).forEach(circuit -> {
                ports.put(circuit.ingress(), DeviceState.OUT_OF_SERVICE);
                ports.put(circuit.egress(), DeviceState.OUT_OF_SERVICE);
            });
            ocs.failedPorts.put(name, ports);
        }
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.fabrics().get("spine").faults()).hasSizeGreaterThan(13);
        assertThat(rest.fabrics().get("spine").massFailure()).isEmpty();
        ocs.failedPorts.values().forEach(ports -> ports.replaceAll((port, reason) -> "PortFailed"));
        assertThat(ocs.settle().fabrics().get("spine").massFailure())
                .as("if they had failed")
                .isPresent();
    }

    @Test
    void aDrainedSwitchLosesItsLightWithinTheBudget() {
        ToyOcs ocs = settled(7, 1);
        ocs.policy = Policies.budget(FabricPolicy.standard(), 5).lasting(Duration.ZERO, Duration.ofSeconds(30));
        ocs.wiring.drain("ocs-05");
        ocs.decisions.clear();
        ocs.settle();
        assertThat(ocs.lit.get("ocs-05")).isEmpty();
        assertThat(ocs.light().size()).isEqualTo(224);
        ocs.decisions.forEach(decision -> {
            if (decision instanceof Decision.Apply apply) {
                int down = apply.stage().changes().stream()
                        .mapToInt(change -> change.disconnects().size())
                        .sum();
                assertThat(down).isLessThanOrEqualTo(252 * 5 / 100);
            }
        });
    }

    @Test
    void circuitsThatCouldGoHomeDoSoToMakeRoomForADrain() {
        ToyOcs ocs = settled(7, 1);
        SwitchedLight before = ocs.light();
        Circuit lost = movedAway(ocs);
        assertThat(ocs.lit.get("ocs-08")).as("nothing moves back by itself").hasSize(1);
        ocs.wiring.drain("ocs-05");
        Deliberation rest = ocs.settle();
        assertThat(ocs.lit.get("ocs-05")).isEmpty();
        assertThat(ocs.lit.get("ocs-02")).contains(lost);
        assertThat(ocs.light().size()).isEqualTo(before.size());
        assertThat(before.minus(ocs.light()).circuits())
                .as("of light that was in its place only the drained switch's moves")
                .containsOnlyKeys("ocs-05");
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
    }

    @Test
    void aDrainMakesNoLightForeignWhenTheLedgerIsLost() {
        ToyOcs ocs = settled(7, 1);
        SwitchedLight before = ocs.light();
        Circuit lost = movedAway(ocs);
        ocs.wiring.drain("ocs-05");
        ocs.ledger.clear();
        ocs.wishStatic(true);
        Deliberation first = ocs.step();
        assertThat(first.fabrics().get("spine").foreign()).isEmpty();
        assertThat(first.fabrics().get("spine").awaitingAdoption()).isFalse();
        Deliberation second = ocs.step();
        assertThat(second.fabrics().get("spine").foreign())
                .as("what is adopted is all that is lit")
                .isEmpty();
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
        assertThat(ocs.lit.get("ocs-05"))
                .as("the drain is served from the record")
                .isEmpty();
        assertThat(ocs.light().size()).isEqualTo(before.size());
    }

    @Test
    void aDrainWithoutRoomLeavesLightThatWorks() {
        ToyOcs ocs = settled(7, 1);
        SwitchedLight before = ocs.light();
        Circuit lost = before.on("ocs-02").iterator().next();
        ocs.fail("ocs-02", lost.ingress());
        ocs.settleAfter(HOLD);
        ocs.wiring.drain("ocs-05");
        Deliberation rest = ocs.settle();
        assertThat(ocs.lit.get("ocs-05")).as("no room while the port is lost").hasSize(1);
        assertThat(ocs.light().size()).isEqualTo(before.size());
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
        ocs.failedPorts.clear();
        ocs.settleAfter(CLEAR);
        assertThat(ocs.lit.get("ocs-05")).as("the port is back").isEmpty();
    }

    @Test
    void copiesAreLitWithoutMovingACircuit() {
        OcsTopology.PolarFly grown = new OcsTopology.PolarFly(3, List.of(Expansion.Method.QUADRIC));
        ToyOcs ocs = new ToyOcs(new OcsTopology.PolarFly(3, List.of()), 13, 9, DeviceKind.ANY_TO_ANY, 1, 0);
        ocs.wishStatic(true).settle();
        SwitchedLight before = ocs.light();
        ToyOcs larger = new ToyOcs(grown, 17, 9, DeviceKind.ANY_TO_ANY, 1, 0);
        larger.wishStatic(true);
        larger.ledger.putAll(ocs.ledger);
        before.forEach((name, circuit) -> larger.lit.get(name).add(circuit));
        Deliberation rest = larger.settle();
        assertThat(before.minus(larger.light()).isEmpty()).isTrue();
        assertThat(larger.light().size()).isEqualTo(before.size() + 16);
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
    }

    @Test
    void contradictoryWiringIsNamedAndNothingIsLit() {
        ToyOcs ocs = ToyOcs.polarFly(3, 0).wishStatic(true);
        ocs.switches.remove("ocs-02");
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").invalidWiring())
                .hasValueSatisfying(why -> assertThat(why).contains("plane 2", "planes 0 to 3 are needed"));
        assertThat(ocs.light().isEmpty()).isTrue();
    }

    @Test
    void givenUpLightGoesDark() {
        ToyOcs ocs = settled(3, 0);
        ocs.wishStatic(false);
        Deliberation rest = ocs.settle();
        assertThat(ocs.light().isEmpty()).isTrue();
        assertThat(rest.slices().get(ToyOcs.STATIC).placement()).isInstanceOf(SliceVerdict.Placement.Released.class);
    }

    @Test
    void aRetiringFabricKeepsItsLight() {
        ToyOcs ocs = settled(3, 1);
        SwitchedLight before = ocs.light();
        ocs.retiring = true;
        ocs.slices.clear();
        ocs.ledger.clear();
        ocs.policy = Policies.foreign(
                        FabricPolicy.standard(),
                        FabricPolicy.ForeignCircuits.REMOVE,
                        Optional.of(FabricPolicy.Adoption.RESET))
                .lasting(Duration.ZERO, Duration.ofSeconds(30));
        ocs.settle();
        assertThat(ocs.light()).isEqualTo(before);
    }

    private static FabricPolicy adopting(FabricPolicy.Adoption adoption) {
        FabricPolicy standard = FabricPolicy.standard();
        return Policies.foreign(standard, standard.foreignCircuits(), Optional.of(adoption));
    }
}
