package dev.lightpath.worker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.ErrorInfo;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.proto.solver.v1alpha1.Question;
import dev.lightpath.proto.solver.v1alpha1.SearchRequest;
import dev.lightpath.proto.solver.v1alpha1.Solution;
import dev.lightpath.worker.AskedSearch;
import dev.lightpath.worker.LongSearch;
import dev.lightpath.worker.child.SearchChild;
import dev.lightpath.worker.wire.SearchCodec;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker of this process with searches in real processes. */
final class RunningWorkerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);
    private static final List<String> SEARCH = java("-Xmx512m");

    private RunningWorker worker;

    private static List<String> java(String heap) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+DisplayVMOutputToStderr",
                "-cp",
                System.getProperty("java.class.path"),
                SearchChild.class.getName());
    }

    private static List<String> shell(String script) {
        return List.of("/bin/sh", "-c", script);
    }

    private AskedSearch begin(List<String> child, Duration longest, Duration grace, Question question)
            throws Exception {
        worker = new RunningWorker(new WorkerSettings(ANY, ANY, 1, child, longest, grace, Optional.empty()));
        return begin(question);
    }

    private AskedSearch begin(List<String> child, Question question) throws Exception {
        return begin(child, Duration.ofHours(1), PATIENCE, question);
    }

    private AskedSearch begin(Question question) {
        AskedSearch search = AskedSearch.of(worker.port());
        search.ask(question);
        return search;
    }

    @AfterEach
    void close() {
        worker.close();
        noProcessIsLeft();
    }

    private static void noProcessIsLeft() {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> ProcessHandle.current().children().noneMatch(ProcessHandle::isAlive));
    }

    private static void aProcessRuns() {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> ProcessHandle.current().children().anyMatch(ProcessHandle::isAlive));
    }

    @Test
    void theEndOfTheQuestionsGivesTheBestSoFar() throws Exception {
        try (AskedSearch search = begin(SEARCH, LongSearch.question())) {
            search.awaitBegun();
            search.stop();
            Solution solution = search.answerAfterBeginning().getSolution();
            DeltaInstance instance = LongSearch.instance();
            Topology topology = new Topology(solution.getCircuitsList());
            int ports = SolutionVerifier.ports(instance, topology);
            assertThat(SolutionVerifier.violations(
                            instance,
                            new DeltaSolution(
                                    LongSearch.goal(),
                                    topology,
                                    solution.getMakespanSeconds(),
                                    solution.getLowerBoundSeconds(),
                                    solution.getProved(),
                                    0,
                                    ports,
                                    solution.getPortBound(),
                                    instance.portBudget())))
                    .isEmpty();
        }
    }

    @Test
    void aCancelledCallEndsItsProcess() throws Exception {
        try (AskedSearch search = begin(SEARCH, LongSearch.question())) {
            search.awaitBegun();
            aProcessRuns();
            search.cancel();
            noProcessIsLeft();
        }
    }

    @Test
    void aLostConnectionEndsTheProcess() throws Exception {
        try (AskedSearch search = begin(SEARCH, LongSearch.question())) {
            search.awaitBegun();
            aProcessRuns();
        }
        noProcessIsLeft();
    }

    @Test
    void refusesBeyondItsPlaces() throws Exception {
        try (AskedSearch first = begin(SEARCH, LongSearch.question())) {
            first.awaitBegun();
            try (AskedSearch second = begin(LongSearch.question())) {
                StatusRuntimeException refusal = second.failure();
                assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
                assertThat(StatusProto.fromThrowable(refusal)
                                .getDetails(0)
                                .unpack(ErrorInfo.class)
                                .getReason())
                        .isEqualTo("BUSY");
            }
            first.cancel();
            Awaitility.await().atMost(PATIENCE).until(() -> {
                try (AskedSearch third = begin(LongSearch.question())) {
                    third.stop();
                    third.answer();
                    return true;
                } catch (AssertionError refused) {
                    // by nothing but a place that is still taken
                    assertThat(refused).hasMessageContaining("RESOURCE_EXHAUSTED");
                    return false;
                }
            });
        }
    }

    /** A worker that is told to end while somebody waits. */
    @Test
    void aWorkerThatEndsSaysSo() throws Exception {
        try (AskedSearch search = begin(SEARCH, LongSearch.question())) {
            search.awaitBegun();
            aProcessRuns();
            worker.drain(Duration.ofMillis(10));
            worker.close();
            assertGivenUp(search, "ENDS");
        }
    }

    @Test
    void aSearchWhoseProcessDoesNotStartIsGivenBack() throws Exception {
        try (AskedSearch search = begin(List.of("/nowhere/java"), LongSearch.question())) {
            assertGivenUp(search, "NOT_STARTED");
        }
    }

    private static void assertGivenUp(AskedSearch search, String reason) throws Exception {
        StatusRuntimeException end = search.failure();
        assertThat(end.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        com.google.rpc.Status told = StatusProto.fromThrowable(end);
        assertThat(told.getDetailsList()).hasSize(1);
        assertThat(told.getDetails(0).unpack(ErrorInfo.class).getReason()).isEqualTo(reason);
    }

    @Test
    void aSearchThatIsKilledIsLost() throws Exception {
        try (AskedSearch search = begin(shell("kill -KILL $$"), LongSearch.question())) {
            StatusRuntimeException end = search.failure();
            assertThat(end.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(end.getStatus().getDescription()).contains("killed");
        }
    }

    /** The end of the question must not be cut off by the stop. */
    @Test
    void aSearchThatIsStoppedAtOnceHasItsQuestion() throws Exception {
        try (AskedSearch search = begin(SEARCH, LongSearch.question())) {
            search.stop();
            assertThat(search.answer().getSolution().getCircuitsCount())
                    .isEqualTo(LongSearch.instance().groups().size());
        }
    }

    @Test
    void noQuestionIsRefusedWithItsReason() throws Exception {
        Question.Builder question = LongSearch.question().toBuilder();
        question.getInstanceBuilder().getTasksBuilder(0).setFlows(0);
        try (AskedSearch search = begin(SEARCH, question.build())) {
            Status refusal = search.refusal();
            assertThat(refusal.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(refusal.getDescription()).isEqualTo("flows: 0, allowed: 1 or more");
        }
    }

    @Test
    void aCallWithoutAQuestionIsRefused() throws Exception {
        try (AskedSearch search = begin(SEARCH, LongSearch.question())) {
            search.awaitBegun();
            try (AskedSearch empty = AskedSearch.of(worker.port())) {
                empty.say(SearchRequest.getDefaultInstance());
                assertThat(empty.refusal().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            }
            try (AskedSearch silent = AskedSearch.of(worker.port())) {
                silent.stop();
                assertThat(silent.refusal().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            }
            search.ask(LongSearch.question());
            assertThat(search.refusal().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
    }

    @Test
    void aSearchWithoutMemoryEndsAlone() throws Exception {
        try (AskedSearch search = begin(java("-Xmx6m"), LongSearch.question())) {
            Status end = search.refusal();
            assertThat(end.getCode()).isEqualTo(Status.Code.ABORTED);
            assertThat(end.getDescription()).contains("OutOfMemoryError");
        }
    }

    @Test
    void aCrashIsToldWithTheLastWords() throws Exception {
        try (AskedSearch search = begin(shell("echo native trouble >&2; kill -SEGV $$"), LongSearch.question())) {
            Status end = search.refusal();
            assertThat(end.getCode()).isEqualTo(Status.Code.ABORTED);
            assertThat(end.getDescription()).contains("139").contains("native trouble");
        }
    }

    @Test
    void aProcessThatDoesNotStopIsEnded() throws Exception {
        Question question = LongSearch.question();
        String deaf = "head -c " + question.getSerializedSize() + " >/dev/null; exec sleep 600";
        try (AskedSearch search = begin(shell(deaf), PATIENCE, Duration.ofMillis(200), question)) {
            search.awaitBegun();
            search.stop();
            Status end = search.refusal();
            assertThat(end.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            assertThat(end.getDescription()).contains("did not stop");
        }
    }

    @Test
    void aSearchThatNobodyStopsEnds() throws Exception {
        try (AskedSearch search = begin(SEARCH, Duration.ofMillis(500), PATIENCE, LongSearch.question())) {
            Status end = search.refusal();
            assertThat(end.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            assertThat(end.getDescription()).contains("longer than");
        }
    }

    @Test
    void aQuestionThatIsTooLargeIsRefused() throws Exception {
        Question.Builder question = LongSearch.question().toBuilder();
        question.getInstanceBuilder().setName("x".repeat(SearchCodec.MOST_QUESTION_BYTES));
        try (AskedSearch search = begin(SEARCH, question.build())) {
            StatusRuntimeException refusal = search.failure();
            assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(refusal.getStatus().getDescription()).contains("exceeds maximum size");
        }
    }

    @Test
    void aPortInUseIsNamed() throws IOException {
        worker = new RunningWorker(new WorkerSettings(ANY, ANY, 1, SEARCH, PATIENCE, PATIENCE, Optional.empty()));
        InetSocketAddress taken = new InetSocketAddress("127.0.0.1", worker.port());
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> new RunningWorker(
                        new WorkerSettings(taken, ANY, 1, SEARCH, PATIENCE, PATIENCE, Optional.empty()))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--listen 127.0.0.1:" + worker.port());
    }
}
