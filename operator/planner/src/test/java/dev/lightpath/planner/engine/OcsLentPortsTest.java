package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Ports beyond everybody's share go to who comes first by precedence, in whichever order questions are answered. */
class OcsLentPortsTest {
    private static final Predicate<TopologyQuestion> OF_GUEST =
            question -> question.parallelism().replicas() == 1;

    private final ToyOcs ocs = ToyOcs.logical(4, 4, 2, DeviceKind.TWO_SIDED, 2);
    private final SliceId job = wish("job", 2);
    private final SliceId guest = wish("guest", 1);

    /** Of two stages, each in a pod, and as many nodes a stage as there are replicas. */
    private SliceId wish(String name, int replicas) {
        ocs.settle();
        ocs.now = ocs.now.plusSeconds(1);
        SliceId id = ocs.wishTraffic(
                name,
                Gpt7b.traffic(Parallelism.ofDegrees(8 * replicas, 2, replicas, 1, 1), new Batch(16, 1, 4096, true), 1));
        ocs.reconfigure(id, Reconfiguration.LIVE);
        return id;
    }

    private void answer(Predicate<TopologyQuestion> which) {
        for (int round = 0; round < 10; round++) {
            ocs.settle().questions().forEach((digest, asked) -> {
                if (which.test(asked.question())) {
                    ocs.answers.put(digest, asked.question().answer(new DeltaPlanner(), SearchLimits.standard()));
                }
            });
        }
        ocs.settle();
    }

    @Test
    void whatAFaultTookComesBackThoughTheGuestsQuestionIsAnsweredFirst() {
        ocs.settle();
        int whole = ocs.recorded(job).size();
        int ofGuest = ocs.recorded(guest).size();
        String name = ocs.recorded(job).circuits().firstKey();
        Circuit lost = ocs.recorded(job).on(name).iterator().next();
        ocs.fail(name, lost.ingress());
        ocs.settleAfter(Duration.ofSeconds(5));
        assertThat(ocs.recorded(job).size()).isLessThan(whole);
        assertThat(ocs.recorded(guest).size()).isEqualTo(ofGuest);
        ocs.failedPorts.clear();
        ocs.answering = false;
        ocs.answers.clear();
        ocs.settle();
        ocs.now = ocs.now.plusSeconds(60);
        answer(OF_GUEST);
        answer(question -> true);
        assertThat(ocs.recorded(job).size()).isEqualTo(whole);
        assertThat(ocs.recorded(guest).size()).isEqualTo(ofGuest);
    }
}
