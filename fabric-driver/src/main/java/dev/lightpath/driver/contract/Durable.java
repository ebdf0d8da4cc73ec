package dev.lightpath.driver.contract;

import com.google.rpc.Code;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits until something is on disk. */
final class Durable {
    private Durable() {}

    /** @throws ContractException UNAVAILABLE when the disk refuses: nothing may be done that cannot be remembered */
    static void await(CompletableFuture<Void> written) {
        try {
            written.join();
        } catch (CompletionException failed) {
            throw new ContractException(
                    Code.UNAVAILABLE,
                    ErrorReason.ERROR_REASON_UNSPECIFIED,
                    "the driver cannot write its stateDirectory: "
                            + String.valueOf(failed.getCause() == null ? failed : failed.getCause()),
                    Map.of());
        }
    }
}
