package dev.lightpath.app.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.workers.WorkersMeter.Ending;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.SearchFailed;
import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.InfeasibleBudget;
import dev.lightpath.proto.solver.v1alpha1.SearchResponse;
import dev.lightpath.worker.SearchWorker;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where searches run: which worker has them, what becomes of them when it goes, and when they run here. */
final class WorkerPlannerTest extends WorkerTrial {
    @Test
    void answersAreThoseOfThePlanner() throws Exception {
        worker(FIRST, 1);
        worker(SECOND, 1);
        WorkerPlanner planner = planner(LIMIT, FIRST, SECOND);
        answersLikeThePlanner(planner);
        answersLikeThePlanner(planner);
        assertThat(tries).isEqualTo(Map.of(Ending.ANSWERED, 2));
        assertThat(here).hasValue(0);
    }

    @Test
    void aStopGivesTheBestSoFar() throws Exception {
        worker(FIRST, 1);
        CompletableFuture<DeltaSolution> answer = large(planner(LIMIT, FIRST));
        aSearchRuns();
        stop.set(true);
        assertThat(SolutionVerifier.violations(LARGE, of(answer))).isEmpty();
        assertThat(tries).isEqualTo(Map.of(Ending.ANSWERED, 1));
        assertThat(here).hasValue(0);
    }

    @Test
    void searchesAreSpreadOverTheWorkers() throws Exception {
        ScriptedWorker first = scripted(FIRST, (question, to) -> to.onNext(ScriptedWorker.BEGUN));
        ScriptedWorker second = scripted(SECOND, (question, to) -> to.onNext(ScriptedWorker.BEGUN));
        WorkerPlanner planner = planner(LIMIT, FIRST, SECOND);
        for (int each = 1; each <= 4; each++) {
            int asked = each;
            large(planner);
            await().atMost(LIMIT)
                    .until(() -> first.asked().size() + second.asked().size() == asked);
        }
        assertThat(first.asked()).hasSize(2);
        assertThat(second.asked()).hasSize(2);
    }

    @Test
    void anotherWorkerGoesOnForOneThatIsKilled() throws Exception {
        Process killed = process(FIRST);
        CompletableFuture<DeltaSolution> answer = large(planner(LIMIT, FIRST, SECOND));
        await().atMost(LIMIT).until(() -> killed.descendants().findAny().isPresent());
        worker(SECOND, 1);
        killed.destroyForcibly().onExit().join();
        aSearchRuns();
        stop.set(true);
        assertThat(SolutionVerifier.violations(LARGE, of(answer))).isEmpty();
        assertThat(tries(Ending.ANSWERED)).isEqualTo(1);
        assertThat(tries(Ending.AWAY)).isPositive();
        assertThat(here).hasValue(0);
    }

    @Test
    void withoutAnotherWorkerTheSearchGoesOnHere() throws Exception {
        Process killed = process(FIRST);
        CompletableFuture<DeltaSolution> answer = large(planner(LONG_ENOUGH_TO_BEGIN, FIRST));
        await().atMost(LIMIT).until(() -> killed.descendants().findAny().isPresent());
        killed.destroyForcibly().onExit().join();
        await().atMost(LIMIT).until(() -> tries(Ending.AWAY) > 0);
        aSearchRunsHere();
        stop.set(true);
        assertThat(SolutionVerifier.violations(LARGE, of(answer))).isEmpty();
        assertThat(tries(Ending.ANSWERED)).isZero();
    }

    /** The program itself. */
    private Process process(String host) throws Exception {
        Process worker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SearchWorker.class.getName(),
                        "--listen",
                        host + ":" + port,
                        "--http",
                        host + ":0")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        open.add(() -> worker.destroyForcibly().onExit().join());
        await().atMost(LIMIT).until(() -> {
            try (Socket connected = new Socket(host, port)) {
                return connected.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        });
        return worker;
    }

    @Test
    void twoWorkersThatAreLostBySearchAreEnough() throws Exception {
        BiConsumer<dev.lightpath.proto.solver.v1alpha1.Question, StreamObserver<SearchResponse>> dying =
                (question, to) -> {
                    to.onNext(ScriptedWorker.BEGUN);
                    to.onError(
                            io.grpc.Status.UNAVAILABLE.withDescription("gone").asRuntimeException());
                };
        scripted(FIRST, dying);
        scripted(SECOND, dying);
        WorkerPlanner planner = planner(LONG_ENOUGH_TO_BEGIN, FIRST, SECOND);
        assertThatThrownBy(() -> planner.solve(SMALL, SMALL_GOAL, SMALL_LIMITS))
                .isInstanceOf(SearchFailed.class)
                .hasMessageContaining("2 workers went away");
        assertThat(here).hasValue(0);
    }

