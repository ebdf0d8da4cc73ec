package dev.lightpath.driver.journal;

import java.io.IOException;
import java.nio.file.Path;

/** Another driver server has the state directory open; it may be about to end. */
public final class StateInUseException extends IOException {
    private static final long serialVersionUID = 1L;

    StateInUseException(Path directory) {
        super(directory + ": another driver server has this stateDirectory open");
    }
}
