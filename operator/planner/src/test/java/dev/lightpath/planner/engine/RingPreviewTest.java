package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.simulation.RingPreview;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RingPreviewTest {
    private final ToyRing ring = ToyRing.of(16, 3);

    @Test
    void showsWhatTheEngineThenDoes() {
        ring.wish("a", 1, 16);
        ring.settle();
        SliceId b = ring.wish("b", 2, 16);
        RingPreview preview = preview(b);
        ring.settle();
        assertThat(preview).isInstanceOfSatisfying(RingPreview.Placed.class, placed -> {
            assertThat(placed.groups())
                    .isEqualTo(ring.ledger.get(b).allocation().orElseThrow().groups());
            assertThat(placed.steps()).hasSize(1);
            assertThat(placed.bundles())
                    .hasSize(2 * 6)
                    .allMatch(bundle -> bundle.slice().equals(b));
        });
    }

    @Test
    void saysWhyThereIsNoPlace() {
        ring.wish("a", 3, 16);
        ring.settle();
        assertThat(preview(ring.wish("b", 2, 16))).isInstanceOfSatisfying(RingPreview.Unplaceable.class, none -> {
            assertThat(none.reason()).isEqualTo(Reason.INSUFFICIENT_CAPACITY);
            assertThat(none.gpusUsable()).isLessThanOrEqualTo(16);
            assertThat(none.why()).contains("12 allocated");
        });
    }

    /** The operator ends its pods first. */
    @Test
    void showsWhoseJobMakesRoom() {
        ring.policy = Policies.preempting(ring.policy);
        ring.priority = 1;
        SliceId low = ring.wish("low", 4, 16);
        ring.settle();
        ring.amend(low, true, new Workload.Pods(new TreeSet<>(Set.of("n3")), false), false);
        ring.pass(Duration.ofSeconds(10));
        ring.priority = 2;
        assertThat(preview(ring.wish("high", 2, 16))).isInstanceOfSatisfying(RingPreview.Placed.class, placed -> {
            assertThat(placed.preempted()).containsExactly(ring.slices.get(low).job());
            assertThat(placed.steps()).anySatisfy(step -> {
                assertThat(step.slice()).isEqualTo(low);
                assertThat(step.allocation().groups()).isEmpty();
            });
        });
    }

    @Test
    void doesNotCountOnLightThatCannotBeTakenDown() {
        ring.policy = Policies.preempting(ring.policy);
        ring.priority = 1;
        ring.wish("low", 4, 16);
        ring.settle();
        ring.priority = 2;
        SliceId high = ring.wish("high", 4, 16);
        RingPreview preview = RingPreview.of(unreadable("n3"), ring.slices.get(high));
        assertThat(preview)
                .isInstanceOfSatisfying(
                        RingPreview.Unplaceable.class,
                        none -> assertThat(none.why()).doesNotContain("lower priority"));
    }

    private Snapshot unreadable(String node) {
        World world = ring.world();
        return new Snapshot(
                ring.now,
                world.rings(),
                new TreeMap<>(),
                ring.slices,
                ring.ledger,
                List.of(),
                new TreeSet<>(Set.of(node)));
    }

    @Test
    void avoidsWhatIsKnownToBeFaulty() {
        SliceId a = ring.wish("a", 3, 16);
        RingPreview preview = preview(a, new Subject.OfNode("n5"), new Subject.OfDevice("n6"));
        assertThat(preview)
                .isInstanceOfSatisfying(
                        RingPreview.Placed.class,
                        placed -> assertThat(placed.groups())
                                .flatMap(group -> group.members())
                                .extracting(member -> member.node())
                                .doesNotContain("n5", "n6"));
    }

    @Test
    void plansAPausedFabricAndSaysSo() {
        ring.paused = true;
        assertThat(preview(ring.wish("a", 1, 16)))
                .isInstanceOfSatisfying(
                        RingPreview.Placed.class,
                        placed -> assertThat(placed.waitsFor())
                                .hasValueSatisfying(why -> assertThat(why).contains("paused")));
    }

    @Test
    void refusesATensorThatFitsNoNodeCount() {
        assertThat(preview(ring.wish("a", 1, 6)))
                .isInstanceOfSatisfying(
                        RingPreview.Unplaceable.class,
                        none -> assertThat(none.reason()).isEqualTo(Reason.INVALID_PARALLELISM));
    }

    private RingPreview preview(SliceId wished, Subject... faulty) {
        World world = ring.world();
        RingIntent intent = world.rings().get("ring-a");
        TreeMap<SliceId, dev.lightpath.planner.world.SliceIntent> others = new TreeMap<>(ring.slices);
        others.remove(wished);
        return RingPreview.of(
                Snapshot.of(ring.now, intent, others, new TreeMap<>(ring.ledger), Set.copyOf(List.of(faulty))),
                ring.slices.get(wished));
    }
}
