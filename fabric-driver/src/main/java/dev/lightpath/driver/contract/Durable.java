package dev.lightpath.driver.contract;

import com.google.rpc.Code;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Nothing is done that cannot be remembered. */
final class Durable {
    private Durable() {}

    /** @throws ContractException RESOURCE_EXHAUSTED while the disk refuses; nothing was started */
    static void require(Ledger ledger) {
        IOException failure = ledger.failure();
        if (failure != null) {
            throw new ContractException(
                    Code.RESOURCE_EXHAUSTED,
                    ErrorReason.ERROR_REASON_STATE_NOT_WRITABLE,
                    "the driver cannot write its stateDirectory, so nothing was started; changes go on once it can: "
                            + failure.getMessage(),
                    Map.of());
        }
    }

    /**
     * Waits until something is on disk.
     *
     * @throws ContractException UNAVAILABLE when the disk refuses; the change may have been made
     */
    static void await(CompletableFuture<Void> written) {
        try {
            written.join();
        } catch (CompletionException failed) {
            throw new ContractException(
                    Code.UNAVAILABLE,
                    ErrorReason.ERROR_REASON_UNSPECIFIED,
                    "the driver cannot write its stateDirectory: "
                            + (failed.getCause() == null
                                    ? failed.getMessage()
                                    : failed.getCause().getMessage()),
                    Map.of());
        }
    }
}
