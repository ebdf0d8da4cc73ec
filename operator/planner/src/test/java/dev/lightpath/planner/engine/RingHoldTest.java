package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.RecordedFaults;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.PortMap;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Unreadable;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What keeps nodes out of use, or the operator from writing, until a person or the light itself says otherwise. */
class RingHoldTest {
    private final ToyRing ring = ToyRing.of(16, 3);
    private final SortedSet<String> quarantinedPorts = new TreeSet<>();
    private final TreeSet<SliceId> forced = new TreeSet<>();
    private final SortedMap<SliceId, Backoff> refused = new TreeMap<>();
    private final SortedMap<SliceId, String> unreadable = new TreeMap<>();
    private final SortedMap<String, String> impossible = new TreeMap<>();
    private final SortedMap<String, String> astray = new TreeMap<>();
    private List<Fault> told = List.of();
    private boolean all = true;
    private boolean massFailure;
    private Optional<Instant> resumedAt = Optional.empty();
    private UnaryOperator<RingNode> node = UnaryOperator.identity();

    private World world() {
        World world = ring.world();
        RingIntent was = world.rings().get("ring-a");
        SortedMap<Integer, RingNode> nodes = new TreeMap<>();
        was.nodes().forEach((position, each) -> nodes.put(position, node.apply(each)));
        RingIntent intent = new RingIntent(
                was.name(),
                was.ring(),
                was.driver(),
                was.role(),
                nodes,
                was.miswired(),
                astray,
                was.policy(),
                was.paused(),
                resumedAt,
                was.retiring(),
                was.torMismatch(),
                quarantinedPorts,
                new RecordedFaults(told, all, massFailure));
        SortedMap<SliceId, SliceIntent> slices = new TreeMap<>(world.slices());
        forced.forEach(id -> slices.computeIfPresent(
                id, (same, slice) -> slice.but().wanted(false).forced(true).build()));
        return Scene.like(world)
                .rings(impossible.isEmpty() ? new TreeMap<>(Map.of("ring-a", intent)) : new TreeMap<>())
                .slices(slices, world.ledger())
                .known(world.faults(), world.answers(), new TreeMap<>())
                .unreadable(new Unreadable(impossible, unreadable))
                .refused(refused)
                .world();
    }

    private Deliberation look() {
        return FabricEngine.deliberate(world());
    }

    private FabricVerdict fabric() {
        return look().fabrics().get("ring-a");
    }

    private static String nodeOf(String port) {
        return port.substring(0, port.indexOf('/'));
    }

