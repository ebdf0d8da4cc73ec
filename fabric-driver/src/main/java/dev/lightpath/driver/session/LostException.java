package dev.lightpath.driver.session;

/** The session cannot be used any more, and it is unknown what the device did last; one line says why. */
public final class LostException extends Exception {
    private static final long serialVersionUID = 1L;

    public LostException(String message) {
        super(message);
    }
}
