package dev.lightpath.driver.server;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.http.Meters;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers a unary call with a value or with the contract's error. */
final class Replies {
    static final String DOMAIN = "lightpath.dev";
    private static final Logger LOG = LoggerFactory.getLogger(Replies.class);
    private static final int RETRY_MILLIS = 200;

    private final Meters meters;

    Replies(Meters meters) {
        this.meters = meters;
    }

    <A> void answer(StreamObserver<A> observer, Supplier<A> work) {
        A value;
        try {
            value = work.get();
        } catch (ContractException refused) {
            meters.refused(refused.reason());
            observer.onError(status(refused));
            return;
        } catch (RuntimeException bug) {
            if (bug.getCause() instanceof ContractException refused) {
                meters.refused(refused.reason());
                observer.onError(status(refused));
                return;
            }
            LOG.atError().setCause(bug).log("a call failed in the driver itself");
            observer.onError(status(new ContractException(
                    Code.INTERNAL, ErrorReason.ERROR_REASON_UNSPECIFIED, String.valueOf(bug), Map.of())));
            return;
        }
        observer.onNext(value);
        observer.onCompleted();
    }

    static StatusRuntimeException status(ContractException refused) {
        Status.Builder status = Status.newBuilder()
                .setCode(refused.code().getNumber())
                .setMessage(String.valueOf(refused.getMessage()))
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setDomain(DOMAIN)
                        .setReason(refused.reason().name().replace("ERROR_REASON_", ""))
                        .putAllMetadata(refused.metadata())
                        .build()));
        if (refused.code() == Code.ABORTED || refused.reason() == ErrorReason.ERROR_REASON_BUSY) {
            status.addDetails(retryAfter(Duration.newBuilder().setNanos(RETRY_MILLIS * 1_000_000)));
        }
        if (refused.reason() == ErrorReason.ERROR_REASON_STATE_NOT_WRITABLE) {
            status.addDetails(retryAfter(Duration.newBuilder().setSeconds(Ledger.RETRY.toSeconds())));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }

    private static Any retryAfter(Duration.Builder delay) {
        return Any.pack(RetryInfo.newBuilder().setRetryDelay(delay).build());
    }
}
