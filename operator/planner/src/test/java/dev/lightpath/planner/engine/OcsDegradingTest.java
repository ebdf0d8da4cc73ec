package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.DegradingPort;
import dev.lightpath.planner.engine.decision.DegradingPort.Course;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.OcsVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.HealthPolicy;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Ports of switches whose light gets worse, and what becomes of their circuits before it is lost. */
class OcsDegradingTest {
    private static final Duration SETTLED = Duration.ofSeconds(20);
    private static final Duration HOLD = Duration.ofSeconds(6);
    private static final Duration HEALTH = Duration.ofSeconds(40);

    private final ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 4);
    private final SliceId job;

    OcsDegradingTest() {
        ocs.hinted = true;
        ocs.measuring = true;
        ocs.policy = Policies.watching(ocs.policy, HealthPolicy.standard().with(HealthPolicy.Mode.TAKE_OUT));
        job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settleAfter(SETTLED);
        ocs.now = ocs.now.plus(SETTLED);
        ocs.settle();
    }

    private Deliberation later(Duration time) {
        ocs.now = ocs.now.plusSeconds(2);
        ocs.settle();
        ocs.now = ocs.now.plusSeconds(2);
        return ocs.settleAfter(time);
    }

    private static List<String> faults(Deliberation rest) {
        return rest.fabrics().get("spine").faults().stream()
                .map(fault -> fault.subject().label() + " " + fault.reason() + (fault.quarantined() ? " for good" : ""))
                .toList();
    }

    private static FabricVerdict.Optical optical(Deliberation rest) {
        return rest.fabrics().get("spine").optical();
    }

    /** How many of a switch's ports get worse, and how many count as failed. */
    private static List<Integer> ports(Deliberation rest, String name) {
        OcsVerdict.OfSwitch of = rest.ocsFabrics().get("spine").switches().get(name);
        return List.of(of.degradedPorts(), of.failedPorts());
    }

    private static List<String> pods(OcsSwitch of, Circuit circuit) {
        return List.of(
                of.wiring().stream()
                        .filter(wire -> wire.ingress().equals(circuit.ingress()))
                        .findFirst()
                        .orElseThrow()
                        .pod(),
                of.wiring().stream()
                        .filter(wire -> wire.egress().equals(circuit.egress()))
                        .findFirst()
                        .orElseThrow()
                        .pod());
    }

    /** Whether two pods have ports left on a switch. */
    private boolean joins(OcsSwitch of, List<String> pods) {
        Set<Circuit> lit = ocs.light().on(of.name());
        return of.wiring().stream()
                        .anyMatch(wire -> wire.pod().equals(pods.getFirst())
                                && lit.stream()
                                        .noneMatch(circuit -> circuit.ingress().equals(wire.ingress())))
                && of.wiring().stream()
                        .anyMatch(wire -> wire.pod().equals(pods.getLast())
                                && lit.stream()
                                        .noneMatch(circuit -> circuit.egress().equals(wire.egress())));
    }

    /** A switch whose first circuit finds another place. */
    private String roomy() {
        return ocs.light().circuits().keySet().stream()
                .filter(name -> !ocs.light().on(name).isEmpty())
                .filter(name -> ocs.switches.values().stream()
                        .anyMatch(other -> joins(other, pods(ocs.switches.get(name), victim(name)))))
                .findFirst()
                .orElseThrow();
    }

    private Circuit victim(String name) {
        return new TreeSet<>(ocs.light().on(name)).first();
    }

    private void assertWhole(Deliberation rest) {
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
    }

    @Test
    void circuitsLeaveAPortBeforeItsLightIsLostAndTheyMayComeBackOnceItIsClean() {
        String name = roomy();
        Circuit victim = victim(name);
        ocs.dirt.put(name + "/" + victim.ingress(), 2.5);
        Deliberation rest = later(HOLD);
        assertThat(faults(rest)).containsExactly("port/" + name + "/" + victim.ingress() + " Degrading");
        assertThat(ocs.light().on(name)).noneMatch(circuit -> circuit.ingress().equals(victim.ingress()));
        assertWhole(rest);
        assertThat(optical(rest).takenOut()).isEqualTo(1);
        DegradingPort told = optical(rest).degrading().getFirst();
        assertThat(told.finding().measured())
                .isEqualTo("loses 2.5 dB more than at first (median of its peers: 0.0 dB)");
        assertThat(told.port()).isEqualTo(new Subject.OfPort(name, victim.ingress()));
        assertThat(told.course()).isEqualTo(Course.TAKEN_OUT);
        assertThat(ports(rest, name)).as("a port counts once").containsExactly(0, 1);
        assertThat(faults(later(HEALTH))).hasSize(1);
        ocs.dirt.clear();
        later(HOLD);
        assertThat(faults(later(HEALTH))).isEmpty();
    }

    @Test
    void anEgressThatWasLeftIsNotSeenAnyMoreAndStaysOutUntilAPersonClearsIt() {
        String name = roomy();
        Circuit victim = victim(name);
        ocs.dirt.put(name + "/" + victim.egress(), 2.5);
        Deliberation rest = later(HOLD);
        assertThat(faults(rest)).containsExactly("port/" + name + "/" + victim.egress() + " Degrading for good");
        assertThat(ocs.light().on(name)).noneMatch(circuit -> circuit.egress().equals(victim.egress()));
        assertWhole(rest);
        assertThat(faults(later(HEALTH))).hasSize(1);
    }

    /** To clean a connector it is unplugged. */
    @Test
    void aPortWhoseConnectorIsUnpluggedStaysOutAndReturnsOnceGoodLightEnters() {
        String name = roomy();
        String ingress = name + "/" + victim(name).ingress();
        ocs.dirt.put(ingress, 2.5);
        assertThat(faults(later(HOLD))).containsExactly("port/" + ingress + " Degrading");
        ocs.cut.add(ingress);
        assertThat(faults(later(HOLD))).containsExactly("port/" + ingress + " Degrading");
        assertThat(faults(later(HEALTH))).as("no light enters").containsExactly("port/" + ingress + " Degrading");
        ocs.cut.clear();
        assertThat(faults(later(HEALTH)))
                .as("it is as dirty as before")
                .containsExactly("port/" + ingress + " Degrading");
        ocs.dirt.clear();
        later(HOLD);
        assertThat(faults(later(HEALTH))).isEmpty();
    }

    @Test
    void aPortThatIsOnlyObservedKeepsItsCircuit() {
        ocs.policy = Policies.watching(ocs.policy, HealthPolicy.standard());
        String name = roomy();
        Circuit victim = victim(name);
        ocs.dirt.put(name + "/" + victim.ingress(), 2.5);
        Deliberation rest = later(HOLD);
        assertThat(faults(rest)).isEmpty();
        assertThat(ocs.light().on(name)).contains(victim);
        assertThat(optical(rest).degrading()).isNotEmpty().allMatch(each -> each.course() == Course.TOLD);
        assertThat(ports(rest, name)).containsExactly(1, 0);
    }

    @Test
    void aTrendCostsNoCapacity() {
        assertHeld(ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 1));
    }

    @Test
    void aPortThatTheSwitchDoesNotHaveIsNoPlace() {
        ToyOcs full = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 2);
        full.switches.forEach((name, of) -> {
            Inventory all = ToyDevices.hinted(of);
            SortedMap<String, Inventory.Side> ports = new TreeMap<>(all.ports());
            of.wiring().stream().filter(wire -> wire.index() == 1).forEach(wire -> {
                ports.remove(wire.ingress());
                ports.remove(wire.egress());
            });
            full.inventories.put(name, Optional.of(new Inventory(all.make(), ports, all.paths(), all.peers())));
        });
        assertHeld(full);
    }

    private void assertHeld(ToyOcs full) {
        full.hinted = true;
        full.measuring = true;
        full.policy = ocs.policy;
        full.wishTraffic("llm", ToyOcs.twoByTwo());
        full.settleAfter(SETTLED);
        full.now = full.now.plus(SETTLED);
        full.settle();
        int circuits = full.light().size();
        String name = full.light().circuits().keySet().stream()
                .filter(of -> full.light().on(of).size() == 4)
                .findFirst()
                .orElseThrow();
        Circuit victim = new TreeSet<>(full.light().on(name)).first();
        full.dirt.put(name + "/" + victim.ingress(), 2.5);
        full.now = full.now.plusSeconds(2);
        full.settle();
        full.now = full.now.plusSeconds(2);
        Deliberation rest = full.settleAfter(HOLD);
        assertThat(optical(rest).degrading())
                .as("what the far end sees of it is no port of its own")
                .extracting(each -> each.port().holder().startsWith("pod") + " " + each.course())
                .containsExactly("false HELD", "true TOLD");
        assertThat(full.light().size()).isEqualTo(circuits);
    }

    /** What a job is to have once it agrees is kept for it. */
    @Test
    void aPlaceOfAnAnnouncedMoveIsNoPlace() {
        ocs.policy = Policies.watching(Policies.massFailure(ocs.policy, 100), ocs.policy.health());
        String name = roomy();
        Circuit first = victim(name);
        List<String> ends = pods(ocs.switches.get(name), first);
        Map.Entry<String, Circuit> place = leaveOnePlace(ends);
        later(HOLD);
        Allocation recorded = ocs.ledger.get(job).allocation().orElseThrow();
        SwitchedLight moved = recorded.circuits()
                .minus(new SwitchedLight.Builder().add(name, first).build())
                .and(new SwitchedLight.Builder()
                        .add(place.getKey(), place.getValue())
                        .build());
        ocs.slices.computeIfPresent(
                job,
                (id, slice) -> slice.but()
                        .workload(new Workload.Pods(new TreeSet<>(recorded.nodes()), false))
                        .agreement(Optional.of(Agreement.within(Duration.ofHours(1))))
                        .build());
        ocs.ledger.put(
                job,
                new LedgerEntry(
                        Optional.of(recorded.announced(new Announcement(
                                recorded.revision() + 1,
                                ocs.now,
                                ocs.now.plus(Duration.ofHours(1)),
                                new Announcement.Move(
                                        recorded.groups(),
                                        moved,
                                        recorded.origin(),
                                        recorded.prediction(),
                                        Optional.empty())))),
                        "announced"));
        ocs.dirt.put(name + "/" + first.ingress(), 2.5);
        Deliberation rest = later(HOLD);
        assertThat(degrading(rest)).isEmpty();
        assertThat(optical(rest).degrading()).anyMatch(each -> each.course() == Course.HELD);
    }

    private static List<String> degrading(Deliberation rest) {
        return faults(rest).stream()
                .filter(fault -> fault.contains("Degrading"))
                .toList();
    }

    /** A port that is out carries its circuit until that may move, and the place elsewhere is its own until then. */
    @Test
    void onePlaceIsPromisedOnce() {
        ocs.policy = Policies.watching(Policies.massFailure(ocs.policy, 100), ocs.policy.health());
        String name = roomy();
        OcsSwitch of = ocs.switches.get(name);
        Circuit first = victim(name);
        List<String> ends = pods(of, first);
        Map.Entry<String, Circuit> second = ocs.light().circuits().entrySet().stream()
                .flatMap(each -> each.getValue().stream()
                        .filter(circuit ->
                                pods(ocs.switches.get(each.getKey()), circuit).equals(ends)
                                        && !(each.getKey().equals(name) && circuit.equals(first)))
                        .map(circuit -> Map.entry(each.getKey(), circuit)))
                .findFirst()
                .orElseThrow();
        leaveOnePlace(ends);
        later(HOLD);
        ocs.paused = true;
        ocs.dirt.put(name + "/" + first.ingress(), 2.5);
        later(HOLD);
        String out = "port/" + name + "/" + first.ingress() + " Degrading";
        assertThat(degrading(later(HOLD))).containsExactly(out);
        assertThat(ocs.light().on(name)).as("nothing moves").contains(first);
        ocs.dirt.put(second.getKey() + "/" + second.getValue().ingress(), 2.5);
        Deliberation rest = later(HOLD);
        assertThat(optical(rest).degrading())
                .extracting(port -> port.finding().place().toString())
                .contains(second.getKey() + "/" + second.getValue().ingress());
        assertThat(degrading(rest)).containsExactly(out);
        assertThat(degrading(later(HOLD))).containsExactly(out);
    }

    /** All ports that carry nothing fail, but those of one circuit more between two pods. */
    private Map.Entry<String, Circuit> leaveOnePlace(List<String> ends) {
        Map.Entry<String, Circuit> left = null;
        for (OcsSwitch of : ocs.switches.values()) {
            Set<String> busy = new HashSet<>();
            ocs.light().on(of.name()).forEach(circuit -> busy.addAll(List.of(circuit.ingress(), circuit.egress())));
            if (left == null && joins(of, ends)) {
                Circuit place = new Circuit(
                        free(of, ends.getFirst(), OcsSwitch.Wire::ingress, busy),
                        free(of, ends.getLast(), OcsSwitch.Wire::egress, busy));
                left = Map.entry(of.name(), place);
                busy.addAll(List.of(place.ingress(), place.egress()));
            }
            of.wiring()
                    .forEach(wire -> Stream.of(wire.ingress(), wire.egress())
                            .filter(port -> !busy.contains(port))
                            .forEach(port -> ocs.fail(of.name(), port)));
        }
        return Objects.requireNonNull(left);
    }

    private static String free(OcsSwitch of, String pod, Function<OcsSwitch.Wire, String> side, Set<String> busy) {
        return of.wiring().stream()
                .filter(wire -> wire.pod().equals(pod))
                .map(side)
                .filter(port -> !busy.contains(port))
                .findFirst()
                .orElseThrow();
    }

    /** Ingress ports of lit circuits. */
    private List<String> entering(int most) {
        return ocs.light().circuits().entrySet().stream()
                .flatMap(each -> each.getValue().stream().map(circuit -> each.getKey() + "/" + circuit.ingress()))
                .limit(most)
                .toList();
    }

    @Test
    void portsThatOnlyGetWorseAreNoMassFailure() {
        ocs.policy = Policies.watching(Policies.massFailure(ocs.policy, 2), ocs.policy.health());
        entering(3).forEach(port -> ocs.dirt.put(port, 2.5));
        Deliberation rest = later(HOLD);
        assertThat(degrading(rest)).as("2.3 % of the wires").hasSize(3);
        assertThat(rest.fabrics().get("spine").massFailure()).isEmpty();
        assertWhole(rest);
    }

    @Test
    void fewPortsAreTakenOutAtOnce() {
        entering(6).forEach(port -> ocs.dirt.put(port, 2.5));
        ocs.now = ocs.now.plusSeconds(2);
        assertThat(optical(ocs.settle()).degrading())
                .as("far ends behind one switch got weak alike, because light enters it weakly")
                .hasSize(6);
        Deliberation rest = later(HOLD);
        assertThat(degrading(rest)).hasSize(4);
        Instant begin = ocs.now;
        for (int wakes = 0; wakes < 20 && degrading(rest).size() < 6; wakes++) {
            ocs.now = rest.agenda().wakeAt().orElseThrow();
            rest = ocs.settle();
        }
        assertThat(degrading(rest))
                .as("looked at again, though nothing is heard")
                .hasSize(6);
        assertThat(ocs.now).isAfter(begin.plus(ocs.policy.massFailureWindow()).minus(HOLD.multipliedBy(2)));
        assertWhole(rest);
    }

    @Test
    void anEgressStaysOutAlsoWhereTheSwitchMeasuresNothing() {
        ocs.measuring = false;
        later(SETTLED);
        String name = roomy();
        Circuit victim = victim(name);
        ocs.dirt.put(name + "/" + victim.egress(), 2.5);
        assertThat(faults(later(HOLD))).containsExactly("port/" + name + "/" + victim.egress() + " Degrading for good");
        later(HEALTH);
        assertThat(faults(later(HEALTH)))
                .containsExactly("port/" + name + "/" + victim.egress() + " Degrading for good");
    }

    @Test
    void whatIsMeasuredAtTheFarEndIsToldOfThePortOfTheSwitchThatLeadsThere() {
        String name = roomy();
        Circuit victim = victim(name);
        ocs.dirt.put(name + "/" + victim.egress(), 2.5);
        ocs.now = ocs.now.plusSeconds(2);
        DegradingPort told = optical(ocs.settle()).degrading().getFirst();
        assertThat(told.port()).isEqualTo(new Subject.OfPort(name, victim.egress()));
        assertThat(told.finding().place().device()).isNotEqualTo(name);
        assertThat(told.course()).isEqualTo(Course.LEAVING);
    }

    @Test
    void aSwitchThatAgesIsToldOnceAndNoneOfItsPortsLeaves() {
        String name = ocs.light().circuits().keySet().stream()
                .max(Comparator.comparing(each -> ocs.light().on(each).size()))
                .orElseThrow();
        ocs.light().on(name).forEach(circuit -> ocs.dirt.put(name + "/" + circuit.egress(), 2.5));
        Deliberation rest = later(HOLD);
        assertThat(faults(rest)).isEmpty();
        assertThat(optical(rest).degrading())
                .singleElement()
                .satisfies(told -> assertThat(told.port()).isEqualTo(new Subject.OfDevice(name)))
                .satisfies(told -> assertThat(told.course()).isEqualTo(Course.TOLD));
    }

    @Test
    void aWeakLaunchOfAllTakesNothingOut() {
        ocs.switches
                .values()
                .forEach(of -> of.wiring().forEach(wire -> ocs.dirt.put(of.name() + "/" + wire.ingress(), 3.0)));
        Deliberation rest = later(HOLD);
        assertThat(faults(rest)).isEmpty();
        assertThat(optical(rest).takenOut()).isZero();
        assertThat(optical(rest).worstRiseDb()).isEqualTo(3.0);
    }

    @Test
    void whatAnEarlierProcessTookOutStaysOutUntilAPersonClearsIt() {
        String name = roomy();
        Circuit victim = victim(name);
        ocs.dirt.put(name + "/" + victim.ingress(), 2.5);
        later(HOLD);
        ocs.restart();
        Deliberation rest = later(HEALTH);
        assertThat(faults(rest)).containsExactly("port/" + name + "/" + victim.ingress() + " Degrading for good");
        assertThat(rest.fabrics().get("spine").faults()).allMatch(Fault::quarantined);
        assertWhole(rest);
    }

    /** A mirror that was bad from the factory on: no level of before shows it. */
    @Test
    void aCircuitThatLosesMoreThanTheFactoryMeasuredIsToldAndLeaves() {
        String name = roomy();
        Circuit victim = victim(name);
        bad(name, victim);
        peers(name, victim);
        ocs.policy = Policies.watching(ocs.policy, HealthPolicy.standard());
        Deliberation rest = later(HOLD);
        assertThat(optical(rest).degrading())
                .extracting(
                        port -> port.finding().place() + " " + port.finding().measured())
                .singleElement()
                .asString()
                .startsWith(name + "/" + victim.egress() + " loses 2.5 dB more than the factory measured (");
        assertThat(faults(rest)).isEmpty();
        ocs.policy = Policies.watching(ocs.policy, HealthPolicy.standard().with(HealthPolicy.Mode.TAKE_OUT));
        ocs.heard = (world, pass) -> assertThat(pass.fabrics().get("spine").faults())
                .as("nothing that enters was measured there")
                .allMatch(fault -> fault.remark().isEmpty());
        rest = later(HOLD);
        assertThat(faults(rest)).containsExactly("port/" + name + "/" + victim.egress() + " Degrading for good");
        assertThat(ocs.light().on(name)).noneMatch(circuit -> circuit.egress().equals(victim.egress()));
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
    }

    /** A free port of the same pods on another switch is of another plane. */
    @Test
    void portsOfATorusAreOnlyTold() {
        ToyOcs torus = ToyOcs.torus("1x1x2", 4, 2).wishStatic(true);
        torus.measuring = true;
        torus.policy = ocs.policy;
        torus.settleAfter(SETTLED);
        SwitchedLight before = torus.light();
        String name = before.circuits().firstKey();
        torus.dirt.put(name + "/" + before.on(name).iterator().next().ingress(), 2.5);
        torus.now = torus.now.plusSeconds(2);
        torus.settle();
        Deliberation rest = torus.settleAfter(HOLD);
        assertThat(optical(rest).degrading()).isNotEmpty();
        assertThat(faults(rest)).isEmpty();
        assertThat(torus.light()).isEqualTo(before);
        assertThat(rest.slices().get(ToyOcs.STATIC).placement()).isInstanceOf(Placement.Placed.class);
    }

    private String bad(String name, Circuit circuit) {
        ocs.losses.put(name, new TreeMap<>(Map.of(circuit.egress(), 4.1)));
        ocs.factoryLosses.put(name, new TreeMap<>(Map.of(circuit.egress(), 1.6)));
        return "port/" + name + "/" + circuit.egress() + " Degrading for good";
    }

    /** Four circuits of a switch are measured, so that there is something to compare with. */
    private void peers(String name, Circuit bad) {
        ocs.losses.computeIfAbsent(name, of -> new TreeMap<>());
        ocs.factoryLosses.computeIfAbsent(name, of -> new TreeMap<>());
        ocs.light().on(name).forEach(circuit -> {
            if (!circuit.equals(bad)) {
                ocs.losses.get(name).put(circuit.egress(), 1.6);
                ocs.factoryLosses.get(name).put(circuit.egress(), 1.6);
            }
        });
    }

    /** What a person says of a switch holds for circuits that come later, too, and in a later process. */
    @Test
    void whatTheFactoryMeasuredDoesNotCountOnceAPersonDeclaredTheSwitchHealthy() {
        String name = roomy();
        Circuit victim = victim(name);
        String out = bad(name, victim);
        peers(name, victim);
        assertThat(faults(later(HOLD))).containsExactly(out);
        assertThat(ocs.light().on(name))
                .as("nothing is measured there")
                .noneMatch(circuit -> circuit.egress().equals(victim.egress()));
        ocs.now = ocs.now.plusSeconds(1);
        ocs.clearances.put(name, ocs.now);
        ocs.settle();
        ocs.heard = (world, pass) -> assertThat(optical(pass).degrading()).isEmpty();
        ocs.unwish(job);
        ocs.settle();
        ocs.forget(job);
        ocs.wishTraffic("other", ToyOcs.twoByTwo());
        later(HOLD);
        assertThat(ocs.light().on(name))
                .as("in use again")
                .anyMatch(circuit -> circuit.egress().equals(victim.egress()));
        assertThat(degrading(later(HEALTH))).isEmpty();
        ocs.restart();
        later(HOLD);
        assertThat(degrading(later(HEALTH))).as("in a later process").isEmpty();
        ocs.heard = (world, pass) -> {};
        ocs.clearances.clear();
        ocs.restart();
        assertThat(degrading(later(HOLD))).as("it is as bad as it was").containsExactly(out);
    }

    /** A factory knows nothing of the connectors of a plant. */
    @Test
    void aLossThatMayBeThatOfAllCircuitsIsOnlyTold() {
        String name = roomy();
        Circuit victim = victim(name);
        bad(name, victim);
        Deliberation rest = later(HOLD);
        assertThat(optical(rest).degrading())
                .singleElement()
                .satisfies(port -> assertThat(port.course()).isEqualTo(Course.TOLD))
                .satisfies(port -> assertThat(port.finding().measured()).endsWith("(too few peers to compare with)"));
        assertThat(faults(rest)).isEmpty();
        assertThat(ocs.light().on(name)).contains(victim);
        peers(name, victim);
        assertThat(degrading(later(HOLD))).as("and with peers it is certain").hasSize(1);
    }

    @Test
    void farEndsAreClearedWhenTheMomentHasCome() {
        ocs.policy = Policies.watching(ocs.policy, HealthPolicy.standard());
        String name = roomy();
        ocs.dirt.put(name + "/" + victim(name).egress(), 2.5);
        assertThat(optical(later(HOLD)).degrading()).hasSize(1);
        ocs.clearances.put(name, ocs.now.plusSeconds(60));
        assertThat(optical(later(HOLD)).degrading())
                .as("a clock that runs ahead")
                .hasSize(1);
        assertThat(optical(later(Duration.ofSeconds(70))).degrading()).isEmpty();
    }
}
