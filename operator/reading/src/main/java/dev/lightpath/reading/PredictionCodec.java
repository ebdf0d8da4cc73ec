package dev.lightpath.reading;

import dev.lightpath.crds.slice.ChosenCircuits;
import dev.lightpath.planner.ask.Prediction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is expected of a job's circuits, written and read back. Seconds keep all their digits. */
final class PredictionCodec {
    private PredictionCodec() {}

    static ChosenCircuits write(Prediction prediction) {
        return new ChosenCircuits(
                prediction.question(),
                prediction.circuits(),
                new dev.lightpath.crds.job.Prediction(
                        Double.toString(prediction.iterationSeconds()),
                        Double.toString(prediction.lowerBoundSeconds()),
                        Double.isNaN(prediction.nct()) ? null : Double.toString(prediction.nct()),
                        prediction.ports(),
                        prediction.portBudget(),
                        prediction.proved(),
                        Double.toString(prediction.bestSeconds())));
    }

    /** @throws IllegalArgumentException when a decimal is none, naming the field */
    static Prediction read(ChosenCircuits chosen) {
        dev.lightpath.crds.job.Prediction prediction = chosen.prediction();
        double seconds = decimal(prediction.iterationSeconds(), "iterationSeconds");
        String best = prediction.bestSeconds();
        String nct = prediction.normalizedCommunicationTime();
        return new Prediction(
                chosen.question(),
                chosen.circuits(),
                seconds,
                decimal(prediction.lowerBoundSeconds(), "lowerBoundSeconds"),
                nct == null ? Double.NaN : decimal(nct, "normalizedCommunicationTime"),
                Objects.requireNonNullElse(prediction.ports(), 0),
                Objects.requireNonNullElse(prediction.portBudget(), 0),
                Boolean.TRUE.equals(prediction.proved()),
                best == null ? seconds : decimal(best, "bestSeconds"));
    }

    private static double decimal(@Nullable String text, String field) {
        try {
            return Double.parseDouble(Objects.requireNonNullElse(text, "missing"));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "allocation.chosen.prediction." + field + ": " + text + " is no decimal; restore the record", e);
        }
    }
}
