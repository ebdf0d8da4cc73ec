package dev.lightpath.driver.deviceapi;

/** What a program said about a device cannot be used; one line says why. */
final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String message) {
        super(message);
    }
}
