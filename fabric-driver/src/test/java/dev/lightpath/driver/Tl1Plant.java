package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.Tl1Device;
import dev.lightpath.driver.config.AdapterConfig.Tl1Dialect;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An emulated switch that speaks TL1. */
class Tl1Plant extends ManagedPlant {
    private final Tl1Dialect dialect;

    /**
     * @param device fields of the switch, such as {@code ports: 32}
     * @param quirks what is special, such as {@code replaces}
     */
    Tl1Plant(Path directory, String device, String quirks) throws IOException {
        this(directory, device, Tl1Dialect.POLATIS, quirks);
    }

    Tl1Plant(Path directory, String device, Tl1Dialect dialect, String quirks) throws IOException {
        super(directory, device, "tl1", "name: LAB, dialect: " + dialect.word() + ", quirks: [" + quirks + "]");
        this.dialect = dialect;
    }

    final Tl1Device device() {
        return new Tl1Device(DEVICE, "127.0.0.1", port(), "admin", passwordFile, dialect, "", Duration.ofSeconds(1));
    }

    @Override
    AdapterConfig adapter() {
        return new AdapterConfig.Tl1(List.of(device()));
    }

    @Override
    int port() {
        return emulator.tl1(DEVICE).port();
    }
}
