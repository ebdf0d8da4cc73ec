package dev.lightpath.worker.server;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import dev.lightpath.proto.solver.v1alpha1.Begun;
import dev.lightpath.proto.solver.v1alpha1.Question;
import dev.lightpath.proto.solver.v1alpha1.SearchRequest;
import dev.lightpath.proto.solver.v1alpha1.SearchResponse;
import dev.lightpath.proto.solver.v1alpha1.SearchServiceGrpc;
import dev.lightpath.worker.child.ChildSearch;
import dev.lightpath.worker.child.ChildSearch.Outcome;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Each call is one search, which has a place from {@code begun} until its process is gone. */
final class SearchCalls extends SearchServiceGrpc.SearchServiceImplBase {
    private static final Logger LOG = LoggerFactory.getLogger(SearchCalls.class);
    private static final String DOMAIN = "lightpath.solver.v1alpha1";
    static final String BUSY = "BUSY";
    static final String ENDS = "ENDS";
    static final String NOT_STARTED = "NOT_STARTED";

    private final Places places;
    private final Supplier<ChildSearch> searches;
    private final WorkerMeters meters;
    private final Executor threads;
    /** Those whose search runs. */
    private final Set<Call> open = ConcurrentHashMap.newKeySet();

    private volatile boolean ending;

    /** @param searches makes a search that has not begun */
    SearchCalls(Places places, Supplier<ChildSearch> searches, WorkerMeters meters, Executor threads) {
        this.places = places;
        this.searches = searches;
        this.meters = meters;
        this.threads = threads;
    }

    @Override
    public StreamObserver<SearchRequest> search(StreamObserver<SearchResponse> responses) {
        Call call = new Call((ServerCallStreamObserver<SearchResponse>) responses);
        call.responses.setOnCancelHandler(call::cancelled);
        return call;
    }

    /** Tells whoever waits that the worker ends, and ends the searches. */
    void end() {
        ending = true;
        open.forEach(Call::end);
    }

    private final class Call implements StreamObserver<SearchRequest> {
        private final ServerCallStreamObserver<SearchResponse> responses;
        /** Null before the question, and where there is no place for it. */
        private @Nullable ChildSearch search;

        /** Nothing more may be said. */
        private boolean refused;

        Call(ServerCallStreamObserver<SearchResponse> responses) {
            this.responses = responses;
        }

        @Override
        public synchronized void onNext(SearchRequest request) {
            if (refused) {
                return;
            }
            if (search != null) {
                search.kill();
                return;
            }
            if (!request.hasQuestion()) {
                refuse(Status.INVALID_ARGUMENT.withDescription("the first message has no question"));
                return;
            }
            // before it is asked whether the worker ends, so that one of both finds out
            open.add(this);
            if (ending) {
                open.remove(this);
                refused = true;
                responses.onError(failure(Code.UNAVAILABLE, ENDS, "the worker ends"));
                return;
            }
            if (!places.take()) {
                open.remove(this);
                refused = true;
                meters.refused();
                responses.onError(failure(Code.RESOURCE_EXHAUSTED, BUSY, "all " + places.all() + " places are taken"));
                return;
            }
            ChildSearch begun = searches.get();
            search = begun;
            responses.onNext(SearchResponse.newBuilder()
                    .setBegun(Begun.getDefaultInstance())
                    .build());
            // taken out where it is written: the task must not hold it while the search runs
            AtomicReference<@Nullable Question> question = new AtomicReference<>(request.getQuestion());
            int tasks = request.getQuestion().getInstance().getTasksCount();
            threads.execute(() -> run(begun, question, tasks));
        }

        private synchronized void end() {
            if (search != null && !refused && !responses.isCancelled()) {
                refused = true;
                responses.onError(failure(Code.UNAVAILABLE, ENDS, "the worker ends"));
                search.kill();
            }
        }

        private void refuse(Status why) {
            refused = true;
            responses.onError(why.asRuntimeException());
        }

        @Override
        public synchronized void onCompleted() {
            if (search != null) {
                search.stop();
            } else if (!refused) {
                refuse(Status.INVALID_ARGUMENT.withDescription("nothing was asked"));
            }
        }

        @Override
        public void onError(Throwable lost) {
            cancelled();
        }

        private synchronized void cancelled() {
            if (search != null) {
                search.kill();
            }
        }

        private void run(ChildSearch begun, AtomicReference<@Nullable Question> question, int tasks) {
            long start = System.nanoTime();
            Outcome outcome;
            try {
                outcome = begun.run(question);
            } finally {
                places.giveBack();
                open.remove(this);
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            meters.searched(outcome, took);
            LOG.atInfo()
                    .addKeyValue("result", WorkerMeters.word(outcome))
                    .addKeyValue("tasks", tasks)
                    .addKeyValue("milliseconds", took.toMillis())
                    .log("search ended");
            synchronized (this) {
                tell(outcome);
            }
        }

        /** A call that is cancelled or lost takes no answer. */
        private void tell(Outcome outcome) {
            if (refused || responses.isCancelled()) {
                return;
            }
            switch (outcome) {
                case Outcome.Solved solved -> {
                    responses.onNext(SearchResponse.newBuilder()
                            .setSolution(solved.solution())
                            .build());
                    responses.onCompleted();
                }
                case Outcome.Refused why -> fail(Status.INVALID_ARGUMENT, why.why());
                case Outcome.NotStarted why -> responses.onError(failure(Code.UNAVAILABLE, NOT_STARTED, why.why()));
                case Outcome.Lost how -> fail(Status.UNAVAILABLE, how.how());
                case Outcome.Ended how -> fail(Status.ABORTED, how.how());
                case Outcome.Late why -> fail(Status.DEADLINE_EXCEEDED, why.why());
                case Outcome.Killed killed -> fail(Status.INVALID_ARGUMENT, "more than one question was asked");
            }
        }

        private void fail(Status status, String why) {
            responses.onError(status.withDescription(why).asRuntimeException());
        }
    }

    private static RuntimeException failure(Code code, String reason, String text) {
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(code.getNumber())
                .setMessage(text)
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setReason(reason)
                        .setDomain(DOMAIN)
                        .build()))
                .build());
    }
}
