package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.core.plant.DeviceSpec;
import dev.lightpath.sim.core.plant.DeviceSpec.Domains;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.core.plant.Preset;
import java.util.ArrayList;
import java.util.List;

/**
 * The transceivers and fibres of a K-hop ring or line: device {@code <prefix>i} at position i with K modules. Port map
 * of the InfinitePOD fabric, h = K/2 rounded down: modules 0..h-1 look left, path 1 of module b reaching -(2b+1) and
 * path 2 -(2b+2); modules h..2h-1 look right alike; with odd K the last module is mixed, path 1 reaching -K and path 2
 * +K.
 *
 * @param nodes positions
 * @param reach K, also the number of modules of a node
 * @param ring whether the last position is a neighbour of the first
 * @param prefix start of device names
 * @param preset how the transceivers behave
 */
record RingPlan(int nodes, int reach, boolean ring, String prefix, Preset preset) {
    List<DeviceSpec> devices() {
        List<DeviceSpec> devices = new ArrayList<>(nodes);
        for (int i = 0; i < nodes; i++) {
            devices.add(new DeviceSpec(prefix + i, DeviceKind.TRANSCEIVERS, reach, 0, preset, "1.0.0", Domains.NONE));
        }
        return devices;
    }

    /** Hops that a path reaches: negative to the left. Path is 1 or 2. */
    int hops(int module, int path) {
        if (reach % 2 == 1 && module == reach - 1) {
            return path == 1 ? -reach : reach;
        }
        int half = reach / 2;
        int distance = 2 * (module % half) + path;
        return module < half ? -distance : distance;
    }

    /** Port name of the path that reaches so many hops. */
    String portOf(int hops) {
        for (int module = 0; module < reach; module++) {
            for (int path = 1; path <= 2; path++) {
                if (hops(module, path) == hops) {
                    return "b" + module + ".path" + path;
                }
            }
        }
        throw new IllegalArgumentException("no path reaches " + hops + " hops with reach " + reach);
    }

    /** Duplex fibres as pairs of ports; a line leaves its ends unplugged. */
    List<int[]> fibres(Plant plant) {
        List<int[]> fibres = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            int here = plant.findDevice(prefix + i);
            for (int hops = 1; hops <= reach; hops++) {
                if (i + hops < nodes || ring) {
                    int far = plant.findDevice(prefix + (i + hops) % nodes);
                    fibres.add(new int[] {plant.findPort(here, portOf(hops)), plant.findPort(far, portOf(-hops))});
                }
            }
        }
        return fibres;
    }
}
