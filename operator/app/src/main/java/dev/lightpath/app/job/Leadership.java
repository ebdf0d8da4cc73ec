package dev.lightpath.app.job;

import dev.lightpath.crds.job.TrainingJob;

/** Whether this replica may act. Cheap; from any thread. */
public interface Leadership {
    /** For what is of no fabric. */
    boolean leading();

    /** For a job, with all that is made of it. */
    boolean leads(TrainingJob job);
}
