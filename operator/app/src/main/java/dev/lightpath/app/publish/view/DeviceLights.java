package dev.lightpath.app.publish.view;

import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.console.ReadBack;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The light of devices as the console shows it. That of a device is worked out again only when the device was read
 * again, because of ten thousand mostly one was. Serves one thread.
 */
public final class DeviceLights {
    private record Known(@Nullable DeviceState state, ReadBack.DeviceLight light) {}

    /** By fabric and device. */
    private Map<String, Map<String, Known>> known = Map.of();

    /** What was read back of each fabric. O(devices), and the ports of those that were read again. */
    Map<String, ReadBack> of(Outcome outcome) {
        World world = outcome.world();
        String at = world.now().toString();
        Map<String, Map<String, Known>> now = new HashMap<>();
        Map<String, ReadBack> read = new HashMap<>();
        outcome.deliberation().fabrics().forEach((name, verdict) -> {
            Map<String, Known> before = known.getOrDefault(name, Map.of());
            Map<String, Known> devices = devices(world, name, before);
            now.put(name, devices);
            Map<String, ReadBack.DeviceLight> light = HashMap.newHashMap(devices.size());
            devices.forEach((device, of) -> light.put(device, of.light()));
            read.put(name, new ReadBack(at, verdict.foreign(), light));
        });
        known = now;
        return read;
    }

    private static Map<String, Known> devices(World world, String fabric, Map<String, Known> before) {
        Map<String, Known> devices = new HashMap<>();
        RingIntent ring = world.rings().get(fabric);
        OcsIntent spine = world.ocsFabrics().get(fabric);
        if (ring != null) {
            DriverState driver = world.driver(ring.driver());
            ring.nodes()
                    .values()
                    .forEach(node -> devices.put(
                            node.name(),
                            known(before.get(node.name()), driver.devices().get(node.name()))));
        } else if (spine != null) {
            spine.switches()
                    .values()
                    .forEach(of -> devices.put(
                            of.name(),
                            known(
                                    before.get(of.name()),
                                    world.device(of.device()).orElse(null))));
        }
        return devices;
    }

    private static Known known(@Nullable Known before, @Nullable DeviceState state) {
        if (before != null && before.state() == state) {
            return before;
        }
        List<String> observed =
                state == null ? List.of() : ViewProjector.texts(state.circuits().circuits());
        return new Known(
                state,
                new ReadBack.DeviceLight(ViewProjector.presence(state), observed, OcsViewProjector.measured(state)));
    }
}
