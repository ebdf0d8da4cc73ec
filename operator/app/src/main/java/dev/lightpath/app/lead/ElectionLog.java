package dev.lightpath.app.lead;

import io.quarkus.logging.LoggingFilter;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jboss.logmanager.ExtLogRecord;

/**
 * Makes the elector's messages about an API server that does not answer or refuses during its start a warning of one
 * line: the elector tries again, and {@link Leadership} reports a Lease that is really lost.
 */
@LoggingFilter(name = "election")
public final class ElectionLog implements Filter {
    private static final String ELECTOR = "io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector";

    @Override
    public boolean isLoggable(LogRecord line) {
        if (ELECTOR.equals(line.getLoggerName()) && line.getThrown() != null) {
            say(line, line.getMessage() + " " + reason(line.getThrown()));
            line.setThrown(null);
            if (line.getLevel().intValue() > Level.WARNING.intValue()) {
                line.setLevel(Level.WARNING);
            }
        }
        return true;
    }

    /**
     * Words of the API server hold braces, which are no places for parameters: what is formatted is not formatted
     * again.
     */
    private static void say(LogRecord line, String text) {
        if (line instanceof ExtLogRecord formatted) {
            formatted.setMessage(text, ExtLogRecord.FormatStyle.NO_FORMAT);
        } else {
            line.setMessage(text);
            line.setParameters(null);
        }
    }

    /** The innermost word. */
    private static String reason(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }
}
