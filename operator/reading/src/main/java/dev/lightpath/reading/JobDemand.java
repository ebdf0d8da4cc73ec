package dev.lightpath.reading;

import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.crds.slice.ScaleUpDemand;
import org.jspecify.annotations.Nullable;

/** What a TrainingJob asks of a fabric, as its slice says it. */
public final class JobDemand {
    private JobDemand() {}

    /** Groups on a ring; what is enough is left out where that is all of them. */
    public static Demand scaleUp(TrainingJobSpec spec) {
        Parallelism split = spec.parallelism();
        Integer least = split.minimumData();
        return new Demand(
                least == null || !split.elastic()
                        ? new ScaleUpDemand(split.groups(), split.tensor())
                        : new ScaleUpDemand(
                                split.groups(),
                                split.tensor(),
                                Math.multiplyExact(least, split.groupsPerReplica()),
                                split.groupsPerReplica()),
                null,
                null);
    }

    /**
     * Circuits on switches. The default time limit is left out: slices from before there was one ask for the same.
     *
     * @param scaleOut of the spec
     * @param recorded its traffic, null where that follows from the model
     */
    public static Demand scaleOut(TrainingJobSpec spec, ScaleOut scaleOut, @Nullable RecordedTraffic recorded) {
        Integer limit = scaleOut.timeLimitSeconds();
        return new Demand(
                null,
                new ScaleOutDemand(
                        spec.model(),
                        spec.parallelism(),
                        spec.microBatchCount(),
                        spec.microBatchSize(),
                        scaleOut.rates(),
                        scaleOut.portTolerance(),
                        scaleOut.stagesPerPod(),
                        scaleOut.torus(),
                        limit == ScaleOut.TIME_LIMIT_SECONDS ? null : limit,
                        recorded),
                null);
    }
}
