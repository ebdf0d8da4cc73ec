package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.Atomicity;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transceiver's selector that does not move, beside one that would. */
final class StuckSelectorTest {
    private static final String DEVICE = "n1";
    private static final String ROLE = "r";

    @TempDir
    private Path state;

    @Test
    void whatIsNotTriedForItIsSaidToBeNotTried() throws Exception {
        try (EmulatedPlant plant = new EmulatedPlant(state)) {
            plant.inject(InjectFaultRequest.newBuilder()
                    .setDeviceId(DEVICE)
                    .setPort("b0.loop")
                    .setKind(FaultKind.FAULT_KIND_STUCK_ELEMENT));
            Operation refused = plant.circuits()
                    .applyCircuits(apply(DEVICE, ROLE, 1, "both")
                            .setAtomicity(Atomicity.ATOMICITY_ALL_OR_NOTHING)
                            .addDisconnects(key("b0.common->b0.loop"))
                            .addDisconnects(key("b1.common->b1.loop"))
                            .addConnects(key("b1.common->b1.path1"))
                            .build())
                    .getOperation();
            assertThat(refused.getOutcome()).isEqualTo(Outcome.OUTCOME_REJECTED);
            assertThat(refused.getItemsList())
                    .extracting(ItemResult::getState)
                    .containsExactly(
                            ItemState.ITEM_STATE_FAILED,
                            ItemState.ITEM_STATE_NOT_ATTEMPTED,
                            ItemState.ITEM_STATE_NOT_ATTEMPTED);
            assertThat(refused.getItemsList())
                    .extracting(ItemResult::getReason)
                    .doesNotContain(ItemReason.ITEM_REASON_UNSPECIFIED);
        }
    }
}
