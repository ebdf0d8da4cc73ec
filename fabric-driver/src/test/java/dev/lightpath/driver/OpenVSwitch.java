package dev.lightpath.driver;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * Open vSwitch with its dummy datapath, as one switch of 8x8 ports that connects to a controller: a frame that goes in
 * at one port comes out at the other.
 */
final class OpenVSwitch implements ServerFaults.Own, AutoCloseable {
    static final long DATAPATH = 0xa1;
    static final String SIZE = "8x8";
    private static final int PORTS = 16;
    private static final Path SERVER = Path.of("/usr/sbin/ovsdb-server");
    private static final Path SWITCH = Path.of("/usr/sbin/ovs-vswitchd");
    private static final Pattern FLOW = Pattern.compile("in_port=\"?p?(\\d+)\"? actions=output:\"?p?(\\d+)\"?");

    private final Path folder;
    private final String scheme;
    private final Process database;
    private final List<String> gone = new ArrayList<>();
    private volatile Process process;
    private final int port;
    private final Semaphore lost = new Semaphore(0);
    private final List<CutProxy> ways;
    private volatile int turn;
    private volatile boolean closed;

    /** How it shows itself to the driver, and whom it trusts: PEM files. */
    record Tls(Path key, Path certificate, Path ca) {}

    /** @param versions as Open vSwitch names them: OpenFlow13,OpenFlow14 */
    OpenVSwitch(Path folder, String versions) throws Exception {
        this(folder, versions, Optional.empty());
    }

