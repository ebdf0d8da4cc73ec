package dev.lightpath.app.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.driver.TestIdentity;
import dev.lightpath.app.workers.WorkersMeter.Ending;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.SearchFailed;
import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.InfeasibleBudget;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.proto.solver.v1alpha1.SearchResponse;
import dev.lightpath.proto.solver.v1alpha1.Solution;
import dev.lightpath.worker.SearchWorker;
import dev.lightpath.worker.child.SearchChild;
import dev.lightpath.worker.server.RunningWorker;
import dev.lightpath.worker.server.WorkerSettings;
import dev.lightpath.worker.wire.SearchCodec;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real workers, by gRPC and with searches in real processes, and some that misbehave. */
class WorkerPlannerTest {
    private static final Duration LIMIT = Duration.ofSeconds(300);
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration LONG_ENOUGH_TO_BEGIN = Duration.ofSeconds(20);
    private static final String FIRST = "127.0.0.2";
    private static final String SECOND = "127.0.0.3";
    private static final String THIRD = "127.0.0.4";

    private static final DeltaInstance SMALL = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 8, 4096, false));
    private static final Goal SMALL_GOAL = Goal.fewestPorts(Algorithm.JOINT, 1e-9);
    private static final SearchLimits SMALL_LIMITS = SearchLimits.standard();

    /** It takes minutes unless it is stopped. */
    private static final DeltaInstance LARGE = InstanceGenerator.generate(Preset.MEGATRON_462B.workload());

    private static final Goal LARGE_GOAL = Goal.fewestPorts(Algorithm.TOPOLOGY, 1e-9);

    private final int port = freePort();
    /** How far patience with workers has come before the time of day. */
    private final AtomicLong aheadNanos = new AtomicLong();

    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicBoolean stop = new AtomicBoolean();
    /** Long: most tests would take a machine that is busy for a worker that does not stop. */
    private Duration stopPatience = LIMIT;

    private final SearchLimits largeLimits =
            SearchLimits.standard().withNodes(1L << 40).stoppingWhen(stop::get);
    private final AtomicInteger here = new AtomicInteger();
    private final Map<Ending, Integer> tries = Collections.synchronizedMap(new EnumMap<>(Ending.class));
    private final WorkersMeter meter = new WorkersMeter() {
        @Override
        public void tried(Ending ending) {
            tries.merge(ending, 1, Integer::sum);
        }

        @Override
        public void ranHere() {
            here.incrementAndGet();
        }

        @Override
        public void workers(int number) {
            // not asked here
        }
    };

    /** On every address of this host. */
    private static int freePort() {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() throws Exception {
        stop.set(true);
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        noProcessIsLeft();
    }

    private static void noProcessIsLeft() {
        await().atMost(LIMIT).until(() -> ProcessHandle.current().descendants().noneMatch(ProcessHandle::isAlive));
    }

    private static void aSearchRuns() {
        await().atMost(LIMIT).until(() -> ProcessHandle.current().children().anyMatch(ProcessHandle::isAlive));
    }

    /** Nobody takes a search until its patience is over, which then is soon. */
    private void aSearchRunsHere() {
        await().atMost(LIMIT).until(() -> {
            aheadNanos.addAndGet(LONG_ENOUGH_TO_BEGIN.toNanos());
            return here.get() == 1;
        });
    }

    private WorkerPlanner planner(Duration patience, String... hosts) {
        return planner(patience, Optional.empty(), hosts);
    }

    private WorkerPlanner planner(Duration patience, Optional<Path> tls, String... hosts) {
        Workers workers = new Workers(
                new WorkersAddress("localhost", port, tls),
                name -> {
                    InetAddress[] found = new InetAddress[hosts.length];
                    for (int i = 0; i < hosts.length; i++) {
                        found[i] = InetAddress.getByName(hosts[i]);
                    }
                    return found;
                },
                meter,
                () -> System.nanoTime() + aheadNanos.get());
        WorkerPlanner planner = new WorkerPlanner(workers, new DeltaPlanner(), meter, patience, stopPatience);
        open.add(planner);
        return planner;
    }

    private RunningWorker worker(String host, int places) throws IOException {
        return worker(host, places, "-Xmx512m", Optional.empty());
    }

    private RunningWorker worker(String host, int places, String heap, Optional<WorkerSettings.Tls> tls)
            throws IOException {
        RunningWorker worker = new RunningWorker(new WorkerSettings(
                new InetSocketAddress(host, port),
                new InetSocketAddress(host, 0),
                places,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        heap,
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:+DisplayVMOutputToStderr",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SearchChild.class.getName()),
                Duration.ofHours(1),
                LIMIT,
                tls));
        open.add(worker);
        return worker;
    }

    private void secured(Path folder, String caller) throws IOException {
        var tls = new WorkerSettings.Tls(folder, new TreeSet<>(List.of(caller)), new TreeSet<>());
        worker(FIRST, 1, "-Xmx512m", Optional.of(tls));
    }

    private ScriptedWorker scripted(
            String host,
            BiConsumer<dev.lightpath.proto.solver.v1alpha1.Question, StreamObserver<SearchResponse>> script)
            throws IOException {
        ScriptedWorker worker = new ScriptedWorker(host, port, script);
        open.add(worker);
        return worker;
    }

    private CompletableFuture<DeltaSolution> large(WorkerPlanner planner) {
        CompletableFuture<DeltaSolution> answer = new CompletableFuture<>();
        Thread.ofPlatform().daemon(true).start(() -> {
            try {
                answer.complete(planner.solve(LARGE, LARGE_GOAL, largeLimits));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private static DeltaSolution of(CompletableFuture<DeltaSolution> answer) throws Exception {
        return answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void answersLikeThePlanner(WorkerPlanner planner) {
        assertThat(planner.solve(SMALL, SMALL_GOAL, SMALL_LIMITS))
                .isEqualTo(new DeltaPlanner().solve(SMALL, SMALL_GOAL, SMALL_LIMITS));
    }

    private int tries(Ending ending) {
        return tries.getOrDefault(ending, 0);
    }

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

    /** What a worker may say that is not so. */
    enum Lie {
        SHORTER(said -> said.setMakespanSeconds(said.getMakespanSeconds() / 2)),
        NO_TIME(said -> said.setMakespanSeconds(Double.NaN)),
        TOO_MANY_CIRCUITS(said -> said.setCircuits(0, 1000)),
        NO_CIRCUITS(said -> said.setCircuits(0, 0)),
        TOO_MANY_COUNTS(said -> said.addCircuits(1)),
        NO_COUNTS(Solution.Builder::clearCircuits),
        A_BOUND_ABOVE(said -> said.setLowerBoundSeconds(said.getMakespanSeconds() * 2)),
        NO_BOUND(said -> said.setLowerBoundSeconds(Double.NaN)),
        A_PROOF_WITH_A_GAP(said -> said.setProved(true).setLowerBoundSeconds(said.getMakespanSeconds() / 2)),
        A_PORT_BOUND_ABOVE(said -> said.setPortBound(Integer.MAX_VALUE)),
        A_PORT_BOUND_BELOW_NOTHING(said -> said.setProved(false).setPortBound(-1));

        private final UnaryOperator<Solution.Builder> told;

        Lie(UnaryOperator<Solution.Builder> told) {
            this.told = told;
        }
    }

    @ParameterizedTest
    @EnumSource(Lie.class)
    void aLieIsRefusedAndAnotherWorkerAsked(Lie lie) throws Exception {
        Solution truth = SearchCodec.solution(new DeltaPlanner().solve(SMALL, SMALL_GOAL, SMALL_LIMITS));
        ScriptedWorker liar = scripted(
                FIRST,
                (question, to) -> ScriptedWorker.answer(
                        to, lie.told.apply(truth.toBuilder()).build()));
        ScriptedWorker honest = scripted(SECOND, (question, to) -> ScriptedWorker.answer(to, truth));
        WorkerPlanner planner = planner(LIMIT, FIRST, SECOND);
        answersLikeThePlanner(planner);
        answersLikeThePlanner(planner);
        answersLikeThePlanner(planner);
        assertThat(liar.asked()).hasSize(1);
        assertThat(honest.asked()).hasSize(3);
        assertThat(tries).isEqualTo(Map.of(Ending.WRONG, 1, Ending.ANSWERED, 3));
        assertThat(here).hasValue(0);
    }

    /** Its figures are right; but no search would have ended there. */
    @Test
    void anAnswerThatIsWorseThanNoSearchIsRefused() throws Exception {
        List<Integer> ones = Collections.nCopies(LARGE.groups().size(), 1);
        double seconds = new dev.lightpath.planner.delta.simulation.Simulator(LARGE)
                .makespanSeconds(
                        new dev.lightpath.planner.delta.model.Topology(ones),
                        LARGE_GOAL.algorithm().rates());
        scripted(
                FIRST,
                (question, to) -> ScriptedWorker.answer(
                        to,
                        Solution.newBuilder()
                                .addAllCircuits(ones)
                                .setMakespanSeconds(seconds)
                                .build()));
        stop.set(false);
        CompletableFuture<DeltaSolution> answer = large(planner(LONG_ENOUGH_TO_BEGIN, FIRST));
        await().atMost(LIMIT).until(() -> tries(Ending.WRONG) > 0);
        aSearchRunsHere();
        stop.set(true);
        assertThat(of(answer).makespanSeconds()).isLessThan(seconds);
        assertThat(tries(Ending.WRONG)).isEqualTo(1);
    }

    @Test
    void anAnswerOfHundredMegabytesIsRefused() throws Exception {
        scripted(
                FIRST,
                (question, to) -> ScriptedWorker.answer(
                        to,
                        Solution.newBuilder()
                                .addAllCircuits(Collections.nCopies(100 << 20, 1))
                                .build()));
        worker(SECOND, 1);
        WorkerPlanner planner = planner(LIMIT, FIRST, SECOND);
        answersLikeThePlanner(planner);
        answersLikeThePlanner(planner);
        assertThat(tries).isEqualTo(Map.of(Ending.WRONG, 1, Ending.ANSWERED, 2));
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

    private static void write(Path folder, TestIdentity authority, TestIdentity own) throws IOException {
        Files.writeString(folder.resolve("ca.crt"), authority.certificate());
        Files.writeString(folder.resolve("tls.crt"), own.certificate());
        Files.writeString(folder.resolve("tls.key"), own.privateKey());
    }

    @Test
    void bothSidesShowTheirCertificates(@TempDir Path folder) throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "both");
        write(folder, identity, identity);
        secured(folder, "localhost");
        answersLikeThePlanner(planner(LIMIT, Optional.of(folder), FIRST));
        assertThat(here).hasValue(0);
        answersLikeThePlanner(planner(SOON, FIRST));
        assertThat(here).as("without a certificate").hasValue(1);
    }

    @Test
    void aCallerOfAnotherNameIsRefused(@TempDir Path folder) throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "both");
        write(folder, identity, identity);
        secured(folder, "lightpath-operator");
        answersLikeThePlanner(planner(SOON, Optional.of(folder), FIRST));
        assertThat(here).hasValue(1);
    }

    @Test
    void certificatesThatChangeAreTakenWithTheNextSearch(@TempDir Path folder) throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "both");
        TestIdentity stranger = TestIdentity.make(folder, "stranger");
        Path theirs = Files.createDirectory(folder.resolve("theirs"));
        Path ours = Files.createDirectory(folder.resolve("ours"));
        write(theirs, identity, identity);
        write(ours, identity, stranger);
        secured(theirs, "localhost");
        WorkerPlanner planner = planner(SOON, Optional.of(ours), FIRST);
        answersLikeThePlanner(planner);
        assertThat(here).hasValue(1);
        write(ours, identity, identity);
        await().atMost(LIMIT).until(() -> {
            answersLikeThePlanner(planner);
            return tries(Ending.ANSWERED) > 0;
        });
    }

    @Test
    void anAddressWithoutAPortIsNamed() {
        for (String wrong : List.of("lightpath-solver", ":9460", "host:", "host:70000", "host:-1")) {
            assertThatThrownBy(() -> WorkersAddress.of(wrong, Optional.empty()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lightpath.search.workers: '" + wrong + "'");
        }
        assertThat(WorkersAddress.of("lightpath-solver.lightpath-system.svc:9460", Optional.empty()))
                .isEqualTo(new WorkersAddress("lightpath-solver.lightpath-system.svc", 9460, Optional.empty()));
    }
}
