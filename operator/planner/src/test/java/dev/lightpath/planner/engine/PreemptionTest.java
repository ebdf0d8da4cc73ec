package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Quota;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs of whole nodes with 4 GPUs on a ring of 12. */
class PreemptionTest {
    private final ToyRing ring = ToyRing.of(12, 3);

    @BeforeEach
    void allow() {
        ring.policy = Policies.preempting(ring.policy);
    }

    @Test
    void aFabricThatDoesNotAllowItKeepsPlacedJobs() {
        ring.policy = new ToyRing(ring.ring).policy;
        place("low", 1, 12);
        assertThat(victims(wait("high", 2, 4))).isEmpty();
    }

    @Test
    void theJobOfLowestPriorityMakesRoomAndTheYoungestOfEquals() {
        place("older", 1, 4);
        SliceId younger = place("younger", 1, 4);
        place("higher", 2, 4);
        Deliberation heard = wait("high", 3, 4);
        assertThat(victims(heard)).containsExactly(younger);
        assertThat(message(heard, "high"))
                .endsWith("; 1 job of lower priority makes room for it (policy.preemption): team/younger");
    }

    @Test
    void aJobOfAnotherNamespaceThatMakesRoomIsCountedAndNotNamed() {
        ring.namespace = "rivals";
        place("secret", 1, 12);
        ring.namespace = "team";
        Deliberation heard = wait("high", 3, 4);
        assertThat(message(heard, "high"))
                .endsWith("; 1 job of lower priority makes room for it (policy.preemption): 1 of other namespaces")
                .doesNotContain("rivals");
    }

    @Test
    void oneJobIsTakenRatherThanSeveral() {
        SliceId large = place("large", 1, 8);
        place("small", 0, 4);
        assertThat(victims(wait("high", 3, 8))).containsExactly(large);
    }

    @Test
    void noneOfSeveralIsTakenNeedlessly() {
        SliceId a = place("a", 2, 4);
        SliceId b = place("b", 1, 4);
        SliceId c = place("c", 1, 4);
        assertThat(victims(wait("high", 3, 8))).containsExactly(b, c).doesNotContain(a);
    }

    @Test
    void equalAndHigherPrioritiesStay() {
        place("equal", 3, 8);
        place("higher", 4, 4);
        Deliberation heard = wait("high", 3, 4);
        assertThat(victims(heard)).isEmpty();
        assertThat(message(heard, "high")).doesNotContain("lower priority");
    }

    @Test
    void nothingIsTakenFromAJobThatDoesNotThenFit() {
        place("low", 1, 4);
        place("higher", 4, 8);
        assertThat(victims(wait("high", 3, 8))).isEmpty();
    }

    @Test
    void aWorkloadThatTheOperatorDidNotMakeStays() {
        SliceId other = place("other", 1, 12);
        ring.slices.put(other, ring.slices.get(other).but().preemptible(false).build());
        assertThat(victims(wait("high", 3, 4))).isEmpty();
    }

    /** As by a PriorityClass with preemptionPolicy Never. */
    @Test
    void aJobThatMayNotPreemptWaits() {
        place("low", 1, 12);
        ring.pass(Duration.ofSeconds(10));
        ring.priority = 3;
        SliceId waiting = ring.wish("high", 1, 4 * ring.ring.gpusPerNode());
        ring.slices.put(waiting, ring.slices.get(waiting).but().preempts(false).build());
        Deliberation heard = ring.settle();
        assertThat(victims(heard)).isEmpty();
        assertThat(message(heard, "high")).doesNotContain("lower priority");
    }

    @Test
    void lightOnlyThatPodsOfOthersUseStays() {
        SliceId used = place("used", 1, 12);
        ring.amend(used, true, new Workload.LightOnly(new TreeSet<>(List.of("n3"))), false);
        assertThat(victims(wait("high", 3, 4))).isEmpty();
    }

    @Test
    void lightThatCannotBeTakenDownIsNotCountedOn() {
        SliceId low = place("low", 1, 12);
        ring.policy = Policies.preempting(Policies.massFailure(ring.policy, 100));
        ring.silent.add(node(low));
        ring.pass(Duration.ofMinutes(5));
        assertThat(victims(wait("high", 3, 12))).isEmpty();
    }

    /** Its repair would take the room. */
    @Test
    void nothingIsTakenWhileAnEarlierJobHasAFault() {
        SliceId earlier = place("earlier", 4, 8);
        place("low", 1, 4);
        ring.policy = Policies.preempting(Policies.massFailure(ring.policy, 100));
        ring.notReady.add(node(earlier));
        assertThat(victims(wait("high", 3, 2))).isEmpty();
        ring.notReady.clear();
        ring.settle();
        ring.pass(Duration.ofMinutes(5));
        assertThat(victims(ring.settle())).hasSize(1);
    }

