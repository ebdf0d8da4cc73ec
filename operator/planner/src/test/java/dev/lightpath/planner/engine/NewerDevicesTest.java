package dev.lightpath.planner.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.AgentMemory;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Passes run under epoch 7. */
class NewerDevicesTest {
    private static final String ROLE = "cluster/ring-a";
    private final ToyRing ring = new ToyRing(new RingFabric(RingShape.RING, 16, 3, 4, 2, 16));

    private FabricVerdict fabric() {
        return ring.settle().fabrics().get("ring-a");
    }

    @Test
    void nothingIsMovedOnDevicesThatAnEpochOfAnotherWroteTo() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        var before = ring.litNodes();
        ring.policy = Policies.foreign(
                Policies.afterFirstContact(ring.policy), FabricPolicy.ForeignCircuits.REMOVE, Optional.empty());
        String free = ring.names.values().stream()
                .filter(name -> !before.contains(name))
                .findFirst()
                .orElseThrow();
        ring.bundles.get(free)[1] = BundleState.PATH_1;
        ring.notReady.add(ring.groups(a).getFirst().getFirst());
        ring.strange.put(ROLE, new EpochMark(9, "pod-x@there"));
        ring.decisions.clear();
        SliceId b = ring.wish("b", 1, 16);

        Deliberation halted = ring.settle();

