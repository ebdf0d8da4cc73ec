package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;

/** Four pods whose far ends tell whom they hear, and switches that measure what enters them. */
final class DarkScene {
    static final Duration HOLD = Duration.ofSeconds(2);
    static final Duration HEALTH = Duration.ofSeconds(40);

    private DarkScene() {}

    static ToyOcs fabric(int portsPerPod) {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, portsPerPod);
        ocs.hinted = true;
        ocs.measuring = true;
        return ocs;
    }

    /** A job of which every circuit is lit. */
    static SliceId lit(ToyOcs ocs) {
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        return job;
    }

    static Prediction prediction(ToyOcs ocs, SliceId id) {
        return ocs.ledger.get(id).allocation().orElseThrow().prediction().orElseThrow();
    }

    static Circuit first(ToyOcs ocs, String name) {
        return ocs.lit.get(name).first();
    }

    /** Both strands of the fibre whose light enters at a port. */
    static void cutFibre(ToyOcs ocs, String name, String ingress) {
        ocs.cut.add(name + "/" + ingress);
        ocs.cut.add(name + "/" + (1000 + Integer.parseInt(ingress)));
    }

    static List<String> faultyPorts(Deliberation rest) {
        return rest.fabrics().get("spine").faults().stream()
                .map(fault -> fault.subject().label() + " " + fault.reason())
                .sorted()
                .toList();
    }

    static void assertWhole(Deliberation rest, SliceId job) {
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
    }

    static SliceId running(ToyOcs ocs, String name, String node, Demand.Traffic traffic) {
        return ocs.wishTraffic(name, traffic, 0, true, new Workload.Pods(new TreeSet<>(List.of(node)), false));
    }
}
