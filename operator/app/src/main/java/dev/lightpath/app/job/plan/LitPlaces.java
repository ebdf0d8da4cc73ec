package dev.lightpath.app.job.plan;

import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SliceFacts;
import java.util.List;
import java.util.Set;

/**
 * Where the light of a job burns, as its slices were read at one moment: a job has many pods, and a fault may come
 * between two of them.
 *
 * @param attempt the newest; light of an earlier one is no pod's any more
 * @param places none where any slice of the attempt is not lit
 */
public record LitPlaces(int attempt, Set<RankedNode> places) {
    public LitPlaces {
        places = Set.copyOf(places);
    }

    /**
     * Linear in nodes of the job.
     *
     * @param slices all of the job
     */
    public static LitPlaces of(List<SliceFacts> slices) {
        int newest = slices.stream().mapToInt(SliceFacts::attempt).max().orElse(0);
        List<SliceFacts> own =
                slices.stream().filter(slice -> slice.attempt() == newest).toList();
        return new LitPlaces(
                newest, own.stream().allMatch(SliceFacts::shines) ? Set.copyOf(RankedNode.of(own)) : Set.of());
    }

    /** Whether a pod that is to go has its light at its place. */
    public boolean has(JobStep.Ungate step) {
        return step.attempt() == attempt && places.contains(step.place());
    }
}
