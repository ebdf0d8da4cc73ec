package dev.lightpath.sim;

import dev.lightpath.sim.cmis.CmisFront;
import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.deviceapi.DeviceApiFront;
import dev.lightpath.sim.gnmi.GnmiFront;
import dev.lightpath.sim.http.HttpFront;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.managed.ActivityLog;
import dev.lightpath.sim.netconf.NetconfFront;
import dev.lightpath.sim.openflow.OpenFlowFront;
import dev.lightpath.sim.scenario.CmisSpec;
import dev.lightpath.sim.scenario.DeviceApiSpec;
import dev.lightpath.sim.scenario.GnmiSpec;
import dev.lightpath.sim.scenario.NetconfSpec;
import dev.lightpath.sim.scenario.OpenFlowSpec;
import dev.lightpath.sim.scenario.Scenario;
import dev.lightpath.sim.scenario.Scenario.Endpoint;
import dev.lightpath.sim.scenario.ScenarioException;
import dev.lightpath.sim.scenario.Timeline;
import dev.lightpath.sim.scenario.Tl1Spec;
import dev.lightpath.sim.tl1.Tl1Front;
import dev.lightpath.sim.wire.GrpcFront;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A running emulation: hardware, its clock, and its fronts. */
public final class Emulator implements AutoCloseable {
    private static final Logger SSH = Logger.getLogger("org.apache.sshd");
    private static final Instant VIRTUAL_START = Instant.parse("2026-01-01T00:00:00Z");

    private final Hardware hardware;
    private final HardwareLoop loop;
    private final GrpcFront grpc;
    private final @Nullable HttpFront http;

    private final Map<String, NetconfFront> netconf;
    private final Map<String, Tl1Front> tl1;
    private final Map<String, GnmiFront> gnmi;
    private final Map<String, OpenFlowFront> openflow;
    private final Map<String, CmisFront> cmis;
    private final Map<String, DeviceApiFront> deviceApi;

    private Emulator(
            Hardware hardware,
            HardwareLoop loop,
            GrpcFront grpc,
            @Nullable HttpFront http,
            Map<String, NetconfFront> netconf,
            Map<String, Tl1Front> tl1,
            Map<String, GnmiFront> gnmi,
            Map<String, OpenFlowFront> openflow,
            Map<String, CmisFront> cmis,
            Map<String, DeviceApiFront> deviceApi) {
        this.hardware = hardware;
        this.loop = loop;
        this.grpc = grpc;
        this.http = http;
        this.netconf = netconf;
        this.tl1 = tl1;
        this.gnmi = gnmi;
        this.openflow = openflow;
        this.cmis = cmis;
        this.deviceApi = deviceApi;
    }

    /**
     * Starts an emulation of its own; several may run in one process.
     *
     * @throws ScenarioException when it cannot listen where the scenario says
     */
    public static Emulator start(Scenario scenario) {
        Hardware hardware = new Hardware(scenario.plant(), scenario.cabling(), scenario.seed());
        Timeline timeline = new Timeline(hardware);
        timeline.add(scenario.schedule());
        Instant start = scenario.start();
        if (start == null) {
            start = scenario.virtualClock() ? VIRTUAL_START : Instant.now();
        }
        HardwareLoop loop = new HardwareLoop(hardware, scenario.virtualClock(), start);
        String bootId = UUID.randomUUID().toString();
        Endpoint at = scenario.listen();
        GrpcFront grpc;
        try {
            grpc = listening("listen", at, () -> new GrpcFront(at, hardware, loop, timeline, bootId));
        } catch (ScenarioException e) {
            loop.close();
            throw e;
        }
        ActivityLog activities = new ActivityLog();
        Map<String, NetconfFront> netconf = new TreeMap<>();
        Map<String, Tl1Front> tl1 = new TreeMap<>();
        Map<String, GnmiFront> gnmi = new TreeMap<>();
        Map<String, OpenFlowFront> openflow = new TreeMap<>();
        Map<String, CmisFront> cmis = new TreeMap<>();
        Map<String, DeviceApiFront> deviceApi = new TreeMap<>();
        Emulator without = new Emulator(hardware, loop, grpc, null, netconf, tl1, gnmi, openflow, cmis, deviceApi);
        for (OpenFlowSpec spec : scenario.openflow()) {
            openflow.put(spec.device(), new OpenFlowFront(spec, hardware, loop));
        }
        try {
            for (NetconfSpec spec : scenario.netconf()) {
                netconf.put(
                        spec.device(),
                        listening(
                                "netconf.listen",
                                spec.listen(),
                                () -> new NetconfFront(spec, hardware, loop, activities)));
            }
            for (Tl1Spec spec : scenario.tl1()) {
                tl1.put(
                        spec.device(),
                        listening("tl1.listen", spec.listen(), () -> new Tl1Front(spec, hardware, loop, activities)));
            }
            for (GnmiSpec spec : scenario.gnmi()) {
                gnmi.put(
                        spec.device(),
                        listening("gnmi.listen", spec.listen(), () -> new GnmiFront(spec, hardware, loop)));
            }
            CmisFront.Senders senders = new CmisFront.Senders();
            for (CmisSpec spec : scenario.cmis()) {
                cmis.put(
                        spec.device(),
                        listening("cmis.listen", spec.listen(), () -> new CmisFront(spec, hardware, loop, senders)));
            }
            for (DeviceApiSpec spec : scenario.deviceApi()) {
                DeviceApiFront front =
                        listening("deviceApi.listen", spec.listen(), () -> new DeviceApiFront(spec, hardware, loop));
                spec.devices().forEach(device -> deviceApi.put(device, front));
            }
        } catch (ScenarioException e) {
            without.close();
            throw e;
        }
        Endpoint web = scenario.http();
        if (web == null) {
            return without;
        }
        HttpFront http;
        try {
            http = listening("http", web, () -> new HttpFront(web, hardware, loop));
        } catch (ScenarioException e) {
            without.close();
            throw new ScenarioException(e.getMessage() + "; another port, or 'http: none', is needed");
        }
        return new Emulator(hardware, loop, grpc, http, netconf, tl1, gnmi, openflow, cmis, deviceApi);
    }

