package dev.lightpath.app.publish.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.app.publish.view.View.DeviceView;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.world.World;
import org.junit.jupiter.api.Test;

class ViewProjectorTest {
    private final Outcome outcome = Scenes.outcome();
    private final View.Whole view = ViewProjector.whole(outcome);

    private DeviceView device(String name) {
        return view.fabrics().getFirst().devices().stream()
                .filter(device -> device.device().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void showsWantedBesideObservedLight() {
        assertThat(view.fabrics().getFirst().devices()).hasSize(8);
        DeviceView allocated = device("n0");
        assertThat(allocated.position()).isZero();
        assertThat(allocated.presence()).isEqualTo("present");
        assertThat(allocated.observed()).containsExactly("b0.common->b0.loop", "b1.common->b1.loop");
        assertThat(allocated.wanted()).isNotEqualTo(allocated.observed());
        assertThat(allocated.missing()).isNotEmpty().isSubsetOf(allocated.wanted());
        assertThat(allocated.surplus()).isNotEmpty().isSubsetOf(allocated.observed());
        DeviceView free = device("n4");
        assertThat(free.wanted()).isEqualTo(free.observed());
        assertThat(free.missing()).isEmpty();
        assertThat(free.surplus()).isEmpty();
    }

    @Test
    void showsTheSliceWithItsGroups() {
        assertThat(ViewProjector.slices(outcome, "team")).singleElement().satisfies(slice -> {
            assertThat(slice.job()).isEqualTo("llm");
            assertThat(slice.revision()).isEqualTo(1);
            assertThat(slice.groups())
                    .singleElement()
                    .satisfies(group -> assertThat(group.members())
                            .extracting(View.MemberView::node)
                            .containsExactly("n0", "n1"));
            assertThat(slice.conditions())
                    .contains(condition("Allocated", "True", slice), condition("Ready", "False", slice));
        });
        View.Pass pass = ViewProjector.pass(outcome);
        assertThat(pass.epoch()).isEqualTo(7);
        assertThat(pass.decision()).isEqualTo("apply");
        assertThat(pass.remaining()).isEqualTo(2);
    }

    private static View.ConditionView condition(String type, String status, View.SliceView slice) {
        return slice.conditions().stream()
                .filter(condition ->
                        condition.type().equals(type) && condition.status().equals(status))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void devicesTheDriverNeverToldOfAreUnknown() {
        World world = Scenes.world(DriverState.unheard("never heard"));
        View.Whole unheard =
                ViewProjector.whole(new Outcome(world, dev.lightpath.planner.engine.FabricEngine.deliberate(world)));
        assertThat(unheard.fabrics().getFirst().driver().problem()).isEqualTo("never heard");
        assertThat(unheard.fabrics().getFirst().devices())
                .allSatisfy(device -> assertThat(device.presence()).isEqualTo("unknown"));
    }
}