    @Test
    void theRestIsStillTakenWhileTheFirstLeaves() {
        SliceId a = place("a", 2, 4);
        SliceId b = place("b", 1, 4);
        SliceId c = place("c", 1, 4);
        assertThat(victims(wait("high", 3, 8))).containsExactly(b, c);
        ring.amend(b, false, new Workload.Pods(new TreeSet<>(List.of(node(b))), false), false);
        assertThat(victims(ring.settle())).containsExactly(c).doesNotContain(a);
        ring.unwish(c);
        Deliberation heard = ring.settle();
        assertThat(victims(heard)).isEmpty();
        assertThat(message(heard, "high"))
                .endsWith("; there is room once jobs that are being released are gone: team/b");
        ring.amend(b, false, new Workload.LightOnly(), false);
        ring.settle();
        assertThat(ring.positions(new SliceId("team", "high"))).hasSize(1);
    }

    @Test
    void aJobThatLeavesIsAwaited() {
        SliceId leaving = place("leaving", 9, 8);
        place("low", 1, 4);
        ring.amend(leaving, false, new Workload.Pods(new TreeSet<>(List.of(node(leaving))), false), false);
        Deliberation heard = wait("high", 3, 8);
        assertThat(victims(heard)).isEmpty();
        assertThat(message(heard, "high"))
                .endsWith("; there is room once jobs that are being released are gone: team/leaving");
    }

    @Test
    void theRoomIsKeptFromOthersUntilItIsDark() {
        SliceId low = place("low", 1, 12);
        assertThat(victims(wait("high", 3, 8))).containsExactly(low);
        ring.wish("late", 1, 48);
        ring.unwish(low);
        ring.settle();
        assertThat(ring.positions(new SliceId("team", "high"))).hasSize(1);
        ring.slices.remove(low);
        ring.ledger.remove(low);
        ring.priority = 1;
        SliceId back = ring.wish("low-again", 1, 12 * 4);
        Deliberation heard = ring.settle();
        assertThat(ring.ledger.get(back).allocation()).isEmpty();
        assertThat(victims(heard)).as("it cannot take its place back").isEmpty();
    }

    @Test
    void aNamespaceThatHoldsItsQuotaTakesNothing() {
        place("low", 1, 12);
        ring.policy = quota(48);
        assertThat(victims(wait("high", 3, 4))).isEmpty();
    }

    @Test
    void nothingIsTakenWhileNothingMayChange() {
        place("low", 1, 12);
        ring.paused = true;
        assertThat(victims(wait("high", 3, 4))).isEmpty();
    }

    private FabricPolicy quota(int gpus) {
        return Policies.with(
                ring.policy, new Quota(new Quota.Share(OptionalInt.of(gpus), OptionalInt.empty()), new TreeMap<>()));
    }

    /** A job with one group of so many nodes has its place. */
    private SliceId place(String name, int priority, int nodes) {
        ring.pass(Duration.ofSeconds(10));
        ring.priority = priority;
        SliceId id = ring.wish(name, 1, nodes * ring.ring.gpusPerNode());
        ring.settle();
        assertThat(ring.positions(id)).as(name).hasSize(1);
        return id;
    }

    private Deliberation wait(String name, int priority, int nodes) {
        ring.pass(Duration.ofSeconds(10));
        ring.priority = priority;
        ring.wish(name, 1, nodes * ring.ring.gpusPerNode());
        return ring.settle();
    }

    private String node(SliceId id) {
        return "n" + ring.positions(id).getFirst().getFirst();
    }

    static SortedSet<SliceId> victims(Deliberation heard) {
        return new TreeSet<>(preemptors(heard).keySet());
    }

    static SortedMap<SliceId, JobId> preemptors(Deliberation heard) {
        SortedMap<SliceId, JobId> preemptors = new TreeMap<>();
        heard.slices().forEach((slice, verdict) -> verdict.preemptor().ifPresent(job -> preemptors.put(slice, job)));
        return preemptors;
    }

    private static String message(Deliberation heard, String name) {
        Placement.Unplaced unplaced = (Placement.Unplaced)
                heard.slices().get(new SliceId("team", name)).placement();
        assertThat(unplaced.reason()).isEqualTo(Reason.INSUFFICIENT_CAPACITY);
        return unplaced.message();
    }
}
