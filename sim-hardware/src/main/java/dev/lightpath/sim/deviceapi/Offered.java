package dev.lightpath.sim.deviceapi;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.scenario.DeviceApiSpec;
import dev.lightpath.sim.scenario.DeviceApiSpec.Quirk;
import java.util.BitSet;

/** The devices of one program, by their numbers in the plant. */
final class Offered {
    private final DeviceApiSpec spec;
    private final Hardware hardware;
    private final BitSet devices = new BitSet();

    Offered(DeviceApiSpec spec, Hardware hardware) {
        this.spec = spec;
        this.hardware = hardware;
        spec.devices().forEach(id -> devices.set(hardware.plant().findDevice(id)));
    }

    boolean has(Quirk quirk) {
        return spec.quirks().contains(quirk);
    }

    boolean has(int device) {
        return devices.get(device);
    }

    /** A copy. */
    BitSet devices() {
        return (BitSet) devices.clone();
    }

    /** Number of the device, -1 when it is none of these. */
    int find(String id) {
        int device = hardware.plant().findDevice(id);
        return device >= 0 && devices.get(device) ? device : -1;
    }

    Hardware hardware() {
        return hardware;
    }

    Plant plant() {
        return hardware.plant();
    }
}
