package dev.lightpath.driver;

import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Faults;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.driver.config.AdapterConfig.GnmiLogin;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.sim.gnmi.GnmiFront;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An emulated switch of two sides that speaks gNMI. Its ports are 1A and 1B, where the emulation counts them through.
 */
public final class GnmiPlant extends ManagedPlant {
    private final int side;

    /**
     * @param side ports of each side
     * @param quirks what is special, such as {@code replaces}
     */
    public GnmiPlant(Path directory, int side, String quirks) throws IOException {
        this(directory, side, quirks, "");
    }

    /** @param more fields of its gNMI, such as {@code , certificate: a.crt, key: a.key} */
    GnmiPlant(Path directory, int side, String quirks, String more) throws IOException {
        super(directory, "ports: " + 2 * side + ", twoSided: true", "gnmi", "quirks: [" + quirks + "]" + more);
        this.side = side;
    }

    public GnmiDevice device() {
        return new GnmiDevice(
                DEVICE,
                "127.0.0.1:" + port(),
                Optional.of(new GnmiLogin("admin", passwordFile)),
                Optional.empty(),
                "",
                "",
                OptionalLong.empty(),
                Duration.ofSeconds(1));
    }

    GnmiFront front() {
        return emulator.gnmi(DEVICE);
    }

    @Override
    AdapterConfig adapter() {
        return only(device());
    }

    static AdapterConfig only(GnmiDevice device) {
        return new AdapterConfig.GnmiSonicOcs(Optional.empty(), List.of(device));
    }

    @Override
    int port() {
        return front().port();
    }

    @Override
    public List<String> truth() {
        return super.truth().stream()
                .map(Requests::key)
                .map(key -> outside(key.getIngress()) + "->" + outside(key.getEgress()))
                .toList();
    }

    private String outside(String port) {
        int number = Integer.parseInt(port);
        return number <= side ? number + "A" : number - side + "B";
    }

    private String inside(String name) {
        int number = Integer.parseInt(name.substring(0, name.length() - 1));
        return Integer.toString(name.endsWith("A") ? number : side + number);
    }

    @Override
    Faults named(Faults emulated) {
        return new Faults() {
            @Override
            public void inject(Fault fault) throws Exception {
                emulated.inject(
                        switch (fault) {
                            case Fault.DeadElement(var port) -> new Fault.DeadElement(inside(port));
                            case Fault.StuckElement(var port) -> new Fault.StuckElement(inside(port));
                            case Fault.ForeignCircuit(var circuit) ->
                                new Fault.ForeignCircuit(CircuitKey.newBuilder()
                                        .setIngress(inside(circuit.getIngress()))
                                        .setEgress(inside(circuit.getEgress()))
                                        .build());
                            case Fault.WeakerLight(var port, var lossDb) -> new Fault.WeakerLight(inside(port), lossDb);
                            case Fault.Attenuated(var port, var lossDb) -> new Fault.Attenuated(inside(port), lossDb);
                            case Fault.Temperature unused -> fault;
                            case Fault.SlowMoves unused -> fault;
                            case Fault.Silence unused -> fault;
                            case Fault.PowerCycle unused -> fault;
                            case Fault.Replacement unused -> fault;
                        });
            }

            @Override
            public void mend() throws Exception {
                emulated.mend();
            }
        };
    }
}
