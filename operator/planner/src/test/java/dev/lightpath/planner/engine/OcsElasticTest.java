package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** With how many replicas a job begins, and what becomes of it when it loses nodes or circuits. */
class OcsElasticTest extends OcsElasticTrial {
    @Test
    void aJobThatFindsNoPodsForAllStartsWithTheMostThatFit() {
        fail("node-1-0");
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        Deliberation rest = ocs.settle();
        assertThat(ocs.nodes(job)).containsExactly(List.of("node-0-0"), List.of("node-2-0"), List.of("node-3-0"));
        assertWell(rest, job, 3);
        assertThat(why(job)).endsWith("; 3 of 4 replicas");
        assertThat(rest.fabrics().get("spine").gpus().allocated()).isEqualTo(24);
    }

    @Test
    void aJobOnAFabricOfFewerPodsHasThoseThatThereAre() {
        SliceId job = ocs.wishTraffic("job", replicas(1, 9, 1));
        assertWell(ocs.settle(), job, 4);
        SliceId never = ocs.wishTraffic("never", replicas(1, 9, 5));
        assertThat(placement(ocs.settle(), never))
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.forever()).isTrue());
    }

    @Test
    void fewerThanAreEnoughAreNotPlaced() {
        fail("node-1-0", "node-2-0");
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 3));
        assertThat(placement(ocs.settle(), job)).isInstanceOfSatisfying(Placement.Unplaced.class, unplaced -> {
            assertThat(unplaced.message()).startsWith("3 of 4 replicas are enough: wanted 24 GPUs as ");
            assertThat(unplaced.forever()).isFalse();
        });
    }

    /** All four have free ports, but on different switches: others would have to make room. */
    @Test
    void podsThatNoFreePortsJoinAreLeftOut() {
        List<Integer> three = List.of(0, 1, 2);
        ocs.wiring.wireOnly(List.of(List.of(3), List.of(3), three, three, three, three));
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        assertWell(ocs.settle(), job, 3);
        assertThat(ocs.nodes(job)).doesNotContain(List.of("node-3-0"));
        SliceId rigid = ocs.wishTraffic("rigid", replicas(1, 2, 2));
        assertThat(placement(ocs.settle(), rigid)).isInstanceOf(Placement.Unplaced.class);
    }

    @Test
    void whatIsLostShrinksTheJobAndItsCircuitsAreChosenAnew() {
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        ocs.settle();
        List<List<String>> before = ocs.nodes(job);
        fail("node-1-0");
        Deliberation rest = ocs.settle();
        assertThat(ocs.nodes(job)).containsExactly(before.get(0), before.get(2), before.get(3));
        assertWell(rest, job, 3);
        assertThat(told(job)).anyMatch(why -> why.startsWith("shrinks: 3 of 4 replicas, an iteration of "));
        ToyOcs other = fabric(4, 1);
        other.wiring.close(1, true);
        SliceId rigid = other.wishTraffic("job", replicas(1, 3, 3));
        other.settle();
        assertThat(record(ocs, job).prediction()).isEqualTo(record(other, rigid).prediction());
    }

    @Test
    void aJobThatIsNotElasticWaitsForItsNode() {
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 4));
        ocs.settle();
        fail("node-1-0");
        assertThat(placement(ocs.settle(), job))
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.degraded()).isTrue());
        assertThat(ocs.nodes(job)).hasSize(4);
    }

    @Test
    void aJobThatWouldHaveTooFewWaitsWithAllThatItHad() {
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 3));
        ocs.settle();
        fail("node-0-0", "node-2-0");
        assertThat(placement(ocs.settle(), job)).isInstanceOf(Placement.Faulted.class);
        assertThat(ocs.nodes(job)).hasSize(4);
    }

    @Test
    void aFreeNodeOfItsPodIsTakenBeforeAnyReplicaIsGivenUp() {
        ocs = fabric(4, 2);
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 1));
        ocs.settle();
        fail("node-1-0");
        assertWell(ocs.settle(), job, 4);
    }

    @Test
    void aFreePodComesInForOneThatAJobOfFullWidthLost() {
        ocs = fabric(5, 1);
        ocs.wiring.close(4, true);
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 1));
        assertWell(ocs.settle(), job, 4);
        ocs.wiring.close(4, false);
        ocs.decisions.clear();
        fail("node-1-0");
        assertWell(ocs.settle(), job, 4);
        assertThat(pods(job)).containsExactly("0", "4", "2", "3");
        assertThat(told(job))
                .isNotEmpty()
                .allMatch(why -> why.startsWith("other pods in for node-1-0: 4 of 4 replicas, an iteration of "));
    }

    @Test
    void theRecordOfAJobOfFullWidthStaysUntilTheSolverHasAnsweredForTheFreePod() {
        ocs = fabric(5, 1);
        ocs.wiring.close(4, true);
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 1));
        ocs.settle();
        ocs.wiring.close(4, false);
        ocs.answering = false;
        ocs.answers.clear();
        fail("node-1-0");
        Deliberation asking = ocs.settle();
        assertThat(placement(asking, job)).isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
            assertThat(faulted.message()).endsWith("circuits are being chosen for 4 of 4 replicas");
            assertThat(faulted.relocatable()).isFalse();
        });
        ocs.answering = true;
        assertWell(ocs.settle(), job, 4);
        assertThat(pods(job)).containsExactly("0", "4", "2", "3");
    }

    /** No free pod is joined with those that are left. */
    @Test
    void otherPodsForAllReplicasAreTakenBeforeAnyIsGivenUp() {
        ocs = fabric(8, 1);
        List<Integer> these = List.of(0, 1, 2, 3);
        List<Integer> others = List.of(4, 5, 6, 7);
        ocs.wiring.wireOnly(List.of(these, these, these, others, others, others));
        others.forEach(pod -> ocs.wiring.close(pod, true));
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 1));
        assertWell(ocs.settle(), job, 4);
        others.forEach(pod -> ocs.wiring.close(pod, false));
        fail("node-1-0");
        assertThat(placement(ocs.settle(), job))
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.relocatable()).isTrue());
        assertThat(ocs.nodes(job)).hasSize(4);
    }

    @Test
    void nothingShrinksWhileTheFabricIsFrozen() {
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        ocs.settle();
        ocs.paused = true;
        fail("node-1-0");
        assertThat(ocs.nodes(job)).hasSize(4);
    }

    @Test
    void whatIsLeftOfBrokenReplicasMakesAnother() {
        ocs = fabric(6, 1);
        SliceId job = ocs.wishTraffic("job", replicas(2, 3, 1));
        ocs.settle();
        List<List<String>> before = ocs.nodes(job);
        fail(before.get(0).getFirst(), before.get(3).getFirst());
        assertWell(ocs.settle(), job, 2);
        assertThat(ocs.nodes(job)).containsExactly(before.get(4), before.get(5), before.get(2), before.get(1));
    }

    @Test
    void aPodThatLostItsPortsIsGivenUp() {
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        ocs.settle();
        ocs.switches.keySet().forEach(name -> ocs.fail(name, "2"));
        assertWell(ocs.settleAfter(HOLD), job, 3);
        assertThat(ocs.nodes(job)).doesNotContain(List.of("node-1-0"));
    }

    @Test
    void theLastReplicaNeedsNoCircuits() {
        SliceId job = ocs.wishTraffic("job", replicas(1, 2, 1));
        ocs.settle();
        fail(ocs.nodes(job).getFirst().getFirst());
        fail("node-2-0", "node-3-0");
        Deliberation rest = ocs.settle();
        assertThat(ocs.nodes(job)).hasSize(1);
        assertThat(placement(rest, job)).isEqualTo(new Placement.Placed());
        assertThat(ocs.light()).isEqualTo(SwitchedLight.none());
    }

    @Test
    void theRecordStaysUntilTheSolverHasAnswered() {
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        ocs.settle();
        Allocation before = record(ocs, job);
        ocs.answering = false;
        fail("node-1-0");
        Deliberation rest = ocs.settle();
        assertThat(placement(rest, job)).isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
            assertThat(faulted.degraded()).isFalse();
            assertThat(faulted.message()).isEqualTo("faulty: node-1-0; circuits are being chosen for 3 of 4 replicas");
        });
        assertThat(record(ocs, job)).isEqualTo(before);
        assertThat(rest.questions().values())
                .extracting(asked -> asked.question().parallelism().replicas())
                .contains(3);
        ocs.answering = true;
        assertWell(ocs.settle(), job, 3);
    }

    @Test
    void underPodsItWaitsForTheirEnd() {
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        ocs.settle();
        run(job);
        fail("node-1-0");
        assertThat(placement(ocs.settle(), job))
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.degraded()).isFalse());
        assertThat(ocs.nodes(job)).hasSize(4);
        end(job);
        assertWell(ocs.settle(), job, 3);
    }

    /** {@code recovery.replace} may let it shrink under running pods. */
    @Test
    void underPodsCircuitsStayBetweenPodsThatStay() {
        ocs.grace = Optional.of(Duration.ZERO);
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        ocs.settle();
        run(job);
        SwitchedLight before = ocs.light();
        fail("node-1-0");
        assertWell(ocs.settle(), job, 3);
        ocs.light()
                .minus(before)
                .forEach((name, circuit) -> assertThat(List.of(circuit.ingress(), circuit.egress()))
                        .as("%s: the neighbours of the pod that is lost are joined, and nobody else", name)
                        .containsExactlyInAnyOrder("1", "3"));
    }

    @Test
    void anotherProcessTakesANarrowRecordAsItIs() {
        SliceId job = shrunk();
        run(job);
        Allocation before = record(ocs, job);
        ocs.decisions.clear();
        ocs.restart();
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWell(rest, job, 3);
        assertThat(record(ocs, job)).isEqualTo(before);
        assertThat(rest.questions()).isEmpty();
        assertThat(ocs.decisions).allMatch(Decision.Rest.class::isInstance);
    }

    /** The second pod of the job has ports, but another job has them. */
    @Test
    void aPodWhosePortsAnotherJobHasIsGivenUp() {
        ocs = fabric(5, 2);
        List<Integer> most = List.of(0, 1, 2, 4);
        List<Integer> all = List.of(0, 1, 2, 3, 4);
        ocs.wiring.wireOnly(List.of(all, all, most, most, most, most));
        ocs.wiring.close(4, true);
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        assertWell(ocs.settle(), job, 4);
        assertThat(pods(job)).containsExactly("0", "1", "2", "3");
        ocs.wiring.close(4, false);
        List.of(0, 2, 3).forEach(pod -> ocs.wiring.close(pod, true));
        SliceId other = ocs.wishTraffic("other", replicas(1, 2, 2));
        ocs.settle();
        assertThat(pods(other)).containsExactlyInAnyOrder("1", "4");
        run(other);
        List.of(0, 2, 3).forEach(pod -> ocs.wiring.close(pod, false));
        ocs.wiring.close(4, true);
        ocs.settle();
        assertThat(ocs.recorded(other).size()).isEqualTo(4);
        Map<String, String> lost = new TreeMap<>();
        ocs.recorded(job).forEach((name, circuit) -> {
            if (circuit.ingress().equals("2") || circuit.egress().equals("2")) {
                lost.putIfAbsent("2", name);
            }
        });
        ocs.fail(lost.get("2"), "2");
        assertThat(ocs.settleAfter(HOLD).slices().get(job).placement()).isEqualTo(new Placement.Placed());
        assertThat(pods(job)).containsExactly("0", "2", "3");
    }

    /** Without its second pod the others are joined; without the last one they are not. */
    @Test
    void theReplicaWhoseLossLeavesTheOthersJoinedIsGivenUp() {
        ocs.wiring.wireOnly(
                List.of(List.of(0, 1), List.of(1, 2), List.of(2, 3), List.of(3, 0), List.of(1, 3), List.of(1, 2)));
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        assertWell(ocs.settle(), job, 4);
        ocs.fail("ocs-02", "3");
        assertWell(ocs.settleAfter(HOLD), job, 3);
        assertThat(pods(job)).containsExactlyInAnyOrder("0", "1", "3");
    }

    @Test
    void aFreePodComesInThoughAnotherJobWaits() {
        ocs = fabric(5, 1);
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 1));
        ocs.settle();
        ocs.wishTraffic("waits", replicas(1, 3, 3), -1, true, new Workload.LightOnly());
        ocs.settle();
        String lost = ocs.nodes(job).get(1).getFirst();
        fail(lost);
        assertWell(ocs.settle(), job, 4);
        assertThat(ocs.nodes(job)).doesNotContain(List.of(lost));
    }

    @Test
    void aPlaceIsNotGivenUpForPodsThatNoFreePortsJoin() {
        ocs = fabric(5, 1);
        List<Integer> four = List.of(0, 1, 2, 3);
        ocs.wiring.wireOnly(List.of(four, four, four, four, List.of(4), List.of(4)));
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        assertWell(ocs.settle(), job, 4);
        fail("node-1-0");
        assertWell(ocs.settle(), job, 3);
        assertThat(pods(job)).containsExactly("0", "2", "3");
    }

    /** A place for more, or elsewhere, would end the pods. */
    @Test
    void aRunningJobWhoseRecordIsLostIsPlacedWhereItRuns() {
        ocs = fabric(4, 2);
        SliceId job = shrunk("node-1-0", "node-1-1");
        List<List<String>> before = ocs.nodes(job);
        runAs(job, 3);
        heal();
        lose(job);
        ocs.settle();
        assertThat(ocs.nodes(job)).isEqualTo(before);
        end(job);
        assertWell(ocs.settle(), job, 4);
    }

    /** Replicas that share experts hold two data-parallel ranks each, and the job counts these. */
    @Test
    void whatRunsIsToldInDataParallelRanks() {
        Demand.Traffic all = Gpt7b.traffic(Parallelism.ofDegrees(4, 1, 8, 1, 8), new Batch(4, 1, 1024, true), 1);
        SliceId job = ocs.wishTraffic(
                "job",
                new Demand.Traffic(
                        all.iteration(), all.parallelism(), 2, all.stagesPerPod(), all.goal(), all.timeLimit()));
        assertThat(all.parallelism().replicas()).isEqualTo(4);
        ocs.settle();
        fail("node-1-0");
        assertWell(ocs.settle(), job, 3);
        runAs(job, 6);
        heal();
        lose(job);
        ocs.settle();
        assertThat(ocs.nodes(job)).hasSize(3);
    }

    /** As many as run find no pods any more: the most that do. */
    @Test
    void aRunningJobWhoseRecordIsLostTakesWhatIsLeft() {
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        ocs.settle();
        runAs(job, 4);
        fail("node-3-0");
        lose(job);
        ocs.settle();
        assertThat(ocs.nodes(job)).containsExactly(List.of("node-0-0"), List.of("node-1-0"), List.of("node-2-0"));
    }

    @Test
    void aFreePodIsTakenBeforeANarrowJobGivesUpAnotherReplica() {
        ocs = fabric(5, 1);
        ocs.wiring.close(4, true);
        SliceId job = shrunk();
        run(job);
        ocs.wiring.close(4, false);
        assertThat(placement(ocs.settle(), job)).isEqualTo(new Placement.Placed(Optional.empty(), true));
        fail("node-2-0");
        ocs.decisions.clear();
        end(job);
        assertWell(ocs.settle(), job, 3);
        assertThat(pods(job)).containsExactly("0", "4", "3");
        assertThat(told(job))
                .isNotEmpty()
                .allMatch(why -> why.startsWith("other pods in for node-2-0: 3 of 4 replicas, an iteration of "));
    }

    @Test
    void aFewOfTheManyThatAreLostAreNamed() {
        ocs = fabric(9, 1);
        ocs.wiring.close(8, true);
        SliceId job = ocs.wishTraffic("job", replicas(1, 8, 2));
        assertWell(ocs.settle(), job, 8);
        run(job);
        ocs.wiring.close(8, false);
        fail("node-0-0", "node-1-0", "node-2-0", "node-3-0", "node-4-0");
        ocs.decisions.clear();
        end(job);
        assertWell(ocs.settle(), job, 4);
        assertThat(told(job)).anyMatch(why -> why.startsWith("other pods in for node-0-0, "));
    }

    /** Two are left, and three are enough. */
    @Test
    void aFreePodKeepsAJobThatElseHadTooFew() {
        ocs = fabric(5, 1);
        ocs.wiring.close(4, true);
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 3));
        ocs.settle();
        fail("node-1-0");
        assertWell(ocs.settle(), job, 3);
        run(job);
        ocs.wiring.close(4, false);
        fail("node-3-0");
        end(job);
        assertWell(ocs.settle(), job, 3);
        assertThat(pods(job)).containsExactly("0", "2", "4");
    }

    /** Under pods that may be moved there are as many of them after it: those that are well run on. */
    @Test
    void underPodsAFreePodIsTakenAndTheOthersRunOn() {
        ocs = fabric(5, 1);
        ocs.grace = Optional.of(Duration.ZERO);
        ocs.wiring.close(4, true);
        SliceId job = shrunk();
        run(job);
        ocs.wiring.close(4, false);
        fail("node-2-0");
        ocs.settle();
        assertThat(pods(job)).containsExactly("0", "4", "3");
    }

    /** The free pod has GPUs, and DELTA finds no circuits with it. */
    @Test
    void aNarrowJobShrinksWhereNoCircuitsReachTheFreePod() {
        ocs = fabric(5, 1);
        List<Integer> four = List.of(0, 1, 2, 3);
        ocs.wiring.wireOnly(List.of(four, four, four, four, List.of(4), List.of(4)));
        SliceId job = shrunk();
        run(job);
        fail("node-2-0");
        end(job);
        assertWell(ocs.settle(), job, 2);
        assertThat(pods(job)).containsExactly("0", "3");
    }

    /** Its pods run with a rank each, and are of so many data-parallel ranks, as the job says. */
    private void runAs(SliceId job, int data) {
        TreeMap<Integer, String> ranks = new TreeMap<>();
        ocs.nodes(job).forEach(group -> ranks.put(ranks.size(), group.getFirst()));
        TreeSet<String> occupied = new TreeSet<>(ranks.values());
        ocs.wishTraffic(
                job.name(),
                (Demand.Traffic) ocs.slices.get(job).demand(),
                0,
                true,
                new Workload.Pods(occupied, false, ranks, occupied, OptionalInt.of(data)));
    }

    /** The API server and the process have its record no more, and a person said what becomes of its light. */
    private void lose(SliceId job) {
        ocs.ledger.put(job, LedgerEntry.missing("anew"));
        ocs.policy = Policies.foreign(
                ocs.policy, FabricPolicy.ForeignCircuits.REMOVE, Optional.of(FabricPolicy.Adoption.RESET));
        ocs.restart();
    }
}
