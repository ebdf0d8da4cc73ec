package dev.lightpath.driver.server;

import com.google.rpc.Code;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.config.Access;
import dev.lightpath.driver.contract.ControlledDevice;
import dev.lightpath.driver.contract.Fleet;
import dev.lightpath.driver.contract.Writer;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.contract.view.Digest;
import dev.lightpath.driver.contract.view.ScopeFilter;
import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.driver.http.Meters;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideResponse;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeResponse;
import dev.lightpath.tracing.TraceScope;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.api.trace.Tracer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Circuits by gRPC. Writes leave the call's context: they go on when the client cancels or its deadline passes.
 */
final class CircuitCalls extends CircuitServiceGrpc.CircuitServiceImplBase {
    private final Fleet fleet;
    private final Replies replies;
    private final Meters meters;
    private final Tracer tracer;
    private final ExecutorService workers;
    private final Semaphore operations;

    CircuitCalls(
            Fleet fleet, Replies replies, Meters meters, Tracer tracer, ExecutorService workers, int maxOperations) {
        this.fleet = fleet;
        this.replies = replies;
        this.meters = meters;
        this.tracer = tracer;
        this.workers = workers;
        this.operations = new Semaphore(maxOperations);
    }

    private ControlledDevice device(String deviceId, Access access) {
        Caller.current().require(access, deviceId);
        return fleet.device(deviceId);
    }

    @Override
    public void planCircuits(PlanCircuitsRequest request, StreamObserver<PlanCircuitsResponse> observer) {
        replies.answer(
                observer, () -> device(request.getDeviceId(), Access.READER).plan(request));
    }

    @Override
    public void applyCircuits(ApplyCircuitsRequest request, StreamObserver<ApplyCircuitsResponse> observer) {
        replies.answer(observer, () -> {
            ChangeTrace trace = ChangeTrace.begin(tracer, request);
            try (TraceScope scope = TraceScope.of(trace.context())) {
                return trace.ended(apply(request));
            } catch (RuntimeException refused) {
                trace.failed(refused);
                throw refused;
            }
        });
    }

