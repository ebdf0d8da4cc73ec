package dev.lightpath.driver.config;

import dev.lightpath.driver.config.Access.Rule;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The driver's configuration, checked.
 *
 * @param listen address of the gRPC server; port 0 takes a free one
 * @param http address of health and metrics; port 0 takes a free one
 * @param stateDirectory durable state; created if missing
 * @param watchBuffer most changes one Watch stream may lag behind before it is given snapshots instead
 * @param maxOperations most ApplyCircuits at once
 */
public record DriverConfig(
        Address listen,
        Address http,
        Path stateDirectory,
        List<AdapterConfig> adapters,
        Optional<Tls> tls,
        int watchBuffer,
        int maxOperations) {
    public static final int DEFAULT_WATCH_BUFFER = 8192;
    public static final int DEFAULT_MAX_OPERATIONS = 2048;

    public DriverConfig {
        adapters = List.copyOf(adapters);
    }

    /** A driver on free loopback ports, plaintext, in front of one emulator. */
    public static DriverConfig onLoopback(Path stateDirectory, String emulatorEndpoint) {
        return onLoopback(stateDirectory, List.of(new AdapterConfig.Emulator(emulatorEndpoint)));
    }

    /** A driver on free loopback ports, plaintext. */
    public static DriverConfig onLoopback(Path stateDirectory, List<AdapterConfig> adapters) {
        return new DriverConfig(
                new Address("127.0.0.1", 0),
                new Address("127.0.0.1", 0),
                stateDirectory,
                adapters,
                Optional.empty(),
                DEFAULT_WATCH_BUFFER,
                DEFAULT_MAX_OPERATIONS);
    }

    /** Files with certificates that the driver shows, to its callers and to devices. */
    public SortedSet<Path> certificates() {
        SortedSet<Path> files = new TreeSet<>();
        tls.ifPresent(shown -> files.add(shown.certificate()));
        for (AdapterConfig adapter : adapters) {
            switch (adapter) {
                case AdapterConfig.DeviceApi program ->
                    program.tls().ifPresent(shown -> files.add(shown.certificate()));
                case AdapterConfig.OpenFlow switches ->
                    switches.tls().ifPresent(shown -> files.add(shown.certificate()));
                case AdapterConfig.GnmiSonicOcs switches ->
                    switches.tls().flatMap(AdapterConfig.GnmiTls::certificate).ifPresent(files::add);
                case AdapterConfig.Emulator none -> {}
                case AdapterConfig.NetconfPolatis none -> {}
                case AdapterConfig.Tl1 none -> {}
                case AdapterConfig.Cmis none -> {}
            }
        }
        return files;
    }

    /** This with the rules of another one. */
    public DriverConfig withRulesOf(DriverConfig other) {
        return new DriverConfig(
                listen,
                http,
                stateDirectory,
                adapters,
                tls.map(t -> new Tls(
                        t.certificate(),
                        t.key(),
                        t.clientCa(),
                        other.tls().map(Tls::roles).orElse(t.roles()))),
                watchBuffer,
                maxOperations);
    }

    public record Address(String host, int port) {
        /** Whether nobody but programs of this machine reaches it. */
        public boolean isLoopback() {
            try {
                return InetAddress.getByName(host).isLoopbackAddress();
            } catch (UnknownHostException unknown) {
                return false;
            }
        }

        /** As it is written. */
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** Certificates as PEM files, read again when they change, and the access rules. */
    public record Tls(Path certificate, Path key, Path clientCa, List<Rule> roles) {
        public Tls {
            roles = List.copyOf(roles);
        }
    }
}
