package dev.lightpath.driver.openflow;

/** The connection cannot be used any more, and it is unknown what the device did last; one line says why. */
final class LostException extends Exception {
    private static final long serialVersionUID = 1L;

    LostException(String message) {
        super(message);
    }
}