    private ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
        Writer caller = Caller.current().writer(request.getDeviceId(), request.getFencing());
        ControlledDevice device = fleet.device(request.getDeviceId());
        if (!operations.tryAcquire()) {
            throw new ContractException(
                    Code.RESOURCE_EXHAUSTED,
                    ErrorReason.ERROR_REASON_BUSY,
                    "too many operations at once; try again",
                    Map.of());
        }
        try {
            long began = System.nanoTime();
            ApplyCircuitsResponse response = detached(() -> device.apply(request, caller));
            meters.applied(
                    response.getOperation(), response.getReplayed(), Duration.ofNanos(System.nanoTime() - began));
            return response;
        } finally {
            operations.release();
        }
    }

    private static <A> A detached(Supplier<A> work) {
        Context before = Context.ROOT.attach();
        try {
            return work.get();
        } finally {
            Context.ROOT.detach(before);
        }
    }

    @Override
    public void getOperation(GetOperationRequest request, StreamObserver<GetOperationResponse> observer) {
        replies.answer(observer, () -> {
            ControlledDevice device = device(request.getDeviceId(), Access.READER);
            return GetOperationResponse.newBuilder()
                    .setOperation(detached(() -> device.operation(request.getRole(), request.getOperationId())))
                    .build();
        });
    }

    @Override
    public void confirmOperation(ConfirmOperationRequest request, StreamObserver<ConfirmOperationResponse> observer) {
        replies.answer(observer, () -> {
            Writer caller = Caller.current().writer(request.getDeviceId(), request.getFencing());
            ControlledDevice device = fleet.device(request.getDeviceId());
            return ConfirmOperationResponse.newBuilder()
                    .setOperation(
                            detached(() -> device.confirm(request.getFencing(), request.getOperationId(), caller)))
                    .build();
        });
    }

    @Override
    public void cancelOperation(CancelOperationRequest request, StreamObserver<CancelOperationResponse> observer) {
        replies.answer(observer, () -> {
            Writer caller = Caller.current().writer(request.getDeviceId(), request.getFencing());
            ControlledDevice device = fleet.device(request.getDeviceId());
            return CancelOperationResponse.newBuilder()
                    .setOperation(detached(() -> device.cancel(request.getFencing(), request.getOperationId(), caller)))
                    .build();
        });
    }

    @Override
    public void setPortOverride(SetPortOverrideRequest request, StreamObserver<SetPortOverrideResponse> observer) {
        replies.answer(observer, () -> {
            Writer caller = Caller.current().writer(request.getDeviceId(), request.getFencing());
            ControlledDevice device = fleet.device(request.getDeviceId());
            return SetPortOverrideResponse.newBuilder()
                    .setOverride(detached(() -> device.override(request, caller)))
                    .build();
        });
    }

    @Override
    public void transferScope(TransferScopeRequest request, StreamObserver<TransferScopeResponse> observer) {
        replies.answer(observer, () -> {
            ControlledDevice device = device(request.getDeviceId(), Access.ADMIN);
            Caller caller = Caller.current();
            device.transfer(request, caller.name(), other -> caller.may(Access.ADMIN, other));
            return TransferScopeResponse.newBuilder()
                    .setHoldingRole(device.view().holdingRole())
                    .setHighestEpoch(device.view().highestEpoch())
                    .build();
        });
    }

    @Override
    public void getCircuits(GetCircuitsRequest request, StreamObserver<GetCircuitsResponse> observer) {
        replies.answer(observer, () -> {
            Caller caller = Caller.current();
            SortedMap<String, ScopeFilter> asked = new TreeMap<>();
            if (request.getDevicesCount() == 0) {
                fleet.devices().keySet().stream()
                        .filter(id -> caller.may(Access.READER, id))
                        .forEach(id -> asked.put(id, ScopeFilter.ALL));
            }
            for (DeviceScope each : request.getDevicesList()) {
                caller.require(Access.READER, each.getDeviceId());
                asked.put(fleet.device(each.getDeviceId()).view().deviceId(), ScopeFilter.ofRead(each));
            }
            SortedMap<String, String> names = new TreeMap<>();
            asked.keySet().forEach(id -> names.put(id, id));
            var page = Pages.page(names, request.getPageSize(), 256, 1024, request.getPageToken());
            List<CompletableFuture<DeviceCircuits>> reads = new ArrayList<>();
            for (String id : page.items()) {
                ScopeFilter scope = asked.getOrDefault(id, ScopeFilter.ALL);
                reads.add(CompletableFuture.supplyAsync(
                        () -> read(fleet.device(id), scope, request.getSource()), workers));
            }
            List<DeviceCircuits> all =
                    reads.stream().map(CompletableFuture::join).toList();
            int fitting = Pages.fitting(all);
            return GetCircuitsResponse.newBuilder()
                    .addAllDevices(all.subList(0, fitting))
                    .setNextPageToken(
                            fitting < all.size() ? all.get(fitting - 1).getDeviceId() : page.nextToken())
                    .build();
        });
    }

    private static DeviceCircuits read(ControlledDevice device, ScopeFilter scope, CircuitSource source) {
        if (source == CircuitSource.CIRCUIT_SOURCE_CONFIG) {
            try {
                return circuits(device.view(), scope, CircuitSource.CIRCUIT_SOURCE_CONFIG, device.configured());
            } catch (DeviceSilentException silent) {
                return stale(device.view(), scope, CircuitSource.CIRCUIT_SOURCE_CONFIG);
            }
        }
        ControlledDevice.ReadBack read = device.readBack();
        if (read.silent()) {
            return stale(read.view(), scope, CircuitSource.CIRCUIT_SOURCE_HARDWARE);
        }
        return read.newer().isPresent()
                ? circuits(
                        read.view(),
                        scope,
                        CircuitSource.CIRCUIT_SOURCE_HARDWARE,
                        read.newer().get().values())
                : head(read.view(), CircuitSource.CIRCUIT_SOURCE_HARDWARE)
                        .addAllCircuits(read.view().circuitsIn(scope))
                        .setObservedDigest(read.view().digest(scope))
                        .build();
    }

    private static DeviceCircuits stale(DeviceView view, ScopeFilter scope, CircuitSource source) {
        return head(view, source)
                .addAllCircuits(view.circuitsIn(scope))
                .setObservedDigest(view.digest(scope))
                .setStaleSince(Times.wire(view.since()))
                .build();
    }

    private static DeviceCircuits circuits(
            DeviceView view, ScopeFilter scope, CircuitSource source, Collection<NativeCircuit> read) {
        List<CircuitPair> pairs = new ArrayList<>();
        DeviceCircuits.Builder out = head(view, source);
        SortedMap<CircuitPair, NativeCircuit> sorted = new TreeMap<>();
        read.forEach(c -> sorted.put(c.pair(), c));
        sorted.values().stream().filter(c -> scope.touches(c.pair())).forEach(c -> {
            pairs.add(c.pair());
            Circuit known = view.circuits().get(c.pair());
            out.addCircuits((known == null ? Circuit.newBuilder() : known.toBuilder())
                    .setKey(c.pair().toKey())
                    .setState(c.state()));
        });
        return out.setObservedDigest(Digest.ofCircuits(pairs)).build();
    }

    private static DeviceCircuits.Builder head(DeviceView view, CircuitSource source) {
        return DeviceCircuits.newBuilder()
                .setDeviceId(view.deviceId())
                .setSource(source)
                .setHoldingRole(view.holdingRole())
                .setHighestEpoch(view.highestEpoch())
                .setHighestEpochHolder(view.highestEpochHolder())
                .setHighestGeneration(view.highestGeneration());
    }
}
