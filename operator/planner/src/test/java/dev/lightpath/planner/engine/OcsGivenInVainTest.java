package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Light of a job is not moved for one whose circuits are not known yet: it may have no use for the ports. */
class OcsGivenInVainTest {
    private static final int PORTS = 8;
    private static final int LEFT = 2;
    /** A switch that is drained while the neighbours come: the ports it has are left. */
    private static final String LATE = "ocs-03";

    private static final Predicate<TopologyQuestion> OF_NEIGHBOURS =
            question -> question.parallelism().replicas() == 1;

    private final ToyOcs ocs = ToyOcs.logical(4, 4, PORTS / 2, DeviceKind.TWO_SIDED, 2);
    private final SliceId free = neighbour("free", Reconfiguration.LIVE);
    private final SliceId firm = neighbour("firm", Reconfiguration.NEVER);

    /** Of two stages, each with half of a pod's GPUs and the ports of three switches of four. */
    private SliceId neighbour(String name, Reconfiguration when) {
        ocs.wiring.drain(LATE);
        SliceId id = ocs.wishTraffic(
                name, Gpt7b.traffic(Parallelism.ofDegrees(16, 2, 1, 1, 1), new Batch(16, 1, 4096, true), 1));
        ocs.reconfigure(id, when);
        ocs.settle();
        return id;
    }

    private void answer(Predicate<TopologyQuestion> which) {
        ocs.settle().questions().forEach((digest, asked) -> {
            if (which.test(asked.question())) {
                ocs.answers.put(digest, asked.question().answer(new DeltaPlanner(), SearchLimits.standard()));
            }
        });
        ocs.settle();
    }

    @Test
    void aNeighbourKeepsWhatTheNewcomerCouldNotUse() {
        SwitchedLight before = ocs.recorded(free);
        assertThat(before.size()).isEqualTo(2 * (PORTS - LEFT));
        assertThat(ocs.recorded(firm).size()).isEqualTo(before.size());
        ocs.answering = false;
        ocs.wiring.drain(LATE, false);
        SliceId newcomer = ocs.wishTraffic(
                "newcomer",
                Gpt7b.traffic(Parallelism.ofDegrees(16, 2, 2, 1, 1), new Batch(16, 1, 4096, true), 1),
                1,
                true,
                new Workload.LightOnly());
        ocs.reconfigure(newcomer, Reconfiguration.NEVER);
        int from = ocs.decisions.size();
        answer(OF_NEIGHBOURS);
        answer(OF_NEIGHBOURS.negate());
        for (int round = 0; round < 5; round++) {
            answer(question -> true);
        }
        assertThat(ocs.recorded(newcomer).size()).isEqualTo(2 * 4);
        assertThat(ocs.decisions.subList(from, ocs.decisions.size()))
                .filteredOn(Decision.Adopt.class::isInstance)
                .allSatisfy(decision -> assertThat(((Decision.Adopt) decision).entries())
                        .extracting(Decision.Adopt.Entry::slice)
                        .containsOnly(newcomer));
        assertThat(ocs.recorded(free)).isEqualTo(before);
    }
}
