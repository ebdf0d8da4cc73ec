package dev.lightpath.conformance.bench;

import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.SelectablePath;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import java.util.List;

/** What the driver said about the device when the kit began. */
public record DeviceUnderTest(
        Device device, Capabilities capabilities, DeviceInventory inventory, DeviceCircuits circuits) {
    public String id() {
        return device.getDeviceId();
    }

    /** True when a circuit's ingress selects among line ports, as a transceiver's does. */
    public boolean isSelector() {
        return inventory.getPathsCount() > 0;
    }

    /** Whether light may enter and leave at a port. On a device of two sides it does so by two places. */
    public boolean isBothWays(String port) {
        return inventory.getPortsList().stream()
                .anyMatch(each -> each.getName().equals(port) && each.getSide() == PortSide.PORT_SIDE_BOTH);
    }

    public boolean isTwoSided() {
        return capabilities.getSidedness() == Sidedness.SIDEDNESS_TWO_SIDED;
    }

    /** Of one change. A device that says 0 names no limit; that it should is told once, by {@code identity}. */
    public int mostItems() {
        return capabilities.getMaxBatch() > 0 ? capabilities.getMaxBatch() : Integer.MAX_VALUE;
    }

    boolean isPowerOnPosition(CircuitKey key) {
        return inventory.getPathsList().stream()
                .filter(SelectablePath::getPowerOnPosition)
                .anyMatch(p -> p.getCommonPort().equals(key.getIngress())
                        && p.getLinePort().equals(key.getEgress()));
    }

    /** Circuits that are there and are no power-on positions. */
    List<CircuitKey> lit() {
        return Circuits.keys(circuits.getCircuitsList()).stream()
                .filter(k -> !isPowerOnPosition(k))
                .toList();
    }
}
