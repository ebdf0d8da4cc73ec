package dev.lightpath.app.job.reading;

import dev.lightpath.app.BackgroundThread;
import dev.lightpath.app.RoundRobin;
import dev.lightpath.app.job.measured.SpeedFitting;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.planner.learn.Learnt;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fits speeds to measurements of jobs, on a thread of its own: a fit to a long iteration takes seconds, and no
 * reconciler waits for it. One job at a time, in turns between namespaces. Thread-safe.
 */
public final class SpeedFits implements SpeedFitting, AutoCloseable {
    /** Jobs whose last fit is kept: of another one it is done again. */
    static final int MOST = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(SpeedFits.class);

    /** The newest question of a job. */
    private static final class Asked {
        private final Question question;
        private Optional<Learnt> answer = Optional.empty();

        private Asked(Question question) {
            this.question = question;
        }
    }

    private record Work(ResourceID job, Asked asked, Supplier<Learnt> fit) {}

    private final Consumer<ResourceID> told;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(work -> BackgroundThread.of("speed-fits", work));
    private final RoundRobin<ResourceID, Work> waiting = new RoundRobin<>((one, other) -> 0);
    private final Map<ResourceID, Asked> jobs = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ResourceID, Asked> eldest) {
            return size() > MOST;
        }
    };

    /** @param told is told each job whose speeds were fitted, from a thread of fits */
    public SpeedFits(Consumer<ResourceID> told) {
        this.told = told;
    }

    /** The job is told when it is fitted. */
    @Override
    public synchronized Optional<Learnt> of(TrainingJob of, Question question, Supplier<Learnt> fit) {
        ResourceID job = ResourceID.fromResource(of);
        @Nullable Asked known = jobs.get(job);
        if (known != null && known.question.equals(question)) {
            return known.answer;
        }
        Asked asked = new Asked(question);
        jobs.put(job, asked);
        waiting.add(job.getNamespace().orElse(""), job, new Work(job, asked, fit));
        try {
            thread.execute(this::fitNext);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("stopping; no speeds are fitted any more");
        }
        return Optional.empty();
    }

    private void fitNext() {
        Optional<Map.Entry<ResourceID, Work>> next;
        synchronized (this) {
            next = waiting.next(owner -> 0, any -> true);
        }
        next.map(Map.Entry::getValue).ifPresent(this::fit);
    }

    private void fit(Work work) {
        synchronized (this) {
            // a look by the job's key would count as a question of the job
            if (!jobs.containsValue(work.asked())) {
                return;
            }
        }
        Learnt learnt;
        try {
            learnt = work.fit().get();
        } catch (RuntimeException | Error e) {
            // whatever it is: the job waits for an answer
            LOG.atWarn().addKeyValue("job", work.job()).setCause(e).log("its speeds could not be fitted");
            learnt = new Learnt.Nothing("its speeds could not be fitted; the log of the operator says why");
        }
        synchronized (this) {
            work.asked().answer = Optional.of(learnt);
        }
        told.accept(work.job());
    }

    /** Nothing more is begun. */
    @Override
    public void close() {
        synchronized (this) {
            waiting.clear();
        }
        thread.shutdown();
    }
}
