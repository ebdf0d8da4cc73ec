package dev.lightpath.app.driver.state;

import com.google.protobuf.MessageLite;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How much of what is said about one device is kept. An agent is on every node, and whoever controls the node must not
 * fill the memory: also not with ever new names one after the other, since each may become a fault. Not thread-safe.
 */
final class Room {
    /** A node has a few dozen ports. */
    private static final int MOST_NAMES = 1024;

    private static final int MOST_ENTRIES = 1024;
    private static final int LARGEST_BYTES = 8192;

    private final boolean bounded;
    private final Set<String> names = new HashSet<>();
    private boolean exceeded;

    /** @param bounded whether an agent tells of the device */
    Room(boolean bounded) {
        this.bounded = bounded;
    }

    /**
     * Keeps it among the others unless there is no room.
     *
     * @param parts names of ports and parts in it
     */
    <K, M extends MessageLite> void keep(Map<K, M> others, K key, M said, String... parts) {
        if (takes(others, key, said, parts)) {
            others.put(key, said);
        } else {
            exceeded = true;
        }
    }

    private <K> boolean takes(Map<K, ?> others, K key, MessageLite said, String... parts) {
        if (!bounded) {
            return true;
        }
        if (said.getSerializedSize() > LARGEST_BYTES || others.size() >= MOST_ENTRIES && !others.containsKey(key)) {
            return false;
        }
        for (String part : parts) {
            if (!names.contains(part)) {
                if (names.size() >= MOST_NAMES) {
                    return false;
                }
                names.add(part);
            }
        }
        return true;
    }

    /** All is said anew: only what is left out from now on counts. Names that were said stay in the room. */
    void again() {
        exceeded = false;
    }

    /** Whether no further name is kept: none is ever forgotten. */
    boolean usedUp() {
        return names.size() >= MOST_NAMES;
    }

    /** Whether anything was left out. */
    boolean exceeded() {
        return exceeded;
    }
}
