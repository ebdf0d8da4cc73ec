package dev.lightpath.app.publish;

/** Is told of every outcome, and when nothing more is to be said of the last. Must not wait. */
interface Audience {
    void publish(Outcome outcome);

    default void ended() {}
}
