package dev.lightpath.app.driver;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.lightpath.app.driver.endpoint.TlsMaterial;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.ChangeOutcome.Reason;
import dev.lightpath.planner.light.DriverState.Contact;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.security.cert.CertificateExpiredException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * A call that a driver refused, or that got lost on the way.
 *
 * @param reason the contract's word for it; empty when the answer is not the driver's own
 * @param details by the keys that the contract names for the reason
 */
record CallFailure(Status status, Optional<String> reason, Map<String, String> details, Optional<Duration> retryAfter) {

    /** The most that the protocol allows, 10000 years: a driver may say more, and no sum of it may overflow. */
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(315_576_000_000L);

    static CallFailure of(Throwable thrown) {
        Status status = Status.fromThrowable(thrown);
        Optional<String> reason = Optional.empty();
        Map<String, String> details = Map.of();
        Optional<Duration> retryAfter = Optional.empty();
        com.google.rpc.Status wire = StatusProto.fromThrowable(thrown);
        if (wire != null) {
            for (Any detail : wire.getDetailsList()) {
                try {
                    if (detail.is(ErrorInfo.class)) {
                        ErrorInfo info = detail.unpack(ErrorInfo.class);
                        reason = Optional.of(info.getReason());
                        details = info.getMetadataMap();
                    } else if (detail.is(RetryInfo.class)) {
                        var delay = detail.unpack(RetryInfo.class).getRetryDelay();
                        long seconds = Math.clamp(delay.getSeconds(), 0, LONGEST_RETRY.toSeconds());
                        retryAfter = Optional.of(Duration.ofSeconds(seconds, delay.getNanos()));
                    }
                } catch (InvalidProtocolBufferException malformed) {
                    // A detail that cannot be read tells no more than the status does.
                    continue;
                }
            }
        }
        return new CallFailure(status, reason, details, retryAfter);
    }

    boolean is(String word) {
        return reason.filter(word::equals).isPresent();
    }

    /** The driver's answer to a change, when it is certain that nothing was changed; empty when that must be asked. */
    Optional<ChangeOutcome> refusal() {
        return refused().map(why -> new ChangeOutcome.Rejected(why, text(), retryAfter));
    }

    private Optional<Reason> refused() {
        return switch (status.getCode()) {
            case INVALID_ARGUMENT, UNIMPLEMENTED, OUT_OF_RANGE -> Optional.of(Reason.INVALID);
            case NOT_FOUND -> Optional.of(Reason.NO_SUCH_DEVICE);
            case FAILED_PRECONDITION -> Optional.of(Reason.STATE_DIFFERS);
            case ABORTED -> Optional.of(Reason.IN_FLIGHT);
            case PERMISSION_DENIED ->
                Optional.of(
                        is("STALE_EPOCH")
                                ? Reason.STALE_EPOCH
                                : is("FOREIGN_ROLE") ? Reason.FOREIGN_ROLE : Reason.NOT_AUTHORISED);
            case UNAUTHENTICATED -> Optional.of(Reason.NOT_AUTHORISED);
            case UNAVAILABLE -> is("DEVICE_SILENT") ? Optional.of(Reason.DEVICE_SILENT) : Optional.empty();
            case RESOURCE_EXHAUSTED -> {
                if (is("BATCH_TOO_LARGE")) {
                    yield Optional.of(Reason.INVALID);
                }
                yield is("BUSY") || is("STATE_NOT_WRITABLE") ? Optional.of(Reason.BUSY) : Optional.empty();
            }
            case OK, CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, ALREADY_EXISTS, INTERNAL, DATA_LOSS -> Optional.empty();
        };
    }

    /** How we stand with a driver that answered its greeting or its stream like this. */
    Contact contact() {
        return switch (status.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED -> Contact.AUTHENTICATION_FAILED;
            case UNIMPLEMENTED -> Contact.CONTRACT_MISMATCH;
            case OK,
                    CANCELLED,
                    UNKNOWN,
                    INVALID_ARGUMENT,
                    DEADLINE_EXCEEDED,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    RESOURCE_EXHAUSTED,
                    FAILED_PRECONDITION,
                    ABORTED,
                    OUT_OF_RANGE,
                    INTERNAL,
                    UNAVAILABLE,
                    DATA_LOSS -> handshakeFailed() ? Contact.AUTHENTICATION_FAILED : Contact.UNREACHABLE;
        };
    }

    private boolean handshakeFailed() {
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return true;
            }
        }
        return false;
    }

    /** For a person. */
    String text() {
        StringBuilder text = new StringBuilder(status.getCode().name());
        reason.ifPresent(word -> text.append(' ').append(word));
        if (status.getDescription() != null) {
            text.append(": ").append(status.getDescription().lines().findFirst().orElse(""));
        }
        Throwable root = status.getCause();
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof CertificateExpiredException) {
            return "the driver's certificate has expired (" + root.getMessage() + "): " + TlsMaterial.RENEW;
        }
        if (root != null && root.getMessage() != null) {
            text.append(" (").append(root.getMessage()).append(')');
        }
        return text.toString();
    }
}
