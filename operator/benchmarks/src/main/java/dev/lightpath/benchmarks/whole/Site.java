package dev.lightpath.benchmarks.whole;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** A control plane, hardware with its driver, and the operator, of one size. Takes ten ports from its base. */
public final class Site implements AutoCloseable {
    final Size size;
    final ControlPlane plane;
    final Light light;
    final Operator operator;
    private final SortedMap<String, Program> programs;
    private final Path folder;
    private final String emulator;
    private final IntFunction<Operator> standby;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /**
     * @param root of the checkout, built
     * @param folder for what the processes write
     * @param apart whether the control plane has a processor to itself
     * @param workers whether searches run in a worker, at nice 19 as its share of a node would be
     * @param options of the operator's JVM beside its heap
     */
    public Site(
            Size size,
            Path root,
            Path programs,
            Path folder,
            int base,
            boolean apart,
            boolean workers,
            List<String> options)
            throws IOException {
        this.size = size;
        this.folder = folder;
        emulator = "127.0.0.1:" + (base + 3);
        // whoever stops the benchmark stops all of it
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        try {
            plane = kept(new ControlPlane(programs, folder, base, size.isSoak(), apart));
            Path scenario = Files.writeString(folder.resolve("scenario.yaml"), Manifests.scenario(size, base + 3));
            this.programs = plane.programs();
            Program hardware = kept(hardware(
                    size.hardwareHeap(),
                    root.resolve("sim-hardware/target/lightpath-sim-hardware.jar"),
                    "emulator",
                    "--scenario",
                    scenario));
            this.programs.put("emulator", hardware);
            light = kept(new Light(base + 3));
            Patience.until("the emulator answers", 120, () -> {
                hardware.assertAlive();
                return lit() > 0;
            });
            Path config = Files.writeString(
                    folder.resolve("driver.yaml"), """
                    listen: 127.0.0.1:%d
                    http: 127.0.0.1:%d
                    stateDirectory: "%s"
                    adapters: [{kind: emulator, endpoint: "127.0.0.1:%d"}]
                    """.formatted(base + 4, base + 6, driverState(), base + 3));
            Files.createDirectories(driverState());
            this.programs.put(
                    "driver",
                    kept(hardware(
                            size.hardwareHeap(),
                            root.resolve("fabric-driver/target/lightpath-fabric-driver.jar"),
                            "driver",
                            "--config",
                            config)));
            if (size.isHostile()) {
                plane.define(
                        programs.resolveSibling("manifests/jobset/components/crd/bases/jobset.x-k8s.io_jobsets.yaml"));
                plane.apply(root.resolve("deploy/kubernetes/access/workloads-policy.yaml"));
            }
            create(base + 4);
            List<String> all = new ArrayList<>(options);
            if (workers) {
                kept(worker(root, folder, base + 7));
                all.add("-Dlightpath.search.workers=127.0.0.1:" + (base + 7));
            }
            Path kubeconfig = plane.operatorConfig();
            operator = kept(Operator.leader(root, folder, kubeconfig, base + 5, all));
            this.programs.put("operator", operator.program());
            standby = number ->
                    Operator.standby(root, folder, kubeconfig, "standby-" + number, base + 8 + number % 2, all);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Another replica of the operator, which does not lead. @param number of those before it */
    Operator standby(int number) {
        return kept(standby.apply(number));
    }

    /** By name: operator, driver, emulator, API server and etcd. */
    public SortedMap<String, Program> programs() {
        return Collections.unmodifiableSortedMap(programs);
    }

    /** Where the driver keeps its journal and its audit log. */
    public Path driverState() {
        return folder.resolve("driver-state");
    }

    /** What the operator asked of the API server besides watches: a line of JSON for each request. */
    public Path auditLog() {
        return plane.auditLog();
    }

    /** Address of etcd, for HTTP. */
    public String store() {
        return plane.store();
    }

    /** A kubeconfig file of one who may do everything. */
    public Path adminConfig() throws IOException {
        return plane.adminConfig();
    }

    /** HOST:PORT of the emulator's own plane. */
    public String emulator() {
        return emulator;
    }

    private int lit() {
        try {
            return light.of(List.of("n0")).size();
        } catch (io.grpc.StatusRuntimeException e) {
            return 0;
        }
    }

    private static Program hardware(String heap, Path jar, String name, String option, Path file) {
        return Program.start(
                name,
                java.util.Objects.requireNonNull(file.toAbsolutePath().getParent()),
                Map.of(),
                List.of(
                        Operator.java(),
                        heap,
                        // as their images and the local environment start them
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-XX:+UseSerialGC",
                        "-jar",
                        jar.toString(),
                        option,
                        file.toString()));
    }

    private static Program worker(Path root, Path folder, int port) {
        return Program.start(
                "worker",
                folder,
                Map.of(),
                List.of(
                        "nice",
                        "-n",
                        "19",
                        Operator.java(),
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-jar",
                        root.resolve("operator/worker/target/lightpath-worker.jar")
                                .toString(),
                        "--listen",
                        "127.0.0.1:" + port,
                        "--http",
                        "127.0.0.1:0",
                        "--searches",
                        "5"));
    }

    private <T extends AutoCloseable> T kept(T part) {
        parts.push(part);
        return part;
    }

    private void create(int driverPort) {
        client().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("lightpath-system")
                        .endMetadata()
                        .build())
                .create();
        each(IntStream.range(0, size.nodes()).boxed().toList(), node -> create(Manifests.node(size, node), Node.class));
        create(Manifests.ring(size, driverPort), OpticalFabric.class);
        if (size.pods() > 0) {
            for (int number = 0; number < Size.SWITCHES; number++) {
                create(Manifests.opticalSwitch(size, number, driverPort), OpticalSwitch.class);
            }
            create(Manifests.spine(size), OpticalFabric.class);
        }
    }

    KubernetesClient client() {
        return plane.client;
    }

    <T extends HasMetadata> void create(String yaml, Class<T> type) {
        client().resource(client().getKubernetesSerialization().unmarshal(yaml, type))
                .create();
    }

    /** A few at a time. */
    static <T> void each(Collection<T> items, Consumer<T> act) {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<? extends Future<?>> all = items.stream()
                    .map(item -> threads.submit(() -> act.accept(item)))
                    .toList();
            for (Future<?> one : all) {
                one.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    void apply(String job) {
        create(job, TrainingJob.class);
    }

    @Override
    public synchronized void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                System.err.println("not ended well: " + e);
            }
        }
    }
}
