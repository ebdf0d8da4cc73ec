package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A node of a job is broken and cannot be replaced, or not yet: its circuits are cared for all the same. */
class OcsFaultedNodeTest {
    private static final Duration HOLD = Duration.ofSeconds(2);

    private static void nodeFails(ToyOcs ocs, String node) {
        ocs.nodeSignals.put(node, List.of(new Signal(new Subject.OfNode(node), "NodeNotReady", Duration.ZERO)));
    }

    private static Demand.Traffic half() {
        return Gpt7b.traffic(Parallelism.ofDegrees(4, 4, 2, 1, 1), new Batch(8, 1, 4096, true), 2);
    }

    private static void movesCircuits(ToyOcs ocs, SliceId job, boolean degraded) {
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.slices().get(job).placement())
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.degraded()).isEqualTo(degraded));
        SwitchedLight before = ocs.light();
        String name = before.circuits().firstKey();
        Circuit hit = before.on(name).iterator().next();
        ocs.fail(name, hit.ingress());
        rest = ocs.settleAfter(HOLD);
        assertThat(rest.slices().get(job).placement()).isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
            assertThat(faulted.members()).containsExactly("node-1-0");
            assertThat(faulted.degraded()).isEqualTo(degraded);
        });
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(before.minus(ocs.light()).size()).isEqualTo(1);
    }

    @Test
    void aCircuitMovesThoughNoNodeIsFree() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 6, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic("gpt", OcsTrafficTest.gpt7b(2));
        ocs.settle();
        nodeFails(ocs, "node-1-0");
        movesCircuits(ocs, job, true);
    }

    @Test
    void aCircuitMovesThoughANodeWaitsForThePods() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 6, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = ocs.wishTraffic(
                "gpt", OcsTrafficTest.gpt7b(2), 0, true, new Workload.Pods(new TreeSet<>(List.of("node-1-0")), false));
        ocs.settle();
        nodeFails(ocs, "node-1-0");
        movesCircuits(ocs, job, false);
        ocs.wishTraffic("gpt", OcsTrafficTest.gpt7b(2), 0, true, new Workload.Pods(new TreeSet<>(), true));
        ocs.settle();
        assertThat(ocs.ledger.get(job).allocation().orElseThrow().nodes())
                .contains("node-1-1")
                .doesNotContain("node-1-0");
    }

    @Test
    void whatWasLentIsGivenBack() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 6, DeviceKind.ANY_TO_ANY, 1);
        Workload running = new Workload.Pods(new TreeSet<>(List.of("node-0-0")), false);
        SliceId first = ocs.wishTraffic("first", half(), 0, true, running);
        ocs.reconfigure(first, Reconfiguration.LIVE);
        ocs.settle();
        nodeFails(ocs, "node-0-0");
        ocs.settleAfter(HOLD);
        SwitchedLight lent = ocs.recorded(first);
        SliceId second = ocs.wishTraffic("second", half());
        Deliberation both = ocs.settle();
        assertThat(both.slices().get(second).light().qualified()).isTrue();
        assertThat(ocs.recorded(first).size()).isLessThan(lent.size());
        assertThat(ocs.recorded(second).size()).isEqualTo(6);
        assertThat(both.slices().get(first).placement()).isInstanceOf(Placement.Faulted.class);
    }
}