    /** Port and host key of a switch that is managed over NETCONF. */
    public NetconfFront netconf(String device) {
        NetconfFront front = netconf.get(device);
        if (front == null) {
            throw new IllegalArgumentException("the scenario has no netconf for " + device);
        }
        return front;
    }

    /** Port of a switch that is managed over TL1. */
    public Tl1Front tl1(String device) {
        Tl1Front front = tl1.get(device);
        if (front == null) {
            throw new IllegalArgumentException("the scenario has no tl1 for " + device);
        }
        return front;
    }

    /** Port of a switch that is managed over gNMI. */
    public GnmiFront gnmi(String device) {
        GnmiFront front = gnmi.get(device);
        if (front == null) {
            throw new IllegalArgumentException("the scenario has no gnmi for " + device);
        }
        return front;
    }

    /** A switch that connects to an OpenFlow controller. */
    public OpenFlowFront openflow(String device) {
        OpenFlowFront front = openflow.get(device);
        if (front == null) {
            throw new IllegalArgumentException("the scenario has no openflow for " + device);
        }
        return front;
    }

    /** Bus of a node whose modules speak CMIS. */
    public CmisFront cmis(String device) {
        CmisFront front = cmis.get(device);
        if (front == null) {
            throw new IllegalArgumentException("the scenario has no cmis for " + device);
        }
        return front;
    }

    /** Program that offers a device over the device API. */
    public DeviceApiFront deviceApi(String device) {
        DeviceApiFront front = deviceApi.get(device);
        if (front == null) {
            throw new IllegalArgumentException("the scenario has no deviceApi for " + device);
        }
        return front;
    }

    /** Port that gRPC listens at. */
    public int port() {
        return grpc.port();
    }

    /** Moves of all elements since the start. */
    public long movesBegun() {
        return loop.ask(() -> hardware.counts().movesBegun());
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
        netconf.values().forEach(NetconfFront::close);
        tl1.values().forEach(Tl1Front::close);
        gnmi.values().forEach(GnmiFront::close);
        openflow.values().forEach(OpenFlowFront::close);
        cmis.values().forEach(CmisFront::close);
        deviceApi.values().stream().distinct().forEach(DeviceApiFront::close);
        grpc.close();
        loop.close();
    }

    /** Runs until a signal stops it. Exit code 2 when the scenario or the arguments are wrong. */
    public static void main(String[] args) {
        // the JDK warns of every use of Unsafe; the emulator needs none of its speed
        System.setProperty("io.grpc.netty.shaded.io.netty.noUnsafe", "true");
        // it would say beside us that a port is taken; a logger that nobody holds forgets its level
        SSH.setLevel(Level.OFF);
        System.exit(EmulatorCommand.line().execute(args));
    }

    /** A front that listens, or may not for want of a port or of its files. */
    @FunctionalInterface
    private interface Front<F> {
        F open() throws IOException;
    }

    private static <F> F listening(String field, Endpoint at, Front<F> front) {
        if (new InetSocketAddress(at.host(), at.port()).isUnresolved()) {
            throw cannotListen(field, at, "no such host");
        }
        try {
            return front.open();
        } catch (IOException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw cannotListen(field, at, String.valueOf(cause.getMessage()));
        }
    }

    private static ScenarioException cannotListen(String field, Endpoint at, String why) {
        return new ScenarioException(field + ": cannot listen at " + at + ": " + why);
    }
}