        assertThat(ring.litNodes()).containsAll(before).contains(free);
        assertThat(ring.decisions).noneMatch(Decision.Apply.class::isInstance);
        assertThat(ring.decisions).noneMatch(Decision.Adopt.class::isInstance);
        assertThat(halted.fabrics().get("ring-a").newerDevices().orElseThrow().why())
                .contains("epoch 9 of 'pod-x@there'", "accept-devices fabric/ring-a");
        assertThat(halted.slices().get(b).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.reason()).isEqualTo(Reason.LEDGER_OLDER_THAN_DEVICES));
    }

    @Test
    void whatAPersonAcceptsGoesOnUnderAHigherEpoch() {
        ring.strange.put(ROLE, new EpochMark(6, "pod-x@there"));
        SliceId a = ring.wish("a", 1, 16);
        assertThat(fabric().newerDevices()).isPresent();

        ring.policy = Policies.accepting(ring.policy, 6);

        assertThat(fabric().newerDevices()).isEmpty();
        assertThat(ring.litNodes()).hasSize(4);
        assertThat(ring.ledger.get(a).allocation()).isPresent();
    }

    @Test
    void aLaterEpochOfAnotherStopsItAgain() {
        ring.policy = Policies.accepting(ring.policy, 5);
        ring.strange.put(ROLE, new EpochMark(6, "pod-x@there"));
        assertThat(fabric().newerDevices()).isPresent();
    }

    @Test
    void whatIsAcceptedWaitsForAnEpochAboveIt() {
        ring.policy = Policies.accepting(ring.policy, 9);
        ring.strange.put(ROLE, new EpochMark(9, "pod-x@there"));
        ring.wish("a", 1, 16);
        assertThat(fabric().newerDevices().orElseThrow().why()).contains("waiting for an epoch above it");
        assertThat(ring.litNodes()).isEmpty();
    }

    /** Nor once an annotation names it: else the fabric waits for an epoch that nobody gives. */
    @Test
    void anEpochFarAboveOursCannotBeAccepted() {
        long most = ring.world().nextStage().epoch() + EpochMark.MOST_ABOVE;
        ring.wish("a", 1, 16);
        for (long accepted : List.of(0L, Long.MAX_VALUE)) {
            ring.policy = Policies.accepting(ring.policy, accepted);
            ring.strange.put(ROLE, new EpochMark(most + 1, "pod-x@there"));
            assertThat(fabric().newerDevices().orElseThrow().why())
                    .contains("cannot be accepted", "Set the epoch of the driver")
                    .doesNotContain("accept-devices", "waiting");
            assertThat(stops()).isTrue();
            assertThat(ring.litNodes()).isEmpty();
        }
        ring.strange.put(ROLE, new EpochMark(most, "pod-x@there"));
        assertThat(fabric().newerDevices().orElseThrow().why()).contains("waiting for an epoch above it");
    }

    @Test
    void devicesOfOtherFabricsAreNoEvidence() {
        ring.strange.put("cluster/ring-b", new EpochMark(9, "pod-x@there"));
        ring.wish("a", 1, 16);
        assertThat(fabric().newerDevices()).isEmpty();
        assertThat(ring.litNodes()).hasSize(4);
    }

    private void told(long revision, String digest, long newer, long accepted) {
        ring.policy = Policies.with(ring.policy, new Lineage(revision, digest, newer, 0, accepted));
    }

    private String digest() {
        return ring.world().ledgerDigest("ring-a");
    }

    @Test
    void devicesThatRememberALaterRevisionStopAllMoves() {
        ring.wish("a", 1, 16);
        ring.settle();
        told(40, digest(), 0, 0);
        ring.revisions.put(ROLE, 41L);
        ring.decisions.clear();
        ring.wish("b", 1, 16);

        assertThat(fabric().newerDevices().orElseThrow().revision()).isEqualTo(41);
        assertThat(ring.decisions).allMatch(Decision.Rest.class::isInstance);

        told(40, digest(), 0, 41);
        assertThat(fabric().newerDevices()).isEmpty();
        assertThat(ring.litNodes()).hasSize(8);
    }

    /**
     * A process that ended between a record and the status that tells of it leaves devices one ahead of that status.
     */
    @Test
    void aRecordThatWasNotToldYetExplainsOneRevisionMore() {
        ring.wish("a", 1, 16);
        told(40, digest(), 0, 0);
        ring.settle();
        ring.revisions.put(ROLE, 41L);
        assertThat(fabric().newerDevices()).isEmpty();
        ring.revisions.put(ROLE, 42L);
        assertThat(fabric().newerDevices()).isPresent();
    }

    @Test
    void whatWasFoundOnceStaysFoundWhateverIsRecordedMeanwhile() {
        told(40, "other", 41, 0);
        assertThat(fabric().newerDevices()).isPresent();
        told(40, "other", 41, 41);
        assertThat(fabric().newerDevices()).isEmpty();
    }

    @Test
    void nothingIsKnownOfRecordsWithoutARevision() {
        ring.revisions.put(ROLE, 41L);
        assertThat(fabric().newerDevices()).isEmpty();
    }

    private void remembers(String node, long revision) {
        ring.agents.put(node, new AgentMemory(new TreeMap<>(), new TreeMap<>(Map.of(ROLE, revision)), false));
    }

    private void writtenBy(String node, long epoch) {
        ring.agents.put(
                node,
                new AgentMemory(
                        new TreeMap<>(Map.of(ROLE, new EpochMark(epoch, "pod-x@there"))), new TreeMap<>(), false));
    }

    private boolean stops() {
        return fabric().newerDevices().filter(FabricVerdict.Newer::stops).isPresent();
    }

    /** Whoever controls a node must not be able to stop the care of all others. */
    @Test
    void oneAgentAloneIsLeftAloneWithItsNode() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        told(40, digest(), 0, 0);
        String liar = ring.groups(a).getFirst().getFirst();
        String broken = ring.groups(a).getFirst().getLast();
        var light = ring.bundles.get(liar).clone();
        writtenBy(liar, 9);
        FabricVerdict verdict = fabric();
        assertThat(verdict.newerDevices().orElseThrow().why())
                .contains("the agent of " + liar + " alone tells of epoch 9 of 'pod-x@there'")
                .contains("docs/security.md", "remove /var/lib/lightpath-agent there")
                .doesNotContain("accept-devices");
        assertThat(stops()).isFalse();

        SliceId b = ring.wish("b", 1, 16);
        ring.settle();
        assertThat(ring.ledger.get(b).allocation()).as("others are cared for").isPresent();
        assertThat(ring.groups(b).stream().flatMap(List::stream)).doesNotContain(liar);
        ring.notReady.add(broken);
        ring.decisions.clear();
        ring.settle();
        assertThat(ring.bundles.get(liar)).as("as it was").isEqualTo(light);
        assertThat(ring.decisions)
                .filteredOn(Decision.Apply.class::isInstance)
                .allSatisfy(decision -> assertThat(
                                ((Decision.Apply) decision).stage().changes())
                        .noneMatch(change -> change.device().device().equals(liar)));

        remembers(liar, 77);
        assertThat(fabric().newerDevices().orElseThrow().why()).contains("remembers revision 77");
        ring.agents.clear();
        assertThat(fabric().newerDevices()).isEmpty();
    }

    /** What follows from devices is found by identity: one liar must not cost each fault a look at all of them. */
    @Test
    void anAgentThatIsLeftAloneIsTheSameFromPassToPass() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        told(40, digest(), 0, 0);
        String broken = ring.groups(a).getFirst().getLast();
        String liar = ring.names.values().stream()
                .filter(node -> ring.groups(a).stream().noneMatch(group -> group.contains(node)))
                .findFirst()
                .orElseThrow();
        writtenBy(liar, 9);
        ring.settle();
        Object devices = ring.positions().devices();
        Object away = ring.positions().device(liar);
        assertThat(away).isEqualTo(ring.positions().device(liar).goneAway());
        ring.notReady.add(ring.names.lastEntry().getValue());
        ring.step();
        assertThat(ring.positions().devices())
                .as("Kubernetes alone tells something")
                .isSameAs(devices);
        ring.notReady.add(broken);
        ring.settle();
        assertThat(ring.positions().devices()).as("light moved").isNotSameAs(devices);
        assertThat(ring.positions().device(liar)).as("but not there").isSameAs(away);
    }

    /** A circuit has two ends: records that were set back are known to two nodes at least. */
    @Test
    void twoAgentsStopAllMoves() {
        ring.wish("a", 1, 16);
        ring.settle();
        told(40, digest(), 0, 0);
        remembers("n1", 43);
        assertThat(stops()).isFalse();
        remembers("n9", 77);
        assertThat(stops()).isTrue();
        assertThat(fabric().newerDevices().orElseThrow().revision())
                .as("no single node says how far the records are behind")
                .isEqualTo(43);
        ring.decisions.clear();
        ring.wish("b", 1, 16);
        ring.settle();
        assertThat(ring.decisions).allMatch(Decision.Rest.class::isInstance);

        told(40, digest(), 0, 43);
        assertThat(stops()).as("n9 is left alone now").isFalse();
        assertThat(fabric().newerDevices()).isPresent();
        told(40, digest(), 0, 77);
        assertThat(fabric().newerDevices()).isEmpty();
    }

    @Test
    void evidenceOfAnyKindOfTwoAgentsStopsAllMoves() {
        ring.wish("a", 1, 16);
        ring.settle();
        told(40, digest(), 0, 0);
        remembers("n1", 43);
        writtenBy("n2", 9);
        assertThat(stops()).isTrue();
        assertThat(fabric().newerDevices().orElseThrow().why()).contains("epoch 9");
    }

    @Test
    void whatTwoAgentsProvedHoldsWhenOneOfThemIsAway() {
        ring.wish("a", 1, 16);
        ring.settle();
        told(40, digest(), 43, 0);
        remembers("n1", 43);
        assertThat(stops()).isTrue();
    }

    @Test
    void whatIsAcceptedOfOneAgentBringsItsNodeBack() {
        ring.wish("a", 1, 16);
        ring.settle();
        writtenBy("n1", 6);
        assertThat(fabric().newerDevices()).isPresent();
        ring.policy = Policies.accepting(ring.policy, 6);
        assertThat(fabric().newerDevices()).isEmpty();
    }

    /** It moves with every record, and a fabric is not described anew for that. */
    @Test
    void theRevisionThatItsStatusTellsByNowCounts() {
        ring.wish("a", 1, 16);
        ring.settle();
        told(40, digest(), 0, 0);
        ring.revisions.put(ROLE, 85L);
        World described = ring.world();
        World known = knowing(described, new Lineage(90, digest(), 0, 0, 0));

        assertThat(newer(described)).isPresent();
        assertThat(newer(known)).isEmpty();
        assertThat(known.ledgerRevision(known.fabrics().getFirst())).isEqualTo(90);
        assertThat(known.isAt(described)).as("it is decided anew").isFalse();
    }

    private static Optional<FabricVerdict.Newer> newer(World world) {
        return requireNonNull(FabricEngine.deliberate(world).fabrics().get("ring-a"))
                .newerDevices();
    }

    private static World knowing(World like, Lineage lineage) {
        return new World(
                like.now(),
                like.nextStage(),
                like.rings(),
                like.slices(),
                like.ledger(),
                like.drivers(),
                like.inFlight(),
                like.recording(),
                like.refused(),
                like.unsettled(),
                like.observing(),
                like.setbacks(),
                like.faults(),
                like.unreadable(),
                like.ocsFabrics(),
                like.answers(),
                like.remembered(),
                like.discoveries(),
                new TreeMap<>(Map.of("ring-a", lineage)));
    }

    @Test
    void aStageTellsTheRevisionOfTheRecordsThatAskForIt() {
        told(40, digest(), 0, 0);
        ring.wish("a", 1, 16);
        ring.settle();
        assertThat(ring.decisions)
                .filteredOn(Decision.Apply.class::isInstance)
                .isNotEmpty()
                .allSatisfy(decision -> assertThat(
                                ((Decision.Apply) decision).stage().ledgerRevision())
                        .isEqualTo(41));
    }
}
