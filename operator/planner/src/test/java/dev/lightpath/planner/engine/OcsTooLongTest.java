package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.Prediction;
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
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Iterations that would take all memory of an operator, which serves others too: nothing is asked about them. */
class OcsTooLongTest {
    private static final Duration HOLD = Duration.ofSeconds(2);
    private static final String WHY =
            "spec.microBatches (8 per stage unless written): 65536, allowed: at most 8192 with 4 stages";

    /** Replicas of four stages of two GPUs. */
    private static Demand.Traffic gpt7b(int microBatches, int stagesPerPod, int replicas) {
        return Gpt7b.traffic(
                Parallelism.ofDegrees(2, 4, replicas, 1, 1), new Batch(microBatches, 1, 4096, true), stagesPerPod);
    }

    private static Placement placement(Deliberation rest, SliceId id) {
        return rest.slices().get(id).placement();
    }

    private static Prediction prediction(ToyOcs ocs, SliceId id) {
        return ocs.ledger.get(id).allocation().orElseThrow().prediction().orElseThrow();
    }

    /** As a version without bounds left it: placed, for as many micro-batches as nobody can hold. */
    private static SliceId placed(ToyOcs ocs) {
        ocs.wishTraffic("long", gpt7b(8, 2, 2));
        ocs.settle();
        ocs.answering = false;
        return ocs.wishTraffic("long", gpt7b(65_536, 2, 2));
    }

    @Test
    void theyGetNoPlace() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId neighbour = ocs.wishTraffic("gpt", gpt7b(8, 2, 2));
        SliceId job = ocs.wishTraffic("long", gpt7b(65_536, 2, 2));
        Deliberation rest = ocs.settle();
        assertThat(((Placement.Unplaced) placement(rest, job)).message())
                .isEqualTo(WHY + "; " + Placement.Unplaced.NEVER_FITS);
        assertThat(placement(rest, neighbour)).isInstanceOf(Placement.Placed.class);
        assertThat(prediction(ocs, neighbour).circuits()).containsExactly(1, 3, 2);
    }

    @Test
    void theyArePlacedWhereTheyAskForNoCircuits() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        ocs.answering = false;
        SliceId job = ocs.wishTraffic("long", gpt7b(65_536, 4, 1));
        Deliberation rest = ocs.settle();
        assertThat(placement(rest, job)).isInstanceOf(Placement.Placed.class);
        assertThat(rest.questions()).isEmpty();
    }

    @Test
    void aRecordedWorkloadIsToldByItsOwnWords() {
        Parallelism fourStages = Parallelism.ofDegrees(2, 4, 2, 1, 1);
        assertThat(new Iteration.OfProfile(8192, 1, 1, 1, 1).tooLong(fourStages))
                .isEmpty();
        assertThat(new Iteration.OfProfile(8193, 1, 1, 1, 1).tooLong(fourStages))
                .hasValue("ga of the recorded workload: 8193, allowed: at most 8192 with 4 stages");
    }

    @Test
    void aPlacedOneKeepsItsLight() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = placed(ocs);
        SwitchedLight before = ocs.light();
        Deliberation rest = ocs.settle();
        assertThat(placement(rest, job)).isInstanceOf(Placement.Placed.class);
        assertThat(rest.questions()).isEmpty();
        assertThat(ocs.light()).isEqualTo(before);
    }

    @Test
    void aPlacedOneWhosePortFailsKeepsTheRestOfItsLight() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = placed(ocs);
        SwitchedLight before = ocs.light();
        Prediction then = prediction(ocs, job);
        // one of three circuits for gradients between the first pods of two replicas
        Circuit one = new Circuit("1", "3");
        String name = before.circuits().keySet().stream()
                .filter(of -> before.on(of).contains(one))
                .findFirst()
                .orElseThrow();
        ocs.fail(name, one.ingress());
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(rest.questions()).isEmpty();
        assertThat(placement(rest, job)).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(job)).isNotEqualTo(before);
        assertThat(ocs.light().minus(before).isEmpty()).as("nothing moved").isTrue();
        Prediction now = prediction(ocs, job);
        assertThat(now.circuits()).isNotEqualTo(then.circuits());
        assertThat(now.ports()).isLessThan(then.ports());
        assertThat(now.iterationSeconds()).as("of before").isEqualTo(then.iterationSeconds());
        assertThat(ocs.ledger
                        .get(job)
                        .allocation()
                        .orElseThrow()
                        .origin()
                        .orElseThrow()
                        .why())
                .isEqualTo("fewer circuits: what they cost is not known; " + WHY);
    }

    @Test
    void aPlacedOneIsToldWhyItGetsNoOtherPlace() {
        ToyOcs ocs = ToyOcs.logical(8, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId job = placed(ocs);
        String node = ocs.nodes(job).getFirst().getFirst();
        ocs.nodeSignals.put(node, List.of(new Signal(new Subject.OfNode(node), "NodeNotReady", Duration.ZERO)));
        assertThat(placement(ocs.settleAfter(HOLD), job)).isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
            assertThat(faulted.waitsFor())
                    .isEqualTo("no healthy node of the same pod is free; it is given no other place: " + WHY);
            assertThat(faulted.relocatable()).isFalse();
        });
    }
}
