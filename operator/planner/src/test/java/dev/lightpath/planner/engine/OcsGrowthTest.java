package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a job that has fewer replicas than it wants gets more, and when it is told that there is room. */
class OcsGrowthTest extends OcsElasticTrial {
    @Test
    void underPodsItIsToldThatThereIsRoomAndNothingGrows() {
        SliceId job = shrunk();
        run(job);
        heal();
        ocs.decisions.clear();
        assertThat(placement(ocs.settle(), job)).isEqualTo(new Placement.Placed(Optional.empty(), true));
        assertThat(ocs.nodes(job)).hasSize(3);
        assertThat(ocs.decisions).allMatch(Decision.Rest.class::isInstance);
    }

    @Test
    void onceNoPodRunsItGrowsAndKeepsItsNodes() {
        SliceId job = shrunk();
        run(job);
        heal();
        ocs.settle();
        List<List<String>> before = ocs.nodes(job);
        end(job);
        assertWell(ocs.settle(), job, 4);
        assertThat(ocs.nodes(job)).startsWith(before.get(0), before.get(1), before.get(2));
        assertThat(told(job)).anyMatch(why -> why.startsWith("grows: 4 of 4 replicas, an iteration of "));
    }

    /** Who starts its pods waits as long as there is room, and no longer. */
    @Test
    void roomIsToldUntilTheSolverHasAnsweredAndNotOnceThereAreNoCircuits() {
        SliceId job = shrunk();
        ocs.answering = false;
        ocs.answers.clear();
        heal();
        Deliberation asking = ocs.settle();
        assertThat(placement(asking, job)).isEqualTo(new Placement.Placed(Optional.empty(), true));
        assertThat(ocs.nodes(job)).hasSize(3);
        TopologyQuestion question = asking.questions().values().stream()
                .map(asked -> asked.question())
                .filter(of -> of.parallelism().replicas() == 4)
                .findFirst()
                .orElseThrow();
        assertThat(asking.questions().get(question.digest()).isForeseen())
                .as("its pods wait for it")
                .isFalse();
        ocs.answers.put(question.digest(), new TopologyAnswer.None("none", false));
        assertThat(placement(ocs.settle(), job)).isEqualTo(new Placement.Placed());
        assertThat(ocs.nodes(job)).hasSize(3);
    }

    @Test
    void noRoomIsPromisedWhileTheFabricIsFrozen() {
        SliceId job = shrunk();
        run(job);
        heal();
        ocs.paused = true;
        assertThat(placement(ocs.settle(), job)).isEqualTo(new Placement.Placed());
    }

    /** Pods that a waiting job is to have are none that another grows into. */
    @Test
    void nothingGrowsIntoThePodsOfAJobThatWaits() {
        SliceId job = shrunk();
        run(job);
        ocs.answering = false;
        heal();
        SliceId waits = ocs.wishTraffic("waits", replicas(1, 1, 1), 5, true, new Workload.LightOnly());
        ocs.answering = true;
        end(job);
        Deliberation rest = ocs.settle();
        assertThat(placement(rest, waits)).isInstanceOf(Placement.Placed.class);
        assertThat(ocs.nodes(job)).hasSize(3);
    }

    /** It waits for more pods than there are free. */
    @Test
    void aJobGrowsThoughAnotherWaits() {
        SliceId job = shrunk();
        SliceId waits = ocs.wishTraffic("waits", replicas(1, 3, 3), -1, true, new Workload.LightOnly());
        heal();
        Deliberation rest = ocs.settle();
        assertThat(placement(rest, waits)).isInstanceOf(Placement.Unplaced.class);
        assertWell(rest, job, 4);
    }

    /** The first free pod has ports enough, and none on a switch of the others. */
    @Test
    void aJobGrowsIntoThePodsThatItsOwnCanBeJoinedWith() {
        ocs = fabric(5, 1);
        List<Integer> three = List.of(0, 1, 2);
        List<Integer> more = List.of(0, 1, 2, 4);
        ocs.wiring.wireOnly(List.of(three, three, more, more, List.of(3), List.of(3)));
        ocs.wiring.close(3, true);
        ocs.wiring.close(4, true);
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        assertWell(ocs.settle(), job, 3);
        ocs.wiring.close(3, false);
        ocs.wiring.close(4, false);
        assertWell(ocs.settle(), job, 4);
        assertThat(pods(job)).containsExactly("0", "1", "2", "4");
    }

