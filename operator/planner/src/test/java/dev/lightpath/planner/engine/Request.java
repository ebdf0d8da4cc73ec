package dev.lightpath.planner.engine;

import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.time.Instant;

/** What a scene asks of a fabric: a test names only what it is about. */
final class Request {
    private Request() {}

    /** The first attempt of a job without pods, wanted, repaired at once and relocatable. */
    static SliceIntent.Builder of(SliceId id, JobId job, String fabric, Demand demand, Instant createdAt) {
        return new SliceIntent(
                        id,
                        job,
                        1,
                        fabric,
                        demand,
                        0,
                        createdAt,
                        true,
                        new Workload.LightOnly(),
                        new Replacement.Immediately(),
                        true)
                .but();
    }

    /** The same of the job that is named like its slice. */
    static SliceIntent.Builder of(SliceId id, String fabric, Demand demand, Instant createdAt) {
        return of(id, new JobId(id.namespace(), id.name(), "uid-" + id.name()), fabric, demand, createdAt);
    }
}
