package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.scenario.DeviceApiSpec.Identity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads which devices are offered over the device API, and by which program. */
final class DeviceApiReader {
    private static final String SECTION = "deviceApi";

    private DeviceApiReader() {}

    static List<DeviceApiSpec> read(Yaml section, Plant plant) {
        List<DeviceApiSpec> all = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (Yaml yaml : section.list(SECTION)) {
            Map<String, Yaml> front =
                    yaml.fields(SECTION, Set.of("devices", "listen", "certificate", "key", "ca", "quirks"));
            all.add(new DeviceApiSpec(
                    devices(yaml.need(front, "devices", SECTION), plant, taken),
                    ScenarioReader.endpoint(yaml.need(front, "listen", SECTION), SECTION + ".listen"),
                    identity(yaml, front),
                    ScenarioReader.quirks(front, DeviceApiSpec.Quirk.values())));
        }
        return all;
    }

    private static List<String> devices(Yaml names, Plant plant, Set<String> taken) {
        List<String> devices = new ArrayList<>();
        for (Yaml name : names.list(SECTION + ".devices")) {
            String id = name.text("a device");
            int number = plant.findDevice(id);
            if (number < 0 || plant.device(number).kind() == DeviceKind.ENDPOINTS) {
                throw name.wrong(SECTION + ": '" + id
                        + "' is no device of this scenario that has circuits; allowed are switches and transceivers");
            }
            if (!taken.add(id)) {
                throw name.wrong(SECTION + ": '" + id + "' is there twice");
            }
            devices.add(id);
        }
        if (devices.isEmpty()) {
            throw names.wrong(SECTION + ".devices is empty, a program offers at least one device");
        }
        return devices;
    }

    private static Optional<Identity> identity(Yaml yaml, Map<String, Yaml> front) {
        if (!front.containsKey("certificate") && !front.containsKey("key") && !front.containsKey("ca")) {
            return Optional.empty();
        }
        return Optional.of(new Identity(
                ScenarioReader.path(yaml.need(front, "certificate", SECTION + " with TLS"), "certificate"),
                ScenarioReader.path(yaml.need(front, "key", SECTION + " with TLS"), "key"),
                ScenarioReader.path(yaml.need(front, "ca", SECTION + " with TLS"), "ca")));
    }
}
