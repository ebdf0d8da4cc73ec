package dev.lightpath.app.job.measured;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.measuring.QueriedTime;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.measurement.Measurement;
import dev.lightpath.reading.label.Labels;
import org.jspecify.annotations.Nullable;

/** Whether what a query tells of a job may change its status. */
public final class MeasurementNews {
    private MeasurementNews() {}

    /** @param job as a watch shows it: its status may be outdated, and is then looked at again */
    public static boolean of(TrainingJob job, QueriedTime time) {
        @Nullable ScaleOut scaleOut = job.getSpec().scaleOut();
        @Nullable TrainingJobStatus status = job.getStatus();
        @Nullable Prediction prediction = status == null ? null : status.prediction();
        if (scaleOut == null
                || !scaleOut.fabric().equals(time.fabric())
                || status == null
                || prediction == null
                || prediction.iterationSeconds() == null
                || Labels.annotation(job, LightpathAnnotations.ITERATION_SECONDS)
                        .isPresent()) {
            return false;
        }
        if (Conditions.isFor(status.conditions(), ConditionType.MEASURED, Reason.INVALID_MEASUREMENT.word())) {
            return status.conditions().stream()
                    .filter(condition -> ConditionType.MEASURED.word().equals(condition.getType()))
                    .noneMatch(condition -> condition.getMessage().contains("'" + time.seconds() + "'"));
        }
        @Nullable Measurement known = status.measurement();
        return known == null
                || known.circuits().isEmpty()
                || !time.seconds().equals(known.told())
                        && Measurements.isNews(known.circuits().getFirst().seconds(), time.seconds());
    }
}
