package dev.lightpath.app.job;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Jobs that there was something to look at of while another replica led them. From any thread. */
final class JobsElsewhere {
    private static final int FEW = 1000;

    private final Set<ResourceID> jobs = ConcurrentHashMap.newKeySet();
    private volatile int most = FEW;

    /**
     * O(1) but for a look at all jobs now and then, so that those that are gone are forgotten.
     *
     * @param known the jobs there are
     */
    void add(ResourceID job, Supplier<Stream<ResourceID>> known) {
        if (jobs.add(job) && jobs.size() > most) {
            Set<ResourceID> there = known.get().collect(Collectors.toSet());
            jobs.retainAll(there);
            most = 2 * jobs.size() + FEW;
        }
    }

    void remove(ResourceID job) {
        jobs.remove(job);
    }

    /** All of them, each once. */
    List<ResourceID> takeAll() {
        return jobs.stream().filter(jobs::remove).toList();
    }
}
