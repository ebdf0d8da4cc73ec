package dev.lightpath.conformance.bench;

import io.grpc.ManagedChannel;

/** Where the driver is. Asked again after each restart of the driver. */
@FunctionalInterface
public interface Endpoint {
    /** A new channel. {@code windowBytes} is the HTTP/2 flow control window, 0 for the usual one. */
    ManagedChannel connect(int windowBytes);
}
