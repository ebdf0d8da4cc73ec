package dev.lightpath.app.publish.status;

/** Is told of every outcome, and when nothing more is to be said of the last. Must not wait. */
public interface Audience {
    void publish(Outcome outcome);

    default void ended() {}
}
