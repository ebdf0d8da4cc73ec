package dev.lightpath.planner.engine.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.ToyOcs;
import dev.lightpath.planner.ocs.CubeTorus;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.Twist;
import dev.lightpath.planner.world.Allocation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CubeMembersTest {
    /** The API server refuses a position below 0, and the records of all others with it. */
    @Test
    void aCubeThatNobodyKnowsIsNotRecorded() {
        OcsWiring wiring =
                OcsWiring.of(ToyOcs.torus("1x1x1", 2, 1).world().ocsFabrics().get("spine"));
        CubeTorus torus = new CubeTorus(Shape.parse("1x1x2"), new Twist(0, 0, 0, 0, 0, 0), List.of("nobody", "pod-01"));
        Allocation.Member known = new Allocation.Member("pod-01", 1);
        assertThat(CubeMembers.groups(wiring, torus, 0, Optional.empty(), Map.of()))
                .containsExactly(new Allocation.Group(List.of(known)));
        assertThat(CubeMembers.groups(wiring, torus, 0, Optional.empty(), Map.of("nobody", 7)))
                .containsExactly(new Allocation.Group(List.of(new Allocation.Member("nobody", 7), known)));
    }
}
