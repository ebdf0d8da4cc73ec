package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.Share;

/** How this process comes to lead. */
interface Elections {
    /** What this process would lead if it were elected now; nothing where that shows only then. */
    Share foreseen();

    /** Stands for election, from now on. On the thread of the leadership. */
    void stand();

    /** Gives all Leases back, or tries to: may wait for the API server. After the term has ended, or nearly. */
    void close();

    /** Hears what becomes of elections. */
    interface Office {
        /** A term is to begin with this mandate, unless it is over by then. From any thread. */
        void taken(Mandate mandate);

        /** Nothing more is sent to drivers, recorded or told from this moment on. From any thread, at once. */
        void lost();

        /** Ends the term, if there is one. On the thread of the leadership; Leases are given back after that. */
        void left();

        /** Whether a term began soon after it could, and its passes go on. From any thread. */
        boolean fit();
    }
}
