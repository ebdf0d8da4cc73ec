package dev.lightpath.driver.session;

/** The device answered that it does not do what it was asked for. */
public class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String code;

    /**
     * @param code its word for the reason, such as the error-tag {@code data-exists} of NETCONF
     * @param message the device's words, as one line
     */
    public RefusedException(String code, String message) {
        super(message);
        this.code = code;
    }

    public String code() {
        return code;
    }
}
