package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import java.nio.file.Path;

/** A ring of emulated nodes: one program offers the transceivers of all of them over the device API. */
final class DeviceApiRing extends TransceiverPlant {
    DeviceApiRing() {
        super(3, """
                deviceApi:
                  - {devices: [n0, n1, n2, n3, n4, n5, n6, n7], listen: "127.0.0.1:0", quirks: [waits]}
                """);
    }

    @Override
    AdapterConfig adapter(Path directory) {
        return DeviceApiPlant.at(emulator.deviceApi(NODE).port());
    }
}
