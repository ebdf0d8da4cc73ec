package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One number mistyped in {@code spec.wiring} of a switch with light: every port is said to be the next one's pod's. */
class OcsShiftedWiringTest {
    private static void shift(ToyOcs ocs, String name, int by) {
        OcsSwitch of = ocs.switches.get(name);
        List<OcsSwitch.Wire> wires = of.wiring().stream()
                .map(wire -> new OcsSwitch.Wire(
                        Integer.toString(Integer.parseInt(wire.ingress()) + by),
                        Integer.toString(Integer.parseInt(wire.egress()) + by),
                        wire.pod(),
                        wire.index()))
                .toList();
        ocs.described.put(name, ToyOcs.rewired(of, wires));
    }

    @ParameterizedTest
    @EnumSource(DeviceKind.class)
    void aFirstPortThatIsWrongAndCorrectedCostsNoLight(DeviceKind kind) {
        for (int by : new int[] {1, 2, 3}) {
            ToyOcs ocs = ToyOcs.logical(4, 2, 4, kind, 2);
            SliceId first = ocs.wishTraffic("first", ToyOcs.twoByTwo());
            SliceId second = ocs.wishTraffic("second", ToyOcs.twoByTwo());
            ocs.settle();
            SwitchedLight before = ocs.light();
            shift(ocs, "ocs-01", by);
            ocs.settleAfter(Duration.ofSeconds(5));
            ocs.settleAfter(Duration.ofSeconds(60));
            ocs.described.clear();
            ocs.settleAfter(Duration.ofSeconds(5));
            ocs.settleAfter(Duration.ofSeconds(60));
            Deliberation rest = ocs.settleAfter(Duration.ofSeconds(60));
            for (SliceId job : List.of(first, second)) {
                assertThat(rest.slices().get(job).placement())
                        .as("%s by %d", kind, by)
                        .isInstanceOf(Placement.Placed.class);
                assertThat(rest.slices().get(job).light().qualified())
                        .as("%s by %d: %s", kind, by, job)
                        .isTrue();
            }
            assertThat(ocs.light().size()).as("%s by %d", kind, by).isEqualTo(before.size());
        }
    }
}