    @Test
    void lostCircuitsAreMendedBeforeMoreReplicasAreAskedFor() {
        SliceId job = waitsForMore();
        loseCircuit(job, "1");
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(placement(rest, job)).isEqualTo(new Placement.Placed(Optional.empty(), true));
        assertThat(rest.slices().get(job).light().failed()).isZero();
        assertThat(ocs.nodes(job)).hasSize(3);
        assertThat(ocs.recorded(job)).isEqualTo(ocs.light());
        ocs.answering = true;
        assertWell(ocs.settle(), job, 4);
    }

    /** Too few ports are left for as many circuits: DELTA is asked, and who waits is told why. */
    @Test
    void lostCircuitsAreToldWhileMoreReplicasAreAskedFor() {
        SliceId job = waitsForMore();
        ocs.switches.keySet().stream().limit(3).forEach(name -> ocs.fail(name, "1"));
        assertThat(placement(ocs.settleAfter(HOLD), job))
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.message())
                                .endsWith("circuits are being chosen anew from the ports that are left"));
        assertThat(ocs.nodes(job)).hasSize(3);
        ocs.answering = true;
        assertWell(ocs.settle(), job, 4);
    }

    /** Its pods are let go once nothing is to be added, and not between a repair and growth. */
    @Test
    void roomIsToldWithTheRepairThatComesBeforeGrowth() {
        SliceId job = waitsForMore();
        List<Placement> told = new ArrayList<>();
        ocs.heard = (world, heard) -> {
            if (heard.decision() instanceof Decision.Adopt) {
                told.add(placement(heard, job));
            }
        };
        loseCircuit(job, "1");
        ocs.settleAfter(HOLD);
        assertThat(told).isNotEmpty().allMatch(new Placement.Placed(Optional.empty(), true)::equals);
    }

    @Test
    void noRoomIsToldUnderPodsWhereTheSolverFindsNoCircuits() {
        SliceId job = shrunk();
        run(job);
        ocs.answering = false;
        ocs.answers.clear();
        heal();
        Deliberation asking = ocs.settle();
        assertThat(placement(asking, job)).isEqualTo(new Placement.Placed());
        TopologyQuestion four = asking.questions().values().stream()
                .map(asked -> asked.question())
                .filter(of -> of.parallelism().replicas() == 4)
                .findFirst()
                .orElseThrow();
        assertThat(asking.questions().get(four.digest()).isForeseen())
                .as("nobody waits for it")
                .isTrue();
        ocs.answers.put(four.digest(), new TopologyAnswer.None("none", false));
        Deliberation none = ocs.settle();
        assertThat(placement(none, job)).isEqualTo(new Placement.Placed());
        assertThat(none.questions()).doesNotContainKey(four.digest());
        ocs.answers.remove(four.digest());
        ocs.answering = true;
        assertThat(placement(ocs.settle(), job)).isEqualTo(new Placement.Placed(Optional.empty(), true));
    }

    /** What it was short of as a narrow job says nothing of what it is short of now. */
    @Test
    void aJobGrowsBetweenOthersInItsPods() {
        ocs = fabric(4, 3);
        ocs.wiring.close(2, true);
        ocs.wiring.close(3, true);
        SliceId before = ocs.wishTraffic("before", replicas(2, 1, 1), 1, true, new Workload.LightOnly());
        SliceId job = ocs.wishTraffic("job", replicas(2, 2, 1));
        SliceId after = ocs.wishTraffic("later", replicas(2, 1, 1), -1, true, new Workload.LightOnly());
        ocs.settle();
        assertThat(ocs.nodes(job)).hasSize(2);
        ocs.wiring.close(2, false);
        ocs.wiring.close(3, false);
        Deliberation rest = ocs.settle();
        assertThat(ocs.nodes(job)).hasSize(4);
        for (SliceId each : List.of(before, job, after)) {
            assertThat(placement(rest, each)).isEqualTo(new Placement.Placed());
        }
    }

    /** A narrow job whose pods wait while DELTA is asked for circuits of all its replicas. */
    private SliceId waitsForMore() {
        SliceId job = shrunk();
        ocs.answering = false;
        ocs.answers.clear();
        heal();
        assertThat(placement(ocs.settle(), job)).isEqualTo(new Placement.Placed(Optional.empty(), true));
        assertThat(ocs.nodes(job)).hasSize(3);
        return job;
    }

    /** A port of a circuit of its that ends in a port of this name fails. */
    private void loseCircuit(SliceId job, String port) {
        String[] lost = new String[1];
        ocs.recorded(job).forEach((name, circuit) -> {
            if (lost[0] == null
                    && (circuit.ingress().equals(port) || circuit.egress().equals(port))) {
                lost[0] = name;
            }
        });
        ocs.fail(lost[0], port);
    }
}
