package dev.lightpath.app.driver;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One question, one answer. */
public final class Unary<T> implements StreamObserver<T> {
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private @Nullable T heard;

    private Unary() {}

    /** Asks; the answer fails with the call's own exception. */
    public static <T> CompletableFuture<T> ask(Consumer<StreamObserver<T>> call) {
        Unary<T> unary = new Unary<>();
        call.accept(unary);
        return unary.answer;
    }

    @Override
    public void onNext(T value) {
        heard = value;
    }

    @Override
    public void onError(Throwable failure) {
        answer.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
        T value = heard;
        if (value == null) {
            answer.completeExceptionally(Status.INTERNAL
                    .withDescription("answered without a message")
                    .asRuntimeException());
        } else {
            answer.complete(value);
        }
    }
}
