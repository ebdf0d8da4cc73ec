package dev.lightpath.sim.scenario;

import dev.lightpath.sim.scenario.Scenario.Endpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A program that offers devices over the device API, as a vendor's program does.
 *
 * @param devices switches and transceivers
 * @param listen where it listens
 * @param tls empty: plaintext
 * @param quirks what it does differently from the plainest program
 */
public record DeviceApiSpec(List<String> devices, Endpoint listen, Optional<Identity> tls, Set<Quirk> quirks) {
    /** Copies the lists. */
    public DeviceApiSpec {
        devices = List.copyOf(devices);
        quirks = Set.copyOf(quirks);
    }

    /**
     * How it shows itself, and to whom it speaks: PEM files.
     *
     * @param certificate its certificate
     * @param key the key of that
     * @param ca who signs the certificates of drivers; others are refused
     */
    public record Identity(Path certificate, Path key, Path ca) {}

    /** How programs may differ. */
    public enum Quirk {
        /** It answers moves when all stands still. */
        WAITS,
        /** It ends a stream as soon as everything was described. */
        SHORT_STREAMS,
        /** It measures no receive power, no loss and no bit errors. */
        NO_METERS,
        /** Of several moves it leaves out the last answer. */
        FEWER_ANSWERS
    }
}