    @Test
    void aSliceReleasedByForceLeavesItsLitPortsInQuarantine() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        ring.contact = DriverState.Contact.UNREACHABLE;
        forced.add(a);
        SortedSet<String> ports = fabric().quarantinedPorts();
        assertThat(ports.stream().map(RingHoldTest::nodeOf))
                .containsOnlyElementsOf(ring.groups(a).getFirst())
                .containsAll(ring.groups(a).getFirst());
        assertThat(look().decision()).isInstanceOf(Decision.Adopt.class);
    }

    @Test
    void podsDoNotHoldUpAReleaseByForce() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        ring.wish(
                "a",
                1,
                16,
                new Workload.Pods(new TreeSet<>(ring.groups(a).getFirst()), false),
                new Replacement.WithWorkload(),
                false);
        assertThat(look().decision()).isInstanceOf(Decision.Rest.class);
        forced.add(a);
        assertThat(look().decision()).isInstanceOf(Decision.Adopt.class);
    }

    @Test
    void portsInQuarantineAreOutOfUseUntilReadBackDark() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        ring.contact = DriverState.Contact.UNREACHABLE;
        forced.add(a);
        quarantinedPorts.addAll(fabric().quarantinedPorts());
        List<String> held = ring.groups(a).getFirst();
        ring.slices.remove(a);
        ring.ledger.remove(a);
        forced.clear();
        assertThat(fabric().quarantinedPorts()).isEqualTo(quarantinedPorts);

        ring.contact = DriverState.Contact.SYNCED;
        FabricVerdict back = fabric();
        assertThat(back.quarantinedPorts()).isEqualTo(quarantinedPorts);
        assertThat(back.foreign()).isEmpty();
        assertThat(back.awaitingAdoption()).isFalse();
        assertThat(back.gpus().usable()).isEqualTo(4 * (16 - held.size()));
        assertThat(look().decision())
                .isInstanceOfSatisfying(
                        Decision.Apply.class,
                        apply -> assertThat(apply.stage().devices().stream().map(device -> device.device()))
                                .containsExactlyInAnyOrderElementsOf(held));

        held.forEach(
                each -> java.util.Arrays.fill(ring.bundles.get(each), dev.lightpath.planner.ring.BundleState.LOOPBACK));
        assertThat(fabric().quarantinedPorts()).isEmpty();
        assertThat(fabric().gpus().usable()).isEqualTo(64);
    }

    @Test
    void nothingIsWrittenWhileARecordCannotBeRead() {
        ring.wish("a", 1, 16);
        SliceId b = ring.wish("b", 1, 16);
        ring.ledger.remove(b);
        unreadable.put(b, "slice team/b: allocation.format 2 is not known");
        Deliberation deliberation = look();
        assertThat(deliberation.decision()).isInstanceOf(Decision.Rest.class);
        assertThat(deliberation.slices().get(b).placement())
                .isEqualTo(new SliceVerdict.Placement.Unplaced(
                        Reason.NEWER_FORMAT, "slice team/b: allocation.format 2 is not known"));
        assertThat(deliberation.slices().get(new SliceId("team", "a")).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.reason()).isEqualTo(Reason.NEWER_FORMAT));
        assertThat(deliberation.fabrics().get("ring-a").unreadable()).isPresent();
        unreadable.clear();
        assertThat(look().decision()).isInstanceOf(Decision.Adopt.class);
    }

    /** Foreign light is taken down without asking. */
    private static FabricPolicy removing() {
        return Policies.foreign(
                FabricPolicy.standard(), FabricPolicy.ForeignCircuits.REMOVE, Optional.of(FabricPolicy.Adoption.RESET));
    }

    @Test
    void aMassFailureInTheMiddleOfARepairLeavesTheLightAsItIs() {
        SliceId a = ring.wish("a", 1, 16);
        SliceId b = ring.wish("b", 1, 8);
        ring.settle();
        ring.pass(Duration.ofMinutes(1));
        String victim = ring.groups(a).getFirst().get(1);
        ring.notReady.add(victim);
        assertThat(ring.step().decision()).as("the repair is recorded").isInstanceOf(Decision.Adopt.class);
        ring.names.values().stream()
                .filter(name -> ring.groups(a).stream().noneMatch(group -> group.contains(name)))
                .filter(name -> ring.groups(b).stream().noneMatch(group -> group.contains(name)))
                .forEach(ring.notReady::add);
        SortedSet<String> lit = ring.litNodes();
        ring.decisions.clear();
        ring.settle();
        assertThat(fabric().massFailure()).isPresent();
        assertThat(ring.decisions).noneMatch(Decision.Apply.class::isInstance);
        assertThat(ring.litNodes()).isEqualTo(lit).contains(victim);

        ring.unwish(b);
        ring.settle();
        assertThat(ring.litNodes())
                .as("what is given up goes dark")
                .isNotEqualTo(lit)
                .contains(victim);

        ring.notReady.retainAll(List.of(victim));
        ring.settle();
        ring.pass(Duration.ofMinutes(1));
        ring.settle();
        assertThat(fabric().massFailure()).isEmpty();
        assertThat(ring.litNodes())
                .doesNotContain(victim)
                .containsAll(ring.groups(a).getFirst());
    }

    @Test
    void lightOfAFabricThatContradictsItselfIsNotForgotten() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        impossible.put("ring-a", "positions: 7");
        assertThat(look().slices().get(a).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.reason()).isEqualTo(Reason.INVALID_WIRING));
        ring.unwish(a);
        assertThat(look().slices().get(a).placement()).isInstanceOf(SliceVerdict.Placement.Releasing.class);
    }

    @Test
    void whatWasNeverLitGoesWhateverItsFabricIs() {
        SliceId never = ring.wish("never", 99, 16);
        SliceId once = ring.wish("once", 1, 16);
        ring.settle();
        ring.unwish(once);
        ring.settle();
        impossible.put("ring-a", "positions: 7");
        assertThat(look().slices().get(never).placement()).isInstanceOf(SliceVerdict.Placement.Unplaced.class);
        ring.unwish(never);
        assertThat(look().slices().get(never).placement()).isInstanceOf(SliceVerdict.Placement.Released.class);
        assertThat(look().slices().get(once).placement()).isInstanceOf(SliceVerdict.Placement.Released.class);
        // of which nobody knows whether it has a record
        ring.ledger.remove(never);
        assertThat(look().slices().get(never).placement()).isInstanceOf(SliceVerdict.Placement.Unplaced.class);
    }

    @Test
    void aFabricOfAnotherKindHoldsUpNobodyWhoHadNothing() {
        SliceId a = ring.wish("a", 1, 16);
        asksForSwitches(a);
        assertThat(look().slices().get(a).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.reason()).isEqualTo(Reason.FABRIC_KIND_MISMATCH));
        ring.unwish(a);
        assertThat(look().slices().get(a).placement()).isInstanceOf(SliceVerdict.Placement.Released.class);
        SliceId lit = ring.sits("lit", new int[] {2, 3});
        asksForSwitches(lit);
        ring.unwish(lit);
        assertThat(look().slices().get(lit).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Releasing.class,
                        releasing -> assertThat(releasing.remaining()).isEqualTo(2));
    }

    private void asksForSwitches(SliceId id) {
        SliceIntent was = ring.slices.get(id);
        ring.slices.put(id, was.but().demand(new Demand.Topology()).build());
    }

    @Test
    void aPersonClearsWhatBeganBefore() {
        Instant began = ring.now;
        told = List.of(new Fault(new Subject.OfPort("n3", "b0.path1"), "LossOfLight", began, true, ""));
        assertThat(fabric().faults()).singleElement().matches(Fault::quarantined);
        ring.pass(Duration.ofMinutes(5));
        Instant future = ring.now.plusSeconds(60);
        node = each -> cleared(each, future);
        assertThat(fabric().faults()).hasSize(1);
        assertThat(look().agenda().wakeAt()).contains(future);
        ring.pass(Duration.ofMinutes(5));
        assertThat(fabric().faults()).isEmpty();
    }

    private static RingNode cleared(RingNode node, Instant at) {
        return new RingNode(
                node.name(), node.position(), node.signals(), node.schedulable(), node.busy(), Optional.of(at));
    }

    @Test
    void repairsTellWhichNodesInUseGoDark() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        assertThat(ring.decisions.stream()
                        .filter(Decision.Apply.class::isInstance)
                        .map(decision -> ((Decision.Apply) decision).darkens()))
                .allSatisfy(darkens -> assertThat(darkens).isEmpty());
        String victim = ring.groups(a).getFirst().get(1);
        List<String> before = ring.groups(a).getFirst();
        ring.notReady.add(victim);
        ring.decisions.clear();
        ring.settle();
        SortedSet<String> told = new TreeSet<>();
        ring.decisions.stream()
                .filter(Decision.Apply.class::isInstance)
                .forEach(decision -> told.addAll(((Decision.Apply) decision).darkens()));
        assertThat(told).isNotEmpty().as("a node that joins uses no light yet").isSubsetOf(before);
        SortedSet<String> foretold = new TreeSet<>();
        ring.decisions.stream()
                .filter(Decision.Adopt.class::isInstance)
                .forEach(decision -> foretold.addAll(((Decision.Adopt) decision).darkens()));
        assertThat(foretold).as("told while the repair is recorded").isEqualTo(told);
    }

    @Test
    void whoseRecordIsRefusedIsToldAndOthersAreRepaired() {
        SliceId a = ring.wish("a", 1, 16);
        SliceId b = ring.wish("b", 1, 16);
        ring.settle();
        refused.put(a, new Backoff(Reason.REJECTED, "no room in etcd", ring.now.plusSeconds(30), 3));
        ring.notReady.add(ring.groups(a).getFirst().get(1));
        ring.notReady.add(ring.groups(b).getFirst().get(1));
        Deliberation told = look();
        assertThat(told.decision())
                .isInstanceOfSatisfying(
                        Decision.Adopt.class,
                        adopt -> assertThat(adopt.entries())
                                .singleElement()
                                .matches(entry -> entry.slice().equals(b)));
        assertThat(told.slices().get(a).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Faulted.class,
                        faulted -> assertThat(faulted.waitsFor())
                                .isEqualTo("the API server refuses its record: no room in etcd"));
        assertThat(told.fabrics().get("ring-a").refused()).contains("slice team/a: no room in etcd");
    }

    /** Its light moves once its record is taken, which may be never. */
    @Test
    void nodesOfARecordThatWasRefusedAreNotToldAhead() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        ring.notReady.add(ring.groups(a).getFirst().get(1));
        assertThat(((Decision.Adopt) look().decision()).darkens()).isNotEmpty();
        refused.put(a, new Backoff(Reason.REJECTED, "policy", ring.now, 3));
        assertThat(((Decision.Adopt) look().decision()).darkens()).isEmpty();
    }

    @Test
    void aNewPlaceWhoseRecordIsRefusedIsTold() {
        SliceId a = ring.wish("a", 1, 16);
        refused.put(a, new Backoff(Reason.REJECTED, "policy", ring.now.plusSeconds(30), 2));
        assertThat(unplaced(a).reason()).as("twice may be by chance").isEqualTo(Reason.RECORDING);
        refused.put(a, new Backoff(Reason.REJECTED, "policy", ring.now.plusSeconds(30), 3));
        assertThat(unplaced(a).reason()).isEqualTo(Reason.RECORD_REFUSED);
        assertThat(look().agenda().wakeAt()).contains(ring.now.plusSeconds(30));
    }

    private SliceVerdict.Placement.Unplaced unplaced(SliceId slice) {
        return (SliceVerdict.Placement.Unplaced) look().slices().get(slice).placement();
    }

    /** A record that is being written already, or that waits, darkens nothing once this one is written. */
    @Test
    void onlyNodesOfTheRecordsThatAreWrittenAreToldAhead() {
        ring.oneByOne = true;
        SliceId a = ring.wish("a", 1, 16);
        SliceId b = ring.wish("b", 1, 16);
        ring.settle();
        Map<SliceId, List<String>> before =
                Map.of(a, ring.groups(a).getFirst(), b, ring.groups(b).getFirst());
        ring.decisions.clear();
        ring.notReady.add(before.get(a).get(1));
        ring.step();
        ring.notReady.add(before.get(b).get(1));
        ring.settle();
        List<Decision.Adopt> repairs = ring.decisions.stream()
                .filter(Decision.Adopt.class::isInstance)
                .map(Decision.Adopt.class::cast)
                .filter(adopt -> !adopt.darkens().isEmpty())
                .toList();
        assertThat(repairs).hasSize(2);
        assertThat(repairs)
                .allSatisfy(adopt -> assertThat(adopt.darkens())
                        .isSubsetOf(adopt.entries().stream()
                                .flatMap(entry -> before.get(entry.slice()).stream())
                                .toList()));
    }

    @Test
    void aPersonResumesAfterWhatHasFailedNotBeforeWhatWillFail() {
        ring.settle();
        ring.pass(Duration.ofSeconds(5));
        ring.notReady.addAll(List.of("n1", "n2", "n3", "n4"));
        ring.settle();
        assertThat(fabric().massFailure()).isPresent();
        resumedAt = Optional.of(ring.now.plus(Duration.ofDays(365)));
        assertThat(fabric().massFailure()).isPresent();
        resumedAt = Optional.of(ring.now);
        assertThat(fabric().massFailure()).isEmpty();
    }

    @Test
    void whatFailedOneByOneIsNoMassFailureForTheProcessThatComesAfter() {
        ring.settle();
        for (String device : List.of("n1", "n2", "n3", "n4")) {
            ring.silent.add(device);
            ring.settle();
            ring.pass(Duration.ofMinutes(5));
            ring.settle();
        }
        told = fabric().faults();
        assertThat(told).hasSize(4);
        ring.restart();
        assertThat(goOn().faults()).as("they go on as they were").containsExactlyInAnyOrderElementsOf(told);
        assertThat(fabric().massFailure()).isEmpty();

        told = List.of();
        ring.restart();
        goOn();
        ring.pass(Duration.ofSeconds(1));
        assertThat(goOn().faults()).hasSize(4);
        assertThat(fabric().massFailure())
                .as("nobody told: the driver is doubted")
                .isPresent();
        resumedAt = Optional.of(ring.now);
        told = goOn().faults();
        resumedAt = Optional.empty();
        ring.restart();
        assertThat(goOn().faults()).hasSize(4);
        assertThat(fabric().massFailure()).as("told of by the one before").isEmpty();
        ring.silent.addAll(List.of("n5", "n6", "n7", "n8"));
        goOn();
        ring.pass(Duration.ofSeconds(1));
        goOn();
        assertThat(fabric().massFailure()).as("these it saw fail").isPresent();
    }

    @Test
    void aMassFailureStandsForTheProcessThatComesAfterUntilAPersonResumes() {
        ring.settle();
        ring.pass(Duration.ofSeconds(5));
        ring.notReady.addAll(List.of("n1", "n2"));
        ring.silent.addAll(List.of("n3", "n4"));
        ring.settle();
        ring.pass(Duration.ofSeconds(1));
        ring.settle();
        assertThat(fabric().massFailure()).isPresent();
        told = fabric().faults();
        massFailure = true;
        ring.restart();
        ring.pass(Duration.ofMinutes(5));
        ring.contact = DriverState.Contact.UNREACHABLE;
        goOn();
        ring.contact = DriverState.Contact.SYNCED;
        goOn();
        assertThat(fabric().massFailure()).isPresent();
        resumedAt = Optional.of(ring.now);
        assertThat(fabric().massFailure()).isEmpty();
        ring.restart();
        ring.pass(Duration.ofMinutes(5));
        goOn();
        assertThat(fabric().massFailure()).isEmpty();
    }

    /** Their signals are there still, and they have stood for longer than onsets are remembered. */
    @Test
    void whatIsQuarantinedGoesOnSinceItWasToldOf() {
        ring.settle();
        Instant began = ring.now.minus(Duration.ofDays(3));
        told = List.of("n1", "n2", "n3", "n4").stream()
                .map(node -> new Fault(new Subject.OfDevice(node), "DeviceSilent", began, true, ""))
                .toList();
        ring.silent.addAll(List.of("n1", "n2", "n3", "n4"));
        ring.restart();
        goOn();
        ring.pass(Duration.ofSeconds(1));
        assertThat(goOn().faults()).containsExactlyInAnyOrderElementsOf(told);
        assertThat(fabric().massFailure()).isEmpty();
    }

    /** The status tells of so many and no more. */
    @Test
    void whatTheStatusHasNoRoomForIsAsOldAsTheOldestThatItTellsOf() {
        ring.settle();
        ring.pass(Duration.ofSeconds(5));
        ring.notReady.addAll(List.of("n1", "n2", "n3", "n4"));
        ring.settle();
        told = fabric().faults().subList(0, 2);
        Instant failed = ring.now;
        ring.pass(Duration.ofMinutes(5));
        ring.restart();
        massFailure = true;
        assertThat(goOn().massFailure()).as("two that are told of").isEmpty();
        all = false;
        ring.restart();
        assertThat(goOn().massFailure()).isPresent();
        resumedAt = Optional.of(failed.plusSeconds(60));
        assertThat(goOn().massFailure()).isEmpty();
    }

    @Test
    void nodesThatAreDeletedAreAShareOfThoseThereWere() {
        SliceId a = ring.wish("a", 4, 16);
        ring.settle();
        ring.pass(Duration.ofSeconds(5));
        ring.names.keySet().removeAll(ring.positions(a).getFirst().subList(0, 3));
        assertThat(ring.settle().fabrics().get("ring-a").massFailure())
                .as("3 of 16 are less than a fifth")
                .isEmpty();
        ring.names.keySet().removeAll(ring.positions(a).getLast().subList(0, 1));
        assertThat(ring.settle().fabrics().get("ring-a").massFailure())
                .hasValueSatisfying(told -> assertThat(told).startsWith("4 of 16 nodes failed"));
    }

    /** What is told stays told, as the next pass has it. */
    private FabricVerdict goOn() {
        Deliberation deliberation = look();
        ring.trackers = deliberation.faults();
        return deliberation.fabrics().get("ring-a");
    }

    @Test
    void labelsThatAreNoPositionsAreToldAndMoveNothing() {
        ring.wish("a", 1, 16);
        ring.settle();
        for (int node = 20; node < 40; node++) {
            astray.put("x" + node, "node x" + node + ": label lost");
        }
        assertThat(fabric().invalidWiring())
                .hasValueSatisfying(why -> assertThat(why)
                        .startsWith("node x20: label lost; node x21: label lost; ")
                        .endsWith("; and 12 more nodes like these"));
        assertThat(look().decision()).isInstanceOf(Decision.Rest.class);
    }

    @Test
    void whoClaimsTheSamePositionIsToldWithWhatToDo() {
        ring.miswired.put(3, List.of("n3", "twin", "zwilling"));
        assertThat(fabric().invalidWiring())
                .contains("nodes n3, twin and zwilling claim position 3: none of them is used; correct their labels");
    }

    @Test
    void aRepairOnARetiringFabricIsMadeToTheEnd() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        ring.retiring = true;
        String victim = ring.groups(a).getFirst().get(1);
        ring.notReady.add(victim);
        Deliberation settled = ring.settle();
        assertThat(ring.groups(a).getFirst()).doesNotContain(victim);
        assertThat(settled.slices().get(a).light().qualified()).isTrue();
        SliceId late = ring.wish("late", 1, 16);
        assertThat(ring.settle().slices().get(late).placement()).isInstanceOf(SliceVerdict.Placement.Unplaced.class);
    }

    @Test
    void onlyMembersThatBreakTheirGroupAreCalledFaulty() {
        SliceId a = ring.sits("a", new int[] {4, 5});
        ring.slices.put(
                a, ring.slices.get(a).but().replacement(new Replacement.Never()).build());
        ring.settle();
        // towards the other side: a path that the group does not use
        String unused = new PortMap(3).pathOf(-1).state() == BundleState.PATH_1 ? ".path1" : ".path2";
        ring.failedPorts.put(
                "n4", new TreeMap<>(Map.of("b" + new PortMap(3).pathOf(-1).bundle() + unused, "PortFailed")));
        ring.notReady.add("n5");
        assertThat(ring.settle().slices().get(a).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Faulted.class,
                        faulted -> assertThat(faulted.members()).containsExactly("n5"));
    }

    @Test
    void aNodeOfSeveralGroupsIsCountedOnce() {
        SliceId alone = ring.wish("alone", 1, 4);
        SliceId shared = ring.wish("shared", 2, 2);
        Deliberation settled = ring.settle();
        assertThat(settled.slices().get(shared).light().total())
                .isEqualTo(settled.slices().get(alone).light().total());
    }
}
