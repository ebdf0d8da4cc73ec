package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Transceivers that answer and cannot be made dark: nobody waits for them. */
class RefusingDeviceTest {
    private ToyRing ring = ToyRing.of(20, 2);

    /** A node that was left while its transceivers refuse, without an alarm, to loop back; the node itself is well. */
    private SliceId leftRefusing() {
        ring.sits("a", new int[] {2, 3, 4, 5});
        ring.sits("b", new int[] {8, 9, 10, 11});
        SliceId c = ring.sits("c", new int[] {14, 15, 16, 17});
        ring.cordoned.add("n19");
        ring.settle();
        ring.refusing.add("n14");
        ring.notReady.add("n14");
        ring.settle();
        assertThat(ring.ledger.get(c).allocation().orElseThrow().releasing()).containsExactly("n14");
        ring.notReady.clear();
        for (int look = 0; look < 4; look++) {
            ring.pass(Duration.ofSeconds(31));
            ring.settle();
        }
        return c;
    }

    @Test
    void roomIsMadeThoughOneRefusesToGoDark() {
        leftRefusing();
        SliceId wish = ring.wish("wish", 1, 16);
        assertThat(ring.settle().slices().get(wish).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ring.groups(wish).getFirst()).doesNotContain("n14");
    }

    /** A driver that is slow says nothing of its devices. */
    @Test
    void whatIsNotAnsweredIsWaitedFor() {
        ring.unanswering.add("n14");
        SliceId c = leftRefusing();
        SliceId wish = ring.wish("wish", 1, 16);
        assertThat(ring.settle().slices().get(wish).placement()).isInstanceOf(Placement.Unplaced.class);
        ring.unwish(c);
        ring.settle();
        assertThat(ring.settle().slices().get(c).placement())
                .isInstanceOfSatisfying(
                        Placement.Releasing.class,
                        releasing -> assertThat(releasing.onlySilent()).isFalse());
    }

    /** Pods that hang are let go where nobody can tell whether light is there: here somebody can. */
    @Test
    void theLightOfOneThatRefusesIsNotBeyondReach() {
        SliceId c = leftRefusing();
        assertThat(ring.settle().slices().get(c).leftOnlySilence()).isFalse();
        ring.silent.add("n14");
        assertThat(ring.settle().slices().get(c).leftOnlySilence()).isTrue();
    }

    @Test
    void itIsAskedAgainAndServesOthersWhenItIsDark() {
        SliceId c = leftRefusing();
        ring.refusing.clear();
        ring.pass(Duration.ofSeconds(31));
        ring.settle();
        assertThat(ring.ledger.get(c).allocation().orElseThrow().releasing()).isEmpty();
        assertThat(ring.litNodes()).doesNotContain("n14");
        SliceId wish = ring.wish("wish", 7, 4);
        ring.settle();
        assertThat(ring.ledger.get(wish).allocation().orElseThrow().nodes()).contains("n14");
    }

    @Test
    void oneRefusalIsNoReasonToMoveOthers() {
        ring.sits("a", new int[] {2, 3, 4, 5});
        SliceId c = ring.sits("c", new int[] {14, 15, 16, 17});
        ring.settle();
        ring.refusing.add("n14");
        ring.unwish(c);
        while (!(ring.step().decision() instanceof Decision.Apply)) {
            // until it was asked once
        }
        assertThat(FabricEngine.deliberate(ring.world()).slices().get(c).placement())
                .isInstanceOfSatisfying(
                        Placement.Releasing.class,
                        releasing -> assertThat(releasing.onlySilent()).isFalse());
    }

    @Test
    void aReleaseSaysWhatTheDeviceSays() {
        SliceId c = leftRefusing();
        ring.unwish(c);
        ring.settle();
        ring.pass(Duration.ofSeconds(31));
        assertThat(ring.settle().slices().get(c).placement())
                .isInstanceOfSatisfying(Placement.Releasing.class, releasing -> {
                    assertThat(releasing.waitsFor()).contains("node n14", "read back is something else");
                    assertThat(releasing.onlySilent()).isTrue();
                });
    }

