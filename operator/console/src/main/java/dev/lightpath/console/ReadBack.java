package dev.lightpath.console;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The light of a fabric as the leading operator last read it back from the devices.
 *
 * @param at when it looked, RFC 3339
 * @param foreign circuits that no record explains, as DEVICE/INGRESS->EGRESS
 * @param devices by device id: node names on a ring, names of switches else
 */
public record ReadBack(String at, List<String> foreign, Map<String, DeviceLight> devices) {
    public ReadBack {
        foreign = List.copyOf(foreign);
        devices = Map.copyOf(devices);
    }

    /** The devices that such circuits are on. */
    public static Set<String> devices(Collection<String> foreign) {
        return foreign.stream()
                .map(light -> light.substring(0, Math.max(0, light.indexOf('/'))))
                .collect(Collectors.toSet());
    }

    /**
     * @param presence present, silent, foreign or unknown
     * @param observed circuits read back, as INGRESS->EGRESS
     * @param ports what receivers measure, by port; only ports that are monitored
     */
    public record DeviceLight(String presence, List<String> observed, Map<String, PortPower> ports) {
        public DeviceLight {
            observed = List.copyOf(observed);
            ports = Map.copyOf(ports);
        }
    }

    /**
     * @param powerDbm received power, null where it is not measured
     * @param lossDb loss of the path, null where it is not measured
     */
    public record PortPower(
            @Nullable Double powerDbm, @Nullable Double lossDb) {}
}
