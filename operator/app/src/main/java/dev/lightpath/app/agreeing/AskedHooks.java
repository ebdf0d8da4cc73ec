package dev.lightpath.app.agreeing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The questions of all jobs, and what was answered last. A question is asked as long as its job has it and its pod has
 * not agreed; one that differs in anything is another question. Nothing is remembered beyond the process: another one
 * asks again. Thread-safe.
 */
public final class AskedHooks {
    /** So soon a pod is asked again: it may be at a checkpoint any moment. */
    static final Duration AGAIN = Duration.ofSeconds(10);

    /** A pod that gives no answer is asked less and less often, to this. */
    static final Duration SELDOM = Duration.ofMinutes(1);

    /** Calls under way. */
    static final int MOST = 32;

    /** Of them for jobs of one namespace. */
    static final int MOST_OF_A_NAMESPACE = 4;

    private record Job(String namespace, String name) {}

    /** What is known of a question. */
    private static final class Asked {
        private final HookQuestion question;
        private long dueNanos;
        private Duration rest = AGAIN;
        private @Nullable HookAnswer answer;

        private Asked(HookQuestion question, long nowNanos) {
            this.question = question;
            this.dueNanos = nowNanos;
        }

        private boolean isDue(long nowNanos) {
            return !(answer instanceof HookAnswer.Agreed) && nowNanos - dueNanos >= 0;
        }
    }

    private final LongSupplier nanoTime;
    private final Map<Job, Map<HookQuestion, Asked>> jobs = new HashMap<>();
    /** Calls that go on, also of questions that their job has no more. */
    private final Set<HookQuestion> underWay = new HashSet<>();
    /** Jobs that had questions when nothing was to be asked any more. */
    private final Set<Job> forgotten = new HashSet<>();

    private long epoch;

    private volatile BiConsumer<String, String> news = (namespace, job) -> {};

    /** @param nanoTime as {@link System#nanoTime} */
    public AskedHooks(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * @param listener called with namespace and name of a job with another answer, on a thread that it must not keep
     */
    public void listen(BiConsumer<String, String> listener) {
        news = listener;
    }

    /**
     * All that a job has to be asked now.
     *
     * @return what was answered so far
     */
    public synchronized Map<HookQuestion, HookAnswer> wanted(
            String namespace, String name, List<HookQuestion> questions) {
        Job job = new Job(namespace, name);
        if (questions.isEmpty()) {
            jobs.remove(job);
            return Map.of();
        }
        Map<HookQuestion, Asked> before = jobs.getOrDefault(job, Map.of());
        Map<HookQuestion, Asked> now = new LinkedHashMap<>();
        Map<HookQuestion, HookAnswer> answers = new HashMap<>();
        for (HookQuestion question : questions) {
            @Nullable Asked known = before.get(question);
            Asked asked = known == null ? new Asked(question, nanoTime.getAsLong()) : known;
            now.put(question, asked);
            if (asked.answer != null) {
                answers.put(question, asked.answer);
            }
        }
        jobs.put(job, now);
        return answers;
    }

    /**
     * The questions to ask now, longest due first; each is under way until {@link #answered}. O(questions log
     * questions).
     */
    public synchronized List<HookQuestion> due() {
        long nowNanos = nanoTime.getAsLong();
        Map<String, Integer> ofNamespace = new HashMap<>();
        underWay.forEach(question -> ofNamespace.merge(question.namespace(), 1, Integer::sum));
        List<Asked> waiting = new ArrayList<>();
        for (Map<HookQuestion, Asked> job : jobs.values()) {
            for (Asked asked : job.values()) {
                if (asked.isDue(nowNanos) && !underWay.contains(asked.question)) {
                    waiting.add(asked);
                }
            }
        }
        waiting.sort(Comparator.<Asked>comparingLong(asked -> asked.dueNanos - nowNanos)
                .thenComparing(asked -> asked.question.job()));
        List<HookQuestion> due = new ArrayList<>();
        for (Asked asked : waiting) {
            String namespace = asked.question.namespace();
            if (underWay.size() < MOST && ofNamespace.getOrDefault(namespace, 0) < MOST_OF_A_NAMESPACE) {
                ofNamespace.merge(namespace, 1, Integer::sum);
                underWay.add(asked.question);
                due.add(asked.question);
            }
        }
        return due;
    }

    /** An answer to a question that its job has no more counts for nothing. */
    public void answered(HookQuestion question, HookAnswer answer) {
        boolean turned;
        synchronized (this) {
            underWay.remove(question);
            @Nullable
            Asked asked = jobs.getOrDefault(new Job(question.namespace(), question.job()), Map.of())
                    .get(question);
            if (asked == null) {
                return;
            }
            turned = !answer.equals(asked.answer);
            asked.answer = answer;
            if (!(answer instanceof HookAnswer.Failed)) {
                asked.rest = AGAIN;
            }
            asked.dueNanos = nanoTime.getAsLong() + asked.rest.toNanos();
            if (answer instanceof HookAnswer.Failed) {
                Duration longer = asked.rest.multipliedBy(2);
                asked.rest = longer.compareTo(SELDOM) < 0 ? longer : SELDOM;
            }
        }
        if (turned) {
            news.accept(question.namespace(), question.job());
        }
    }

    /**
     * Under which epoch this process asks; 0 where another does. Under another one than before it may lead other jobs:
     * what was to be asked is forgotten, and jobs that had questions are looked at anew once it asks.
     */
    void under(long now) {
        List<Job> before = List.of();
        synchronized (this) {
            if (now != epoch) {
                forgotten.addAll(jobs.keySet());
                jobs.clear();
                epoch = now;
            }
            if (now != 0) {
                before = List.copyOf(forgotten);
                forgotten.clear();
            }
        }
        before.forEach(job -> news.accept(job.namespace(), job.name()));
    }
}
