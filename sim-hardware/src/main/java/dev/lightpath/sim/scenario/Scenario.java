package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.plant.Cabling;
import dev.lightpath.sim.core.plant.Plant;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a scenario file.
 *
 * @param listen where gRPC listens
 * @param http where health, metrics and truth are served; null: nowhere
 * @param seed seed of all random draws
 * @param virtualClock whether time passes only by commands
 * @param start emulated time at the start; null: the time of day when real, 2026-01-01 when virtual
 * @param plant devices and ports
 * @param wiring fibres
 * @param schedule faults that come by themselves
 * @param netconf switches that are also managed over NETCONF
 * @param tl1 switches that are also managed over TL1
 * @param gnmi switches that are also managed over gNMI
 * @param openflow switches that are also managed over OpenFlow
 * @param cmis transceivers that are also reached by CMIS
 * @param deviceApi programs that offer devices over the device API
 */
public record Scenario(
        Endpoint listen,
        @Nullable Endpoint http,
        long seed,
        boolean virtualClock,
        @Nullable Instant start,
        Plant plant,
        Wiring wiring,
        Schedule schedule,
        List<NetconfSpec> netconf,
        List<Tl1Spec> tl1,
        List<GnmiSpec> gnmi,
        List<OpenFlowSpec> openflow,
        List<CmisSpec> cmis,
        List<DeviceApiSpec> deviceApi) {
    /** Copies the lists. */
    public Scenario {
        netconf = List.copyOf(netconf);
        tl1 = List.copyOf(tl1);
        gnmi = List.copyOf(gnmi);
        openflow = List.copyOf(openflow);
        cmis = List.copyOf(cmis);
        deviceApi = List.copyOf(deviceApi);
    }

    /**
     * Parses a text. HTTP is served only where it says so.
     *
     * @param file what complaints call it
     * @throws ScenarioException when it cannot be used
     */
    public static Scenario parse(String file, String text) {
        return new ScenarioReader(Yaml.parse(file, text), false).read();
    }

    /** The same for a process of its own: HTTP is served at the usual port unless the text says something else. */
    public static Scenario ofProcess(String file, String text) {
        return new ScenarioReader(Yaml.parse(file, text), true).read();
    }

    /** A new set of fibres for each emulation, because faults exchange them. */
    public Cabling cabling() {
        Cabling cabling = new Cabling(plant);
        wiring.plugInto(cabling);
        return cabling;
    }

    /**
     * A place to listen at.
     *
     * @param host name or address
     * @param port number, 0 any free one
     */
    public record Endpoint(String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }
}
