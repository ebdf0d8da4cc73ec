package dev.lightpath.sim.gnmi;

import io.grpc.Status;

/** The device does not do what it was asked for. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    Refused(Status code, String text) {
        super(text);
        this.status = code.withDescription(text);
    }

    Status status() {
        return status;
    }
}
