package dev.lightpath.app.workers;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where workers are.
 *
 * @param host whose addresses are those of all workers, as the name of a Service without an address of its own
 * @param port of each
 * @param tls folder with ca.crt, tls.crt and tls.key; empty for plaintext
 */
record WorkersAddress(String host, int port, Optional<Path> tls) {
    /**
     * As it is written in the settings.
     *
     * @param address host:port
     * @throws IllegalArgumentException naming what is allowed
     */
    static WorkersAddress of(String address, Optional<Path> tls) {
        int colon = address.lastIndexOf(':');
        try {
            int port = Integer.parseInt(address.substring(colon + 1));
            if (colon > 0 && port > 0 && port <= 65535) {
                return new WorkersAddress(address.substring(0, colon), port, tls);
            }
        } catch (NumberFormatException none) {
            // told below
        }
        throw new IllegalArgumentException("lightpath.search.workers: '" + address + "', allowed: HOST:PORT");
    }
}
