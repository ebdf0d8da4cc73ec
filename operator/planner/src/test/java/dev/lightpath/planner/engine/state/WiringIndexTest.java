package dev.lightpath.planner.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.ToyOcs;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.Spine;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WiringIndexTest {
    private final World world = ToyOcs.logical(4, 2, 2, DeviceKind.TWO_SIDED, 2).world();
    private final OcsIntent intent = Objects.requireNonNull(world.ocsFabrics().get("spine"));
    private final OcsSwitch first = intent.switches().firstEntry().getValue();

    private WiringIndex before() {
        return WiringIndex.of(world, intent, Optional.empty());
    }

    @Test
    void anEqualDescriptionIsNotReadAgain() {
        WiringIndex before = before();
        WiringIndex now = WiringIndex.of(world, Spine.with(intent, first), Optional.of(before));
        assertThat(now.wiring()).isSameAs(before.wiring());
        assertThat(now.equipment().get(first.name()))
                .isSameAs(before.equipment().get(first.name()));
    }

    @Test
    void anotherDescriptionIsReadAnew() {
        List<OcsSwitch.Wire> wires = new ArrayList<>(first.wiring());
        OcsSwitch.Wire moved = wires.getFirst();
        wires.set(0, new OcsSwitch.Wire("no such port", moved.egress(), moved.pod(), moved.index()));
        OcsIntent changed = Spine.with(
                intent,
                new OcsSwitch(
                        first.name(), first.device(), first.kind(), first.plane(), wires, first.reserved(), true));
        WiringIndex now = WiringIndex.of(world, changed, Optional.of(before()));
        assertThat(now).usingRecursiveComparison().isEqualTo(WiringIndex.of(world, changed, Optional.empty()));
        assertThat(now.wiring().intent()).isEqualTo(changed);
        assertThat(now.equipment().get(first.name()).lacking()).containsKey("no such port");
        assertThat(now.ports(first.name())).contains("no such port").doesNotContain(moved.ingress());
    }

    @Test
    void anotherInventoryIsJudgedAnew() {
        WiringIndex before = before();
        Inventory bare = new Inventory(Inventory.Make.unnamed(), new TreeMap<>(), new TreeMap<>());
        TreeMap<String, WiringIndex.Equipped> stale = new TreeMap<>(before.equipment());
        stale.put(first.name(), new WiringIndex.Equipped(bare, new TreeMap<>(Map.of("1", "gone")), Set.of()));
        WiringIndex now = WiringIndex.of(
                world,
                intent,
                Optional.of(new WiringIndex(intent, OcsWiring.of(intent), before.findings(), before.ports(), stale)));
        assertThat(now.equipment()).isEqualTo(before.equipment());
        assertThat(now.equipment().get(first.name()).lacking()).isEmpty();
    }
}
