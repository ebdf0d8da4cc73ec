package dev.lightpath.conformance.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Map;
import java.util.Optional;

/**
 * A call that was not carried out.
 *
 * @param reason of the google.rpc.ErrorInfo of domain lightpath.dev; empty when there is none
 */
public record Refusal(Status.Code code, String reason, Map<String, String> metadata, String message) {
    private static final String DOMAIN = "lightpath.dev";

    public Refusal {
        metadata = Map.copyOf(metadata);
    }

    static Refusal of(StatusRuntimeException e) {
        ErrorInfo info = errorInfo(e).orElse(ErrorInfo.getDefaultInstance());
        return new Refusal(
                e.getStatus().getCode(),
                info.getReason(),
                info.getMetadataMap(),
                String.valueOf(e.getStatus().getDescription()));
    }

    private static Optional<ErrorInfo> errorInfo(StatusRuntimeException e) {
        com.google.rpc.Status status = StatusProto.fromThrowable(e);
        if (status == null) {
            return Optional.empty();
        }
        for (var detail : status.getDetailsList()) {
            try {
                if (detail.is(ErrorInfo.class)
                        && detail.unpack(ErrorInfo.class).getDomain().equals(DOMAIN)) {
                    return Optional.of(detail.unpack(ErrorInfo.class));
                }
            } catch (InvalidProtocolBufferException damaged) {
                return Optional.empty();
            }
        }
        return Optional.empty();
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

    @Override
    public String toString() {
        return code + (reason.isEmpty() ? ", no ErrorInfo of domain " + DOMAIN : ", reason " + reason) + " (" + message
                + ")";
    }
}
