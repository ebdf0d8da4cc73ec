package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.AgentMemory;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A fabric that was handed over, or is not given to this cluster yet. */
class DevicePresenceTest {
    private final ToyRing ring = new ToyRing(new RingFabric(RingShape.RING, 16, 3, 4, 2, 16));

    @Test
    void jobsAreNotMovedAwayFromDevicesThatAnotherRoleHolds() {
        SliceId a = ring.wish("a", 2, 16);
        ring.settle();
        List<List<String>> places = ring.groups(a);
        String broken = places.getFirst().getFirst();
        ring.foreign.addAll(ring.names.values());
        ring.decisions.clear();
        ring.pass(Duration.ofSeconds(1));
        ring.notReady.add(broken);
        ring.pass(Duration.ofSeconds(1));

        Deliberation halted = ring.settle();

        assertThat(ring.groups(a)).isEqualTo(places);
        assertThat(ring.decisions)
                .noneMatch(decision -> decision instanceof Decision.Apply || decision instanceof Decision.Adopt);
        assertThat(halted.fabrics().get("ring-a").heldElsewhere().orElseThrow())
                .contains("another role than cluster/ring-a holds 8 devices", "driver transfer fabric/ring-a");
    }

    @Test
    void oneAgentThatSaysSoStopsNoOtherNode() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        String liar = ring.groups(a).getFirst().getFirst();
        ring.foreign.add(liar);
        ring.agents.put(liar, new AgentMemory(new TreeMap<>(), new TreeMap<>(), false));
        var light = ring.bundles.get(liar).clone();
        SliceId b = ring.wish("b", 1, 16);
        Deliberation rest = ring.settle();
        assertThat(rest.fabrics().get("ring-a").heldElsewhere()).isEmpty();
        assertThat(ring.ledger.get(b).allocation()).isPresent();
        assertThat(ring.groups(b).stream().flatMap(List::stream)).doesNotContain(liar);
        assertThat(ring.bundles.get(liar)).isEqualTo(light);

        String second = ring.groups(a).getFirst().getLast();
        ring.foreign.add(second);
        ring.agents.put(second, new AgentMemory(new TreeMap<>(), new TreeMap<>(), false));
        assertThat(ring.settle().fabrics().get("ring-a").heldElsewhere()).isPresent();
    }

    @Test
    void devicesThatWereGivenAreUsedAtOnceAndAsTheyAre() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        List<List<String>> places = ring.groups(a);
        ring.foreign.addAll(ring.names.values());
        ring.pass(Duration.ofSeconds(10));
        assertThat(ring.settle()
                        .slices()
                        .get(a)
                        .light()
                        .obstacle()
                        .orElseThrow()
                        .message())
                .contains("are held by another role");
        ring.foreign.clear();
        ring.decisions.clear();

        Deliberation gone = ring.settle();

        assertThat(gone.fabrics().get("ring-a").heldElsewhere()).isEmpty();
        assertThat(ring.decisions).noneMatch(Decision.Apply.class::isInstance);
        assertThat(ring.groups(a)).isEqualTo(places);
        String broken = places.getFirst().getFirst();
        ring.notReady.add(broken);
        ring.settle();
        ring.pass(Duration.ofSeconds(1));
        ring.settle();
        assertThat(ring.groups(a)).allSatisfy(group -> assertThat(group).doesNotContain(broken));
    }

    @Test
    void circuitsStayOnSwitchesThatAnotherRoleHolds() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.foreign.add(before.circuits().firstKey());

        Deliberation halted = ocs.settleAfter(Duration.ofSeconds(60));

        assertThat(halted.fabrics().get("spine").heldElsewhere().orElseThrow())
                .contains("driver transfer fabric/spine");
        assertThat(halted.slices().get(job).light().obstacle().orElseThrow().message())
                .contains("is held by another role");
        ocs.foreign.clear();
        Deliberation given = ocs.settle();
        assertThat(given.fabrics().get("spine").heldElsewhere()).isEmpty();
        assertThat(ocs.recorded(job)).isEqualTo(before);
        assertThat(ocs.light()).isEqualTo(before);
    }

    /** Nobody's light is on it: it is out of use, and everything else goes on. */
    @Test
    void aDeviceWithoutRecordedLightStopsNothing() {
        ring.settle();
        ring.foreign.add("n3");
        ring.settle();
        ring.pass(Duration.ofSeconds(1));
        SliceId a = ring.wish("a", 1, 16);

        Deliberation placed = ring.settle();

        assertThat(placed.fabrics().get("ring-a").heldElsewhere()).isEmpty();
        assertThat(ring.groups(a)).allSatisfy(group -> assertThat(group).doesNotContain("n3"));
    }
}
