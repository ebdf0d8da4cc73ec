package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import dev.lightpath.sim.netconf.NetconfFront;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An emulated switch that speaks NETCONF. */
public final class NetconfPlant extends ManagedPlant {
    /**
     * @param device fields of the switch, such as {@code ports: 32}
     * @param netconf fields of its NETCONF, such as {@code base: "1.0"}
     */
    public NetconfPlant(Path directory, String device, String netconf) throws IOException {
        super(directory, device, "netconf", netconf);
    }

    public NetconfFront front() {
        return emulator.netconf(DEVICE);
    }

    public NetconfDevice device() {
        return new NetconfDevice(
                DEVICE,
                "127.0.0.1",
                port(),
                "admin",
                Optional.of(passwordFile),
                Optional.empty(),
                front().hostKey(),
                "",
                "",
                Duration.ofSeconds(1));
    }

    @Override
    AdapterConfig adapter() {
        return new AdapterConfig.NetconfPolatis(List.of(device()));
    }

    @Override
    int port() {
        return front().port();
    }
}
