package dev.lightpath.driver.http;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import java.util.HashMap;
import java.util.Map;

/**
 * By how much the loss of each circuit rose since it was first measured. Dirt and ageing show so before the light is
 * too weak. The memory is that of this run of the driver, and a circuit that is made anew begins anew. Safe for use by
 * many threads.
 */
public final class LossBaselines {
    /** The first measurement of a circuit that has been there since that moment. */
    private record First(com.google.protobuf.Timestamp since, double lossDb) {}

    private final Map<String, Map<CircuitPair, First>> devices = new HashMap<>();

    /**
     * The rise of each circuit of the device that is measured, in dB; 0 at its first measurement. Linear in circuits.
     */
    synchronized Map<CircuitPair, Double> rises(DeviceView view) {
        Map<CircuitPair, First> known = devices.getOrDefault(view.deviceId(), Map.of());
        Map<CircuitPair, First> now = new HashMap<>();
        Map<CircuitPair, Double> rises = new HashMap<>();
        view.circuits().forEach((pair, circuit) -> {
            if (circuit.hasMeasuredLossDb()) {
                First first = known.get(pair);
                if (first == null || !first.since().equals(circuit.getSince())) {
                    first = first(circuit);
                }
                now.put(pair, first);
                rises.put(pair, circuit.getMeasuredLossDb() - first.lossDb());
            }
        });
        if (now.isEmpty()) {
            devices.remove(view.deviceId());
        } else {
            devices.put(view.deviceId(), now);
        }
        return rises;
    }

    private static First first(Circuit circuit) {
        return new First(circuit.getSince(), circuit.getMeasuredLossDb());
    }
}
