package dev.lightpath.app.loop;

/** Where the loop reads what is wished. */
public interface Cluster {
    /** What is wished now. Cheap when little changed since the last call; called from the loop's thread only. */
    DesiredState read();
}
