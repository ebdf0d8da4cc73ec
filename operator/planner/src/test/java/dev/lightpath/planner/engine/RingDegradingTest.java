package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.DegradingPort;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.health.HealthPolicy;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Paths of a ring whose light gets worse. */
class RingDegradingTest {
    private final ToyRing ring = ToyRing.of(32, 3);

    private Deliberation later(int seconds) {
        ring.now = ring.now.plus(Duration.ofSeconds(seconds));
        return ring.settle();
    }

    private SliceId placed(int[]... groups) {
        ring.policy = Policies.watching(ring.policy, HealthPolicy.standard().with(HealthPolicy.Mode.TAKE_OUT));
        SliceId job = ring.sits("job", groups);
        ring.settle();
        later(20);
        later(20);
        return job;
    }

    /** A path of a node that is lit outward. */
    private String lit(String node) {
        return ring.world().driver(ToyRing.DRIVER).devices().get(node).circuits().circuits().stream()
                .map(circuit -> circuit.egress())
                .filter(port -> port.contains(".path"))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> faults(Deliberation rest) {
        return rest.fabrics().get("ring-a").faults().stream()
                .map(fault -> fault.subject().label() + " " + fault.reason())
                .toList();
    }

    @Test
    void aPathIsLeftBeforeItsLightIsLost() {
        SliceId job = placed(new int[] {0, 1, 2, 3});
        String port = lit("n1");
        ring.dirt.put("n1/" + port, 2.5);
        later(2);
        Deliberation rest = later(6);
        assertThat(faults(rest)).containsExactly("port/n1/" + port + " Degrading");
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(ring.world()
                        .driver(ToyRing.DRIVER)
                        .devices()
                        .get("n1")
                        .circuits()
                        .circuits())
                .noneMatch(circuit -> circuit.egress().equals(port));
    }

    @Test
    void aNodeThatTakesNoMemberIsNoPlace() {
        placed(new int[] {0, 1, 2, 3});
        ring.names.values().stream()
                .filter(name -> !ring.litNodes().contains(name))
                .forEach(name -> (name.hashCode() % 2 == 0 ? ring.cordoned : ring.busy).add(name));
        ring.dirt.put("n1/" + lit("n1"), 2.5);
        later(2);
        Deliberation rest = later(6);
        assertThat(faults(rest)).isEmpty();
        assertThat(rest.fabrics().get("ring-a").optical().degrading())
                .singleElement()
                .satisfies(each -> assertThat(each.course()).isEqualTo(DegradingPort.Course.HELD));
    }

    /** No repair may use it. */
    @Test
    void aNodeThatAnotherLeaderMayUseIsNoPlace() {
        placed(new int[] {0, 1, 2, 3});
        ring.names.values().stream()
                .filter(name -> !ring.litNodes().contains(name))
                .forEach(ring.closed::add);
        ring.dirt.put("n1/" + lit("n1"), 2.5);
        later(2);
        Deliberation rest = later(6);
        assertThat(faults(rest)).isEmpty();
        assertThat(rest.fabrics().get("ring-a").optical().degrading())
                .singleElement()
                .satisfies(each -> assertThat(each.course()).isEqualTo(DegradingPort.Course.HELD));
    }

    @Test
    void aPathIsOnlyToldOfWhereNoNodeWithinReachIsFree() {
        SliceId job = placed(new int[] {0, 1, 2, 3}, new int[] {4, 5, 6, 7}, new int[] {28, 29, 30, 31});
        String port = lit("n1");
        ring.dirt.put("n1/" + port, 2.5);
        later(2);
        Deliberation rest = later(6);
        assertThat(faults(rest)).isEmpty();
        assertThat(rest.fabrics().get("ring-a").optical().degrading())
                .singleElement()
                .satisfies(each -> assertThat(each.course()).isEqualTo(DegradingPort.Course.HELD));
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
    }

    /** A path that is out is left only when that may be, and the node for it is its own until then. */
    @Test
    void oneNodeIsPromisedOnce() {
        placed(new int[] {0, 1, 2, 3}, new int[] {5, 6, 7, 8}, new int[] {28, 29, 30, 31});
        ring.paused = true;
        String first = lit("n1");
        ring.dirt.put("n1/" + first, 2.5);
        later(2);
        assertThat(faults(later(6))).containsExactly("port/n1/" + first + " Degrading");
        ring.dirt.put("n2/" + lit("n2"), 2.5);
        later(2);
        Deliberation rest = later(6);
        assertThat(rest.fabrics().get("ring-a").optical().degrading()).hasSize(2);
        assertThat(faults(rest)).as("node 4 alone is free").containsExactly("port/n1/" + first + " Degrading");
    }

    /** The baseline that it was judged by is gone with the process, so nothing tells that it is well. */
    @Test
    void aPathThatAnEarlierProcessTookOutStaysOutUntilItIsCleared() {
        SliceId job = placed(new int[] {0, 1, 2, 3});
        ring.paused = true;
        String port = lit("n1");
        ring.dirt.put("n1/" + port, 2.5);
        later(2);
        String out = "port/n1/" + port + " Degrading";
        Deliberation rest = later(6);
        assertThat(faults(rest)).containsExactly(out);
        assertThat(rest.fabrics().get("ring-a").faults()).noneMatch(Fault::quarantined);
        ring.restartAsTold();
        rest = later(1);
        assertThat(faults(rest)).as("in the next process").containsExactly(out);
        assertThat(rest.fabrics().get("ring-a").faults()).allMatch(Fault::quarantined);
        ring.paused = false;
        rest = later(600);
        assertThat(faults(rest)).containsExactly(out);
        assertThat(lit("n1")).as("its light has left").isNotEqualTo(port);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        ring.clearances.put("n1", ring.now);
        assertThat(faults(later(1))).isEmpty();
    }
}
