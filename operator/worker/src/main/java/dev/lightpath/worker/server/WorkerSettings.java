package dev.lightpath.worker.server;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * What a worker is told.
 *
 * @param listen of gRPC
 * @param http of health and metrics
 * @param places searches at once, 1 or more
 * @param child starts the process of a search
 * @param longest time of a search, after which its process is ended
 * @param grace how long a process may take to give its best answer once it is asked to
 * @param tls empty for plaintext
 */
public record WorkerSettings(
        InetSocketAddress listen,
        InetSocketAddress http,
        int places,
        List<String> child,
        Duration longest,
        Duration grace,
        Optional<Tls> tls) {
    public WorkerSettings {
        child = List.copyOf(child);
    }

    /**
     * Files as cert-manager writes them, and whose certificates are taken.
     *
     * @param folder with tls.crt, tls.key and ca.crt
     * @param callers DNS names of those that may ask
     * @param scrapers DNS names of those that may read metrics
     */
    public record Tls(Path folder, SortedSet<String> callers, SortedSet<String> scrapers) {
        Path certificate() {
            return folder.resolve("tls.crt");
        }

        Path key() {
            return folder.resolve("tls.key");
        }

        Path authorities() {
            return folder.resolve("ca.crt");
        }
    }
}
