package dev.lightpath.app.workers;

/** Hears where searches run, for metrics. From any thread; must not wait. */
public interface WorkersMeter {
    /** How a try to have a search run by a worker ended. */
    enum Ending {
        /** By an answer that is right. */
        ANSWERED,
        /** Every place of the worker was taken. */
        BUSY,
        /** The worker did not answer, or went away. */
        AWAY,
        /** The answer was wrong, or larger than any. */
        WRONG,
        /** The search ended without an answer, or did not stop. */
        FAILED
    }

    /** A try has ended. */
    void tried(Ending ending);

    /** No worker took a search: it runs in this process. */
    void ranHere();

    /** So many workers are known that are not set aside. */
    void workers(int number);
}
