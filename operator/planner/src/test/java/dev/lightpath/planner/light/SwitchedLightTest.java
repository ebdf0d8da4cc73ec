package dev.lightpath.planner.light;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What stays the same is the same object: passes compare light by it, and copy only what changes. */
class SwitchedLightTest {
    private static final Circuit ONE = new Circuit("1", "17");
    private static final Circuit TWO = new Circuit("2", "18");

    private final SwitchedLight both = light("ocs-0", ONE).and(light("ocs-1", ONE));

    private static SwitchedLight light(String name, Circuit circuit) {
        return new SwitchedLight.Builder().add(name, circuit).build();
    }

    @Test
    void keepsTheCircuitsOfSwitchesOfWhichNothingGoes() {
        SwitchedLight left = both.minus(light("ocs-0", ONE));
        assertThat(left.circuits()).containsOnlyKeys("ocs-1");
        assertThat(left.on("ocs-1")).isSameAs(both.on("ocs-1"));
        assertThat(both.minus(light("ocs-1", TWO)).on("ocs-1")).isSameAs(both.on("ocs-1"));
    }

    @Test
    void keepsTheCircuitsOfSwitchesToWhichNothingComes() {
        SwitchedLight more = both.and(light("ocs-0", TWO));
        assertThat(more.on("ocs-0")).containsExactly(ONE, TWO);
        assertThat(more.on("ocs-1")).isSameAs(both.on("ocs-1"));
        assertThat(both.on("ocs-0")).containsExactly(ONE);
    }

    @Test
    void isNotChangedByWhatIsCollectedLater() {
        SwitchedLight.Builder builder = new SwitchedLight.Builder().add("ocs-0", ONE);
        SwitchedLight first = builder.build();
        assertThat(builder.add("ocs-0", TWO).build()).isEqualTo(light("ocs-0", TWO));
        assertThat(first).isEqualTo(light("ocs-0", ONE));
    }
}
