package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossResponse;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ProbeRequest;
import dev.lightpath.proto.driver.v1alpha1.ProbeResponse;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideResponse;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Serves a mutant in front of a good driver. Like a good one it carries a write on when the caller goes away. */
final class MutantServer implements AutoCloseable {
    private static final Context.Key<Context> CALLER = Context.key("caller");

    private final Mutant mutant;
    private final ManagedChannel driver;
    private final Server server;

    MutantServer(Mutant mutant, int driverPort, boolean again) throws IOException {
        this.mutant = mutant;
        this.driver = NettyChannelBuilder.forAddress("127.0.0.1", driverPort)
                .usePlaintext()
                .build();
        mutant.behind(driver, again);
        this.server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .addService(new Circuits())
                .addService(new Identity())
                .addService(new Inventory())
                .addService(new Telemetry())
                .addServices(mutant.standardServices())
                .intercept(new Unimplemented())
                .build()
                .start();
    }

    /** True once nobody waits for the answer that is being made. */
    static boolean isCallerGone() {
        return CALLER.get().isCancelled();
    }

    int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
        driver.shutdownNow();
    }

    private <A> void answer(StreamObserver<A> client, Supplier<A> work) {
        ((ServerCallStreamObserver<A>) client).setOnCancelHandler(() -> {});
        Context caller = Context.current();
        Context alone = Context.ROOT.withValue(CALLER, caller);
        Context before = alone.attach();
        try {
            client.onNext(work.get());
            client.onCompleted();
        } catch (StatusRuntimeException refused) {
            client.onError(mutant.refusal(refused));
        } finally {
            alone.detach(before);
        }
    }

    /** Turns calls away that the mutant does not have. */
    private final class Unimplemented implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            if (mutant.isImplemented(call.getMethodDescriptor().getFullMethodName())) {
                return next.startCall(call, headers);
            }
            call.close(Status.UNIMPLEMENTED, new Metadata());
            return new ServerCall.Listener<>() {};
        }
    }

    private final class Circuits extends CircuitServiceGrpc.CircuitServiceImplBase {
        @Override
        public void applyCircuits(ApplyCircuitsRequest request, StreamObserver<ApplyCircuitsResponse> client) {
            answer(client, () -> mutant.apply(request));
        }

        @Override
        public void planCircuits(PlanCircuitsRequest request, StreamObserver<PlanCircuitsResponse> client) {
            answer(client, () -> mutant.plan(request));
        }

        @Override
        public void getOperation(GetOperationRequest request, StreamObserver<GetOperationResponse> client) {
            answer(client, () -> mutant.operation(request));
        }

        @Override
        public void confirmOperation(ConfirmOperationRequest request, StreamObserver<ConfirmOperationResponse> client) {
            answer(client, () -> mutant.confirm(request));
        }

        @Override
        public void cancelOperation(CancelOperationRequest request, StreamObserver<CancelOperationResponse> client) {
            answer(client, () -> mutant.cancel(request));
        }

        @Override
        public void getCircuits(GetCircuitsRequest request, StreamObserver<GetCircuitsResponse> client) {
            answer(client, () -> mutant.circuits(request));
        }

        @Override
        public void setPortOverride(SetPortOverrideRequest request, StreamObserver<SetPortOverrideResponse> client) {
            answer(client, () -> mutant.override(request));
        }

        @Override
        public void transferScope(TransferScopeRequest request, StreamObserver<TransferScopeResponse> client) {
            answer(client, () -> mutant.transfer(request));
        }
    }

    private final class Identity extends IdentityServiceGrpc.IdentityServiceImplBase {
        private final IdentityServiceGrpc.IdentityServiceBlockingStub good =
                IdentityServiceGrpc.newBlockingStub(driver);

        @Override
        public void getDriverInfo(GetDriverInfoRequest request, StreamObserver<GetDriverInfoResponse> client) {
            answer(client, () -> mutant.info(request, good.getDriverInfo(request)));
        }

        @Override
        public void getCapabilities(GetCapabilitiesRequest request, StreamObserver<GetCapabilitiesResponse> client) {
            answer(client, () -> mutant.capabilities(request, good.getCapabilities(request)));
        }

        @Override
        public void probe(ProbeRequest request, StreamObserver<ProbeResponse> client) {
            answer(client, () -> mutant.probe(good.probe(request)));
        }
    }

    private final class Inventory extends InventoryServiceGrpc.InventoryServiceImplBase {
        private final InventoryServiceGrpc.InventoryServiceBlockingStub good =
                InventoryServiceGrpc.newBlockingStub(driver);

        @Override
        public void listDevices(ListDevicesRequest request, StreamObserver<ListDevicesResponse> client) {
            answer(client, () -> mutant.devices(request, good.listDevices(request)));
        }

        @Override
        public void getInventory(GetInventoryRequest request, StreamObserver<GetInventoryResponse> client) {
            answer(client, () -> mutant.inventory(request, good.getInventory(request)));
        }

        @Override
        public void listFactoryLoss(ListFactoryLossRequest request, StreamObserver<ListFactoryLossResponse> client) {
            answer(client, () -> mutant.factoryLoss(request, good.listFactoryLoss(request)));
        }
    }

    private final class Telemetry extends TelemetryServiceGrpc.TelemetryServiceImplBase {
        @Override
        public void watch(WatchRequest request, StreamObserver<WatchResponse> client) {
            WatchRequest asked;
            try {
                asked = mutant.watch(request);
            } catch (StatusRuntimeException refused) {
                client.onError(refused);
                return;
            }
            ((ServerCallStreamObserver<WatchResponse>) client).setOnCancelHandler(mutant::left);
            TelemetryServiceGrpc.newStub(driver).watch(asked, new StreamObserver<>() {
                @Override
                public void onNext(WatchResponse message) {
                    mutant.told(message).forEach(client::onNext);
                }

                @Override
                public void onError(Throwable why) {
                    client.onError(why);
                }

                @Override
                public void onCompleted() {
                    client.onCompleted();
                }
            });
        }
    }
}
