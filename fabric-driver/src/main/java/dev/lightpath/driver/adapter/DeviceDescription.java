package dev.lightpath.driver.adapter;

import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;

/**
 * The static description of a device. Of {@code device} the adapter fills identity and domains; availability and
 * fencing are the driver's.
 */
public record DeviceDescription(Device device, Capabilities capabilities, DeviceInventory inventory) {
    public String deviceId() {
        return device.getDeviceId();
    }
}
