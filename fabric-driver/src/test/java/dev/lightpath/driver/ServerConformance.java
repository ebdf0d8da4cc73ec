package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The conformance kit on an adapter in front of a server of others. */
abstract class ServerConformance {
    /** What no such server has. */
    static final Set<String> BEYOND_ANY = Set.of(
            "inventory/factory-loss",
            "conflict/power-on-position",
            // its circuits have no state
            "operations/tuning",
            "limits/batch");

    /** What no such server has whose ports are of two sides. */
    static final Set<String> BEYOND_TWO_SIDES =
            beyond("circuits/bytewise", "ports/both-ways-in-a-request", "ports/both-ways-in-use", "ports/itself");

    @TempDir
    Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();

    private static Set<String> beyond(String... more) {
        return with(BEYOND_ANY, more);
    }

    static Set<String> with(Set<String> some, String... more) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(List.of(more));
        return all;
    }

    /** Closed after the test, what was opened last first. */
    final <T extends AutoCloseable> T open(T each) {
        open.add(each);
        return each;
    }

    final JudgedDriver judged(
            AdapterConfig adapter, String deviceId, ServerFaults.Own server, Supplier<List<String>> light)
            throws Exception {
        return open(new JudgedDriver(
                directory.resolve("state"), adapter, deviceId, Optional.of(new ServerFaults(server)), light));
    }

    @AfterEach
    final void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }
}
