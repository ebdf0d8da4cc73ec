package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** An emulated switch whose program speaks the device API. */
final class DeviceApiPlant extends ManagedPlant {
    /**
     * @param device fields of the switch, such as {@code ports: 32}
     * @param quirks what is special, such as {@code waits}
     */
    DeviceApiPlant(Path directory, String device, String quirks) throws IOException {
        super(directory, device, """
                deviceApi:
                  - {devices: [ocs-1], listen: "127.0.0.1:0", quirks: [%s]}
                """.formatted(quirks));
    }

    @Override
    AdapterConfig adapter() {
        return at(port());
    }

    static AdapterConfig at(int port) {
        return new AdapterConfig.DeviceApi("127.0.0.1:" + port, Optional.empty());
    }

    @Override
    int port() {
        return emulator.deviceApi(DEVICE).port();
    }
}
