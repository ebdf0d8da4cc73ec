package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that do with fewer replicas, on a ring of 8 nodes with 4 GPUs: a group of 8 GPUs is a pair of nodes. */
class ElasticTest {
    private final ToyRing ring = ToyRing.of(8, 3);

    @BeforeEach
    void calm() {
        ring.policy = Policies.massFailure(ring.policy, 100);
    }

    /** So many replicas of one group. */
    private static Demand.ScaleUp replicas(int wanted, int least) {
        return new Demand.ScaleUp(wanted, 8, least, 1);
    }

    @Test
    void aJobThatFindsNoRoomForAllStartsWithTheMostThatFit() {
        ring.notReady.add("n1");
        SliceId job = ring.elastic("job", replicas(4, 2));
        Deliberation rest = ring.settle();
        assertThat(ring.groups(job)).hasSize(3);
        assertThat(placement(rest, job)).isEqualTo(new Placement.Placed());
        assertThat(ring.ledger
                        .get(job)
                        .allocation()
                        .orElseThrow()
                        .origin()
                        .orElseThrow()
                        .why())
                .endsWith("3 of 4 replicas");
        assertThat(rest.fabrics().get("ring-a").gpus().allocated()).isEqualTo(24);
    }

    @Test
    void fewerThanAreEnoughAreNotPlaced() {
        ring.notReady.addAll(List.of("n1", "n2", "n5"));
        SliceId job = ring.elastic("job", replicas(4, 3));
        assertThat(placement(ring.settle(), job)).isInstanceOf(Placement.Unplaced.class);
        SliceId rigid = ring.wish("rigid", 3, 8);
        assertThat(placement(ring.settle(), rigid)).isInstanceOf(Placement.Unplaced.class);
    }

    @Test
    void whatIsLostShrinksTheJobAndMovesNoLightOfTheRest() {
        SliceId job = ring.elastic("job", replicas(4, 2));
        ring.settle();
        List<List<String>> before = ring.groups(job);
        ring.notReady.add(before.get(1).getFirst());
        ring.decisions.clear();
        Deliberation rest = ring.settle();
        assertThat(ring.groups(job)).containsExactly(before.get(0), before.get(2), before.get(3));
        assertThat(touched()).isSubsetOf(before.get(1));
        assertThat(placement(rest, job)).isEqualTo(new Placement.Placed());
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(ring.ledger
                        .get(job)
                        .allocation()
                        .orElseThrow()
                        .origin()
                        .orElseThrow()
                        .why())
                .startsWith("shrinks: 3 of 4 replicas, nobody in for ");
    }

