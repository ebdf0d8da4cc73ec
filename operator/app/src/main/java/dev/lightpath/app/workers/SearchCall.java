package dev.lightpath.app.workers;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import dev.lightpath.proto.solver.v1alpha1.Question;
import dev.lightpath.proto.solver.v1alpha1.SearchRequest;
import dev.lightpath.proto.solver.v1alpha1.SearchResponse;
import dev.lightpath.proto.solver.v1alpha1.SearchServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One search at one worker. For one thread, which waits; whoever interrupts it ends the search. */
final class SearchCall implements AutoCloseable {
    private static final long POLL_MILLIS = 20;
    private static final String BUSY = "BUSY";

    /** Why a worker gives a search up that is not to blame for it: the worker ends, or starts no process. */
    private static final Set<String> BLAMELESS = Set.of("ENDS", "NOT_STARTED");

    private sealed interface Heard {
        record Message(SearchResponse response) implements Heard {}

        /** @param reason in the words of workers; empty if there is none */
        record End(Status status, String reason) implements Heard {}
    }

    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final Listener listener = new Listener();

    SearchCall(ManagedChannel channel, Question question) {
        SearchServiceGrpc.newStub(channel).search(listener);
        listener.call().onNext(SearchRequest.newBuilder().setQuestion(question).build());
    }

    private final class Listener implements ClientResponseObserver<SearchRequest, SearchResponse> {
        private @Nullable ClientCallStreamObserver<SearchRequest> call;

        @Override
        public void beforeStart(ClientCallStreamObserver<SearchRequest> begun) {
            call = begun;
        }

        ClientCallStreamObserver<SearchRequest> call() {
            if (call == null) {
                throw new IllegalStateException("the call was not begun");
            }
            return call;
        }

        @Override
        public void onNext(SearchResponse response) {
            heard.add(new Heard.Message(response));
        }

        @Override
        public void onError(Throwable failure) {
            heard.add(new Heard.End(Status.fromThrowable(failure), reason(failure)));
        }

        @Override
        public void onCompleted() {
            heard.add(new Heard.End(Status.OK, ""));
        }
    }

    private static String reason(Throwable failure) {
        com.google.rpc.Status status = StatusProto.fromThrowable(failure);
        if (status == null) {
            return "";
        }
        for (Any detail : status.getDetailsList()) {
            try {
                if (detail.is(ErrorInfo.class)) {
                    return detail.unpack(ErrorInfo.class).getReason();
                }
            } catch (InvalidProtocolBufferException malformed) {
                // tells no more than the status does
            }
        }
        return "";
    }

    /**
     * Waits until the search has a place.
     *
     * @param nanoTime by which patience is counted
     * @param stop true when nobody asks any more
     * @return why it has none; null if it has one
     */
    @Nullable
    Reply begin(Duration patience, LongSupplier nanoTime, BooleanSupplier stop) throws InterruptedException {
        long untilNanos = nanoTime.getAsLong() + patience.toNanos();
        Heard first = heard.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        while (first == null && untilNanos - nanoTime.getAsLong() > 0) {
            if (stop.getAsBoolean()) {
                // the worker is not to blame
                return new Reply.Busy();
            }
            first = heard.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
        return switch (first) {
            case null -> new Reply.Away("it did not begin within " + patience.toMillis() + " ms", false);
            case Heard.Message message ->
                message.response().hasBegun()
                        ? null
                        : new Reply.Wrong("its first message is not the beginning of a search");
            case Heard.End end -> ended(end, false);
        };
    }

    /**
     * Waits for what comes of a search that has begun.
     *
     * @param stop true asks for the best so far
     * @param patience from then on
     */
    Reply await(BooleanSupplier stop, Duration patience) throws InterruptedException {
        long stopped = 0;
        while (true) {
            Heard next = heard.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
            switch (next) {
                case Heard.Message message -> {
                    return message.response().hasSolution()
                            ? new Reply.Said(message.response().getSolution())
                            : new Reply.Wrong("it sent another message than a solution");
                }
                case Heard.End end -> {
                    return ended(end, true);
                }
                case null -> {
                    long now = System.nanoTime();
                    if (stopped == 0 && stop.getAsBoolean()) {
                        stopped = now;
                        listener.call().onCompleted();
                    } else if (stopped != 0 && now - stopped > patience.toNanos()) {
                        return new Reply.Failed("it did not stop " + patience.toMillis() + " ms after it was asked to");
                    }
                }
            }
        }
    }

    private static Reply ended(Heard.End end, boolean begun) {
        if (end.reason().equals(BUSY)) {
            return new Reply.Busy();
        }
        String why = text(end.status());
        return switch (end.status().getCode()) {
            case OK -> new Reply.Wrong("it ended without a solution");
            case ABORTED, DEADLINE_EXCEEDED -> begun ? new Reply.Failed(why) : new Reply.Away(why, false);
            case INVALID_ARGUMENT -> new Reply.Refused(why);
            case RESOURCE_EXHAUSTED, OUT_OF_RANGE, UNIMPLEMENTED -> new Reply.Wrong(why);
            case UNAVAILABLE,
                    INTERNAL,
                    UNAUTHENTICATED,
                    PERMISSION_DENIED,
                    CANCELLED,
                    UNKNOWN,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    FAILED_PRECONDITION,
                    DATA_LOSS -> new Reply.Away(why, begun && !BLAMELESS.contains(end.reason()));
        };
    }

    /** For a person. */
    private static String text(Status status) {
        Throwable root = status.getCause();
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return status.getCode() + ": " + status.getDescription() + (root == null ? "" : " (" + root.getMessage() + ")");
    }

    /** Ends the search if it still runs. */
    @Override
    public void close() {
        listener.call().cancel("nobody waits for the answer", null);
    }
}
