package dev.lightpath.driver.mutant;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.Durations;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** Answers that a buggy driver makes up. */
final class Answers {
    private Answers() {}

    static ApplyCircuitsResponse applied(ApplyCircuitsRequest request) {
        Operation.Builder operation = Operation.newBuilder()
                .setOperationId(request.getOperationId())
                .setDeviceId(request.getDeviceId())
                .setFencing(request.getFencing())
                .setOutcome(Outcome.OUTCOME_APPLIED);
        request.getDisconnectsList()
                .forEach(key -> operation.addItems(ItemResult.newBuilder()
                        .setAction(ItemAction.ITEM_ACTION_DISCONNECT)
                        .setKey(key)
                        .setState(ItemState.ITEM_STATE_DARK)));
        request.getConnectsList()
                .forEach(key -> operation.addItems(ItemResult.newBuilder()
                        .setAction(ItemAction.ITEM_ACTION_CONNECT)
                        .setKey(key)
                        .setState(ItemState.ITEM_STATE_CONNECTED)));
        return ApplyCircuitsResponse.newBuilder().setOperation(operation).build();
    }

    static StatusRuntimeException refused(Status.Code code, String reason) {
        return refused(code, reason, Map.of());
    }

    static StatusRuntimeException refused(Status.Code code, String reason, Map<String, String> metadata) {
        return StatusProto.toStatusRuntimeException(
                refusal(code, reason, metadata).build());
    }

    /** Asks to wait this long. */
    static StatusRuntimeException busy(Duration delay) {
        return StatusProto.toStatusRuntimeException(refusal(Status.Code.RESOURCE_EXHAUSTED, "BUSY", Map.of())
                .addDetails(com.google.protobuf.Any.pack(RetryInfo.newBuilder()
                        .setRetryDelay(Durations.fromMillis(delay.toMillis()))
                        .build()))
                .build());
    }

    private static com.google.rpc.Status.Builder refusal(
            Status.Code code, String reason, Map<String, String> metadata) {
        return com.google.rpc.Status.newBuilder()
                .setCode(code.value())
                .setMessage("made up")
                .addDetails(com.google.protobuf.Any.pack(ErrorInfo.newBuilder()
                        .setDomain("lightpath.dev")
                        .setReason(reason)
                        .putAllMetadata(metadata)
                        .build()));
    }

    static boolean isFor(StatusRuntimeException e, String reason) {
        return infos(e).anyMatch(info -> info.getReason().equals(reason));
    }

    /** What a good driver says by this key of what it refused. */
    static String detail(StatusRuntimeException e, String key) {
        return infos(e).map(info -> info.getMetadataOrThrow(key)).findFirst().orElseThrow();
    }

    private static Stream<ErrorInfo> infos(StatusRuntimeException e) {
        com.google.rpc.Status status = StatusProto.fromThrowable(e);
        if (status == null) {
            return Stream.empty();
        }
        return status.getDetailsList().stream()
                .filter(d -> d.is(ErrorInfo.class))
                .map(d -> {
                    try {
                        return d.unpack(ErrorInfo.class);
                    } catch (InvalidProtocolBufferException damaged) {
                        throw new AssertionError(damaged);
                    }
                });
    }
}
