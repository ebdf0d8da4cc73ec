package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The NETCONF adapter before a server of others: yuma123's netconfd, which writes straight into running. */
@Order(1)
final class NetconfNetconfdConformanceTest extends ServerConformance {
    private Netconfd server;
    private JudgedDriver judged;

    @BeforeEach
    void start() throws Exception {
        server = open(new Netconfd(directory));
        CutProxy way = open(new CutProxy(server.port()));
        Ncclient client = open(new Ncclient(server.port(), "root"));
        NetconfHardware hardware = new NetconfHardware(client, server::process, way, true);
        hardware.install();
        NetconfDevice device = server.device(way.port(), Duration.ofSeconds(1));
        judged = judged(new AdapterConfig.NetconfPolatis(List.of(device)), device.id(), hardware, client::light);
    }

    @Test
    void missesTheCircuitsOfAServerThatWasKilled() throws Exception {
        judged.missesWhatWentWith(server::restart);
    }

    @TestFactory
    Stream<DynamicTest> conforms() {
        return judged.meetsAllBut(BEYOND_TWO_SIDES);
    }
}
