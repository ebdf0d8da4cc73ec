package dev.lightpath.driver.adapter;

import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;

/**
 * The static description of a device. Of {@code device} the adapter fills identity and domains; availability and
 * fencing are the driver's.
 */
public record DeviceDescription(Device device, Capabilities capabilities, DeviceInventory inventory) {
    /** Of a device that is part of the installation, and was never reached: nothing else is known of it. */
    public static DeviceDescription unreached(String deviceId, String adapter) {
        return new DeviceDescription(
                Device.newBuilder().setDeviceId(deviceId).setAdapter(adapter).build(),
                Capabilities.getDefaultInstance(),
                DeviceInventory.newBuilder().setDeviceId(deviceId).build());
    }

    /** Whether it was never reached. */
    public boolean isUnreached() {
        return device.getKind() == DeviceKind.DEVICE_KIND_UNSPECIFIED && inventory.getPortsCount() == 0;
    }

    public String deviceId() {
        return device.getDeviceId();
    }
}