    /** @param tls empty: plaintext */
    OpenVSwitch(Path folder, String versions, Optional<Tls> tls) throws Exception {
        if (!Files.isExecutable(SERVER) || !Files.isExecutable(SWITCH)) {
            abort("not judged: Open vSwitch, because " + SWITCH
                    + " is not there; Debian has it as package openvswitch-switch");
        }
        this.folder = Files.createDirectories(folder);
        scheme = tls.isPresent() ? "ssl" : "tcp";
        port = QuietPort.find();
        run("ovsdb-tool", "create", folder + "/conf.db", "/usr/share/openvswitch/vswitch.ovsschema");
        database = start(
                SERVER.toString(),
                folder + "/conf.db",
                "--remote=punix:" + folder + "/db.sock",
                "--unixctl=" + folder + "/db.ctl");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(folder.resolve("db.sock")));
        vsctl("--no-wait", "init");
        if (tls.isPresent()) {
            Tls files = tls.get();
            vsctl(
                    "--no-wait",
                    "set-ssl",
                    files.key().toString(),
                    files.certificate().toString(),
                    files.ca().toString());
        }
        process = startSwitch();
        List<String> bridge = new ArrayList<>(List.of(
                "add-br",
                "ocs",
                "--",
                "set",
                "bridge",
                "ocs",
                "datapath_type=dummy",
                "fail_mode=secure",
                "protocols=" + versions,
                "other-config:datapath-id=%016x".formatted(DATAPATH)));
        for (int number = 1; number <= PORTS; number++) {
            bridge.add("--");
            bridge.addAll(port(Integer.toString(number)));
        }
        vsctl(bridge.toArray(String[]::new));
        // a way that always takes its connection, and waits for the driver
        ways = List.of(new CutProxy(port, lost::release), new CutProxy(port, lost::release));
        connect();
        Thread.ofVirtual().start(this::connectAgain);
    }

    private Process startSwitch() throws IOException {
        return start(
                SWITCH.toString(),
                "unix:" + folder + "/db.sock",
                "--enable-dummy=override",
                "--disable-system",
                "--unixctl=" + folder + "/vswitchd.ctl");
    }

    private static List<String> port(String number) {
        return List.of(
                "add-port",
                "ocs",
                "p" + number,
                "--",
                "set",
                "interface",
                "p" + number,
                "type=dummy",
                "ofport_request=" + number);
    }

    /** Kills it and starts it again: the database keeps its ports, and its flows are lost. */
    void restart() throws IOException, InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        process = startSwitch();
    }

    @Override
    public Process process() {
        return process;
    }

    @Override
    public List<CutProxy> ways() {
        return ways;
    }

    @Override
    public void inject(Fault fault) throws IOException, InterruptedException {
        switch (fault) {
            case Fault.ForeignCircuit(CircuitKey circuit) -> {
                var unused = ofctl(
                        "add-flow",
                        "priority=7,in_port=" + circuit.getIngress() + ",actions=output:" + circuit.getEgress());
            }
            case Fault.DeadElement(var port) -> {
                var unused = vsctl("del-port", "ocs", "p" + port);
                gone.add(port);
            }
            case Fault.PowerCycle() -> throw ServerFaults.untold(fault);
            case Fault.Replacement() -> throw ServerFaults.untold(fault);
            case Fault.StuckElement unused -> throw ServerFaults.unknown(fault);
            case Fault.WeakerLight unused -> throw ServerFaults.unknown(fault);
            case Fault.Attenuated unused -> throw ServerFaults.unknown(fault);
            case Fault.Temperature unused -> throw ServerFaults.unknown(fault);
            case Fault.Silence unused -> throw new IllegalArgumentException("of the process: " + fault);
            case Fault.SlowMoves unused -> throw new IllegalArgumentException("of the process: " + fault);
        }
    }

    @Override
    public void mend() throws IOException, InterruptedException {
        for (String port : gone) {
            var unused = vsctl(port(port).toArray(String[]::new));
        }
        gone.clear();
    }

    private void connect() throws IOException, InterruptedException {
        // it may be stopped
        vsctl(
                "--no-wait",
                "set-controller",
                "ocs",
                scheme + ":127.0.0.1:" + way().port(),
                "--",
                "set",
                "controller",
                "ocs",
                "connection_mode=out-of-band");
    }

    /**
     * By itself it waits up to eight seconds, whatever its settings say. A controller of another address is tried at
     * once; without any in between it would forget its flows.
     */
    private void connectAgain() {
        try {
            while (!closed) {
                lost.acquire();
                lost.drainPermits();
                turn = turn + 1;
                connect();
                // the end of the connection that was given up is no news
                Thread.sleep(100);
                lost.drainPermits();
            }
        } catch (InterruptedException | IOException | AssertionError over) {
            // it was stopped
        }
    }

    /** Between it and the driver. */
    CutProxy way() {
        return ways.get(turn % ways.size());
    }

    /** How often a connection was cut, on whichever way it was: the switch takes the other one after each cut. */
    long cuts() {
        return ways.stream().mapToLong(CutProxy::cuts).sum();
    }

    /** At which the driver has to listen. */
    int port() {
        return port;
    }

    private Process start(String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("ovs.log").toFile()));
        environment(builder);
        return builder.start();
    }

    private void environment(ProcessBuilder builder) {
        for (String name : List.of("OVS_RUNDIR", "OVS_LOGDIR", "OVS_DBDIR", "OVS_SYSCONFDIR")) {
            builder.environment().put(name, folder.toString());
        }
    }

    String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        environment(builder);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new AssertionError(String.join(" ", command) + ": " + said);
        }
        return said;
    }

    String vsctl(String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("ovs-vsctl", "--timeout=20", "--db=unix:" + folder + "/db.sock"));
        all.addAll(List.of(command));
        return run(all.toArray(String[]::new));
    }

    /** What somebody else does at the switch, past the driver. */
    String ofctl(String command, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(
                List.of("ovs-ofctl", "-O", "OpenFlow13", "--no-stats", command, "unix:" + folder + "/ocs.mgmt"));
        all.addAll(List.of(arguments));
        return run(all.toArray(String[]::new));
    }

    /** What another controller does that claims the switch; it rules until it is closed. */
    SocketChannel anotherMaster() throws IOException {
        SocketChannel other = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("ocs.mgmt")));
        ByteBuffer claim = ByteBuffer.allocate(32)
                // a hello of OpenFlow 1.4
                .putInt(0x0500_0008)
                .putInt(1)
                // a request for the role of the master
                .putInt(0x0518_0018)
                .putInt(2)
                .putInt(2)
                .putInt(0)
                .putLong(1000)
                .flip();
        while (claim.hasRemaining()) {
            var unused = other.write(claim);
        }
        return other;
    }

    /** The circuits by another program's reading, as "1->9". */
    List<String> light() {
        try {
            return ofctl("dump-flows")
                    .lines()
                    .map(FLOW::matcher)
                    .filter(Matcher::find)
                    .map(found -> found.group(1) + "->" + found.group(2))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Sends a frame into a port. */
    void shine(int ingress) throws IOException, InterruptedException {
        run(
                "ovs-appctl",
                "-t",
                folder + "/vswitchd.ctl",
                "netdev-dummy/receive",
                "p" + ingress,
                "in_port(" + ingress + "),eth(src=50:54:00:00:00:05,dst=50:54:00:00:00:07),eth_type(0x0800),"
                        + "ipv4(src=10.0.0.1,dst=10.0.0.2,proto=1,tos=0,ttl=64,frag=no),icmp(type=8,code=0)");
    }

    /** Frames that came out of a port. */
    long seen(int egress) throws IOException, InterruptedException {
        Matcher sent = Pattern.compile("tx pkts=(\\d+)").matcher(ofctl("dump-ports", Integer.toString(egress)));
        if (!sent.find()) {
            throw new AssertionError("no statistics of port " + egress);
        }
        return Long.parseLong(sent.group(1));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        closed = true;
        for (CutProxy way : ways) {
            way.close();
        }
        for (Process each : List.of(process, database)) {
            each.destroyForcibly();
            each.waitFor();
        }
    }
}
