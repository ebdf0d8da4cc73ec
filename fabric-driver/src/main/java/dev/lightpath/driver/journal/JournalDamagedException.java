package dev.lightpath.driver.journal;

import java.io.IOException;
import java.nio.file.Path;

/** Something that had been acknowledged is not readable any more; a crash cannot do that. */
public final class JournalDamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    public JournalDamagedException(String message) {
        super(message);
    }

    /** @param why what is wrong there, as the rest of a sentence */
    static JournalDamagedException at(Path file, long at, String why) {
        return new JournalDamagedException(file + ": damaged at byte " + at + ": " + why
                + "; restore the file from a copy, or remove it and give the operator a new fencing epoch");
    }
}
