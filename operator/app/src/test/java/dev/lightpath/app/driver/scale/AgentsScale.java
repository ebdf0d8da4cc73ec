package dev.lightpath.app.driver.scale;

import static java.util.Objects.requireNonNull;

import dev.lightpath.app.driver.DriverFleet;
import dev.lightpath.app.driver.FleetChange;
import dev.lightpath.app.driver.FleetListener;
import dev.lightpath.app.driver.FleetTimings;
import dev.lightpath.app.driver.Reading;
import dev.lightpath.app.driver.TestIdentity;
import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.app.driver.endpoint.TlsMaterial;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.StageId;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Measures the operator's fleet against the agents of many nodes: {@code operator/benchmarks/agents}. */
final class AgentsScale {
    private static final String TEMPLATE = "{address}:9440";
    /** For which the certificate of all agents is, as one is in a cluster. */
    private static final String NAME = "localhost";

    private static final int EVENTS = 500;
    private static final long LONGEST_NANOS = Duration.ofMinutes(10).toNanos();

    private AgentsScale() {}

    /** Keeps when it heard of each node's circuits first. */
    private static final class Ear implements FleetListener {
        private final Map<String, Long> heard = new ConcurrentHashMap<>();

        @Override
        public void changed(FleetChange change) {
            if (change.kind() == FleetChange.Kind.CIRCUITS) {
                change.device().ifPresent(node -> heard.putIfAbsent(node, System.nanoTime()));
            }
        }

        @Override
        public void answered(StageId stage, DeviceId device, ChangeOutcome outcome, Duration elapsed) {}

        @Override
        public void observed(Reading reading) {}
    }

    private static DriverState state(DriverFleet fleet) {
        return requireNonNull(fleet.states().get(TEMPLATE));
    }

    private static long present(DriverFleet fleet) {
        return state(fleet).devices().values().stream()
                .filter(device -> device.present() && device.inventory().isPresent())
                .count();
    }

    private static void await(DriverFleet fleet, int nodes) throws InterruptedException {
        long end = System.nanoTime() + LONGEST_NANOS;
        while (present(fleet) < nodes) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(present(fleet) + " of " + nodes + " agents answer: "
                        + state(fleet).problem().orElse(""));
            }
            Thread.sleep(20);
        }
    }

    private static long heapMiB() throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            System.gc();
            Thread.sleep(200);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }

    private static long residentMiB() throws java.io.IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")) >> 10)
                .findFirst()
                .orElseThrow();
    }

    private static int sockets() {
        File[] descriptors = requireNonNull(new File("/proc/self/fd").listFiles());
        return descriptors.length;
    }

    private static String millis(long nanos) {
        return String.format("%.1f ms", nanos / 1e6);
    }

    /** @param arguments how many nodes, and where a certificate for mutual TLS may be made; without that: plaintext */
    public static void main(String[] arguments) throws Exception {
        int nodes = Integer.parseInt(arguments[0]);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-cp",
                System.getProperty("java.class.path"),
                AgentServers.class.getName()));
        Optional<TlsMaterial> tls = Optional.empty();
        if (arguments.length > 1) {
            Path folder = Path.of(arguments[1]);
            TestIdentity both = TestIdentity.make(folder, NAME);
            command.add(Files.writeString(folder.resolve("tls.crt"), both.certificate())
                    .toString());
            command.add(Files.writeString(folder.resolve("tls.key"), both.privateKey())
                    .toString());
            tls = Optional.of(new TlsMaterial("benchmark", both.certificate(), both.certificate(), both.privateKey())
                    .named(Optional.of(NAME)));
        }
        Process agents = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            BufferedReader said =
                    new BufferedReader(new InputStreamReader(agents.getInputStream(), StandardCharsets.US_ASCII));
            int port = Integer.parseInt(said.readLine());
            measure(nodes, port, tls, agents.getOutputStream());
        } finally {
            agents.destroy();
        }
        System.exit(0);
    }

    private static void measure(int nodes, int port, Optional<TlsMaterial> tls, OutputStream commands)
            throws Exception {
        Ear ear = new Ear();
        long heapBefore = heapMiB();
        int socketsBefore = sockets();
        try (DriverFleet fleet =
                new DriverFleet(() -> 1, FleetTimings.standard(), InstantSource.system(), new Random(1))) {
            fleet.listen(ear);
            List<DriverEndpoint> endpoints = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                endpoints.add(DriverEndpoint.agent(
                        TEMPLATE, "n" + node, AgentServers.address(node) + ":" + port, "cluster/ring", tls));
            }
            long began = System.nanoTime();
            fleet.connect(endpoints);
            System.out.println("opened:              " + millis(System.nanoTime() - began));
            await(fleet, nodes);
            System.out.println("all synced after:    " + millis(System.nanoTime() - began));
            System.out.println("connections:         " + (sockets() - socketsBefore));
            System.out.println("platform threads:    "
                    + ManagementFactory.getThreadMXBean().getThreadCount());
            System.out.println("heap:                " + (heapMiB() - heapBefore) + " MiB more than before, "
                    + residentMiB() + " MiB resident in all");
            long looks = System.nanoTime();
            for (int look = 0; look < 100; look++) {
                var unused = fleet.states();
            }
            System.out.println("a look without news: " + millis((System.nanoTime() - looks) / 100));
            cpu();
            events(fleet, ear, nodes, commands);
        }
    }

    private static void cpu() throws InterruptedException {
        var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = process.getProcessCpuTime();
        Thread.sleep(20_000);
        System.out.printf("CPU at rest:         %.1f %% of a core%n", (process.getProcessCpuTime() - before) / 2e8);
    }

    private static void events(DriverFleet fleet, Ear ear, int nodes, OutputStream commands) throws Exception {
        ear.heard.clear();
        Random chance = new Random(2);
        int events = Math.min(EVENTS, nodes);
        List<Integer> chosen = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            chosen.add(node);
        }
        Collections.shuffle(chosen, chance);
        for (int node : chosen.subList(0, events)) {
            commands.write((node + "\n").getBytes(StandardCharsets.US_ASCII));
            commands.flush();
            Thread.sleep(5);
        }
        long end = System.nanoTime() + LONGEST_NANOS;
        while (ear.heard.size() < events && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        Map<String, DeviceState> devices = state(fleet).devices();
        List<Long> took = new ArrayList<>();
        ear.heard.forEach((node, at) ->
                took.add(at - Long.parseLong(requireNonNull(devices.get(node)).digest())));
        Collections.sort(took);
        System.out.println("event to listener:   " + millis(took.get(took.size() / 2)) + " median, "
                + millis(took.get(took.size() * 99 / 100)) + " p99 of " + took.size());
    }
}
