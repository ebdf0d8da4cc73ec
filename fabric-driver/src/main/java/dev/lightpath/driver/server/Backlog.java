package dev.lightpath.driver.server;

import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.contract.view.ViewChange;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Changes that a client has not read yet, within a number and an amount of memory. Both are needed: each change holds
 * the view of its whole device, and a large switch has some hundred ports. Not safe for use by several threads.
 */
final class Backlog {
    /** Of one stream. */
    static final long MOST_BYTES = 32L << 20;

    private static final int BYTES_OF_A_CHANGE = 512;
    /** An entry of a map; the objects that it names are shared by all views of the device. */
    private static final int BYTES_OF_AN_ENTRY = 64;

    private final int mostChanges;
    private final long mostBytes;
    private final ArrayDeque<ViewChange> changes = new ArrayDeque<>();
    private long bytes;

    Backlog(int mostChanges, long mostBytes) {
        this.mostChanges = mostChanges;
        this.mostBytes = mostBytes;
    }

    /** Takes a change; false when there is no room. One alone always has room. */
    boolean offer(ViewChange change) {
        long more = bytes(change);
        if (changes.size() >= mostChanges || (!changes.isEmpty() && bytes + more > mostBytes)) {
            return false;
        }
        bytes += more;
        changes.add(change);
        return true;
    }

    /** The oldest; null when there is none. */
    @Nullable
    ViewChange poll() {
        ViewChange oldest = changes.poll();
        if (oldest != null) {
            bytes -= bytes(oldest);
        }
        return oldest;
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    private static long bytes(ViewChange change) {
        DeviceView after = change.after();
        return BYTES_OF_A_CHANGE
                + (long) BYTES_OF_AN_ENTRY
                        * (after.ports().size()
                                + after.circuits().size()
                                + after.alarms().size());
    }
}
