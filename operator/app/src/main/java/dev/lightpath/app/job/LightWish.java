package dev.lightpath.app.job;

import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.ScaleUp;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.crds.slice.ScaleUpDemand;
import java.util.Optional;

/**
 * What a job asks of which fabric, as its slice will say it.
 *
 * @param fabric its name
 */
record LightWish(String fabric, Demand demand) {

    /** Groups on a ring, or a torus of its own; empty when the job asks for neither. */
    static Optional<LightWish> of(TrainingJobSpec spec) {
        ScaleUp scaleUp = spec.scaleUp();
        if (scaleUp != null) {
            return Optional.of(new LightWish(
                    scaleUp.fabric(),
                    new Demand(
                            new ScaleUpDemand(
                                    spec.parallelism().groups(),
                                    spec.parallelism().tensor()),
                            null,
                            null)));
        }
        ScaleOut scaleOut = spec.scaleOut();
        return scaleOut == null || scaleOut.torus() == null
                ? Optional.empty()
                : Optional.of(new LightWish(scaleOut.fabric(), new Demand(null, torus(spec, scaleOut), null)));
    }

    private static ScaleOutDemand torus(TrainingJobSpec spec, ScaleOut scaleOut) {
        return new ScaleOutDemand(
                spec.model(),
                spec.parallelism(),
                spec.microBatchCount(),
                spec.microBatchSize(),
                scaleOut.rates(),
                scaleOut.portTolerance(),
                scaleOut.stagesPerPod(),
                scaleOut.torus());
    }
}
