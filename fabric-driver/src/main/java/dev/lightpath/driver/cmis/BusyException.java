package dev.lightpath.driver.cmis;

/** The module did not acknowledge (NACK): it is busy, or not there. Nothing was read or written. */
final class BusyException extends Exception {
    private static final long serialVersionUID = 1L;

    BusyException(String message) {
        super(message);
    }
}
