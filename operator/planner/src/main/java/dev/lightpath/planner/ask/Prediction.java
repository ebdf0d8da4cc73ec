package dev.lightpath.planner.ask;

import java.util.List;
import java.util.Locale;

/**
 * The predicted iteration of a job with the circuits that it has.
 *
 * @param question digest of the question that they answer; another name if there are fewer circuits than answered
 * @param circuits one count per group of the instance: neighbouring stages first, then peers of other replicas
 * @param iterationSeconds length of an iteration
 * @param lowerBoundSeconds no circuits within the ports end it earlier
 * @param nct normalised communication time without a unit, NaN when even an ideal network adds no time
 * @param ports circuit ends used in the pods of one replica
 * @param portBudget circuit ends these pods offer the job
 * @param proved whether no circuits are better, and none as good have fewer ends
 * @param bestSeconds shortest iteration that the slice ever had circuits for; the difference was lost to faults or
 *     neighbours
 */
public record Prediction(
        String question,
        List<Integer> circuits,
        double iterationSeconds,
        double lowerBoundSeconds,
        double nct,
        int ports,
        int portBudget,
        boolean proved,
        double bestSeconds) {
    public Prediction {
        circuits = List.copyOf(circuits);
    }

    /** This prediction under another question's name. */
    Prediction named(String other) {
        return new Prediction(
                other, circuits, iterationSeconds, lowerBoundSeconds, nct, ports, portBudget, proved, bestSeconds);
    }

    /** This prediction, with the shortest iteration so far taken into account. */
    public Prediction after(double earlierBestSeconds) {
        return new Prediction(
                question,
                circuits,
                iterationSeconds,
                lowerBoundSeconds,
                nct,
                ports,
                portBudget,
                proved,
                Math.min(bestSeconds, earlierBestSeconds));
    }

    /** How much longer an iteration is than at best, relative to the best: 0 when nothing was lost. */
    public double loss() {
        return bestSeconds > 0 ? iterationSeconds / bestSeconds - 1 : 0;
    }

    /** For people. */
    public String words() {
        String words = String.format(
                Locale.ROOT, "an iteration of %.6g s on %d of %d ports", iterationSeconds, ports, portBudget);
        return loss() > 0 ? words + String.format(Locale.ROOT, ", %.3g %% longer than at best", 100 * loss()) : words;
    }
}
