package dev.lightpath.driver;

import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Faults;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.driver.config.AdapterConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An emulated switch that connects to the driver by OpenFlow. */
final class OpenFlowPlant extends ManagedPlant {
    private static final long DATAPATH = 0xa1;

    private final int side;
    private final int controller;

    /**
     * @param side ports of each side
     * @param version such as {@code 1.4}
     * @param quirks what is special, such as {@code no-bundles}
     */
    static OpenFlowPlant of(Path directory, int side, String version, String quirks) throws IOException {
        return new OpenFlowPlant(directory, side, version, quirks, QuietPort.find());
    }

    private OpenFlowPlant(Path directory, int side, String version, String quirks, int controller) throws IOException {
        super(directory, "ports: " + 2 * side + ", twoSided: true", """
                openflow:
                  - {device: ocs-1, controller: "127.0.0.1:%d", datapath: "%016x", version: "%s", quirks: [%s]}
                """.formatted(
                        controller, DATAPATH, version, quirks));
        this.side = side;
        this.controller = controller;
    }

    @Override
    AdapterConfig adapter() {
        return adapter(side + "x" + side);
    }

    /** @param size that {@code driver.yaml} names */
    AdapterConfig adapter(String size) {
        return new AdapterConfig.OpenFlow(
                "127.0.0.1",
                controller,
                Optional.empty(),
                List.of(new AdapterConfig.OpenFlowSwitchConfig(DEVICE, DATAPATH, size, DEVICE, Duration.ofSeconds(1))));
    }

    /** What OpenFlow tells of a switch is its number, and another switch has another one. */
    @Override
    Faults named(Faults emulated) {
        return new Faults() {
            @Override
            public void inject(Fault fault) throws Exception {
                if (fault instanceof Fault.Replacement) {
                    throw new Inapplicable(JudgedDriver.NO_SUCH_FAULT + " that it tells of: Replacement");
                }
                emulated.inject(fault);
            }

            @Override
            public void mend() throws Exception {
                emulated.mend();
            }
        };
    }

    /** Where it connects to. */
    @Override
    int port() {
        return controller;
    }
}
