package dev.lightpath.driver.mutant;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.lightpath.proto.driver.v1alpha1.CircuitsChanged;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortsChanged;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Correct drivers whose streams are few, terse or talkative. */
final class OtherStreams {
    private static final int A_WHILE_MILLIS = 100;

    /** More than the kit needs to read what it has made. */
    private static final int LATER_MILLIS = 1000;

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
                OtherDriver.of(ofASmallBuffer(), "circuits/many"),
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
                pause(A_WHILE_MILLIS);
                synchronized (this) {
                    open--;
                }
            }
        };
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
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
                pause(A_WHILE_MILLIS);
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

    /** Of one stream at a time, on which one change follows another. */
    private static Mutant ofASmallBuffer() {
        return new Mutant("drops what it tells of all circuits but the last, and sends a snapshot a second later", "") {
            private WatchRequest asked = WatchRequest.getDefaultInstance();
            private long seq;
            private long dropped;
            private boolean doubtful;

            @Override
            WatchRequest watch(WatchRequest request) {
                asked = request;
                seq = 0;
                dropped = 0;
                doubtful = false;
                return request;
            }

            @Override
            List<WatchResponse> told(WatchResponse message) {
                CircuitsChanged all = message.getCircuitsChanged();
                int circuits = all.getChangedCount() + all.getRemovedCount();
                if (circuits > 1) {
                    seq += circuits - 1;
                    dropped += circuits - 1;
                    doubtful = true;
                    return List.of(numbered(
                            message.toBuilder().setCircuitsChanged(last(all)).build()));
                }
                Stream<WatchResponse> again = Stream.empty();
                if (doubtful && message.hasOperationChanged()) {
                    pause(LATER_MILLIS);
                    doubtful = false;
                    again = anew();
                }
                return Stream.concat(again, Stream.of(message))
                        .map(this::numbered)
                        .toList();
            }

            private static CircuitsChanged last(CircuitsChanged all) {
                CircuitsChanged.Builder last = all.toBuilder().clearChanged().clearRemoved();
                if (all.getChangedCount() > 0) {
                    last.addChanged(all.getChanged(all.getChangedCount() - 1));
                } else {
                    last.addRemoved(all.getRemoved(all.getRemovedCount() - 1));
                }
                return last.build();
            }

            /** Snapshots as they are now, and Synced. */
            private Stream<WatchResponse> anew() {
                List<WatchResponse> messages = new ArrayList<>();
                try (Context.CancellableContext stream = Context.current().withCancellation()) {
                    stream.run(() -> {
                        var told = TelemetryServiceGrpc.newBlockingStub(driver().getChannel())
                                .watch(asked);
                        do {
                            messages.add(told.next());
                        } while (!messages.getLast().hasSynced());
                    });
                }
                return messages.stream();
            }

            private WatchResponse numbered(WatchResponse message) {
                return message.toBuilder().setSeq(++seq).setDropped(dropped).build();
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
