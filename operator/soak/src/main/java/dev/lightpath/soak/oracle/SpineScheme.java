package dev.lightpath.soak.oracle;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Optical switches between pods, as their administrator described them.
 *
 * @param devices device of each OpticalSwitch by name
 * @param pods index of the pod that a port belongs to, by `device/port`
 */
public record SpineScheme(String fabric, SortedMap<String, String> devices, SortedMap<String, Integer> pods) {
    public SpineScheme(String fabric, Map<String, String> devices, Map<String, Integer> pods) {
        this(fabric, new TreeMap<>(devices), new TreeMap<>(pods));
    }

    public String device(String opticalSwitch) {
        return devices.getOrDefault(opticalSwitch, opticalSwitch);
    }

    public boolean has(Beam beam) {
        return devices.containsValue(beam.device());
    }
}
