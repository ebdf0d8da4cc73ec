package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.lightpath.conformance.Judge;
import dev.lightpath.conformance.bench.Housekeeping;
import dev.lightpath.conformance.bench.Terms;
import dev.lightpath.conformance.report.Verdict;
import dev.lightpath.conformance.requirement.Requirements;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.DriverConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** An example device behind the driver, and the conformance kit that judges it. */
final class JudgedExample implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** They take half a minute and judge the driver rather than its device: the emulator's tests judge them. */
    private static final Set<String> LEFT_OUT = Set.of(
            "stream/slow-client",
            "stream/heartbeat",
            "stream/heartbeat-floor",
            "stream/usual-heartbeat",
            "silence/last-read",
            "silence/nothing-started");

    private final ExampleDevice device;
    private final DriverConfig config;
    private final Housekeeping house;
    private DriverServer driver;

    JudgedExample(Path state, ExampleDevice device) throws Exception {
        this.device = device;
        config = new DriverConfig(
                new DriverConfig.Address("127.0.0.1", 0),
                new DriverConfig.Address("127.0.0.1", 0),
                state,
                List.of(new AdapterConfig.DeviceApi(device.endpoint(), Optional.empty())),
                Optional.empty(),
                DriverConfig.DEFAULT_WATCH_BUFFER,
                DriverConfig.DEFAULT_MAX_OPERATIONS);
        driver = DriverServer.start(config);
        house = Housekeeping.begin(
                EmulatedConformance.endpoint(() -> driver.port()),
                new Terms(
                        device.id(),
                        "lightpath-conformance",
                        List.of(),
                        Optional.empty(),
                        false,
                        false,
                        PATIENCE,
                        Duration.ZERO,
                        0,
                        DriverConfig.DEFAULT_WATCH_BUFFER,
                        Optional.of(this::restart),
                        Optional.of(device)));
    }

    private void restart() throws IOException {
        driver.close();
        driver = DriverServer.start(config);
    }

    /**
     * A test for each requirement. Those named do not apply to the device. Neither do those that need a fault which an
     * example cannot have, nor those that judge several devices.
     */
    Stream<DynamicTest> meetsAllBut(Set<String> inapplicable) {
        Judge judge = new Judge(house);
        return Requirements.all().stream()
                .filter(r -> !LEFT_OUT.contains(r.name()))
                .map(r -> dynamicTest(r.name(), () -> {
                    switch (judge.judge(r).verdict()) {
                        case Verdict.Passed unused ->
                            assertThat(inapplicable)
                                    .as("judged although it must not apply")
                                    .doesNotContain(r.name());
                        case Verdict.Failed failed -> fail("expected %s%nseen %s", failed.expected(), failed.seen());
                        case Verdict.Skipped skipped ->
                            assertThat(inapplicable.contains(r.name()) || isBeyondAnExample(skipped.why()))
                                    .as(skipped.why())
                                    .isTrue();
                    }
                    assertThat(device.circuits()).as("light left behind").isEmpty();
                }));
    }

    private static boolean isBeyondAnExample(String why) {
        return why.startsWith(ExampleDevice.NO_SUCH_FAULT)
                || why.equals("the driver shows no other device that answers");
    }

    @Override
    public void close() {
        house.close();
        driver.close();
        device.close();
    }
}