    private static io.grpc.StatusRuntimeException said(com.google.rpc.Code code, String reason) {
        return io.grpc.protobuf.StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(code.getNumber())
                .setMessage("so it says")
                .addDetails(com.google.protobuf.Any.pack(
                        com.google.rpc.ErrorInfo.newBuilder().setReason(reason).build()))
                .build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ENDS", "NOT_STARTED"})
    void workersThatGiveASearchUpAreNotLostByIt(String reason) throws Exception {
        for (String host : List.of(FIRST, SECOND)) {
            scripted(host, (question, to) -> {
                to.onNext(ScriptedWorker.BEGUN);
                to.onError(said(com.google.rpc.Code.UNAVAILABLE, reason));
            });
        }
        worker(THIRD, 1);
        answersLikeThePlanner(planner(LIMIT, FIRST, SECOND, THIRD));
        assertThat(tries).isEqualTo(Map.of(Ending.AWAY, 2, Ending.ANSWERED, 1));
        assertThat(here).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQuestionThatAWorkerRefusesIsAnsweredHere(boolean begun) throws Exception {
        ScriptedWorker refusing = scripted(FIRST, (question, to) -> {
            if (begun) {
                to.onNext(ScriptedWorker.BEGUN);
            }
            to.onError(io.grpc.Status.INVALID_ARGUMENT.asRuntimeException());
        });
        WorkerPlanner planner = planner(LIMIT, FIRST);
        answersLikeThePlanner(planner);
        answersLikeThePlanner(planner);
        assertThat(refusing.asked()).as("it is not set aside").hasSize(2);
        assertThat(here).hasValue(2);
    }

    @Test
    void aSearchThatIsStoppedBeforeItFindsAPlaceIsNotOneWithoutWorkers() {
        stop.set(true);
        planner(LIMIT, FIRST).solve(SMALL, SMALL_GOAL, largeLimits);
        assertThat(here).hasValue(0);
    }

    @Test
    void namesThatAreNotToldHoldNobodyUp() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        open.add(never::countDown);
        Workers workers = new Workers(
                new WorkersAddress("localhost", port, Optional.empty()),
                name -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return new InetAddress[0];
                },
                meter,
                System::nanoTime);
        WorkerPlanner planner = new WorkerPlanner(workers, new DeltaPlanner(), meter, SOON, LIMIT);
        open.add(planner);
        answersLikeThePlanner(planner);
        assertThat(here).hasValue(1);
    }

    @Test
    void whereNobodyListensTheSearchRunsHere() {
        answersLikeThePlanner(planner(SOON, FIRST));
        assertThat(here).hasValue(1);
    }

    @Test
    void whereNobodyIsFoundTheSearchRunsHere() {
        answersLikeThePlanner(planner(SOON));
        assertThat(here).hasValue(1);
    }

    /** For ten minutes: each search would wait in vain as long as it may. */
    @Test
    @Timeout(200)
    void nobodyWaitsForWorkersThatAreSetAsideForLonger() throws Exception {
        ScriptedWorker wrong = scripted(FIRST, (question, to) -> {
            to.onNext(ScriptedWorker.BEGUN);
            to.onNext(SearchResponse.getDefaultInstance());
            to.onCompleted();
        });
        WorkerPlanner planner = planner(LIMIT, FIRST);
        answersLikeThePlanner(planner);
        answersLikeThePlanner(planner);
        assertThat(wrong.asked()).hasSize(1);
        assertThat(tries).isEqualTo(Map.of(Ending.WRONG, 1));
        assertThat(here).hasValue(2);
    }

    @Test
    void aWorkerThatDoesNotBeginIsPassedOver() throws Exception {
        ScriptedWorker silent = scripted(FIRST, (question, to) -> {});
        worker(SECOND, 1);
        WorkerPlanner planner = planner(LONG_ENOUGH_TO_BEGIN, FIRST, SECOND);
        answersLikeThePlanner(planner);
        answersLikeThePlanner(planner);
        assertThat(silent.asked()).hasSizeLessThanOrEqualTo(1);
        assertThat(tries(Ending.ANSWERED)).isEqualTo(2);
        assertThat(here).hasValue(0);
    }

    @Test
    void aSearchThatIsStoppedBeforeItBeginsBlamesNoWorker() throws Exception {
        ScriptedWorker silent = scripted(FIRST, (question, to) -> {});
        CompletableFuture<DeltaSolution> answer = large(planner(LIMIT, FIRST));
        await().atMost(LIMIT).until(() -> !silent.asked().isEmpty());
        stop.set(true);
        of(answer);
        assertThat(tries(Ending.AWAY)).isZero();
        assertThat(here).hasValue(0);
    }

    /** As one does that has just started, at a small share of the processors. */
    @Test
    void aWorkerThatIsSlowToBeginIsWaitedForWhereThereIsNoOther() throws Exception {
        AtomicReference<StreamObserver<SearchResponse>> asked = new AtomicReference<>();
        ScriptedWorker slow = scripted(FIRST, (question, to) -> asked.set(to));
        WorkerPlanner planner = planner(LIMIT, FIRST);
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread search = searching(planner, end);
        await().atMost(LIMIT).until(() -> asked.get() != null);
        aheadNanos.addAndGet(LIMIT.toNanos() * 2 / 3);
        await().during(SOON).atMost(LIMIT).until(() -> tries(Ending.AWAY) == 0);
        asked.get().onNext(ScriptedWorker.BEGUN);
        await().during(SOON).atMost(LIMIT).until(() -> here.get() == 0);
        search.interrupt();
        end.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(slow.asked()).hasSize(1);
    }

