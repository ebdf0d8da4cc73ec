package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import org.junit.jupiter.api.Test;

/** Emulated OpenFlow switches that do not do what they say. */
final class OpenFlowLiesTest extends ManagedTrial {
    private OpenFlowPlant plant(String quirks) throws Exception {
        OpenFlowPlant plant = OpenFlowPlant.of(directory, 8, "1.4", quirks);
        open.add(plant);
        return plant;
    }

    @Test
    void halfOfABundleThatWasAcceptedIsTold() throws Exception {
        OpenFlowPlant plant = plant("accepts-half");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation half = apply(
                driver,
                request("half")
                        .addConnects(Requests.key("1->9"))
                        .addConnects(Requests.key("2->10"))
                        .build());
        assertThat(half.getOutcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(half.getItems(0).getState()).isEqualTo(ItemState.ITEM_STATE_CONNECTED);
        assertThat(half.getItems(1).getReason()).isEqualTo(ItemReason.ITEM_REASON_READ_BACK_DIFFERS);
        assertThat(plant.truth()).containsExactly("1->9");
    }

    @Test
    void aSwitchWithoutBundlesIsAskedForEachCircuit() throws Exception {
        OpenFlowPlant plant = plant("no-bundles");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation done = apply(
                driver,
                request("each")
                        .addConnects(Requests.key("1->9"))
                        .addConnects(Requests.key("2->10"))
                        .build());
        assertThat(done.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).containsExactly("1->9", "2->10");
    }
}