    @Test
    void aJobThatIsNotElasticWaitsForItsNode() {
        SliceId job = ring.wish("job", 4, 8);
        ring.settle();
        ring.notReady.add("n3");
        assertThat(placement(ring.settle(), job)).isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
            assertThat(faulted.degraded()).isTrue();
            assertThat(faulted.relocatable()).isFalse();
        });
        assertThat(ring.groups(job)).hasSize(4);
    }

    @Test
    void aJobThatWouldHaveTooFewWaitsWithAllThatItHad() {
        SliceId job = ring.elastic("job", replicas(4, 3));
        ring.settle();
        ring.notReady.addAll(List.of(
                ring.groups(job).get(0).getFirst(), ring.groups(job).get(2).getFirst()));
        assertThat(placement(ring.settle(), job)).isInstanceOf(Placement.Faulted.class);
        assertThat(ring.groups(job)).hasSize(4);
    }

    @Test
    void aSpareNodeIsTakenBeforeAnyReplicaIsGivenUp() {
        SliceId job = ring.elastic("job", replicas(3, 1));
        ring.settle();
        ring.notReady.add(ring.groups(job).get(1).getFirst());
        ring.settle();
        assertThat(ring.groups(job)).hasSize(3);
    }

    @Test
    void nothingShrinksWhileTheFabricIsFrozen() {
        SliceId job = ring.elastic("job", replicas(4, 2));
        ring.settle();
        ring.paused = true;
        ring.notReady.add("n3");
        ring.settle();
        assertThat(ring.groups(job)).hasSize(4);
    }

    @Test
    void whatIsLeftOfBrokenReplicasMakesAnother() {
        // replicas of two stages, a node each
        SliceId job = ring.elastic("job", new Demand.ScaleUp(8, 4, 2, 2));
        ring.settle();
        List<List<String>> before = ring.groups(job);
        ring.notReady.addAll(List.of(before.get(0).getFirst(), before.get(5).getFirst()));
        ring.settle();
        assertThat(ring.groups(job))
                .containsExactly(
                        before.get(2), before.get(3), before.get(6), before.get(7), before.get(1), before.get(4));
    }

    @Test
    void underPodsItIsToldThatThereIsRoomAndNothingGrows() {
        SliceId job = shrunk();
        run(job);
        heal();
        ring.decisions.clear();
        assertThat(placement(ring.settle(), job)).isEqualTo(new Placement.Placed(Optional.empty(), true));
        assertThat(ring.groups(job)).hasSize(3);
        assertThat(touched()).isEmpty();
    }

    @Test
    void onceNoPodRunsItGrowsAndWhatItHadStays() {
        SliceId job = shrunk();
        run(job);
        heal();
        ring.settle();
        List<List<String>> before = ring.groups(job);
        ring.amend(job, true, new Workload.Pods(new TreeSet<>(), true), false);
        ring.decisions.clear();
        Deliberation rest = ring.settle();
        assertThat(ring.groups(job)).hasSize(4).startsWith(before.get(0), before.get(1), before.get(2));
        assertThat(touched()).isSubsetOf(ring.groups(job).get(3));
        assertThat(placement(rest, job)).isEqualTo(new Placement.Placed());
        assertThat(ring.ledger
                        .get(job)
                        .allocation()
                        .orElseThrow()
                        .origin()
                        .orElseThrow()
                        .why())
                .isEqualTo("grows: 4 of 4 replicas");
    }

    @Test
    void noRoomIsPromisedWhileTheFabricIsFrozen() {
        SliceId job = shrunk();
        run(job);
        heal();
        ring.paused = true;
        assertThat(placement(ring.settle(), job)).isEqualTo(new Placement.Placed());
    }

    @Test
    void othersGiveWayForWhatIsEnoughAlone() {
        ring.policy = Policies.preempting(ring.policy);
        SliceId least = ring.wish("least", 1, 8);
        ring.priority = 1;
        ring.wish("less", 3, 8);
        ring.settle();
        ring.priority = 5;
        ring.elastic("job", replicas(4, 1));
        ring.pass(Duration.ofMinutes(1));
        Deliberation heard = ring.settle();
        assertThat(heard.slices().entrySet().stream()
                        .filter(each -> each.getValue().preemptor().isPresent())
                        .map(java.util.Map.Entry::getKey))
                .containsExactly(least);
    }

    @Test
    void theRecordOfAJobWithFewerReplicasIsReadOffItsLight() {
        SliceId job = shrunk();
        List<List<String>> before = ring.groups(job);
        ring.ledger.put(job, LedgerEntry.missing("restored"));
        ring.decisions.clear();
        ring.settle();
        assertThat(ring.ledger.get(job).allocation())
                .as("a fault may have taken the light of a fourth")
                .isEmpty();
        ring.amend(
                job,
                true,
                new Workload.Pods(new TreeSet<>(), false, new TreeMap<>(), new TreeSet<>(), OptionalInt.of(3)),
                false);
        ring.settle();
        assertThat(ring.groups(job)).containsExactlyInAnyOrderElementsOf(before);
        assertThat(touched()).isEmpty();
    }

    /** A job of 4 replicas that goes on with 3. */
    private SliceId shrunk() {
        SliceId job = ring.elastic("job", replicas(4, 2));
        ring.settle();
        ring.notReady.add(ring.groups(job).get(1).getFirst());
        ring.settle();
        assertThat(ring.groups(job)).hasSize(3);
        return job;
    }

    /** Its nodes are well for long enough to count as well. */
    private void heal() {
        ring.notReady.clear();
        ring.settle();
        ring.pass(Duration.ofMinutes(10));
    }

    private void run(SliceId job) {
        TreeSet<String> nodes = new TreeSet<>();
        ring.groups(job).forEach(nodes::addAll);
        ring.amend(job, true, new Workload.Pods(nodes, false), false);
    }

    private List<String> touched() {
        List<String> touched = new ArrayList<>();
        ring.decisions.stream()
                .filter(Decision.Apply.class::isInstance)
                .map(decision -> ((Decision.Apply) decision).stage())
                .forEach(stage -> stage.devices().forEach(device -> touched.add(device.device())));
        return touched;
    }

    private static Placement placement(Deliberation of, SliceId job) {
        return of.slices().get(job).placement();
    }
}
