package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.BatchAtomicity;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Emulated OpenFlow switches: what they are asked, and what they do not do although they say so. */
final class OpenFlowLiesTest extends ManagedTrial {
    private OpenFlowPlant plant(String quirks) throws Exception {
        OpenFlowPlant plant = OpenFlowPlant.of(directory, 8, "1.4", quirks);
        open.add(plant);
        return plant;
    }

    @Test
    void manyCircuitsAreOneBundle() throws Exception {
        OpenFlowPlant plant = OpenFlowPlant.of(directory, 64, "1.4", "");
        open.add(plant);
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        ApplyCircuitsRequest.Builder many = request("many");
        for (int i = 1; i <= 64; i++) {
            many.addConnects(Requests.key(i + "->" + (64 + i)));
        }
        assertThat(apply(driver, many.build()).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).hasSize(64);
        assertThat(plant.emulator.openflow(ManagedPlant.DEVICE).changes()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"48x48, 96", "4x4, 8"})
    void aSwitchOfAnotherSizeIsOneLine(String size, int last) throws Exception {
        OpenFlowPlant plant = plant("");
        var unused = driver(plant.adapter(size));
        String line =
                "the device has ports up to 16, but driver.yaml names size " + size + ", which is ports 1 to " + last;
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(log(line)).hasSize(1));
    }

    /** OpenFlow does not tell a port that failed from one that was never there: the device is used, without them. */
    @Test
    void aSwitchThatIsSmallerThanDescribedIsOneLineAndAnAlarmAndNothingIsMadeAtWhatIsMissing() throws Exception {
        OpenFlowPlant plant = plant("");
        ManagedChannel driver = driver(plant.adapter("12x12"));
        awaitPresent(driver);
        String line =
                "the device tells of no port 17-24, but driver.yaml names size 12x12: they have failed, or the device"
                        + " is smaller; no circuit is made at them";
        Operation partly = apply(
                driver,
                request("partly")
                        .addConnects(Requests.key("1->16"))
                        .addConnects(Requests.key("2->17"))
                        .build());
        assertThat(partly.getOutcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(partly.getItemsList())
                .filteredOn(item -> item.getReason() == ItemReason.ITEM_REASON_PORT_UNUSABLE)
                .singleElement()
                .satisfies(item -> assertThat(Requests.text(item.getKey())).isEqualTo("2->17"));
        assertThat(plant.truth()).containsExactly("1->16");
        assertThat(snapshot(driver).getAlarmsList())
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.getNativeText()).isEqualTo(line));
        assertThat(log(line)).hasSize(1);
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
    void aSwitchThatHangsUpAtBundlesIsUsedWithoutThem() throws Exception {
        OpenFlowPlant plant = plant("ends-at-bundles");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThat(atomicity(driver)).isEqualTo(BatchAtomicity.BATCH_ATOMICITY_NONE);
        assertThat(log("it is used without bundles: ")).hasSize(1);
        makesEachCircuitByItself(driver, plant);
    }

    @Test
    void aSwitchWithoutBundlesIsAskedForEachCircuitAndNeverDescribedAsTransactional() throws Exception {
        OpenFlowPlant plant = plant("no-bundles");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThat(atomicity(driver)).isEqualTo(BatchAtomicity.BATCH_ATOMICITY_NONE);
        makesEachCircuitByItself(driver, plant);
    }

    private void makesEachCircuitByItself(ManagedChannel driver, OpenFlowPlant plant) throws Exception {
        Operation done = apply(
                driver,
                request("each")
                        .addConnects(Requests.key("1->9"))
                        .addConnects(Requests.key("2->10"))
                        .build());
        assertThat(done.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).containsExactly("1->9", "2->10");
    }

    private static BatchAtomicity atomicity(ManagedChannel driver) {
        return IdentityServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .getCapabilities(GetCapabilitiesRequest.newBuilder()
                        .setDeviceId(ManagedPlant.DEVICE)
                        .build())
                .getCapabilities()
                .getBatchAtomicity();
    }
}
