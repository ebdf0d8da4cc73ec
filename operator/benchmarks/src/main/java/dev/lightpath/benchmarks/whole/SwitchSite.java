package dev.lightpath.benchmarks.whole;

import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A driver as a process of its own before emulated switches whose mirrors need no time. Between the driver and the
 * first switch is a {@link Tap}.
 */
final class SwitchSite implements AutoCloseable {
    /** Of each switch; half of them are ingress. */
    static final int PORTS = 256;

    static final String FIRST = "ocs-0";
    private static final String PASSWORD = "benchmark";

    /** What switches are managed by. */
    enum Protocol {
        NETCONF("netconf-polatis", "netconf", ""),
        TL1("tl1", "tl1", ""),
        CALIENT("tl1", "tl1", ", dialect: calient"),
        GNMI("gnmi-sonic-ocs", "gnmi", ""),
        OPENFLOW("openflow", "openflow", "");

        private final String kind;
        private final String section;
        private final String more;

        /**
         * @param kind of the adapter in driver.yaml
         * @param section of the scenario
         * @param more fields of a device, in both
         */
        Protocol(String kind, String section, String more) {
            this.kind = kind;
            this.section = section;
            this.more = more;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private int port(Emulator emulator, String name) {
            return switch (this) {
                case NETCONF -> emulator.netconf(name).port();
                case TL1, CALIENT -> emulator.tl1(name).port();
                case GNMI -> emulator.gnmi(name).port();
                case OPENFLOW -> throw new IllegalStateException("such switches connect by themselves");
            };
        }

        /** The n-th ingress, from 1, as the driver names it. */
        String ingress(int number) {
            return switch (this) {
                case NETCONF, TL1, OPENFLOW -> "" + number;
                case CALIENT -> fibre(number);
                case GNMI -> number + "A";
            };
        }

        String egress(int number) {
            return switch (this) {
                case NETCONF, TL1, OPENFLOW -> "" + (PORTS / 2 + number);
                case CALIENT -> fibre(number);
                case GNMI -> number + "B";
            };
        }

        private static String fibre(int number) {
            return "1." + ((number - 1) / 8 + 1) + "." + ((number - 1) % 8 + 1);
        }
    }

    private final Protocol protocol;
    private final Emulator emulator;
    private final Tap tap;
    private final Program driver;
    private final ManagedChannel channel;

    /** Starts all and waits until the driver has each switch. */
    SwitchSite(Path root, Protocol protocol, int devices) throws IOException {
        this.protocol = protocol;
        List<String> names =
                IntStream.range(0, devices).mapToObj(i -> "ocs-" + i).toList();
        Path folder = Files.createTempDirectory("lightpath-switches");
        Files.writeString(folder.resolve("password"), PASSWORD);
        boolean connects = protocol == Protocol.OPENFLOW;
        int controller = connects ? freePort() : 0;
        if (connects) {
            tap = new Tap(controller, true);
            emulator = Emulator.start(Scenario.parse("switches.yaml", scenario(names, controller)));
        } else {
            emulator = Emulator.start(Scenario.parse("switches.yaml", scenario(names, 0)));
            tap = new Tap(protocol.port(emulator, FIRST), false);
        }
        int port = freePort();
        Path config = Files.writeString(
                folder.resolve("driver.yaml"),
                "listen: 127.0.0.1:" + port + "\nhttp: 127.0.0.1:0\nstateDirectory: \"" + folder.resolve("state")
                        + "\"\nadapters:\n  - kind: " + protocol.kind + "\n"
                        + (connects ? "    listen: 127.0.0.1:" + controller + "\n" : "") + "    devices:\n"
                        + names.stream().map(this::device).collect(Collectors.joining()));
        channel = Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create())
                .build();
        long began = System.nanoTime();
        driver = Program.start("driver", folder, Map.of(), command(root, config));
        Patience.until(devices + " devices are present", 120, () -> {
            driver.assertAlive();
            return present(devices) == devices;
        });
        System.out.printf(
                Locale.ROOT,
                "%s, %d devices: all present after %.1f s%n",
                protocol.word(),
                devices,
                (System.nanoTime() - began) / 1e9);
    }

    private String scenario(List<String> names, int controller) {
        return "listen: 127.0.0.1:0\npresets:\n  quick: {extends: mems, moveMillis: [0, 0], parallel: true}\ndevices:\n"
                + "  - {id: ocs-, count: " + names.size() + ", kind: switch, preset: quick, twoSided: true, ports: "
                + PORTS + "}\n  - {id: host, kind: endpoints, ports: 1}\nfibres:\n  - {from: host/1, to: " + FIRST
                + "/1}\n" + protocol.section + ":\n"
                + names.stream()
                        .map(name -> "  - {device: " + name + ", " + front(name, controller) + "}\n")
                        .collect(Collectors.joining());
    }

    private String front(String name, int controller) {
        return protocol == Protocol.OPENFLOW
                ? "controller: \"127.0.0.1:" + (name.equals(FIRST) ? tap.port() : controller) + "\", datapath: "
                        + datapath(name)
                : "listen: \"127.0.0.1:0\", user: admin, password: " + PASSWORD + protocol.more;
    }

    private static String datapath(String name) {
        return "\"%016x\"".formatted(Integer.parseInt(name.substring(name.indexOf('-') + 1)) + 1);
    }

    private String device(String name) {
        if (protocol == Protocol.OPENFLOW) {
            return "      - {id: " + name + ", datapath: " + datapath(name) + ", size: " + PORTS / 2 + "x" + PORTS / 2
                    + "}\n";
        }
        int port = name.equals(FIRST) ? tap.port() : protocol.port(emulator, name);
        String key = protocol == Protocol.NETCONF
                ? ", hostKey: \"" + emulator.netconf(name).hostKey() + "\""
                : "";
        return "      - {id: " + name + ", user: admin, passwordFile: password, endpoint: \"127.0.0.1:" + port + "\""
                + key + protocol.more + "}\n";
    }

    private static List<String> command(Path root, Path config) {
        List<String> command =
                new ArrayList<>(List.of(Operator.java(), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(
                List.of(System.getenv().getOrDefault("DRIVER_OPTIONS", "").split(" ")));
        command.removeIf(String::isEmpty);
        command.addAll(List.of(
                "-jar",
                root.resolve("fabric-driver/target/lightpath-fabric-driver.jar").toString(),
                "--config",
                config.toString()));
        return command;
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private long present(int devices) {
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

    Protocol protocol() {
        return protocol;
    }

    Tap tap() {
        return tap;
    }

    Program driver() {
        return driver;
    }

    /** To the driver. */
    ManagedChannel channel() {
        return channel;
    }

    /** Of the emulator's own interface. */
    int emulatorPort() {
        return emulator.port();
    }

    @Override
    public void close() throws IOException {
        channel.shutdownNow();
        driver.close();
        tap.close();
        emulator.close();
    }
}
