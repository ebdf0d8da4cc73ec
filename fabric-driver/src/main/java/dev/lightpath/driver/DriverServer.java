package dev.lightpath.driver;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.cmis.NodeSession;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.ConfigException;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.driver.config.DriverConfigReader;
import dev.lightpath.driver.deviceapi.DeviceApiAdapter;
import dev.lightpath.driver.emulator.EmulatorAdapter;
import dev.lightpath.driver.gnmi.OcsSwitch;
import dev.lightpath.driver.journal.StateInUseException;
import dev.lightpath.driver.netconf.PolatisSession;
import dev.lightpath.driver.openflow.OpenFlowSwitch;
import dev.lightpath.driver.server.RunningDriver;
import dev.lightpath.driver.tl1.Tl1Switch;
import dev.lightpath.tracing.JsonLines;
import dev.lightpath.tracing.Tracing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The driver server, as a process or inside a test. */
public final class DriverServer implements AutoCloseable {
    private static final String USAGE = "usage: java -jar lightpath-fabric-driver.jar --config driver.yaml";

    /** Variable of the environment: "true" for lines of JSON. */
    private static final String LOG_JSON = "LIGHTPATH_LOG_JSON";

    /** The startup probe of the pod waits a little longer. */
    private static final Duration PREDECESSOR_ENDS = Duration.ofSeconds(90);

    private static final Logger LOG = Logger.getLogger(DriverServer.class.getName());
    private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded.io.netty");
    private static final Logger STREAMS = Logger.getLogger("io.grpc.internal.AbstractClientStream");
    private static final Logger SSHD = Logger.getLogger("org.apache.sshd");

    private final RunningDriver running;
    private final Optional<ConfigWatch> watch;

    private DriverServer(RunningDriver running, Optional<ConfigWatch> watch) {
        this.running = running;
        this.watch = watch;
    }

    /**
     * Starts a driver; returns when it serves.
     *
     * @throws IOException with one line that says what prevents it
     */
    public static DriverServer start(DriverConfig config) throws IOException {
        return new DriverServer(running(config, System.getenv()), Optional.empty());
    }

    /** As above, with other variables of the environment than those of this process. */
    public static DriverServer start(DriverConfig config, Map<String, String> environment) throws IOException {
        return new DriverServer(running(config, environment), Optional.empty());
    }

    /**
     * Starts a driver by its configuration file. Its rules are read again when it changes.
     *
     * @throws ConfigException with one line that says what is wrong with the file
     * @throws IOException with one line that says what prevents the start
     */
    public static DriverServer start(Path file) throws ConfigException, IOException {
        DriverConfig config = DriverConfigReader.read(file);
        RunningDriver running = running(config, System.getenv());
        return new DriverServer(running, Optional.of(new ConfigWatch(file, config, running)));
    }

    private static RunningDriver running(DriverConfig config, Map<String, String> environment) throws IOException {
        List<Adapter> adapters = new ArrayList<>();
        boolean started = false;
        try {
            for (AdapterConfig each : config.adapters()) {
                adapters.add(adapter(each));
            }
            RunningDriver running =
                    new RunningDriver(config, adapters, Clock.systemUTC(), Tracing.of("lightpath-driver", environment));
            started = true;
            return running;
        } finally {
            if (!started) {
                // one may hold a port
                adapters.forEach(Adapter::close);
            }
        }
    }

    private static Adapter adapter(AdapterConfig config) throws IOException {
        return switch (config) {
            case AdapterConfig.Emulator emulator -> new EmulatorAdapter(emulator.endpoint());
            case AdapterConfig.DeviceApi program -> new DeviceApiAdapter(program);
            case AdapterConfig.NetconfPolatis switches -> PolatisSession.adapter(switches);
            case AdapterConfig.Tl1 switches -> Tl1Switch.adapter(switches);
            case AdapterConfig.OpenFlow switches -> OpenFlowSwitch.adapter(switches);
            case AdapterConfig.Cmis nodes -> NodeSession.adapter(nodes);
            case AdapterConfig.GnmiSonicOcs switches -> OcsSwitch.adapter(switches);
        };
    }

    /** Port of the gRPC server. */
    public int port() {
        return running.port();
    }

    /** Port of {@code /health} and {@code /metrics}. */
    public int httpPort() {
        return running.httpPort();
    }

    @Override
    public void close() {
        watch.ifPresent(ConfigWatch::close);
        running.close();
    }

    private static void logAsAsked(String json) {
        switch (json) {
            case "true" -> {
                for (Handler handler : Logger.getLogger("").getHandlers()) {
                    handler.setFormatter(new JsonLines());
                }
            }
            case "false" -> {}
            default -> {
                System.err.println(LOG_JSON + ": '" + json + "' is not allowed; allowed are true and false");
                System.exit(2);
            }
        }
    }

    /** As above, once the driver that it follows has ended: that of a node which failed, or of an earlier version. */
    private static DriverServer startWhenFree(Path file) throws ConfigException, IOException, InterruptedException {
        long end = System.nanoTime() + PREDECESSOR_ENDS.toNanos();
        boolean told = false;
        while (true) {
            try {
                return start(file);
            } catch (StateInUseException inUse) {
                if (System.nanoTime() - end > 0) {
                    throw inUse;
                }
                if (!told) {
                    told = true;
                    LOG.warning(
                            inUse.getMessage() + "; waiting up to " + PREDECESSOR_ENDS.toSeconds() + " s for its end");
                }
                TimeUnit.MILLISECONDS.sleep(500);
            }
        }
    }

    /** Runs until a signal stops it. Exit code 2 for wrong arguments, 1 when it cannot start. */
    public static void main(String[] args) throws InterruptedException {
        // the JDK warns of every use of Unsafe; the driver needs none of its speed
        System.setProperty("io.grpc.netty.shaded.io.netty.noUnsafe", "true");
        // it logs, with a stack trace, each client that leaves in the middle of a stream
        NETTY.setLevel(Level.SEVERE);
        // it logs each part of an answer that was too large, and refused
        STREAMS.setLevel(Level.WARNING);
        // the adapter says in one line why a session ended
        SSHD.setLevel(Level.SEVERE);
        if (System.getProperty("java.util.logging.SimpleFormatter.format") == null) {
            System.setProperty("java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
        }
        logAsAsked(System.getenv().getOrDefault(LOG_JSON, "false"));
        if (args.length != 2 || !args[0].equals("--config")) {
            System.err.println(USAGE);
            System.exit(2);
        }
        try {
            DriverServer server = startWhenFree(Path.of(args[1]));
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
            server.running.awaitTermination();
        } catch (ConfigException | IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
