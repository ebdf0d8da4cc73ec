package dev.lightpath.driver.ledger;

import com.google.protobuf.ByteString;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Scope;

/**
 * An operation with everything that is needed to recognise its request and to read it back.
 *
 * @param contentHash SHA-256 of the request without epoch and holder
 */
public record StoredOperation(ByteString contentHash, Scope scope, Operation operation) {
    /** Name of an operation within its device. */
    public record Key(String role, String operationId) {
        static Key of(Operation operation) {
            return new Key(operation.getFencing().getRole(), operation.getOperationId());
        }
    }

    public Key key() {
        return Key.of(operation);
    }

    /** True while it runs, and while its end is unknown. */
    public boolean isOpen() {
        return operation.getOutcome() == Outcome.OUTCOME_IN_PROGRESS
                || operation.getOutcome() == Outcome.OUTCOME_UNKNOWN;
    }

    /** True while it is open, and while it awaits a confirmation. */
    boolean isUnsettled() {
        return isOpen() || operation.hasConfirmBefore();
    }

    public StoredOperation with(Operation next) {
        return new StoredOperation(contentHash, scope, next);
    }
}
