package dev.lightpath.driver.netconf;

/** The device answered with an rpc-error. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String tag;

    /**
     * @param tag its error-tag, such as {@code data-exists}
     * @param message the device's words, as one line
     */
    RefusedException(String tag, String message) {
        super(message);
        this.tag = tag;
    }

    String tag() {
        return tag;
    }
}
