package dev.lightpath.conformance.bench;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A call that was not carried out.
 *
 * @param reason of the google.rpc.ErrorInfo of domain lightpath.dev; empty when there is none
 * @param retryAfter of the google.rpc.RetryInfo; empty when there is none
 */
public record Refusal(
        Status.Code code, String reason, Map<String, String> metadata, Optional<Duration> retryAfter, String message) {
    private static final String DOMAIN = "lightpath.dev";

    public Refusal {
        metadata = Map.copyOf(metadata);
    }

    static Refusal of(StatusRuntimeException e) {
        ErrorInfo info = details(e, ErrorInfo.class)
                .filter(i -> i.getDomain().equals(DOMAIN))
                .findFirst()
                .orElse(ErrorInfo.getDefaultInstance());
        return new Refusal(
                e.getStatus().getCode(),
                info.getReason(),
                info.getMetadataMap(),
                details(e, RetryInfo.class).map(RetryInfo::getRetryDelay).findFirst(),
                String.valueOf(e.getStatus().getDescription()));
    }

    private static <M extends Message> Stream<M> details(StatusRuntimeException e, Class<M> kind) {
        com.google.rpc.Status status = StatusProto.fromThrowable(e);
        if (status == null) {
            return Stream.empty();
        }
        return status.getDetailsList().stream()
                .filter(detail -> detail.is(kind))
                .flatMap(detail -> {
                    try {
                        return Stream.of(detail.unpack(kind));
                    } catch (InvalidProtocolBufferException damaged) {
                        return Stream.empty();
                    }
                });
    }

    /** What a call was refused with; empty when it was carried out. */
    public static Optional<Refusal> ofCall(Runnable call) {
        try {
            call.run();
            return Optional.empty();
        } catch (StatusRuntimeException e) {
            return Optional.of(of(e));
        }
    }

    /** The value of a metadata key that the contract names for this reason. */
    public String detail(String key) {
        String value = metadata.get(key);
        if (value == null) {
            throw new Unmet("metadata " + key + " in the ErrorInfo of " + this, "metadata " + metadata);
        }
        return value;
    }

    /** True when the driver was at something else: the same may be sent again. */
    public boolean isForLater() {
        return code == Status.Code.ABORTED || code == Status.Code.RESOURCE_EXHAUSTED;
    }

    /** How long the driver asks to wait, since it is BUSY; empty when that is not why. */
    Optional<java.time.Duration> busyFor() {
        return retryAfter
                .filter(unused -> code == Status.Code.RESOURCE_EXHAUSTED && reason.equals("BUSY"))
                .map(delay -> java.time.Duration.ofSeconds(delay.getSeconds(), delay.getNanos()));
    }

    /** The metadata names this field, in the spelling of the protos or of JSON: the contract leaves that open. */
    public void expectField(String field) {
        String named = detail("field");
        Expect.that(plain(named).contains(plain(field)), "metadata field to name " + field, named);
    }

    private static String plain(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return code + (reason.isEmpty() ? ", no ErrorInfo of domain " + DOMAIN : ", reason " + reason) + " (" + message
                + ")";
    }
}
