package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.deviceapi.DeviceApiAdapter;
import dev.lightpath.driver.emulator.EmulatorAdapter;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Adapters whose device was ignored, and is wanted now. */
final class DescribedAgainTest {
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> described = new LinkedBlockingQueue<>();
    private Emulator emulator;

    @BeforeEach
    void start() throws Exception {
        emulator = Emulator.start(Scenario.parse("again.yaml", """
                listen: 127.0.0.1:0
                devices:
                  - {id: ocs-1, kind: switch, ports: 4}
                  - {id: ocs-2, kind: switch, ports: 4}
                deviceApi:
                  - {devices: [ocs-1], listen: "127.0.0.1:0"}
                """));
    }

    @AfterEach
    void stop() {
        emulator.close();
    }

    @Test
    void anEmulatorDescribesItAgain() throws Exception {
        describesItAgain(new EmulatorAdapter("127.0.0.1:" + emulator.port()));
    }

    @Test
    void aProgramDescribesItAgain() throws Exception {
        describesItAgain(new DeviceApiAdapter(new AdapterConfig.DeviceApi(
                "127.0.0.1:" + emulator.deviceApi("ocs-1").port(), Optional.empty())));
    }

    /** What others show is told to the operator meanwhile. */
    @Test
    void anEmulatorDescribesNoOther() throws Exception {
        try (Adapter adapter = new EmulatorAdapter("127.0.0.1:" + emulator.port())) {
            adapter.start(listener()).get(60, TimeUnit.SECONDS);
            described.clear();

            // were both asked, both would have answered by the time one of them is asked again
            for (int count = 0; count < 3; count++) {
                adapter.again("ocs-1");
                assertThat(described.poll(60, TimeUnit.SECONDS)).isEqualTo("ocs-1");
            }
        }
    }

    private AdapterListener listener() {
        return (AdapterListener) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {AdapterListener.class}, (listener, method, arguments) -> {
                    told.add(method.getName());
                    if (arguments != null && arguments[0] instanceof DeviceDescription of) {
                        described.add(of.deviceId());
                    }
                    return null;
                });
    }

    private void describesItAgain(Adapter adapter) throws Exception {
        try (adapter) {
            adapter.start(listener()).get(60, TimeUnit.SECONDS);
            awaitPresent();
            told.clear();

            adapter.again("ocs-1");

            awaitPresent();
        }
    }

    private void awaitPresent() throws Exception {
        awaitTold("described");
        awaitTold("present");
    }

    private void awaitTold(String what) throws Exception {
        String next;
        do {
            next = told.poll(60, TimeUnit.SECONDS);
            assertThat(next).as("instead of " + what).isNotNull();
        } while (!next.equals(what));
    }
}
