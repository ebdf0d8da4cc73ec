package dev.lightpath.app.job;

/** Whether this replica may act. */
public interface Leadership {
    /** Cheap; from any thread. */
    boolean leading();
}
