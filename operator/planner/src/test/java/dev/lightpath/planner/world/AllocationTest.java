package dev.lightpath.planner.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AllocationTest {
    @Test
    void losesNothingWhenItsPassIsTimed() {
        SwitchedLight light =
                new SwitchedLight.Builder().add("ocs-1", new Circuit("1", "2")).build();
        Allocation decided = new Allocation(
                3,
                List.of(new Allocation.Group(List.of(new Allocation.Member("n1", 1)))),
                new TreeSet<>(List.of("n2")),
                Optional.of(new Origin(Origin.Planner.DELTA, 1, "why")),
                light,
                light,
                Optional.of(new Prediction("0f3a", List.of(1), 0.8, 0.7, 1.1, 2, 4, true, 0.8)));
        Allocation timed = decided.tookIn(Duration.ofMillis(2));
        assertThat(timed).usingRecursiveComparison().ignoringFields("origin").isEqualTo(decided);
        assertThat(timed.origin().orElseThrow().took()).contains(Duration.ofMillis(2));
    }
}
