package dev.lightpath.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.solver.v1alpha1.Question;
import dev.lightpath.proto.solver.v1alpha1.SearchRequest;
import dev.lightpath.proto.solver.v1alpha1.SearchResponse;
import dev.lightpath.proto.solver.v1alpha1.SearchServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One call of a test to a worker on this host. */
public final class AskedSearch implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final ManagedChannel channel;
    private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    private final ClientCallStreamObserver<SearchRequest> call;

    private AskedSearch(int port) {
        channel = ManagedChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .build();
        call = (ClientCallStreamObserver<SearchRequest>)
                SearchServiceGrpc.newStub(channel).search(new StreamObserver<SearchResponse>() {
                    @Override
                    public void onNext(SearchResponse response) {
                        heard.add(response);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        heard.add(failure);
                    }

                    @Override
                    public void onCompleted() {
                        heard.add("end");
                    }
                });
    }

    public static AskedSearch of(int port) {
        return new AskedSearch(port);
    }

    public void ask(Question question) {
        call.onNext(SearchRequest.newBuilder().setQuestion(question).build());
    }

    public void say(SearchRequest request) {
        call.onNext(request);
    }

    public void stop() {
        call.onCompleted();
    }

    public void cancel() {
        call.cancel("nobody waits", null);
    }

    private Object next() throws InterruptedException {
        Object next = heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(next).as("said within " + PATIENCE_SECONDS + " s").isNotNull();
        return next;
    }

    public void awaitBegun() throws InterruptedException {
        assertThat(next())
                .isInstanceOfSatisfying(
                        SearchResponse.class,
                        said -> assertThat(said.hasBegun()).isTrue());
    }

    /** The message with the solution, after that of the beginning. */
    public SearchResponse answer() throws InterruptedException {
        awaitBegun();
        return answerAfterBeginning();
    }

    public SearchResponse answerAfterBeginning() throws InterruptedException {
        Object said = next();
        assertThat(said).isInstanceOf(SearchResponse.class);
        assertThat(next()).isEqualTo("end");
        return (SearchResponse) said;
    }

    /** How the call failed, whether it began or not. */
    public Status refusal() throws InterruptedException {
        return Status.fromThrowable(failure());
    }

    public StatusRuntimeException failure() throws InterruptedException {
        Object said = next();
        while (said instanceof SearchResponse response && response.hasBegun()) {
            said = next();
        }
        assertThat(said).isInstanceOf(StatusRuntimeException.class);
        return (StatusRuntimeException) said;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
