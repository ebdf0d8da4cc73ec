package dev.lightpath.driver.adapter;

/** The device did not answer: it is unknown what it did. */
public final class DeviceSilentException extends Exception {
    private static final long serialVersionUID = 1L;

    public DeviceSilentException(String message) {
        super(message);
    }
}
