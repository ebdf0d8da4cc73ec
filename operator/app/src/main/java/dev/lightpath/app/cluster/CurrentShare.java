package dev.lightpath.app.cluster;

import jakarta.inject.Singleton;

/** What this process leads, or led last: whether it still does says its fencing epoch. */
@Singleton
public final class CurrentShare {
    private volatile Share share = Share.NOTHING;

    public Share get() {
        return share;
    }

    /** Before an epoch is held for it. */
    public void set(Share next) {
        share = next;
    }
}
