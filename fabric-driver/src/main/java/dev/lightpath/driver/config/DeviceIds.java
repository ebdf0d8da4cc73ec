package dev.lightpath.driver.config;

import java.util.HashSet;
import java.util.Set;

/** Names of the devices of all adapters: whoever changes one must reach that one. */
final class DeviceIds {
    private final Set<String> taken = new HashSet<>();

    /** The field {@code id} of a device. */
    String take(YamlMap device) throws ConfigException {
        String id = device.required("id", "the name of the device");
        take(device, id);
        return id;
    }

    void take(YamlMap device, String id) throws ConfigException {
        if (!taken.add(id)) {
            throw device.wrong("id", id, "a name that no other device here has");
        }
    }
}
