package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.planner.ocs.CubeTorus;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.Twist;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CubeMembersTest {
    /** The API server refuses a position below 0, and the records of all others with it. */
    @Test
    void aCubeThatNobodyKnowsIsNotRecorded() {
        OcsWiring wiring =
                OcsWiring.of(ToyOcs.torus("1x1x1", 2, 1).world().spines().get("spine"));
        CubeTorus torus = new CubeTorus(Shape.parse("1x1x1"), new Twist(0, 0, 0, 0, 0, 0), List.of("nobody"));
        assertThatThrownBy(() -> CubeMembers.groups(wiring, torus, 0, Optional.empty()))
                .hasMessageContaining("nobody");
    }
}
