package dev.lightpath.driver.config;

/** The configuration cannot be used; the message says file, line, field and what is allowed. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What the file's writer put on several lines is shown on one. */
    public ConfigException(String message) {
        super(message.replaceAll("\\p{Cntrl}+", " "));
    }
}
