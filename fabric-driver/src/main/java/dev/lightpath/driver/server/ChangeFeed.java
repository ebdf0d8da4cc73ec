package dev.lightpath.driver.server;

import dev.lightpath.driver.contract.view.ViewChange;
import java.util.concurrent.CopyOnWriteArrayList;

/** Hands each change to every open stream. Changes of one device come in order. */
public final class ChangeFeed {
    private final CopyOnWriteArrayList<WatchStream> streams = new CopyOnWriteArrayList<>();

    public void publish(ViewChange change) {
        streams.forEach(stream -> stream.offer(change));
    }

    /** Each stream looks again whether its caller may still have it. */
    void recheck() {
        streams.forEach(WatchStream::wake);
    }

    void add(WatchStream stream) {
        streams.add(stream);
    }

    void remove(WatchStream stream) {
        streams.remove(stream);
    }
}
