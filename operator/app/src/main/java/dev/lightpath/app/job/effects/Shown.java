package dev.lightpath.app.job.effects;

import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What is known of a job while steps are taken for it, without asking the API server. */
@FunctionalInterface
public interface Shown {
    /** Its slices, as a watch shows them at the moment of asking. */
    List<FabricSlice> slices();

    /** Names of the slices that the steps were planned for; empty where they are not known. */
    default Set<String> planned() {
        return Set.of();
    }

    /** A pod as it was shown or read, which may be late; empty where it was neither. */
    default Optional<Pod> pod(String name) {
        return Optional.empty();
    }

    /**
     * @param planned what the steps were planned by
     * @param pods that a watch showed then, or that were read; of one name the last counts
     * @param slices of the job, as a watch shows them when it is asked
     */
    static Shown of(JobFacts planned, List<Pod> pods, Supplier<List<FabricSlice>> slices) {
        Set<String> names = planned.current().stream().map(SliceFacts::name).collect(Collectors.toUnmodifiableSet());
        Map<String, Pod> byName = new HashMap<>();
        pods.forEach(pod -> byName.put(pod.getMetadata().getName(), pod));
        return new Shown() {
            @Override
            public List<FabricSlice> slices() {
                return slices.get();
            }

            @Override
            public Set<String> planned() {
                return names;
            }

            @Override
            public Optional<Pod> pod(String name) {
                return Optional.ofNullable(byName.get(name));
            }
        };
    }
}
