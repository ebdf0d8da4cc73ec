package dev.lightpath.driver;

import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Faults;
import dev.lightpath.driver.config.AdapterConfig.Tl1Dialect;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** An emulated switch that takes the commands of Calient. A port is an ingress and an egress of the emulated switch. */
final class CalientPlant extends Tl1Plant {
    private static final int FIBRES = 8;

    private final int ports;

    /** @param ports each with a fibre in and a fibre out */
    CalientPlant(Path directory, int ports, String quirks) throws IOException {
        super(directory, "ports: " + 2 * ports + ", twoSided: true", Tl1Dialect.CALIENT, quirks);
        this.ports = ports;
    }

    @Override
    public List<String> truth() {
        return super.truth().stream()
                .map(Requests::key)
                .map(key -> outside(key.getIngress()) + "->" + outside(key.getEgress()))
                .toList();
    }

    private String outside(String port) {
        int number = (Integer.parseInt(port) - 1) % ports;
        return "1." + (number / FIBRES + 1) + "." + (number % FIBRES + 1);
    }

    private int inside(String name) {
        String[] parts = name.split("\\.");
        return (Integer.parseInt(parts[1]) - 1) * FIBRES + Integer.parseInt(parts[2]);
    }

    private String ingress(String name) {
        return Integer.toString(inside(name));
    }

    private String egress(String name) {
        return Integer.toString(ports + inside(name));
    }

    @Override
    Faults named(Faults emulated) {
        return new Faults() {
            @Override
            public void inject(Fault fault) throws Exception {
                switch (fault) {
                    case Fault.DeadElement(var port) -> {
                        emulated.inject(new Fault.DeadElement(ingress(port)));
                        emulated.inject(new Fault.DeadElement(egress(port)));
                    }
                    case Fault.StuckElement(var port) -> {
                        emulated.inject(new Fault.StuckElement(ingress(port)));
                        emulated.inject(new Fault.StuckElement(egress(port)));
                    }
                    case Fault.ForeignCircuit(var circuit) ->
                        emulated.inject(new Fault.ForeignCircuit(CircuitKey.newBuilder()
                                .setIngress(ingress(circuit.getIngress()))
                                .setEgress(egress(circuit.getEgress()))
                                .build()));
                    case Fault.WeakerLight(var port, var lossDb) ->
                        emulated.inject(new Fault.WeakerLight(ingress(port), lossDb));
                    case Fault.Attenuated(var port, var lossDb) ->
                        emulated.inject(new Fault.Attenuated(ingress(port), lossDb));
                    case Fault.Temperature unused -> emulated.inject(fault);
                    case Fault.SlowMoves unused -> emulated.inject(fault);
                    case Fault.Silence unused -> emulated.inject(fault);
                    case Fault.PowerCycle unused -> emulated.inject(fault);
                    case Fault.Replacement unused -> emulated.inject(fault);
                }
            }

            @Override
            public void mend() throws Exception {
                emulated.mend();
            }
        };
    }
}
