package dev.lightpath.planner.ocs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Memo;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A fabric with more ports than the striper takes is planned without it. */
class LinkPlanSizeTest {
    /** Switches times pods is just more than 2^20. */
    private static final int SWITCHES = 1024;

    private static final int PODS = 1026;

    private static OcsSwitch ocs(int number, List<Integer> pods) {
        return Spine.opticalSwitch(
                String.format("ocs-%04d", number),
                number,
                DeviceKind.ANY_TO_ANY,
                pods.stream()
                        .map(pod -> Spine.wire(DeviceKind.ANY_TO_ANY, 1 + pod, pod, 0))
                        .toList());
    }

    /** All pods but two share the first switch; the last two have a port each, on different switches. */
    private static OcsWiring wiring() {
        List<OcsSwitch> switches = new ArrayList<>();
        for (int number = 0; number < SWITCHES; number++) {
            List<Integer> wired = switch (number) {
                case 0 -> IntStream.range(0, PODS - 2).boxed().toList();
                case 1 -> List.of(PODS - 2);
                case 2 -> List.of(PODS - 1);
                default -> List.of();
            };
            switches.add(ocs(number, wired));
        }
        return OcsWiring.of(Spine.of(PODS, switches));
    }

    @Test
    void whatTheStriperDoesNotTakeIsLeftAsItIs() {
        List<Link> links = new ArrayList<>();
        for (int pod = 0; pod < PODS; pod += 2) {
            links.add(new Link(Spine.pod(pod), Spine.pod(pod + 1), "ocs-0000"));
        }
        LinkPlan.Outcome plan = LinkPlan.follow(
                wiring(),
                OcsHealth.sound(),
                taken -> false,
                links,
                true,
                SwitchedLight.none(),
                new Memo<>(Memo.Known.nothing(), LinkPlan.STRIPINGS));
        assertThat(plan.missing()).containsExactly(links.getLast());
        assertThat(plan.light().size()).isEqualTo(links.size() - 1);
    }
}
