package dev.lightpath.app.workers;

import dev.lightpath.proto.solver.v1alpha1.Begun;
import dev.lightpath.proto.solver.v1alpha1.Question;
import dev.lightpath.proto.solver.v1alpha1.SearchRequest;
import dev.lightpath.proto.solver.v1alpha1.SearchResponse;
import dev.lightpath.proto.solver.v1alpha1.SearchServiceGrpc;
import dev.lightpath.proto.solver.v1alpha1.Solution;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** A worker that answers as a test says, whatever that is. */
final class ScriptedWorker extends SearchServiceGrpc.SearchServiceImplBase implements AutoCloseable {
    static final SearchResponse BEGUN =
            SearchResponse.newBuilder().setBegun(Begun.getDefaultInstance()).build();

    private final Server server;
    private final BiConsumer<Question, StreamObserver<SearchResponse>> script;
    private final List<Question> asked = new CopyOnWriteArrayList<>();

    /** @param script runs with each question */
    ScriptedWorker(String host, int port, BiConsumer<Question, StreamObserver<SearchResponse>> script)
            throws IOException {
        this.script = script;
        server = NettyServerBuilder.forAddress(new InetSocketAddress(host, port))
                .addService(this)
                .build()
                .start();
    }

    static void answer(StreamObserver<SearchResponse> to, Solution solution) {
        to.onNext(BEGUN);
        to.onNext(SearchResponse.newBuilder().setSolution(solution).build());
        to.onCompleted();
    }

    List<Question> asked() {
        return asked;
    }

    int port() {
        return server.getPort();
    }

    @Override
    public StreamObserver<SearchRequest> search(StreamObserver<SearchResponse> responses) {
        return new StreamObserver<>() {
            @Override
            public void onNext(SearchRequest request) {
                asked.add(request.getQuestion());
                script.accept(request.getQuestion(), responses);
            }

            @Override
            public void onError(Throwable cancelled) {
                // the client is gone
            }

            @Override
            public void onCompleted() {
                // it does not stop
            }
        };
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
