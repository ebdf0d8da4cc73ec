package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.errorInfo;
import static dev.lightpath.driver.Requests.fencing;
import static dev.lightpath.driver.Requests.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetConnectionsRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A call that waits for its turn while a newer writer shows itself comes too late, whatever it asks for. The
 * operation they wait for moves until somebody breaks its circuit by hand.
 */
final class OvertakenCallsTest {
    private static final String DEVICE = "slow-1";
    private static final String ROLE = "r";

    @TempDir
    private Path state;

    @Test
    void anOverrideThatWaitedTooLongIsRefused() throws Exception {
        overtaken((driver, late) -> {
            var unused = driver.setPortOverride(outOfService("5", late));
        });
    }

    @Test
    void aConfirmationThatWaitedTooLongIsRefused() throws Exception {
        overtaken((driver, late) -> {
            var unused = driver.confirmOperation(ConfirmOperationRequest.newBuilder()
                    .setDeviceId(DEVICE)
                    .setFencing(late)
                    .setOperationId("slow")
                    .build());
        });
    }

    @Test
    void aCancellationThatWaitedTooLongIsRefused() throws Exception {
        overtaken((driver, late) -> {
            var unused = driver.cancelOperation(CancelOperationRequest.newBuilder()
                    .setDeviceId(DEVICE)
                    .setFencing(late)
                    .setOperationId("slow")
                    .build());
        });
    }

    private void overtaken(BiConsumer<CircuitServiceBlockingStub, Fencing> call) throws Exception {
        try (EmulatedPlant plant = new EmulatedPlant(state)) {
            plant.inject(InjectFaultRequest.newBuilder()
                    .setDeviceId(DEVICE)
                    .setKind(FaultKind.FAULT_KIND_SLOW_MOVES)
                    .setValue(1000));
            var slow = beside(() -> plant.circuits()
                    .applyCircuits(apply(DEVICE, ROLE, 1, "slow")
                            .addConnects(key("1->7"))
                            .build()));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> plant.hardware()
                                    .getConnections(GetConnectionsRequest.newBuilder()
                                            .setDeviceId(DEVICE)
                                            .build())
                                    .getConnectionsCount()
                            > 0);
            var waiting = beside(() -> {
                try {
                    call.accept(plant.circuits(), fencing(ROLE, 2));
                    return "done";
                } catch (StatusRuntimeException refused) {
                    return errorInfo(refused).getReason();
                }
            });
            awaitEpoch(plant, 2);
            var newer = beside(() -> plant.circuits().setPortOverride(outOfService("6", fencing(ROLE, 3))));
            awaitEpoch(plant, 3);
            var unused = plant.hardware()
                    .setConnections(SetConnectionsRequest.newBuilder()
                            .setDeviceId(DEVICE)
                            .addDisconnects(
                                    PortPair.newBuilder().setIngress("1").setEgress("7"))
                            .build());

            assertThat(waiting.join()).isEqualTo("STALE_EPOCH");
            assertThat(slow.join().getOperation().getOutcome()).isEqualTo(Outcome.OUTCOME_REJECTED);
            assertThat(newer.join().getOverride()).isEqualTo(PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
        }
    }

    private static SetPortOverrideRequest outOfService(String port, Fencing fencing) {
        return SetPortOverrideRequest.newBuilder()
                .setDeviceId(DEVICE)
                .setFencing(fencing)
                .setPort(port)
                .setOverride(PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE)
                .build();
    }

    private static <T> CompletableFuture<T> beside(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
    }

    private static void awaitEpoch(EmulatedPlant plant, long epoch) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> plant.circuits()
                                .getCircuits(GetCircuitsRequest.newBuilder()
                                        .addDevices(DeviceScope.newBuilder().setDeviceId(DEVICE))
                                        .build())
                                .getDevices(0)
                                .getHighestEpoch()
                        == epoch);
    }
}
