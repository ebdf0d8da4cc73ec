package dev.lightpath.benchmarks.whole;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A driver as a process of its own before emulated switches whose mirrors need no time. Told are the time of a change as
 * its caller sees it, and how much of that the driver did not wait for the device.
 * {@code operator/benchmarks/switches PROTOCOL DEVICES ROUNDS}.
 */
public final class SwitchChanges {
    private static final int PORTS = 256;
    private static final int CIRCUITS = 64;
    private static final int WARM_UP = 50;
    private static final String FIRST = "ocs-0";
    private static final String PASSWORD = "benchmark";

    private final String protocol;
    private final int devices;

    private SwitchChanges(String protocol, int devices) {
        this.protocol = protocol;
        this.devices = devices;
    }

    /** @param arguments root of the checkout, netconf or tl1, how many devices, how many rounds */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("lightpath-switches");
        SwitchChanges trial = new SwitchChanges(arguments[1], Integer.parseInt(arguments[2]));
        try (Emulator emulator = Emulator.start(Scenario.parse("switches.yaml", trial.scenario()));
                Tap tap = new Tap(trial.port(emulator, FIRST))) {
            trial.measure(emulator, tap, Path.of(arguments[0]), folder, Integer.parseInt(arguments[3]));
        }
    }

    /** As the caller sees it, and without what the driver waited for the device. */
    private record Times(Samples whole, Samples own) {
        Times() {
            this(new Samples(), new Samples());
        }

        void add(long took, long waited) {
            whole.addNanos(took);
            own.addNanos(Math.max(0, took - waited));
        }

        @Override
        public String toString() {
            return whole + "; without the device " + own;
        }
    }

    private List<String> names() {
        return IntStream.range(0, devices).mapToObj(i -> "ocs-" + i).toList();
    }

    private String scenario() {
        return "listen: 127.0.0.1:0\npresets:\n  quick: {extends: mems, moveMillis: [0, 0], parallel: true}\ndevices:\n"
                + "  - {id: ocs-, count: " + devices + ", kind: switch, preset: quick, twoSided: true, ports: " + PORTS
                + "}\n" + protocol + ":\n"
                + names().stream()
                        .map(name -> "  - {device: " + name + ", listen: \"127.0.0.1:0\", user: admin, password: "
                                + PASSWORD + "}\n")
                        .collect(Collectors.joining());
    }

    private int port(Emulator emulator, String name) {
        return switch (protocol) {
            case "netconf" -> emulator.netconf(name).port();
            case "tl1" -> emulator.tl1(name).port();
            default -> throw new IllegalArgumentException(protocol + ": allowed are netconf, tl1");
        };
    }

    private String device(Emulator emulator, String name, Tap first) {
        int port = name.equals(FIRST) ? first.port() : port(emulator, name);
        String key = protocol.equals("netconf")
                ? ", hostKey: \"" + emulator.netconf(name).hostKey() + "\""
                : "";
        return "      - {id: " + name + ", user: admin, passwordFile: password, endpoint: \"127.0.0.1:" + port + "\""
                + key + "}\n";
    }

    private void measure(Emulator emulator, Tap tap, Path root, Path folder, int rounds) throws IOException {
        Files.writeString(folder.resolve("password"), PASSWORD);
        int port = freePort();
        String kind = protocol.equals("netconf") ? "netconf-polatis" : protocol;
        Path config = Files.writeString(
                folder.resolve("driver.yaml"),
                "listen: 127.0.0.1:" + port + "\nhttp: 127.0.0.1:0\nstateDirectory: \"" + folder.resolve("state")
                        + "\"\nadapters:\n  - kind: " + kind + "\n    devices:\n"
                        + names().stream()
                                .map(name -> device(emulator, name, tap))
                                .collect(Collectors.joining()));
        ManagedChannel channel = Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create())
                .build();
        try (Program driver = Program.start("driver", folder, Map.of(), command(root, config))) {
            long began = System.nanoTime();
            Patience.until(devices + " devices are present", 120, () -> {
                driver.assertAlive();
                return present(channel) == devices;
            });
            System.out.printf(
                    Locale.ROOT,
                    "%s, %d devices: all present after %.1f s%n",
                    protocol,
                    devices,
                    (System.nanoTime() - began) / 1e9);
            CircuitServiceBlockingStub circuits = CircuitServiceGrpc.newBlockingStub(channel);
            Times made = new Times();
            Times broken = new Times();
            for (int round = -WARM_UP; round < rounds; round++) {
                for (boolean make : new boolean[] {true, false}) {
                    long waited = tap.waitedNanos();
                    long took = nanos(circuits, (make ? "make" : "break") + round, make);
                    if (round >= 0) {
                        (make ? made : broken).add(took, tap.waitedNanos() - waited);
                    }
                }
            }
            System.out.println("  " + CIRCUITS + " circuits made in " + made);
            System.out.println("  " + CIRCUITS + " circuits broken in " + broken);
            System.out.println("  driver: largest resident memory " + driver.peakResidentMib() + " MiB");
        } finally {
            channel.shutdownNow();
        }
    }

    private static List<String> command(Path root, Path config) {
        return List.of(
                Operator.java(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                root.resolve("fabric-driver/target/lightpath-fabric-driver.jar").toString(),
                "--config",
                config.toString());
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private long present(ManagedChannel channel) {
        try {
            return InventoryServiceGrpc.newBlockingStub(channel)
                    .listDevices(
                            ListDevicesRequest.newBuilder().setPageSize(devices).build())
                    .getDevicesList()
                    .stream()
                    .filter(device -> device.getAvailability() == Availability.AVAILABILITY_PRESENT)
                    .count();
        } catch (StatusRuntimeException starting) {
            return 0;
        }
    }

    private static long nanos(CircuitServiceBlockingStub circuits, String operation, boolean make) {
        ApplyCircuitsRequest.Builder request = ApplyCircuitsRequest.newBuilder()
                .setDeviceId(FIRST)
                .setFencing(
                        Fencing.newBuilder().setRole("benchmark").setEpoch(1).setHolder("benchmark"))
                .setOperationId(operation)
                .setScope(Scope.newBuilder().setAllPorts(true));
        for (int i = 1; i <= CIRCUITS; i++) {
            CircuitKey circuit = CircuitKey.newBuilder()
                    .setIngress("" + i)
                    .setEgress("" + (PORTS / 2 + i))
                    .build();
            if (make) {
                request.addConnects(circuit);
            } else {
                request.addDisconnects(circuit);
            }
        }
        ApplyCircuitsRequest ready = request.build();
        long began = System.nanoTime();
        Operation done = circuits.withDeadlineAfter(60, TimeUnit.SECONDS)
                .applyCircuits(ready)
                .getOperation();
        long took = System.nanoTime() - began;
        if (done.getOutcome() != Outcome.OUTCOME_APPLIED) {
            throw new IllegalStateException(operation + " ended as " + done);
        }
        return took;
    }
}
