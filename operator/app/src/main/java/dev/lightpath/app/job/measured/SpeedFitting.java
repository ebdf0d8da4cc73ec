package dev.lightpath.app.job.measured;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.measurement.MeasuredCircuits;
import dev.lightpath.planner.learn.Learnt;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Fits speeds to what was measured of jobs. A fit may take seconds: who reports does not wait for it. */
@FunctionalInterface
public interface SpeedFitting {
    /** Nothing is learnt. */
    SpeedFitting NONE = (job, question, fit) -> Optional.empty();

    /**
     * What is fitted.
     *
     * @param iteration its digest
     * @param sets that have enough measurements
     */
    record Question(String iteration, List<MeasuredCircuits> sets) {
        public Question {
            sets = List.copyOf(sets);
        }
    }

    /**
     * What is learnt of a job; empty while it is being fitted.
     *
     * @param fit answers the question, from any thread
     */
    Optional<Learnt> of(TrainingJob job, Question question, Supplier<Learnt> fit);
}
