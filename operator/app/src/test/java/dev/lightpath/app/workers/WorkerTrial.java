package dev.lightpath.app.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.workers.WorkersMeter.Ending;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.proto.solver.v1alpha1.SearchResponse;
import dev.lightpath.worker.child.SearchChild;
import dev.lightpath.worker.server.RunningWorker;
import dev.lightpath.worker.server.WorkerSettings;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;

/** Real workers, by gRPC and with searches in real processes, and some that misbehave. */
abstract class WorkerTrial {
    static final Duration LIMIT = Duration.ofSeconds(300);
    static final Duration SOON = Duration.ofSeconds(2);
    static final Duration LONG_ENOUGH_TO_BEGIN = Duration.ofSeconds(20);
    static final String FIRST = "127.0.0.2";
    static final String SECOND = "127.0.0.3";
    static final String THIRD = "127.0.0.4";
    static final DeltaInstance SMALL = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 8, 4096, false));
    static final Goal SMALL_GOAL = Goal.fewestPorts(Algorithm.JOINT, 1e-9);
    static final SearchLimits SMALL_LIMITS = SearchLimits.standard();
    /** It takes minutes unless it is stopped. */
    static final DeltaInstance LARGE = InstanceGenerator.generate(Preset.MEGATRON_462B.workload());

    static final Goal LARGE_GOAL = Goal.fewestPorts(Algorithm.TOPOLOGY, 1e-9);
    final int port = freePort();
    /** How far patience with workers has come before the time of day. */
    final AtomicLong aheadNanos = new AtomicLong();

    final List<AutoCloseable> open = new ArrayList<>();
    final AtomicBoolean stop = new AtomicBoolean();
    /** Long: most tests would take a machine that is busy for a worker that does not stop. */
    Duration stopPatience = LIMIT;

    final SearchLimits largeLimits = SearchLimits.standard().withNodes(1L << 40).stoppingWhen(stop::get);
    final AtomicInteger here = new AtomicInteger();
    final Map<Ending, Integer> tries = Collections.synchronizedMap(new EnumMap<>(Ending.class));

    final WorkersMeter meter = new WorkersMeter() {
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

    static void noProcessIsLeft() {
        await().atMost(LIMIT).until(() -> ProcessHandle.current().descendants().noneMatch(ProcessHandle::isAlive));
    }

    static void aSearchRuns() {
        await().atMost(LIMIT).until(() -> ProcessHandle.current().children().anyMatch(ProcessHandle::isAlive));
    }

    /** Nobody takes a search until its patience is over, which then is soon. */
    void aSearchRunsHere() {
        await().atMost(LIMIT).until(() -> {
            aheadNanos.addAndGet(LONG_ENOUGH_TO_BEGIN.toNanos());
            return here.get() == 1;
        });
    }

    WorkerPlanner planner(Duration patience, String... hosts) {
        return planner(patience, Optional.empty(), hosts);
    }

    WorkerPlanner planner(Duration patience, Optional<Path> tls, String... hosts) {
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

    RunningWorker worker(String host, int places) throws IOException {
        return worker(host, places, "-Xmx512m", Optional.empty());
    }

    RunningWorker worker(String host, int places, String heap, Optional<WorkerSettings.Tls> tls) throws IOException {
        RunningWorker worker = new RunningWorker(new WorkerSettings(
                new InetSocketAddress(host, port),
                new InetSocketAddress(host, 0),
                places,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        heap,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
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

    ScriptedWorker scripted(
            String host,
            BiConsumer<dev.lightpath.proto.solver.v1alpha1.Question, StreamObserver<SearchResponse>> script)
            throws IOException {
        ScriptedWorker worker = new ScriptedWorker(host, port, script);
        open.add(worker);
        return worker;
    }

    CompletableFuture<DeltaSolution> large(WorkerPlanner planner) {
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

    static DeltaSolution of(CompletableFuture<DeltaSolution> answer) throws Exception {
        return answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    void answersLikeThePlanner(WorkerPlanner planner) {
        assertThat(planner.solve(SMALL, SMALL_GOAL, SMALL_LIMITS))
                .isEqualTo(new DeltaPlanner().solve(SMALL, SMALL_GOAL, SMALL_LIMITS));
    }

    int tries(Ending ending) {
        return tries.getOrDefault(ending, 0);
    }
}
