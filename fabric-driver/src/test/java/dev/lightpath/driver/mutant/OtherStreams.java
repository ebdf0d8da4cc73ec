package dev.lightpath.driver.mutant;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortsChanged;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.List;

/** Correct drivers whose streams are few, terse or talkative. */
final class OtherStreams {
    private static final int A_WHILE_MILLIS = 100;

    private OtherStreams() {}

    static List<OtherDriver> all() {
        return List.of(
                OtherDriver.of(
                                ofOneStream(),
                                "stream/snapshot-then-synced",
                                "stream/scope",
                                "stream/ports",
                                "stream/changes-as-it-begins",
                                "circuits/many",
                                "confirmation/in-a-snapshot",
                                "silence/told")
                        .without("stream/resync", "stream/kinds", "foreign/told", "reconnect/unasked-kinds"),
                OtherDriver.of(
                        coalescing(),
                        "stream/changes",
                        "stream/changes-as-it-begins",
                        "stream/admitted",
                        "stream/sequence"),
                OtherDriver.of(talking(), "stream/heartbeat", "stream/heartbeat-floor", "stream/kinds"));
    }

    /** It counts a stream for a little while after its client went away. */
    private static Mutant ofOneStream() {
        return new Mutant("serves one stream at a time", "") {
            private int open;

            @Override
            synchronized WatchRequest watch(WatchRequest request) {
                if (open > 0) {
                    throw busy();
                }
                open++;
                return request;
            }

            @Override
            void left() {
                pause();
                synchronized (this) {
                    open--;
                }
            }
        };
    }

    private static void pause() {
        try {
            Thread.sleep(A_WHILE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static StatusRuntimeException busy() {
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.RESOURCE_EXHAUSTED.value())
                .setMessage("somebody watches already")
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setDomain("lightpath.dev")
                        .setReason("BUSY")
                        .build()))
                .addDetails(Any.pack(RetryInfo.newBuilder()
                        .setRetryDelay(Duration.newBuilder().setNanos(A_WHILE_MILLIS * 1_000_000))
                        .build()))
                .build());
    }

    /** Of one stream at a time; its messages are numbered as they are sent. */
    private static Mutant coalescing() {
        return new Mutant("tells what happened within 100 ms as one", "") {
            private long unsaid;

            @Override
            List<WatchResponse> told(WatchResponse message) {
                if (message.getSeq() == 1) {
                    unsaid = 0;
                }
                Operation operation = message.getOperationChanged().getOperation();
                if (operation.getOutcome() == Outcome.OUTCOME_IN_PROGRESS && hasEndedInAWhile(operation)) {
                    unsaid++;
                    return List.of();
                }
                return List.of(
                        message.toBuilder().setSeq(message.getSeq() - unsaid).build());
            }

            private boolean hasEndedInAWhile(Operation operation) {
                pause();
                return operation(GetOperationRequest.newBuilder()
                                        .setDeviceId(operation.getDeviceId())
                                        .setRole(operation.getFencing().getRole())
                                        .setOperationId(operation.getOperationId())
                                        .build())
                                .getOperation()
                                .getOutcome()
                        != Outcome.OUTCOME_IN_PROGRESS;
            }
        };
    }

    /** Whoever asks for circuits alone is spared; for all others there is no silence to break. */
    private static Mutant talking() {
        return new Mutant("tells of light more often than anybody asks for heartbeats", "") {
            private volatile boolean spared;

            @Override
            WatchRequest watch(WatchRequest request) {
                spared = request.getKindsList().equals(List.of(StreamKind.STREAM_KIND_CIRCUITS));
                return request;
            }

            @Override
            List<WatchResponse> told(WatchResponse message) {
                return message.hasHeartbeat() && !spared
                        ? List.of(message.toBuilder()
                                .setPortsChanged(PortsChanged.getDefaultInstance())
                                .build())
                        : List.of(message);
            }
        };
    }
}
