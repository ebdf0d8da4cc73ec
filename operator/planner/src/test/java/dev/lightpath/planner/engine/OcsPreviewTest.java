package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.engine.simulation.OcsPreview;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OcsPreviewTest {
    private final ToyOcs ocs = ToyOcs.logical(8, 1, 4, DeviceKind.TWO_SIDED, 1);

    private OcsPreview preview(SliceId wished, List<Subject> faulty) {
        SliceIntent wish = ocs.slices.get(wished);
        ocs.forget(wished);
        World world = ocs.world();
        return OcsPreview.of(
                new Snapshot(ocs.now, new TreeMap<>(), world.ocsFabrics(), world.slices(), world.ledger(), faulty),
                List.of(wish),
                question -> question.answer(new DeltaPlanner(), SearchLimits.standard()));
    }

    @Test
    void showsWhatIsThenDone() {
        ocs.wishTraffic("first", OcsTrafficTest.gpt7b(2));
        ocs.settle();
        SwitchedLight before = ocs.light();
        SliceId second = ocs.wishTraffic("second", OcsTrafficTest.gpt7b(2));
        OcsPreview.Placed shown = (OcsPreview.Placed) preview(second, List.of());
        assertThat(ocs.light()).isEqualTo(before);
        assertThat(shown.others()).isEmpty();
        ocs.wishTraffic("second", OcsTrafficTest.gpt7b(2));
        ocs.settle();
        Allocation done = ocs.ledger.get(second).allocation().orElseThrow();
        assertThat(shown.allocations()).hasSize(1);
        assertThat(shown.allocations().getFirst().groups()).isEqualTo(done.groups());
        assertThat(shown.allocations().getFirst().circuits()).isEqualTo(done.circuits());
        assertThat(shown.allocations().getFirst().prediction()).isEqualTo(done.prediction());
    }

    @Test
    void saysWhatIsMissing() {
        SliceId job = ocs.wishTraffic("large", OcsTrafficTest.gpt7b(1, 4));
        assertThat(((OcsPreview.Unplaceable) preview(job, List.of())).why())
                .contains("take 16 pods; fabric spine has 8");
    }

    @Test
    void keepsOffWhatHasFailed() {
        SliceId job = ocs.wishTraffic("one", OcsTrafficTest.gpt7b(2));
        OcsPreview.Placed shown = (OcsPreview.Placed) preview(job, List.of(new Subject.OfDevice("ocs-00")));
        assertThat(shown.allocations().getFirst().circuits().on("ocs-00")).isEmpty();
    }
}
