package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.RingManifest;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.driver.DriverServer;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc.DeviceServiceBlockingStub;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.core.ThrowingRunnable;

/**
 * A ring of nodes `n0`.. of 4 GPUs and reach 3 as fabric `ring-a`, its emulated transceivers, their driver, and the
 * packaged operator. There are no kubelets and no controllers: pods are whatever a test makes them.
 */
public final class Installation implements AutoCloseable {
    /** Several operators start and plan beside this one on the same processors. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    static final String SYSTEM = "lightpath-system";
    private static final Path JAR = Path.of("..", "app", "target", "quarkus-app", "quarkus-run.jar");
    /** Of the JVM in the image. */
    private static final Path OPTIONS = Path.of("..", "..", "deploy", "images", "operator.jvm");

    private static final List<String> JVM =
            List.of("@" + OPTIONS, "-Xmx256m", "-XX:-UseG1GC", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    public final KubernetesClient client;
    public final ChaosServiceBlockingStub chaos;
    /** What a person could do by hand at the devices, past driver and operator. */
    final DeviceServiceBlockingStub devices;

    final WriteTap tap;
    final DeviceTap deviceTap;
    final int nodes;
    private final Emulator emulator;
    private final ManagedChannel toEmulator;
    private final Path folder;
    private final int port;
    private final List<String> options;
    private final Map<String, String> environment;
    private DriverServer driver;
    private int drivers;
    private Optional<Process> operator = Optional.empty();
    private final List<Process> outlived = new ArrayList<>();
    /** Whose emulator and driver this one shares; empty: they are its own. */
    private final Optional<Installation> original;

    public Installation(ApiServer server, Path folder, int nodes) throws IOException {
        this(server, folder, nodes, "");
    }

    /** @param more of the emulator's scenario, beside the ring */
    public Installation(ApiServer server, Path folder, int nodes, String more) throws IOException {
        this(server, folder, nodes, more, List.of());
    }

    /** @param options of the operator's command line, beside those it always has */
    Installation(ApiServer server, Path folder, int nodes, String more, List<String> options) throws IOException {
        this(server, folder, nodes, more, options, Map.of());
    }

    /** @param environment of operator and driver, beside that of the test */
    Installation(
            ApiServer server,
            Path folder,
            int nodes,
            String more,
            List<String> options,
            Map<String, String> environment)
            throws IOException {
        this.original = Optional.empty();
        this.environment = Map.copyOf(environment);
        this.folder = folder;
        this.options = List.copyOf(options);
        this.nodes = nodes;
        this.client = server.client();
        this.emulator = Emulator.start(Scenario.parse(
                "installation.yaml",
                "{listen: '127.0.0.1:0', seed: 3, ring: {nodes: " + nodes + ", reach: 3}" + more + "}"));
        this.driver = driver("driver");
        this.deviceTap = new DeviceTap(driver.port());
        this.toEmulator = Grpc.newChannelBuilderForAddress(
                        "127.0.0.1", emulator.port(), InsecureChannelCredentials.create())
                .build();
        this.chaos = ChaosServiceGrpc.newBlockingStub(toEmulator);
        this.devices = DeviceServiceGrpc.newBlockingStub(toEmulator);
        this.tap = new WriteTap(Config.fromKubeconfig(server.kubeConfigYaml()));
        this.port = quietPort();
        describe();
    }

    /**
     * Another control plane that takes itself for the original's, as a copy of it would: the UID of its namespace
     * kube-system is the same, and so are devices and driver. It has records of its own, which are none at first.
     */
    Installation(ApiServer server, Path folder, Installation original) throws IOException {
        this(
                server,
                folder,
                original,
                original.client
                        .namespaces()
                        .withName("kube-system")
                        .get()
                        .getMetadata()
                        .getUid());
        describe();
    }

    /** @param cluster UID that the operator sees of its namespace kube-system; empty: its own */
    private Installation(ApiServer server, Path folder, Installation original, String cluster) throws IOException {
        this.original = Optional.of(original);
        this.folder = folder;
        this.options = List.of();
        this.environment = Map.of();
        this.nodes = original.nodes;
        this.client = server.client();
        this.emulator = original.emulator;
        this.driver = original.driver;
        this.deviceTap = original.deviceTap;
        this.toEmulator = original.toEmulator;
        this.chaos = original.chaos;
        this.devices = original.devices;
        this.tap = new WriteTap(Config.fromKubeconfig(server.kubeConfigYaml()), cluster);
        this.port = quietPort();
    }

    /**
     * Another cluster with the original's devices, driver and nodes. Nodes have no labels yet, and there is no fabric.
     */
    public static Installation ofNewCluster(ApiServer server, Path folder, Installation original) throws IOException {
        Installation fresh = new Installation(server, folder, original, "");
        fresh.clear();
        fresh.join(false);
        return fresh;
    }

    private void describe() {
        clear();
        join(true);
        client.resource(fabric()).create();
    }

    private void clear() {
        // what other tests recorded would be light to this operator, and no operator runs that would let it go
        remove(TrainingJob.class);
        remove(FabricSlice.class);
        ApiServer.namespace(client, SYSTEM);
    }

    private <T extends HasMetadata> void remove(Class<T> type) {
        for (T left : client.resources(type).inAnyNamespace().list().getItems()) {
            client.resource(left).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
            client.resource(left).delete();
        }
    }

    private void join(boolean labelled) {
        for (int position = 0; position < nodes; position++) {
            Node node = node(position);
            if (!labelled) {
                node.getMetadata().setLabels(Map.of());
            }
            Node created = client.resource(node).create();
            // admission taints a new node as not ready, and there is no controller that would untaint it
            created.getSpec().setTaints(List.of());
            client.resource(created).update();
        }
    }

    /** No outgoing connection is given it while the operator is down: those begin at 32768. */
    public static int quietPort() throws IOException {
        for (int tries = 0; tries < 1000; tries++) {
            int port = ThreadLocalRandom.current().nextInt(12_000, 32_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException taken) {
                continue;
            }
        }
        throw new AssertionError("no port between 12000 and 32000 is free");
    }

    private static Node node(int position) {
        Map<String, Quantity> capacity = Map.of("nvidia.com/gpu", new Quantity("4"), "pods", new Quantity("110"));
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n" + position)
                .addToLabels("lightpath.dev/ring", "ring-a")
                .addToLabels("lightpath.dev/ring-position", Integer.toString(position))
                .endMetadata()
                .withNewStatus()
                .withCapacity(capacity)
                .withAllocatable(capacity)
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withReason("KubeletReady")
                .endCondition()
                .endStatus()
                .build();
    }

    /** Where the operator finds the driver. */
    public String driver() {
        return "127.0.0.1:" + deviceTap.port();
    }

    private DriverServer driver(String state) throws IOException {
        return DriverServer.start(
                DriverConfig.onLoopback(Files.createDirectories(folder.resolve(state)), "127.0.0.1:" + emulator.port()),
                environment);
    }

    /** Ends the driver and starts another in its place, at the same address: with its memory, or with none. */
    void replaceDriver(boolean empty) {
        try {
            driver.close();
            drivers += empty ? 1 : 0;
            driver = driver(drivers == 0 ? "driver" : "driver-" + drivers);
            deviceTap.leadTo(driver.port());
        } catch (IOException e) {
            throw new AssertionError("the driver cannot be started", e);
        }
    }

    /** Where modules of a node are reached by CMIS, if the scenario has that. */
    int bus(String node) {
        return emulator.cmis(node).port();
    }

    /** Of all selectors so far. */
    long moves() {
        return emulator.movesBegun();
    }

    public String emulator() {
        return "127.0.0.1:" + emulator.port();
    }

    private OpticalFabric fabric() {
        return RingManifest.of("ring-a", "lightpath.dev/ring", 3, nodes, "127.0.0.1:" + deviceTap.port());
    }

    /** Starts the operator unless it runs. */
    public synchronized void start() {
        if (operator.filter(Process::isAlive).isPresent()) {
            return;
        }
        operator = Optional.of(launch(port));
    }

    private Process launch(int at) {
        assertThat(JAR)
                .as("the packaged operator; ./mvnw verify builds it first")
                .exists();
        try {
            // an agent makes the archive useless, and the JVM would say so among the lines of the operator
            return launch(at, List.of("-XX:AOTCache=" + SharedClasses.of(JAR), "-Xlog:disable"));
        } catch (IOException e) {
            throw new AssertionError("the operator cannot be started", e);
        }
    }

    /**
     * An operator of its own leads, plans and places a job, and ends: what it needed for that is in the archive then.
     *
     * @param folder that is empty
     */
    static void learn(Path archive, Path folder) throws IOException {
        try (ApiServer server = ApiServer.startWithResources();
                Installation all = new Installation(server, folder, 8)) {
            Process learning = all.launch(all.port, List.of("-XX:AOTCacheOutput=" + archive));
            all.operator = Optional.of(learning);
            all.apply("job", "{model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a}}");
            all.awaitReady("job");
            learning.destroy();
            assertThat(learning.waitFor(PATIENCE)).as("it ends").isTrue();
            assertThat(archive).as("made at the end: " + all.said()).exists();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the archive of classes was made", e);
        }
    }

    private Process launch(int at, List<String> archive) throws IOException {
        Path config = Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: tap, cluster: {server: "%s"}}]
                users: [{name: operator, user: {}}]
                contexts: [{name: tap, context: {cluster: tap, user: operator, namespace: %s}}]
                current-context: tap
                """.formatted(tap.url(), SYSTEM));
        String java = ProcessHandle.current().info().command().orElse("java");
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(JVM);
        command.addAll(archive);
        command.addAll(List.of("-Dquarkus.http.host=127.0.0.1", "-Dquarkus.http.port=" + at));
        command.addAll(options);
        command.addAll(List.of("-jar", JAR.toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("KUBECONFIG", config.toString());
        builder.environment().put("POD_NAMESPACE", SYSTEM);
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log()));
        return builder.start();
    }

    /**
     * Starts another operator beside the one that runs, at an address of its own. The older one is the caller's from
     * now on; {@link #close} ends it if the caller did not.
     *
     * @param first is told the older one before the other is started
     */
    synchronized Process outlive(Consumer<Process> first) throws IOException {
        Process older = operator.orElseThrow();
        outlived.add(older);
        first.accept(older);
        operator = Optional.of(launch(quietPort()));
        return older;
    }

    /** Of the operator's process that was started last. */
    synchronized long pid() {
        return operator.orElseThrow().pid();
    }

    private File log() {
        return folder.resolve("operator.log").toFile();
    }

    /** As a kill -9 does; the Lease, which would run out in 15 s, is taken away too. */
    public synchronized void kill() {
        operator.ifPresent(process -> {
            process.destroyForcibly();
            try {
                process.waitFor(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        operator = Optional.empty();
        // the dead one's, which would count as running until they have something to tell
        tap.endWatches();
        client.leases().inNamespace(SYSTEM).withName("lightpath-operator").delete();
    }

    /** Whether somebody holds the Lease, which {@link #kill} takes away. */
    boolean isLed() {
        return client.leases()
                        .inNamespace(SYSTEM)
                        .withName("lightpath-operator")
                        .get()
                != null;
    }

    public String url(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    /** Of a ServiceAccount, which is made. */
    String token(String namespace, String name) {
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .build())
                .serverSideApply();
        return client.serviceAccounts()
                .inNamespace(namespace)
                .withName(name)
                .tokenRequest(new TokenRequest())
                .getStatus()
                .getToken();
    }

    /** Until the assertion holds; an operator that was killed meanwhile is started again. */
    public void eventually(String what, ThrowingRunnable assertion) {
        eventually(what, PATIENCE, assertion);
    }

    void eventually(String what, Duration patience, ThrowingRunnable assertion) {
        try {
            await(what)
                    .atMost(patience)
                    // at once at first; what takes seconds is not worth a look at the whole cluster twenty times in
                    // each
                    .pollInterval((looks, before) -> Duration.ofMillis(Math.min(50L * looks, 250)))
                    .pollInSameThread()
                    .ignoreExceptions()
                    .untilAsserted(() -> {
                        start();
                        assertion.run();
                    });
        } catch (Throwable e) {
            System.err.println(what + ": the operator said\n" + said());
            throw e;
        }
    }

    private String said() {
        try {
            String all = Files.readString(log().toPath());
            return all.substring(Math.max(0, all.length() - 4000));
        } catch (IOException e) {
            return e.toString();
        }
    }

    public TrainingJob apply(String name, String spec) {
        return client.resource(
                        client.getKubernetesSerialization().unmarshal("""
                        apiVersion: lightpath.dev/v1alpha1
                        kind: TrainingJob
                        metadata: {name: %s, namespace: default}
                        spec: %s
                        """.formatted(name, spec), TrainingJob.class))
                .create();
    }

    TrainingJob job(String name) {
        return client.resources(TrainingJob.class)
                .inNamespace("default")
                .withName(name)
                .get();
    }

    public List<FabricSlice> slices() {
        return client.resources(FabricSlice.class).inNamespace("default").list().getItems();
    }

    /** Status and reason of a condition of a job, empty before there is one. */
    public String says(String job, String type) {
        TrainingJob read = job(job);
        if (read == null || read.getStatus() == null) {
            return "";
        }
        return read.getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .map(Installation::word)
                .findFirst()
                .orElse("");
    }

    private static String word(Condition condition) {
        return condition.getStatus() + " " + condition.getReason();
    }

    public void awaitReady(String job) {
        eventually(job + " is Ready", () -> assertThat(says(job, "Ready")).isEqualTo("True Satisfied"));
    }

    /** The emulated hardware does what the records say. */
    public void assertLightAsRecorded() {
        assertThat(RingTruth.measured(chaos)).isEqualTo(RingTruth.recorded(nodes, slices()));
    }

    public void mark(String node, Map<String, String> annotations) {
        annotate(node, Serialization.asJson(annotations));
    }

    public void heal(String node) {
        annotate(node, "{\"lightpath.dev/faulty\":null}");
    }

    /** The operator writes Nodes too, so no version of the Node is named. */
    private void annotate(String node, String annotations) {
        client.nodes()
                .withName(node)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"annotations\":" + annotations + "}}");
    }

    void delete(String job) {
        client.resources(TrainingJob.class).inNamespace("default").withName(job).delete();
    }

    void awaitNothingLeft() {
        eventually("nothing is left", this::assertNothingLeft);
    }

    void assertNothingLeft() {
        assertThat(client.resources(TrainingJob.class)
                        .inNamespace("default")
                        .list()
                        .getItems())
                .isEmpty();
        assertThat(slices()).isEmpty();
        assertLightAsRecorded();
    }

    private synchronized void end() {
        outlived.forEach(Process::destroyForcibly);
        kill();
    }

    @Override
    public void close() throws IOException {
        tap.listen(WriteTap.SILENT);
        deviceTap.listen(WriteTap.SILENT);
        end();
        client.nodes().delete();
        client.resources(OpticalFabric.class).delete();
        tap.close();
        if (original.isPresent()) {
            client.close();
            return;
        }
        deviceTap.close();
        driver.close();
        toEmulator.shutdownNow();
        emulator.close();
        client.close();
    }
}
