package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What jobs are given against every choice there is: two replicas of two pods are three counts, so that all of them can
 * be tried. All ports are on one switch, where any two of them can be joined.
 */
class OcsSurplusPropertyTest {
    private static final double EXACT = 1e-9;

    /** @param iteration seconds, the best there are @param ports the fewest that reach it at the tolerance */
    private record Best(double iteration, int ports) {}

    private static Demand.Traffic traffic(Random chance, double tolerance) {
        return Gpt7b.traffic(
                Parallelism.ofDegrees(2, 4, 2, 1, 1),
                new Batch(2 + chance.nextInt(7), 1, 1024 << chance.nextInt(3), true),
                OptionalInt.of(2),
                tolerance);
    }

    /** Every choice of counts within the ports of the two places. */
    private static Best everyChoice(Demand.Traffic traffic, List<Integer> ports, double tolerance) {
        DeltaInstance instance = new TopologyQuestion(
                        traffic.iteration(), traffic.parallelism(), 2, 400, ports, traffic.goal(), traffic.timeLimit())
                .instance();
        Simulator simulator = new Simulator(instance);
        List<double[]> choices = new ArrayList<>();
        double best = Double.POSITIVE_INFINITY;
        for (int along = 1; along < ports.getFirst(); along++) {
            for (int first = 1; along + first <= ports.getFirst(); first++) {
                for (int last = 1; along + last <= ports.getLast(); last++) {
                    double seconds = simulator.makespanSeconds(new Topology(List.of(along, first, last)), Rates.JOINT);
                    best = Math.min(best, seconds);
                    choices.add(new double[] {seconds, 2 * along + first + last});
                }
            }
        }
        double limit = best * (1 + tolerance);
        int fewest = (int) choices.stream()
                .filter(choice -> choice[0] <= limit * (1 + 1e-12))
                .mapToDouble(choice -> choice[1])
                .min()
                .orElseThrow();
        return new Best(best, fewest);
    }

    private static Prediction prediction(ToyOcs ocs, SliceId id) {
        return ocs.ledger.get(id).allocation().orElseThrow().prediction().orElseThrow();
    }

    /** Circuit ends in use in a pod. */
    private static int used(ToyOcs ocs, int pod, int portsPerPod) {
        return (int) ocs.lit.get("ocs-00").stream()
                .flatMap(circuit -> java.util.stream.Stream.of(circuit.ingress(), circuit.egress()))
                .filter(port -> (Integer.parseInt(port) - 1) / portsPerPod == pod)
                .count();
    }

    @Test
    void aJobAloneHasTheFewestPortsThatReachItsBestIteration() {
        for (int seed = 0; seed < 40; seed++) {
            Random chance = new Random(seed);
            int ports = 3 + chance.nextInt(4);
            double tolerance = chance.nextBoolean() ? EXACT : 1e-3;
            ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.ANY_TO_ANY, ports);
            Demand.Traffic traffic = traffic(chance, tolerance);
            SliceId job = ocs.wishTraffic("job", traffic);
            ocs.settle();
            Best best = everyChoice(traffic, List.of(ports, ports), tolerance);
            assertThat(prediction(ocs, job).proved()).as("seed %d", seed).isTrue();
            assertThat(prediction(ocs, job).iterationSeconds())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(best.iteration() * (1 + tolerance) * (1 + 1e-12));
            assertThat(prediction(ocs, job).ports()).as("seed %d", seed).isEqualTo(best.ports());
            assertThat(ocs.light().size()).as("seed %d", seed).isEqualTo(best.ports());
        }
    }

    @Test
    void surplusLengthensNobodysIterationAndStarvesNobody() {
        for (int seed = 0; seed < 40; seed++) {
            Random chance = new Random(1000 + seed);
            int ports = 5 + chance.nextInt(6);
            ToyOcs ocs = ToyOcs.logical(4, 3, 1, DeviceKind.ANY_TO_ANY, ports);
            List<SliceId> jobs = new ArrayList<>();
            List<Demand.Traffic> wishes = new ArrayList<>();
            for (int job = 0; job < 2 + chance.nextInt(2); job++) {
                wishes.add(traffic(chance, EXACT));
                jobs.add(ocs.wishTraffic("job-" + job, wishes.getLast()));
                ocs.settle();
            }
            if (chance.nextBoolean()) {
                int leaver = chance.nextInt(jobs.size());
                ocs.unwish(jobs.get(leaver));
                ocs.settle();
                ocs.forget(jobs.remove(leaver));
                wishes.remove(leaver);
            }
            ocs.settle();
            for (int job = 0; job < jobs.size(); job++) {
                String where = "seed " + (1000 + seed) + " job " + job;
                if (!ocs.ledger
                        .get(jobs.get(job))
                        .allocation()
                        .filter(Allocation::placed)
                        .isPresent()) {
                    // three ports a job are what two replicas of two pods need at least: two circuits to two pods each
                    assertThat(ports).as(where).isLessThan(2 * jobs.size());
                    continue;
                }
                Prediction now = prediction(ocs, jobs.get(job));
                int ends = 2 * now.circuits().getFirst();
                assertThat(now.ports())
                        .as(where)
                        .isEqualTo(ends + now.circuits().get(1) + now.circuits().get(2));
                // with what nobody uses in its pods on top it would not be better off than is worth the darkness
                List<Integer> more = List.of(
                        now.circuits().get(0)
                                + now.circuits().get(1)
                                + Math.min(ports - used(ocs, 0, ports), ports - used(ocs, 2, ports)),
                        now.circuits().get(0)
                                + now.circuits().get(2)
                                + Math.min(ports - used(ocs, 1, ports), ports - used(ocs, 3, ports)));
                Best best = everyChoice(wishes.get(job), more, EXACT);
                assertThat((1 - best.iteration() / now.iterationSeconds()) * 600)
                        .as(where + ": " + now.circuits() + " of " + more)
                        .isLessThanOrEqualTo(1);
                // what it holds, it needs: with one end less somewhere its iteration is longer
                Best own = everyChoice(
                        wishes.get(job),
                        List.of(
                                now.circuits().get(0) + now.circuits().get(1),
                                now.circuits().get(0) + now.circuits().get(2)),
                        EXACT);
                assertThat(now.ports()).as(where + ": " + now.circuits()).isEqualTo(own.ports());
                assertThat(wishes.get(job).iteration()).isInstanceOf(Iteration.OfModel.class);
            }
        }
    }
}
