package dev.lightpath.driver.config;

import java.nio.file.Path;
import java.util.Optional;

/** One entry of {@code adapters}: a kind and what that kind must know. */
public sealed interface AdapterConfig {
    /** Devices of an emulator process at {@code endpoint}, host:port. */
    record Emulator(String endpoint) implements AdapterConfig {
        public static final String KIND = "emulator";
    }

    /** Devices of a program that speaks lightpath.device.v1alpha1 at {@code endpoint}, host:port. */
    record DeviceApi(String endpoint, Optional<ClientTls> tls) implements AdapterConfig {
        public static final String KIND = "device-api";
    }

    /**
     * How the driver shows itself to a device's program, and which program it trusts. PEM files, read again when they
     * change.
     *
     * @param serverName name that the program's certificate must have; empty: the host of the endpoint
     */
    record ClientTls(Path certificate, Path key, Path ca, Optional<String> serverName) {}
}
