package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Deal;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What jobs keep on 6 to 8 pods and 4 to 8 switches, against the exact optimiser's proof of the fewest ports. */
class OcsSurplusLargePropertyTest {
    private static final int WORLDS = 12;

    private static Demand.Traffic traffic(Random chance) {
        int stages = 2 + chance.nextInt(3);
        return Gpt7b.traffic(
                Parallelism.ofDegrees(8, stages, stages == 4 ? 1 : 2, 1, 1),
                new Batch(2 + chance.nextInt(6), 1, 1024 << chance.nextInt(3), true),
                OptionalInt.of(1),
                chance.nextBoolean() ? 1e-9 : 1e-3);
    }

    private static ToyOcs world(Random chance) {
        return ToyOcs.logical(
                6 + chance.nextInt(3),
                2,
                4 + chance.nextInt(5),
                chance.nextBoolean() ? DeviceKind.ANY_TO_ANY : DeviceKind.TWO_SIDED,
                1);
    }

    /** By the optimiser alone: nobody's budgets, records or switches. */
    private static Prediction proved(Demand.Traffic traffic, List<Integer> ports) {
        TopologyQuestion question = new TopologyQuestion(
                traffic.iteration(), traffic.parallelism(), 1, 400, ports, traffic.goal(), traffic.timeLimit());
        Prediction proof =
                ((TopologyAnswer.Found) question.answer(new DeltaPlanner(), SearchLimits.standard())).prediction();
        assertThat(proof.proved()).isTrue();
        return proof;
    }

    private static Prediction prediction(ToyOcs ocs, SliceId id) {
        return ocs.ledger.get(id).allocation().flatMap(Allocation::prediction).orElseThrow();
    }

    @Test
    void aJobAloneKeepsTheProvedFewestPorts() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = world(chance);
            Demand.Traffic traffic = traffic(chance);
            SliceId job = ocs.wishTraffic("job", traffic);
            ocs.settle();
            Prediction proof =
                    proved(traffic, Collections.nCopies(traffic.parallelism().pipeline(), ocs.switches.size()));
            assertThat(prediction(ocs, job).ports()).as("seed %d", seed).isEqualTo(proof.ports());
            assertThat(prediction(ocs, job).iterationSeconds())
                    .as("seed %d", seed)
                    .isEqualTo(proof.iterationSeconds());
        }
    }

    @Test
    void amongOthersNobodyKeepsAPortThatTheProofDoesWithout() {
        int judged = 0;
        List<String> wasted = new ArrayList<>();
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(100 + seed);
            ToyOcs ocs = world(chance);
            for (int job = 0; job < 4; job++) {
                ocs.wishTraffic("job" + job, traffic(chance), chance.nextInt(2), true, new Workload.LightOnly());
                ocs.now = ocs.now.plusSeconds(1);
                ocs.settle();
            }
            ocs.settleAfter(Duration.ofSeconds(40));
            for (SliceId id : ocs.slices.keySet()) {
                if (!ocs.ledger.get(id).allocation().filter(Allocation::placed).isPresent()) {
                    continue;
                }
                Demand.Traffic traffic = (Demand.Traffic) ocs.slices.get(id).demand();
                Prediction now = prediction(ocs, id);
                Deal deal = TopologyQuestion.deal(traffic.iteration(), traffic.parallelism(), 1);
                List<Integer> ports = new ArrayList<>();
                for (int pod = 0; pod < deal.pods(); pod++) {
                    ports.add(deal.used(now.circuits(), pod));
                }
                Prediction proof = proved(traffic, ports);
                if (proof.iterationSeconds() <= now.iterationSeconds() * (1 + 1e-12) && proof.ports() < now.ports()) {
                    wasted.add("seed " + seed + ": " + id + " keeps " + now + ", proved " + proof);
                }
                judged++;
            }
        }
        assertThat(wasted).isEmpty();
        assertThat(judged).isGreaterThan(2 * WORLDS);
    }
}
