package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.fencing;
import static dev.lightpath.driver.Requests.key;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.lightpath.fuzz.Fuzz;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What a client with every role may ask of a driver. It answers, or refuses in the words of the contract; it is never
 * at a loss. Changes are asked for on paper ({@code validate_only}): what is carried out is remembered for a day, and
 * would look like a leak.
 */
@Isolated("the heap that it measures is that of the whole process")
class RequestFuzzTest {
    private static final String ROLE = "cluster-a/fabric-a";

    @TempDir
    private Path state;

    private EmulatedPlant plant;

    @BeforeEach
    void start() throws Exception {
        plant = new EmulatedPlant(state);
    }

    @AfterEach
    void stop() {
        plant.close();
    }

    @Test
    void changes() throws Exception {
        ask(
                "apply",
                ApplyCircuitsRequest.parser(),
                request -> plant.circuits()
                        .applyCircuits(request.toBuilder().setValidateOnly(true).build()),
                apply("ocs-1", ROLE, 1, "a")
                        .addConnects(key("1->9"))
                        .addDisconnects(key("2->10"))
                        .setRollbackAfter(Duration.newBuilder().setSeconds(3))
                        .build(),
                apply("n0", ROLE, 7, "b")
                        .addDisconnects(key("b0.common->b0.loop"))
                        .addConnects(key("b0.common->b0.path1"))
                        .setExpectedObservedDigest("sha256:0")
                        .build());
    }

    @Test
    void plans() throws Exception {
        ask(
                "plan",
                PlanCircuitsRequest.parser(),
                request -> plant.circuits().planCircuits(request),
                PlanCircuitsRequest.newBuilder()
                        .setDeviceId("ocs-2")
                        .setRole(ROLE)
                        .setScope(Requests.scope("1", "17"))
                        .addConnects(key("1->17"))
                        .build());
    }

    @Test
    void operations() throws Exception {
        ask(
                "get-operation",
                GetOperationRequest.parser(),
                request -> plant.circuits().getOperation(request),
                GetOperationRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .setRole(ROLE)
                        .setOperationId("a")
                        .build());
    }

    @Test
    void confirmations() throws Exception {
        ask(
                "confirm",
                ConfirmOperationRequest.parser(),
                request -> plant.circuits().confirmOperation(request),
                ConfirmOperationRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .setFencing(fencing(ROLE, 1))
                        .setOperationId("a")
                        .build());
    }

    @Test
    void cancellations() throws Exception {
        ask(
                "cancel",
                CancelOperationRequest.parser(),
                request -> plant.circuits().cancelOperation(request),
                CancelOperationRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .setFencing(fencing(ROLE, 1))
                        .setOperationId("a")
                        .build());
    }

    @Test
    void overrides() throws Exception {
        ask(
                "override",
                SetPortOverrideRequest.parser(),
                request -> plant.circuits().setPortOverride(request),
                SetPortOverrideRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .setFencing(fencing(ROLE, 1))
                        .setPort("1")
                        .setOverride(PortOverride.forNumber(1))
                        .setReason("a fuzz")
                        .build());
    }

    @Test
    void transfers() throws Exception {
        ask(
                "transfer",
                TransferScopeRequest.parser(),
                request -> plant.circuits().transferScope(request),
                TransferScopeRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .setFromRole(ROLE)
                        .setToRole("cluster-b/fabric-b")
                        .setHighestEpoch(3)
                        .build());
    }

    @Test
    void circuits() throws Exception {
        ask(
                "get-circuits",
                GetCircuitsRequest.parser(),
                request -> plant.circuits().getCircuits(request),
                GetCircuitsRequest.newBuilder()
                        .addDevices(
                                DeviceScope.newBuilder().setDeviceId("ocs-1").setScope(Requests.scope("1")))
                        .setPageSize(2)
                        .setPageToken("n0")
                        .build());
    }

    @Test
    void listsOfDevices() throws Exception {
        ask(
                "list-devices",
                ListDevicesRequest.parser(),
                request -> plant.inventory().listDevices(request),
                ListDevicesRequest.newBuilder()
                        .addDeviceIds("n0")
                        .setPageSize(3)
                        .build());
    }

    @Test
    void inventories() throws Exception {
        ask(
                "get-inventory",
                GetInventoryRequest.parser(),
                request -> plant.inventory().getInventory(request),
                GetInventoryRequest.newBuilder()
                        .addDeviceIds("n0")
                        .setPageSize(3)
                        .build());
    }

    @Test
    void losses() throws Exception {
        ask(
                "factory-loss",
                ListFactoryLossRequest.parser(),
                request -> plant.inventory().listFactoryLoss(request),
                ListFactoryLossRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .setPageSize(3)
                        .build());
    }

    @Test
    void streams() throws Exception {
        ask(
                "watch",
                WatchRequest.parser(),
                this::watch,
                WatchRequest.newBuilder()
                        .addDevices(DeviceScope.newBuilder().setDeviceId("n0"))
                        .addKinds(StreamKind.STREAM_KIND_CIRCUITS)
                        .setHeartbeatInterval(Duration.newBuilder().setSeconds(1))
                        .setClientName("fuzz")
                        .build());
    }

    /** Up to the first message, which comes for every scope, at last as SYNCED. */
    private void watch(WatchRequest request) {
        Context.CancellableContext context = Context.ROOT.withCancellation();
        try {
            context.run(
                    () -> TelemetryServiceGrpc.newBlockingStub(plant.telemetry().getChannel())
                            .withDeadlineAfter(30, TimeUnit.SECONDS)
                            .watch(request)
                            .next());
        } finally {
            context.cancel(null);
        }
    }

    @SafeVarargs
    private <R extends MessageLite> void ask(String name, Parser<R> parser, Consumer<R> call, R... samples)
            throws Exception {
        List<byte[]> bytes =
                Arrays.stream(samples).map(MessageLite::toByteArray).toList();
        Fuzz.read(name, bytes, StatusRuntimeException.class, input -> {
            R request;
            try {
                request = parser.parseFrom(input);
            } catch (InvalidProtocolBufferException noMessage) {
                return; // refused by gRPC, before the driver sees anything
            }
            try {
                call.accept(request);
            } catch (StatusRuntimeException refused) {
                Status.Code code = refused.getStatus().getCode();
                if (code == Status.Code.INTERNAL
                        || code == Status.Code.UNKNOWN
                        || code == Status.Code.DEADLINE_EXCEEDED) {
                    throw new AssertionError(String.valueOf(refused.getStatus()), refused);
                }
                Requests.errorInfo(refused);
                throw refused;
            }
        });
    }
}
