package dev.lightpath.app.measuring;

import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * With what a Prometheus is asked.
 *
 * @param token sent as a bearer token
 * @param tls whose certificates are trusted; empty: those that the Java runtime trusts
 */
record Access(Optional<String> token, Optional<SSLContext> tls) {
    static final Access PLAIN = new Access(Optional.empty(), Optional.empty());

    /** Keeps the token out of logs. */
    @Override
    public String toString() {
        return "Access[" + (token.isPresent() ? "token" : "no token") + "]";
    }
}
