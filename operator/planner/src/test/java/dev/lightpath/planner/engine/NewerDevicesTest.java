package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.SliceId;
import java.util.Optional;
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

    /** A process that ended between a record and the status that tells of it leaves devices one ahead of that status. */
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
