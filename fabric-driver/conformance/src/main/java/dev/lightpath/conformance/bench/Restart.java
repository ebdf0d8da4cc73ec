package dev.lightpath.conformance.bench;

/** Ends the driver as abruptly as possible and starts it again on the same state directory. */
@FunctionalInterface
public interface Restart {
    void restart() throws Exception;
}
