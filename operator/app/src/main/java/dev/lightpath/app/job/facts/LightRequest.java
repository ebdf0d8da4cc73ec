package dev.lightpath.app.job.facts;

import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.ScaleUp;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.reading.JobDemand;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks of which fabric, as its slice will say it.
 *
 * @param fabric its name
 */
public record LightRequest(String fabric, Demand demand) {

    /** Groups on a ring, circuits on switches, or both: the ring first, since it decides the ranks. */
    public static List<LightRequest> all(TrainingJobSpec spec, Optional<RecordedTraffic> recorded) {
        List<LightRequest> requests = new ArrayList<>();
        ScaleUp scaleUp = spec.scaleUp();
        if (scaleUp != null) {
            requests.add(new LightRequest(scaleUp.fabric(), JobDemand.scaleUp(spec)));
        }
        ScaleOut scaleOut = spec.scaleOut();
        if (scaleOut != null) {
            requests.add(
                    new LightRequest(scaleOut.fabric(), JobDemand.scaleOut(spec, scaleOut, recorded.orElse(null))));
        }
        return List.copyOf(requests);
    }

    /**
     * Whether another request differs at most in what may be changed under a placed job, which counts from its next
     * attempt on.
     */
    public boolean isOfTheSameJob(LightRequest other) {
        ScaleOutDemand here = demand.scaleOut();
        ScaleOutDemand there = other.demand.scaleOut();
        boolean sameTraffic = here == null || there == null
                ? here == there
                : Objects.equals(here.model(), there.model())
                        && here.parallelism().equals(there.parallelism());
        return fabric.equals(other.fabric) && Objects.equals(demand.scaleUp(), other.demand.scaleUp()) && sameTraffic;
    }

    /** Fields of the spec that another request of the same job has otherwise. */
    public List<String> changes(LightRequest other) {
        ScaleOutDemand here = demand.scaleOut();
        ScaleOutDemand there = other.demand.scaleOut();
        if (here == null || there == null) {
            return List.of();
        }
        List<String> changes = new ArrayList<>();
        name("microBatches", here.microBatches(), there.microBatches(), changes);
        name("microBatchSize", here.microBatchSize(), there.microBatchSize(), changes);
        name("scaleOut.rates", here.rates(), there.rates(), changes);
        name("scaleOut.portTolerance", here.portTolerance(), there.portTolerance(), changes);
        name("scaleOut.stagesPerPod", here.stagesPerPod(), there.stagesPerPod(), changes);
        name("scaleOut.torus", here.torus(), there.torus(), changes);
        name("scaleOut.timeLimitSeconds", here.timeLimit(), there.timeLimit(), changes);
        name("its recorded traffic", here.recorded(), there.recorded(), changes);
        return changes;
    }

    private static void name(String field, @Nullable Object here, @Nullable Object there, List<String> changes) {
        if (!Objects.equals(here, there)) {
            changes.add(field);
        }
    }

    /** Whether a job asks for light of a fabric. */
    public static boolean any(TrainingJobSpec spec, String fabric) {
        return all(spec, Optional.empty()).stream()
                .anyMatch(request -> request.fabric().equals(fabric));
    }
}
