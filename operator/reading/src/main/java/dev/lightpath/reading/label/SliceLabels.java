package dev.lightpath.reading.label;

import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
import dev.lightpath.crds.slice.JobReference;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The labels of a slice, for people and their selectors. Its owner is in its spec, which only the operator may write.
 */
public final class SliceLabels {
    private SliceLabels() {}

    /** As the operator gives them. */
    public static SortedMap<String, String> of(FabricSliceSpec spec) {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(LightpathLabels.FABRIC, spec.fabric());
        labels.put(LightpathLabels.MANAGED_BY, LightpathLabels.LIGHTPATH);
        JobReference job = spec.job();
        if (job != null) {
            labels.put(LightpathLabels.JOB, job.name());
            labels.put(LightpathLabels.ATTEMPT, Integer.toString(job.attempt()));
        }
        return labels;
    }

    /** Those that another client removed or changed. */
    public static SortedMap<String, String> missing(FabricSlice slice) {
        Map<String, String> there = slice.getMetadata().getLabels() == null
                ? Map.of()
                : slice.getMetadata().getLabels();
        SortedMap<String, String> missing = of(slice.getSpec());
        missing.entrySet().removeIf(label -> label.getValue().equals(there.get(label.getKey())));
        return missing;
    }
}
