package dev.lightpath.app.loop;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is logged of passes that failed, each failure once. Told by the loop's thread, asked by any. */
final class PassFailures {
    private static final Logger LOG = LoggerFactory.getLogger(PassFailures.class);

    /** So many times the ledger may be refused before that is an error: an API server that starts refuses everybody. */
    private static final int MOST_UNREAD = 30;

    /** Different failures that are told. */
    private static final int MOST_FAILURES = 64;

    private final Set<String> told = new HashSet<>();
    private int unread;
    private volatile Optional<String> last = Optional.empty();

    /**
     * The same failure is told once, however often it is tried again; what mostly heals by itself, once it does not.
     */
    void failed(Throwable failure) {
        last = Optional.of(failure.toString());
        if (failure instanceof LedgerUnread && ++unread < MOST_UNREAD) {
            if (unread == 1) {
                LOG.atWarn()
                        .addKeyValue("failure", failure.getMessage())
                        .log("the ledger cannot be read yet; light stays as it is");
            }
            return;
        }
        if (told.size() < MOST_FAILURES && told.add(failure.toString())) {
            LOG.atError().setCause(failure).log("a planning pass failed and is tried again; light stays as it is");
        }
    }

    /** A pass came to its decision. */
    void decided() {
        last = Optional.empty();
    }

    /** All that was due is started: the ledger can be read. */
    void rested() {
        unread = 0;
    }

    /** Why the last pass failed, as long as no other has succeeded. */
    Optional<String> last() {
        return last;
    }
}
