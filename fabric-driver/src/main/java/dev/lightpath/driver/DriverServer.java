package dev.lightpath.driver;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.ConfigException;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.driver.config.DriverConfigReader;
import dev.lightpath.driver.deviceapi.DeviceApiAdapter;
import dev.lightpath.driver.emulator.EmulatorAdapter;
import dev.lightpath.driver.netconf.NetconfPolatisAdapter;
import dev.lightpath.driver.server.RunningDriver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The driver server, as a process or inside a test. */
public final class DriverServer implements AutoCloseable {
    private static final String USAGE = "usage: java -jar lightpath-fabric-driver.jar --config driver.yaml";

    private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded.io.netty");
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
        return new DriverServer(running(config), Optional.empty());
    }

    /**
     * Starts a driver by its configuration file. Its rules are read again when it changes.
     *
     * @throws ConfigException with one line that says what is wrong with the file
     * @throws IOException with one line that says what prevents the start
     */
    public static DriverServer start(Path file) throws ConfigException, IOException {
        DriverConfig config = DriverConfigReader.read(file);
        RunningDriver running = running(config);
        return new DriverServer(running, Optional.of(new ConfigWatch(file, config, running)));
    }

    private static RunningDriver running(DriverConfig config) throws IOException {
        List<Adapter> adapters = new ArrayList<>();
        for (AdapterConfig each : config.adapters()) {
            adapters.add(adapter(each));
        }
        return new RunningDriver(config, adapters, Clock.systemUTC());
    }

    private static Adapter adapter(AdapterConfig config) throws IOException {
        return switch (config) {
            case AdapterConfig.Emulator emulator -> new EmulatorAdapter(emulator.endpoint());
            case AdapterConfig.DeviceApi program -> new DeviceApiAdapter(program);
            case AdapterConfig.NetconfPolatis switches -> new NetconfPolatisAdapter(switches);
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

    /** Runs until a signal stops it. Exit code 2 for wrong arguments, 1 when it cannot start. */
    public static void main(String[] args) throws InterruptedException {
        // the JDK warns of every use of Unsafe; the driver needs none of its speed
        System.setProperty("io.grpc.netty.shaded.io.netty.noUnsafe", "true");
        // it logs, with a stack trace, each client that leaves in the middle of a stream
        NETTY.setLevel(Level.SEVERE);
        // the adapter says in one line why a session ended
        SSHD.setLevel(Level.SEVERE);
        if (System.getProperty("java.util.logging.SimpleFormatter.format") == null) {
            System.setProperty("java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
        }
        if (args.length != 2 || !args[0].equals("--config")) {
            System.err.println(USAGE);
            System.exit(2);
        }
        try {
            DriverServer server = start(Path.of(args[1]));
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "shutdown"));
            server.running.awaitTermination();
        } catch (ConfigException | IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
