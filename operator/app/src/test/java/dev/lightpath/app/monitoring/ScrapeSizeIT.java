package dev.lightpath.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.publish.metrics.OperatorScrape;
import dev.lightpath.driver.DriverServer;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A scrape stays small however large the cluster is: 10 000 nodes, and as many jobs, faults and switches as are named.
 * Prints size and time. Runs with {@code -Pdashboards}.
 */
@Tag("dashboards")
class ScrapeSizeIT {
    private static final int NODES = 10_000;
    private static final int MOST_BYTES = 1 << 20;
    private static final int TIMES = 11;

    /** The text of one more scrape, after some to warm up; prints its size, and the median time of all. */
    private static String measured(String what, Callable<String> scrape) throws Exception {
        long[] nanos = new long[TIMES];
        String text = "";
        for (int time = 0; time < TIMES; time++) {
            long began = System.nanoTime();
            text = scrape.call();
            nanos[time] = System.nanoTime() - began;
        }
        Arrays.sort(nanos);
        System.out.printf(
                "%s: %d series, %d KiB, %.1f ms (median of %d)%n",
                what,
                text.lines().filter(line -> !line.startsWith("#")).count(),
                text.getBytes(StandardCharsets.UTF_8).length / 1024,
                nanos[TIMES / 2] / 1e6,
                TIMES);
        return text;
    }

    @Test
    void ofTheOperator() throws Exception {
        String text = measured("operator", OperatorScrape.ofMost()::scrape);
        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(MOST_BYTES);
    }

    @Test
    void ofADriver(@TempDir Path folder) throws Exception {
        String scenario = "{listen: '127.0.0.1:0', seed: 7, ring: {nodes: " + NODES + ", reach: 3}}";
        try (Emulator emulator = Emulator.start(Scenario.parse("large.yaml", scenario));
                DriverServer driver =
                        DriverServer.start(DriverConfig.onLoopback(folder, "127.0.0.1:" + emulator.port()))) {
            String url = "http://127.0.0.1:" + driver.httpPort() + "/metrics";
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(Scrapes.page(url))
                            .contains("lightpath_driver_devices{availability=\"PRESENT\"} " + (double) NODES));
            String text = measured("driver of " + NODES + " nodes", () -> Scrapes.page(url));
            assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(MOST_BYTES);
        }
    }
}
