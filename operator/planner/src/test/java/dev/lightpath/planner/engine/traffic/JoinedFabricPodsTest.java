package dev.lightpath.planner.engine.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Deal;
import dev.lightpath.planner.ask.ReplicaDeal;
import dev.lightpath.planner.engine.ToyOcs;
import dev.lightpath.planner.engine.state.Forecasts;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What searches for pods that circuits join may cost a pass, where every set of pods is tried in vain. */
class JoinedFabricPodsTest {
    private static final int SWITCHES = 16;
    private static final Deal DEAL = new ReplicaDeal(2, 2);
    private static final OcsState SCENE = scene();

    private final JoinedFabricPods search = new JoinedFabricPods();
    private final List<String> order =
            SCENE.intent().pods().stream().map(OcsPod::name).toList();
    private int tries;

    private static OcsState scene() {
        World world = ToyOcs.logical(64, 1, SWITCHES, DeviceKind.TWO_SIDED, 1).world();
        return OcsState.of(
                world, Objects.requireNonNull(world.ocsFabrics().get("spine")), List.of(), Forecasts.MOST_TRANSFERS);
    }

    private List<String> find(List<String> pods, Set<PortUse> taken, boolean joined) {
        return search.find(
                DEAL,
                pods,
                List.of(),
                (kind, pod) -> true,
                new JoinedFabricPods.FreePorts(SCENE, SCENE.health(), taken),
                of -> {
                    tries++;
                    return joined;
                });
    }

    @Test
    void allSearchesOfAPassShareWhatTheyMayCost() {
        List<String> other = new ArrayList<>(order);
        int wishes = 60;
        for (int wish = 0; wish < wishes; wish++) {
            Collections.rotate(other, 1);
            assertThat(find(other, Set.of(), false)).isEmpty();
        }
        int cost = DEAL.deal(DEAL.fewest()).size() * SWITCHES * 2;
        assertThat(tries).isBetween(wishes, wishes + 8_000 / cost + 1);
    }

    @Test
    void aSearchInVainIsNotRepeatedWhileThePortsAreTheSame() {
        find(order, Set.of(), false);
        int before = tries;
        find(order, Set.of(), false);
        assertThat(tries).isEqualTo(before);
        find(order, Set.of(PortUse.ingress("ocs-00", DeviceKind.TWO_SIDED, "1")), false);
        assertThat(tries).isGreaterThan(before);
    }

    @Test
    void podsThatAreJoinedAreFoundInTheirOrder() {
        assertThat(find(order, Set.of(), true)).isEqualTo(order.subList(0, 4));
    }
}
