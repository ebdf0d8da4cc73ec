package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.gnmi.proto.SetRequest;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.gNMIGrpc;
import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import gnmi_ext.GnmiExt.Extension;
import gnmi_ext.GnmiExt.MasterArbitration;
import gnmi_ext.GnmiExt.Uint128;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The gNMI adapter where a device changes otherwise than it should, or the way to it is cut. */
@Order(2)
final class GnmiDriverTest extends GnmiTrial {
    private Channel channel(GnmiPlant plant) {
        ManagedChannel channel = EmulatedPlant.channel(plant.port());
        open.add(channel::shutdownNow);
        Metadata shown = new Metadata();
        shown.put(Metadata.Key.of("username", Metadata.ASCII_STRING_MARSHALLER), "admin");
        shown.put(Metadata.Key.of("password", Metadata.ASCII_STRING_MARSHALLER), ManagedPlant.PASSWORD);
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(shown));
    }

    /** A client of its own, with user and password. */
    private gNMIGrpc.gNMIBlockingStub other(GnmiPlant plant) {
        return gNMIGrpc.newBlockingStub(channel(plant)).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    private static GnmiDevice elected(GnmiDevice of, long number) {
        return changed(of, portOf(of), of.login(), "", OptionalLong.of(number));
    }

    @Test
    void aShutterStopsTheLightAndTheCircuitStays() throws Exception {
        GnmiPlant plant = plant(8, "");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        closesAndOpens(plant, driver, "1A", "2B");
    }

    @Test
    void manyCircuitsAreOneSet() throws Exception {
        GnmiPlant plant = plant(64, "");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        ApplyCircuitsRequest.Builder many = request("many");
        for (int i = 1; i <= 64; i++) {
            many.addConnects(Requests.key(i + "A->" + i + "B"));
        }
        assertThat(operation(driver, many).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).hasSize(64);
        assertThat(plant.front().sets()).isEqualTo(1);
    }

    /** What somebody else connected stays, though this switch would let a new circuit take its place. */
    @Test
    void aCircuitOfOthersIsNotReplaced() throws Exception {
        GnmiPlant plant = plant(8, "replaces");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        var unused = other(plant).set(GnmiSets.connect("1A", "1B"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> plant.truth().equals(List.of("1A->1B")));
        assertThatThrownBy(() -> CircuitServiceGrpc.newBlockingStub(driver)
                        .withDeadlineAfter(30, TimeUnit.SECONDS)
                        .applyCircuits(request("taken")
                                .addConnects(Requests.key("1A->2B"))
                                .build()))
                .hasMessageContaining("port '1A' is used by 1A->1B");
        assertThat(plant.truth()).containsExactly("1A->1B");
    }

    @Test
    void ofABatchThatTheDeviceMakesByHalfTheOtherHalfHasFailed() throws Exception {
        GnmiPlant plant = plant(8, "accepts-half");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation half = operation(
                driver, request("half").addConnects(Requests.key("1A->1B")).addConnects(Requests.key("2A->2B")));
        assertThat(half.getOutcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(half.getItemsList())
                .extracting(ItemResult::getState)
                .containsExactly(ItemState.ITEM_STATE_CONNECTED, ItemState.ITEM_STATE_FAILED);
        assertThat(half.getItems(1).getReason()).isEqualTo(ItemReason.ITEM_REASON_READ_BACK_DIFFERS);
        assertThat(plant.truth()).containsExactly("1A->1B");
    }

    @Test
    void whatTheDeviceMadeInSpiteOfItsRefusalIsNotMadeAgain() throws Exception {
        GnmiPlant plant = plant(8, "refuses-half");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        long before = plant.moves();
        assertThat(operation(
                                driver,
                                request("spite")
                                        .addConnects(Requests.key("1A->1B"))
                                        .addConnects(Requests.key("2A->2B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).containsExactly("1A->1B", "2A->2B");
        assertThat(plant.moves() - before).isEqualTo(2);
    }

    @Test
    void acceptedIsNotTuned() throws Exception {
        GnmiPlant plant = plant(8, "never-tunes");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation accepted = operation(driver, request("never").addConnects(Requests.key("1A->1B")));
        assertThat(accepted.getOutcome()).isNotEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(accepted.getItems(0).getState()).isEqualTo(ItemState.ITEM_STATE_TUNING);
        assertThat(accepted.getItems(0).getReason()).isEqualTo(ItemReason.ITEM_REASON_NOT_SETTLED);
        assertThat(operation(driver, request("gone").addDisconnects(Requests.key("1A->1B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void aMasterWithAHigherNumberIsToldAndChangesAreRefused() throws Exception {
        GnmiPlant plant = plant(8, "");
        var unused = other(plant)
                .set(SetRequest.newBuilder()
                        .addExtension(Extension.newBuilder()
                                .setMasterArbitration(MasterArbitration.newBuilder()
                                        .setElectionId(Uint128.newBuilder().setLow(9))))
                        .build());
        GnmiDevice device = plant.device();
        ManagedChannel driver = driver(GnmiPlant.only(elected(device, 5)));
        awaitPresent(driver);
        String line = "the device has a master with a higher number than electionId 5";
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !log(line).isEmpty());
        assertThat(log(line)).hasSize(1);
        Operation refused = operation(driver, request("late").addConnects(Requests.key("1A->1B")));
        assertThat(refused.getOutcome()).isEqualTo(Outcome.OUTCOME_REJECTED);
        assertThat(refused.getItems(0).getNativeText()).contains("election id 9 is the master's");
        assertThat(plant.truth()).isEmpty();
        closeDriver();
        ManagedChannel master = driver(GnmiPlant.only(elected(device, 10)));
        awaitPresent(master);
        assertThat(operation(master, request("now").addConnects(Requests.key("1A->1B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void aDeviceWithoutArbitrationIsOneLineIfItIsAskedFor() throws Exception {
        GnmiPlant plant = plant(8, "no-arbitration");
        leavesAloneAndSays(
                GnmiPlant.only(elected(plant.device(), 5)),
                "the device takes no master arbitration, leave out `electionId` in driver.yaml: UNIMPLEMENTED");
    }

    @Test
    void aDeviceThatEndsTheSessionAtSeveralPathsIsAskedForOneAfterTheOther() throws Exception {
        GnmiPlant plant = plant(8, "ends-at-several");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThat(operation(driver, request("single").addConnects(Requests.key("1A->1B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).containsExactly("1A->1B");
    }

    @Test
    void withoutAStreamTheDeviceIsAsked() throws Exception {
        GnmiPlant plant = plant(8, "one-stream");
        CountDownLatch taken = new CountDownLatch(1);
        StreamObserver<SubscribeRequest> held = gNMIGrpc.newStub(channel(plant)).subscribe(new StreamObserver<>() {
            @Override
            public void onNext(SubscribeResponse message) {
                taken.countDown();
            }

            @Override
            public void onError(Throwable over) {}

            @Override
            public void onCompleted() {}
        });
        held.onNext(SubscribeRequest.getDefaultInstance());
        assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !log("no notifications, asking every 1000 ms: RESOURCE_EXHAUSTED: there is another stream")
                        .isEmpty());
        assertThat(operation(driver, request("asked").addConnects(Requests.key("1A->1B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void aStreamThatEndsAfterEachMessageChangesNothing() throws Exception {
        GnmiPlant plant = plant(8, "short-streams");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThat(operation(driver, request("short").addConnects(Requests.key("1A->1B")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        String line = "no notifications, asking every 1000 ms: the device ended the stream";
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !log(line).isEmpty());
        assertThat(log(line)).hasSize(1);
    }

    @Test
    void aSessionThatIsCutAnywhereInAChangeMovesNoCircuitTwice() throws Exception {
        GnmiPlant plant = plant(8, "");
        try (CutProxy proxy = new CutProxy(plant.port())) {
            movesNoCircuitTwice(
                    plant,
                    proxy,
                    driver(GnmiPlant.only(at(plant.device(), proxy.port()))),
                    4000,
                    Set.of(List.of(), List.of("1A->1B", "2A->2B")));
        }
    }
}
