package dev.lightpath.sim;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.http.HttpFront;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.scenario.Scenario;
import dev.lightpath.sim.scenario.Scenario.Endpoint;
import dev.lightpath.sim.scenario.ScenarioException;
import dev.lightpath.sim.scenario.Timeline;
import dev.lightpath.sim.wire.GrpcFront;
import java.io.IOException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** A running emulation: hardware, its clock, and its two fronts. */
public final class Emulator implements AutoCloseable {
    private static final Instant VIRTUAL_START = Instant.parse("2026-01-01T00:00:00Z");

    private final HardwareLoop loop;
    private final GrpcFront grpc;
    private final @Nullable HttpFront http;

    private Emulator(HardwareLoop loop, GrpcFront grpc, @Nullable HttpFront http) {
        this.loop = loop;
        this.grpc = grpc;
        this.http = http;
    }

    /**
     * Starts an emulation of its own; several may run in one process.
     *
     * @throws ScenarioException when it cannot listen where the scenario says
     */
    public static Emulator start(Scenario scenario) {
        Hardware hardware = new Hardware(scenario.plant(), scenario.cabling(), scenario.seed());
        Timeline timeline = new Timeline(hardware);
        timeline.add(scenario.timeline());
        Instant start = scenario.start();
        if (start == null) {
            start = scenario.virtualClock() ? VIRTUAL_START : Instant.now();
        }
        HardwareLoop loop = new HardwareLoop(hardware, scenario.virtualClock(), start);
        String bootId = UUID.randomUUID().toString();
        Endpoint at = scenario.listen();
        GrpcFront grpc;
        try {
            grpc = new GrpcFront(at, hardware, loop, timeline, bootId);
        } catch (IOException e) {
            loop.close();
            throw cannotListen("listen", at, e);
        }
        Endpoint web = scenario.http();
        if (web == null) {
            return new Emulator(loop, grpc, null);
        }
        try {
            return new Emulator(loop, grpc, new HttpFront(web, hardware, loop));
        } catch (IOException e) {
            grpc.close();
            loop.close();
            throw cannotListen("http", web, e);
        }
    }

    /** Port that gRPC listens at. */
    public int port() {
        return grpc.port();
    }

    /** Port that HTTP listens at, -1 when the scenario has none. */
    public int httpPort() {
        return http == null ? -1 : http.port();
    }

    @Override
    public void close() {
        if (http != null) {
            http.close();
        }
        grpc.close();
        loop.close();
    }

    /** Runs until a signal stops it. Exit code 2 when the scenario or the arguments are wrong. */
    public static void main(String[] args) {
        // the JDK warns of every use of Unsafe; the emulator needs none of its speed
        System.setProperty("io.grpc.netty.shaded.io.netty.noUnsafe", "true");
        System.exit(new CommandLine(new EmulatorCommand()).execute(args));
    }

    private static ScenarioException cannotListen(String field, Endpoint at, IOException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new ScenarioException(field + ": cannot listen at " + at + ": " + cause.getMessage());
    }
}
