package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.engine.simulation.PlacementPreview;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PlacementPreviewTest {
    private final ToyRing ring = ToyRing.of(16, 3);

    @Test
    void showsWhatTheEngineThenDoes() {
        ring.wish("a", 1, 16);
        ring.settle();
        SliceId b = ring.wish("b", 2, 16);
        PlacementPreview preview = preview(b);
        ring.settle();
        assertThat(preview).isInstanceOfSatisfying(PlacementPreview.Placed.class, placed -> {
            assertThat(placed.allocations().firstEntry().getValue().groups())
                    .isEqualTo(ring.ledger.get(b).allocation().orElseThrow().groups());
            assertThat(placed.steps()).hasSize(1);
            assertThat(placed.ring().orElseThrow().bundles())
                    .hasSize(2 * 6)
                    .allMatch(bundle -> bundle.slice().equals(b));
        });
    }

    @Test
    void saysWhyThereIsNoPlace() {
        ring.wish("a", 3, 16);
        ring.settle();
        assertThat(preview(ring.wish("b", 2, 16))).isInstanceOfSatisfying(PlacementPreview.Unplaceable.class, none -> {
            assertThat(none.reason()).isEqualTo(Reason.INSUFFICIENT_CAPACITY);
            assertThat(none.usableGpus()).isLessThanOrEqualTo(16);
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
        assertThat(preview(ring.wish("high", 2, 16))).isInstanceOfSatisfying(PlacementPreview.Placed.class, placed -> {
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
        PlacementPreview preview = PlacementPreview.of(unreadable("n3"), ring.slices.get(high));
        assertThat(preview)
                .isInstanceOfSatisfying(
                        PlacementPreview.Unplaceable.class,
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
        PlacementPreview preview = preview(a, new Subject.OfNode("n5"), new Subject.OfDevice("n6"));
        assertThat(preview)
                .isInstanceOfSatisfying(
                        PlacementPreview.Placed.class,
                        placed -> assertThat(placed.allocations()
                                        .firstEntry()
                                        .getValue()
                                        .groups())
                                .flatMap(group -> group.members())
                                .extracting(member -> member.node())
                                .doesNotContain("n5", "n6"));
    }

    @Test
    void plansAPausedFabricAsThoughItWentOn() {
        ring.paused = true;
        assertThat(preview(ring.wish("a", 1, 16))).isInstanceOf(PlacementPreview.Placed.class);
    }

    @Test
    void refusesATensorThatFitsNoNodeCount() {
        assertThat(preview(ring.wish("a", 1, 6)))
                .isInstanceOfSatisfying(
                        PlacementPreview.Unplaceable.class,
                        none -> assertThat(none.reason()).isEqualTo(Reason.INVALID_PARALLELISM));
    }

    private PlacementPreview preview(SliceId wished, Subject... faulty) {
        World world = ring.world();
        RingIntent intent = world.rings().get("ring-a");
        TreeMap<SliceId, dev.lightpath.planner.world.SliceIntent> others = new TreeMap<>(ring.slices);
        others.remove(wished);
        return PlacementPreview.of(
                Snapshot.of(ring.now, intent, others, new TreeMap<>(ring.ledger), Set.copyOf(List.of(faulty))),
                ring.slices.get(wished));
    }

    private final ToyOcs ocs = ToyOcs.logical(8, 1, 4, DeviceKind.TWO_SIDED, 1);

    private PlacementPreview onSwitches(SliceId wished, List<Subject> faulty) {
        SliceIntent wish = ocs.slices.get(wished);
        ocs.forget(wished);
        World world = ocs.world();
        return PlacementPreview.of(
                new Snapshot(ocs.now, new TreeMap<>(), world.ocsFabrics(), world.slices(), world.ledger(), faulty),
                List.of(wish),
                question -> question.answer(new DeltaPlanner(), SearchLimits.standard()));
    }

    @Test
    void showsWhatIsThenDoneOnSwitches() {
        ocs.wishTraffic("first", OcsTrafficTest.gpt7b(2));
        ocs.settle();
        SwitchedLight before = ocs.light();
        SliceId second = ocs.wishTraffic("second", OcsTrafficTest.gpt7b(2));
        PlacementPreview.Placed shown = (PlacementPreview.Placed) onSwitches(second, List.of());
        assertThat(ocs.light()).isEqualTo(before);
        assertThat(shown.others()).isEmpty();
        ocs.wishTraffic("second", OcsTrafficTest.gpt7b(2));
        ocs.settle();
        Allocation done = ocs.ledger.get(second).allocation().orElseThrow();
        assertThat(shown.allocations()).hasSize(1);
        assertThat(shown.allocations().firstEntry().getValue().groups()).isEqualTo(done.groups());
        assertThat(shown.allocations().firstEntry().getValue().circuits()).isEqualTo(done.circuits());
        assertThat(shown.allocations().firstEntry().getValue().prediction()).isEqualTo(done.prediction());
    }

    @Test
    void saysWhatIsMissingOnSwitches() {
        SliceId job = ocs.wishTraffic("large", OcsTrafficTest.gpt7b(1, 4));
        assertThat(((PlacementPreview.Unplaceable) onSwitches(job, List.of())).why())
                .contains("take 16 pods; fabric spine has 8");
    }

    @Test
    void keepsOffSwitchesThatHaveFailed() {
        SliceId job = ocs.wishTraffic("one", OcsTrafficTest.gpt7b(2));
        PlacementPreview.Placed shown =
                (PlacementPreview.Placed) onSwitches(job, List.of(new Subject.OfDevice("ocs-00")));
        assertThat(shown.allocations().firstEntry().getValue().circuits().on("ocs-00"))
                .isEmpty();
    }

    @Test
    void looksForNoCircuitsOfAJobThatHasItsPlace() {
        SliceId job = ocs.wishTraffic("one", OcsTrafficTest.gpt7b(2));
        ocs.settle();
        World world = ocs.world();
        PlacementPreview.Placed shown = (PlacementPreview.Placed) PlacementPreview.of(
                new Snapshot(
                        ocs.now,
                        new TreeMap<>(),
                        world.ocsFabrics(),
                        world.slices(),
                        world.ledger(),
                        List.of(new Subject.OfDevice(ocs.light().circuits().firstKey()))),
                List.of(ocs.slices.get(job)),
                question -> {
                    throw new IllegalStateException("nobody waits for the answer: " + question);
                });
        assertThat(shown.steps()).isEmpty();
        assertThat(shown.allocations().get(job))
                .isEqualTo(ocs.ledger.get(job).allocation().orElseThrow());
    }
}
