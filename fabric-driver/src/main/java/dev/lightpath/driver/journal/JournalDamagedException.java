package dev.lightpath.driver.journal;

import java.io.IOException;

/** A frame that had been acknowledged is not readable any more; a crash cannot do that. */
public final class JournalDamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    public JournalDamagedException(String message) {
        super(message);
    }
}
