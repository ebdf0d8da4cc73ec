package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.stripe.DeviceKind;
import org.junit.jupiter.api.Test;

/** Four pods of one node of eight GPUs each. */
class OcsReportTest {
    private final ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 2);

    private int usable() {
        return ocs.settle().fabrics().get("spine").gpus().usable();
    }

    @Test
    void gpusOfANodeThatTakesNothingNewAreNotUsable() {
        assertThat(usable()).isEqualTo(32);
        ocs.wiring.close(2, true);
        assertThat(usable()).isEqualTo(24);
        ocs.wiring.close(2, false);
        assertThat(usable()).isEqualTo(32);
    }

    @Test
    void gpusThatAJobHoldsAreUsableThoughTheirNodeTakesNothingNew() {
        ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        ocs.wiring.close(2, true);
        assertThat(usable()).isEqualTo(32);
    }

    @Test
    void gpusOfACubeThatTakesNothingNewAreNotUsable() {
        ToyOcs torus = ToyOcs.torus("2x2x2", 9, 1);
        int all = torus.settle().fabrics().get("spine").gpus().usable();
        torus.wiring.close(8, true);
        assertThat(torus.settle().fabrics().get("spine").gpus().usable())
                .isEqualTo(all - torus.pods.getLast().gpus());
    }
}
