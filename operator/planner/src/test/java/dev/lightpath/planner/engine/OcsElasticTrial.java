package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;

/** Jobs on switches that do with fewer replicas. A stage is eight GPUs, and so is a node. */
abstract class OcsElasticTrial {
    static final Duration HOLD = Duration.ofSeconds(2);
    ToyOcs ocs = fabric(4, 1);

    @BeforeEach
    void calm() {
        ocs.policy = Policies.massFailure(ocs.policy, 100);
    }

    static ToyOcs fabric(int pods, int nodesPerPod) {
        ToyOcs made = ToyOcs.logical(pods, nodesPerPod, 6, DeviceKind.ANY_TO_ANY, 1);
        made.policy = Policies.massFailure(made.policy, 100);
        return made;
    }

    /** Replicas of so many stages, each in a pod of its own. */
    static Demand.Traffic replicas(int stages, int wanted, int least) {
        Demand.Traffic all =
                Gpt7b.traffic(Parallelism.ofDegrees(8, stages, wanted, 1, 1), new Batch(4, 1, 1024, true), 1);
        return new Demand.Traffic(
                all.iteration(), all.parallelism(), least, all.stagesPerPod(), all.goal(), all.timeLimit());
    }

    /** A job of 4 replicas that goes on with 3. */
    SliceId shrunk() {
        return shrunk("node-1-0");
    }

    SliceId shrunk(String... without) {
        SliceId job = ocs.wishTraffic("job", replicas(1, 4, 2));
        ocs.settle();
        fail(without);
        assertWell(ocs.settle(), job, 3);
        return job;
    }

    void fail(String... nodes) {
        for (String node : nodes) {
            ocs.nodeSignals.put(node, List.of(new Signal(new Subject.OfNode(node), "NodeNotReady", Duration.ZERO)));
        }
        ocs.settleAfter(HOLD);
    }

    /** Its nodes are well for long enough to count as well. */
    void heal() {
        ocs.nodeSignals.clear();
        ocs.settle();
        ocs.settleAfter(Duration.ofMinutes(10));
    }

    void run(SliceId job) {
        pods(job, new TreeSet<>(record(ocs, job).nodes()));
    }

    /** The pods of the fabric that it has a node in, by number. */
    List<String> pods(SliceId job) {
        return ocs.nodes(job).stream()
                .map(group -> group.getFirst().split("-")[1])
                .toList();
    }

    void end(SliceId job) {
        pods(job, new TreeSet<>());
    }

    void pods(SliceId job, TreeSet<String> occupied) {
        ocs.wishTraffic(
                job.name(),
                (Demand.Traffic) ocs.slices.get(job).demand(),
                0,
                true,
                new Workload.Pods(occupied, occupied.isEmpty()));
    }

    /** It has so many replicas, all its light burns, and is what its record says; what that was chosen for is told. */
    void assertWell(Deliberation rest, SliceId job, int replicas) {
        Demand.Traffic asked = (Demand.Traffic) ocs.slices.get(job).demand();
        assertThat(ocs.nodes(job)).hasSize(replicas * asked.parallelism().pipeline());
        assertThat(placement(rest, job)).isEqualTo(new Placement.Placed());
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(ocs.recorded(job)).isEqualTo(ocs.light());
        // a part of the answer where pods of an odd ring share each switch
        String name = record(ocs, job).prediction().orElseThrow().question();
        TopologyQuestion question = ocs.asked.get(name.replaceFirst("part-of-", ""));
        assertThat(question.parallelism().replicas()).isEqualTo(replicas);
    }

    /** What was recorded of it so far, in its words. */
    List<String> told(SliceId job) {
        return ocs.decisions.stream()
                .filter(Decision.Adopt.class::isInstance)
                .flatMap(decision -> ((Decision.Adopt) decision).entries().stream())
                .filter(entry -> entry.slice().equals(job))
                .flatMap(entry -> entry.allocation().origin().stream())
                .map(origin -> origin.why())
                .toList();
    }

    String why(SliceId job) {
        return record(ocs, job).origin().orElseThrow().why();
    }

    static Allocation record(ToyOcs ocs, SliceId job) {
        return ocs.ledger.get(job).allocation().orElseThrow();
    }

    static Placement placement(Deliberation of, SliceId job) {
        return of.slices().get(job).placement();
    }
}