    /** A driver that names the path that is in the way, and not the part that would have to move. */
    @Test
    void whatIsStuckInTheWayIsNotAskedToMove() {
        SliceId c = ring.sits("c", new int[] {14, 15, 16, 17});
        ring.settle();
        ring.refusing.add("n14");
        TreeMap<String, String> stuck = new TreeMap<>();
        for (int bundle = 0; bundle < 2; bundle++) {
            stuck.put("b" + bundle + ".path1", DeviceState.STUCK);
            stuck.put("b" + bundle + ".path2", DeviceState.STUCK);
        }
        ring.failedPorts.put("n14", stuck);
        ring.unwish(c);
        ring.settle();
        assertThat(ring.settle().slices().get(c).placement())
                .isInstanceOfSatisfying(
                        Placement.Releasing.class,
                        releasing -> assertThat(releasing.onlySilent()).isTrue());
    }

    /** Its driver tells no circuit of a module that does not answer, and the module may pass light as before. */
    @Test
    void theLightOfATransceiverThatIsNotReadIsBeyondReachAndNotDark() {
        SliceId c = ring.sits("c", new int[] {14, 15, 16, 17});
        ring.settle();
        int lit = ring.bundles.get("n14")[0] == BundleState.LOOPBACK ? 1 : 0;
        ring.unread.add("n14/" + lit);
        ring.unwish(c);
        assertThat(ring.settle().slices().get(c).placement())
                .isInstanceOfSatisfying(Placement.Releasing.class, releasing -> {
                    assertThat(releasing.onlySilent()).isTrue();
                    assertThat(releasing.waitsFor())
                            .contains("transceivers of n14 do not answer or have failed", "force-release");
                });
        assertThat(ring.litNodes()).containsExactly("n14");
        assertThat(ring.ledger.get(c).allocation().orElseThrow().releasing()).containsExactly("n14");
        ring.unread.clear();
        assertThat(ring.settle().slices().get(c).placement()).isInstanceOf(Placement.Released.class);
        assertThat(ring.litNodes()).isEmpty();
    }

    private void foreignLightOnThree() {
        ring.policy = Policies.foreign(
                FabricPolicy.standard(), FabricPolicy.ForeignCircuits.REMOVE, Optional.of(FabricPolicy.Adoption.RESET));
        ring.bundles.get("n3")[0] = BundleState.PATH_1;
    }

    @Test
    void aResetWaitsForNoTransceiverThatCannotLoopBack() {
        foreignLightOnThree();
        ring.failedPorts.put("n3", new TreeMap<>(Map.of("b0.common", DeviceState.STUCK)));
        SliceId wish = ring.wish("wish", 19, 4);
        assertThat(ring.settle().slices().get(wish).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ring.ledger.get(wish).allocation().orElseThrow().nodes())
                .hasSize(19)
                .doesNotContain("n3");
    }

    @Test
    void aResetSaysWhatItWaitsFor() {
        foreignLightOnThree();
        ring.refusing.add("n3");
        SliceId wish = ring.wish("wish", 2, 16);
        assertThat(FabricEngine.deliberate(ring.world()).slices().get(wish).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message()).contains("adopt: Reset", "n3"));
        ring.settle();
        ring.pass(Duration.ofSeconds(31));
        assertThat(ring.settle().slices().get(wish).placement()).isInstanceOf(Placement.Placed.class);
    }

    /** A try takes seconds, and there is one every half a minute: nobody hears of each. */
    @Test
    void whileItIsTriedAgainNothingElseIsSaid() {
        SliceId c = leftRefusing();
        SliceId wish = ring.wish("wish", 2, 16);
        ring.unwish(c);
        ring.settle();
        ring.pass(Duration.ofSeconds(31));
        Deliberation before = ring.settle();
        assertThat(before.slices().get(c).placement())
                .isInstanceOfSatisfying(
                        Placement.Releasing.class,
                        releasing -> assertThat(releasing.onlySilent()).isTrue());
        ring.pass(Duration.ofSeconds(31));
        Decision again = FabricEngine.deliberate(ring.world()).decision();
        assertThat(again).isInstanceOfSatisfying(Decision.Apply.class, apply -> ring.flying.add(apply.stage()));
        Deliberation during = FabricEngine.deliberate(ring.world());
        assertThat(during.decision()).isInstanceOf(Decision.Rest.class);
        for (SliceId slice : List.of(c, wish)) {
            assertThat(during.slices().get(slice).placement())
                    .isEqualTo(before.slices().get(slice).placement());
        }
    }
}
