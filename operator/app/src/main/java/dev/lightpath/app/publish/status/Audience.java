package dev.lightpath.app.publish.status;

import java.util.function.BooleanSupplier;

/** Is told of every outcome, and when nothing more is to be said of the last. Must not wait. */
public interface Audience {
    void publish(Outcome outcome);

    /** @param leads whether this process may tell; asked before each write */
    default void begun(BooleanSupplier leads) {}

    default void ended() {}
}