    @Test
    void aWorkerThatDoesNotStopIsNotWaitedFor() throws Exception {
        ScriptedWorker endless = scripted(FIRST, (question, to) -> to.onNext(ScriptedWorker.BEGUN));
        stopPatience = SOON;
        CompletableFuture<DeltaSolution> answer = large(planner(LIMIT, FIRST));
        await().atMost(LIMIT).until(() -> !endless.asked().isEmpty());
        stop.set(true);
        assertThatThrownBy(() -> of(answer))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(SearchFailed.class)
                .hasMessageContaining("did not stop");
        assertThat(here).hasValue(0);
    }

    @Test
    void whoFindsNoPlaceWaitsForOne() throws Exception {
        worker(FIRST, 1);
        WorkerPlanner planner = planner(LIMIT, FIRST);
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread first = searching(planner, end);
        aSearchRuns();
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> answersLikeThePlanner(planner));
        await().atMost(LIMIT).until(() -> tries(Ending.BUSY) > 0);
        assertThat(second).isNotDone();
        first.interrupt();
        end.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        second.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(here).hasValue(0);
        assertThat(tries(Ending.ANSWERED)).isEqualTo(1);
    }

    /** A long search, which fails when its thread is interrupted. */
    private Thread searching(WorkerPlanner planner, CompletableFuture<Throwable> end) {
        return Thread.ofPlatform().daemon(true).start(() -> {
            try {
                planner.solve(LARGE, LARGE_GOAL, largeLimits);
            } catch (SearchFailed failed) {
                end.complete(failed);
            }
        });
    }

    @Test
    void placesAreTakenInTheOrderOfTheQuestions() throws Exception {
        AtomicBoolean free = new AtomicBoolean();
        List<String> order = new CopyOnWriteArrayList<>();
        scripted(FIRST, (question, to) -> {
            if (free.get()) {
                order.add(question.getInstance().getName());
                to.onNext(ScriptedWorker.BEGUN);
            } else {
                to.onError(io.grpc.protobuf.StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                        .setCode(com.google.rpc.Code.RESOURCE_EXHAUSTED_VALUE)
                        .addDetails(com.google.protobuf.Any.pack(com.google.rpc.ErrorInfo.newBuilder()
                                .setReason("BUSY")
                                .build()))
                        .build()));
            }
        });
        WorkerPlanner planner = planner(LIMIT, FIRST);
        List<Thread> waiting = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            DeltaInstance named = new DeltaInstance(
                    name,
                    SMALL.circuitBytesPerSecond(),
                    SMALL.pods(),
                    SMALL.groups(),
                    SMALL.tasks(),
                    SMALL.dependencies());
            Thread thread = Thread.ofPlatform().daemon(true).start(() -> {
                try {
                    planner.solve(named, SMALL_GOAL, largeLimits);
                } catch (SearchFailed ended) {
                    // by the end of the test
                }
            });
            waiting.add(thread);
            int before = tries(Ending.BUSY);
            await().atMost(LIMIT)
                    .until(() -> waiting.size() == 1 ? tries(Ending.BUSY) > before : waitsForItsTurn(thread));
        }
        free.set(true);
        await().atMost(LIMIT).until(() -> order.size() == 4);
        assertThat(order).containsExactly("a", "b", "c", "d");
        // none of them stops by itself
        for (Thread each : waiting) {
            each.interrupt();
            each.join(LIMIT);
        }
    }

    private static boolean waitsForItsTurn(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith("ReentrantLock")
                        && frame.getMethodName().equals("tryLock"));
    }

    @Test
    void anInterruptEndsTheProcess() throws Exception {
        worker(FIRST, 1);
        WorkerPlanner planner = planner(LIMIT, FIRST);
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread thread = searching(planner, end);
        aSearchRuns();
        thread.interrupt();
        assertThat(end.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).hasMessageContaining("nobody waits");
        noProcessIsLeft();
        assertThat(here).hasValue(0);
    }

    @Test
    void aSearchThatExhaustsItsMemoryIsNotTriedHere() throws Exception {
        worker(FIRST, 1, "-Xmx6m", Optional.empty());
        WorkerPlanner planner = planner(LONG_ENOUGH_TO_BEGIN, FIRST);
        assertThatThrownBy(() -> planner.solve(LARGE, LARGE_GOAL, largeLimits))
                .isInstanceOf(SearchFailed.class)
                .hasMessageContaining("OutOfMemoryError");
        assertThat(here).hasValue(0);
    }

    @Test
    void nobodyIsAskedForCircuitsThatCannotFit() throws Exception {
        ScriptedWorker unasked = scripted(FIRST, (question, to) -> {});
        DeltaInstance tight = LARGE.withPorts(Collections.nCopies(LARGE.pods().size(), 1));
        WorkerPlanner planner = planner(SOON, FIRST);
        assertThatThrownBy(() -> planner.solve(tight, LARGE_GOAL, largeLimits)).isInstanceOf(InfeasibleBudget.class);
        assertThat(unasked.asked()).isEmpty();
    }
}
