package dev.lightpath.driver.contract.view;

import com.google.rpc.Code;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import java.util.Map;
import java.util.TreeMap;

/** A request is refused before anything was changed; code, reason and metadata as the contract lists them. */
public final class ContractException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** Message and metadata travel in trailers, of which a client takes 8 KiB. */
    private static final int LONGEST = 1000;

    private static final int LONGEST_VALUE = 200;

    private final Code code;
    private final ErrorReason reason;
    private final TreeMap<String, String> metadata;

    public ContractException(Code code, ErrorReason reason, String message, Map<String, String> metadata) {
        super(shown(message, LONGEST), null, false, false);
        this.code = code;
        this.reason = reason;
        this.metadata = new TreeMap<>(metadata);
        this.metadata.replaceAll((name, value) -> shown(value, LONGEST_VALUE));
    }

    /** On one line and no longer than that: some of it is what the caller wrote. */
    private static String shown(String text, int longest) {
        String cut = text.length() <= longest ? text : text.substring(0, longest) + "...";
        return cut.replaceAll("\\p{Cntrl}+", " ");
    }

    public static ContractException malformed(String field, String allowed) {
        return new ContractException(
                Code.INVALID_ARGUMENT,
                ErrorReason.ERROR_REASON_MALFORMED,
                field + ": " + allowed,
                Map.of("field", field));
    }

    public static ContractException invalid(ErrorReason reason, String message, Map<String, String> metadata) {
        return new ContractException(Code.INVALID_ARGUMENT, reason, message, metadata);
    }

    public static ContractException precondition(ErrorReason reason, String message, Map<String, String> metadata) {
        return new ContractException(Code.FAILED_PRECONDITION, reason, message, metadata);
    }

    public static ContractException silent(String deviceId, String detail) {
        return new ContractException(
                Code.UNAVAILABLE,
                ErrorReason.ERROR_REASON_DEVICE_SILENT,
                deviceId + " does not answer the driver; nothing was started: " + detail,
                Map.of("device_id", deviceId));
    }

    public static ContractException silentInTheMiddle(String deviceId, String operationId, String detail) {
        return new ContractException(
                Code.UNAVAILABLE,
                ErrorReason.ERROR_REASON_DEVICE_SILENT,
                deviceId + " fell silent while operation '" + operationId
                        + "' was put back, which awaits its confirmation as before; try again: " + detail,
                Map.of("device_id", deviceId));
    }

    public static ContractException inFlight(String deviceId, String operationId) {
        return new ContractException(
                Code.ABORTED,
                ErrorReason.ERROR_REASON_OPERATION_IN_FLIGHT,
                "operation '" + operationId + "' is in flight on " + deviceId,
                Map.of("operation_id", operationId));
    }

    public Code code() {
        return code;
    }

    public ErrorReason reason() {
        return reason;
    }

    public Map<String, String> metadata() {
        return metadata;
    }
}
