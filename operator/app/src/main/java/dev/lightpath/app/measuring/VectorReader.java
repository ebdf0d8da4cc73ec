package dev.lightpath.app.measuring;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.lightpath.reading.StrictJson;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the answer of a Prometheus to an instant query. Only numbers are kept of it, and which jobs they are for. */
final class VectorReader {
    /** Bytes of an answer. */
    static final int LARGEST = 4 << 20;

    /** Series of a namespace: its pods write the names of jobs in them. */
    static final int MOST_SERIES = 10_000;

    /** Of a namespace, and of a TrainingJob. */
    private static final int LONGEST_NAME = 63;

    private static final StrictJson JSON = new StrictJson(LARGEST, 8, 1 << 20, LARGEST);
    private static final TypeReference<Answer> ANSWER = new TypeReference<>() {};

    /** As many digits as a record keeps. */
    private static final MathContext DIGITS = new MathContext(9);

    private static final String NUMBER = "[+-]?([0-9]{1,400}([.][0-9]{1,400})?(e[+-]?[0-9]{1,3})?|Inf)|NaN";

    /** What is read of an answer. */
    private record Answer(@Nullable String status, @Nullable Data data) {}

    private record Data(
            @Nullable String resultType, @Nullable List<Series> result) {}

    private record Series(
            @Nullable Map<String, String> metric, @Nullable List<Object> value) {}

    private VectorReader() {}

    /**
     * The time of each job, or what is wrong with the answer. What a tenant writes hides the jobs of no other: series
     * that name no job are passed over, and all of a namespace that has too many. O(size).
     */
    static QueryAnswer read(byte[] body) {
        @Nullable List<Series> all = vector(body);
        if (all == null) {
            return new QueryAnswer.Failed("the answer is no vector as /api/v1/query of a Prometheus gives it");
        }
        Map<String, Integer> counts = new HashMap<>();
        Map<JobName, String> seconds = new HashMap<>();
        for (Series series : all) {
            Optional<JobName> job = job(series.metric() == null ? Map.of() : series.metric());
            Optional<String> value = number(series.value());
            if (value.isEmpty()) {
                return new QueryAnswer.Failed("a value of the answer is no number");
            }
            if (job.isEmpty()
                    || counts.merge(job.get().namespace(), 1, Integer::sum) > MOST_SERIES
                    || isNone(job.get())) {
                continue;
            }
            if (seconds.put(job.get(), value.get()) != null) {
                return new QueryAnswer.Failed(
                        "the answer has several series for one job: aggregate by (namespace, job_name)");
            }
        }
        seconds.keySet().removeIf(job -> counts.getOrDefault(job.namespace(), 0) > MOST_SERIES);
        return counts.isEmpty() && !all.isEmpty()
                ? new QueryAnswer.Failed(
                        "no series of the answer has the labels namespace and job_name: aggregate by (namespace, job_name)")
                : new QueryAnswer.Times(seconds);
    }

    private static @Nullable List<Series> vector(byte[] body) {
        try {
            Answer answer = JSON.read(new ByteArrayInputStream(body), ANSWER);
            Data data = answer.data();
            return "success".equals(answer.status()) && data != null && "vector".equals(data.resultType())
                    ? data.result()
                    : null;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    private static Optional<JobName> job(Map<String, String> labels) {
        @Nullable String namespace = labels.get("namespace");
        @Nullable String name = labels.get("job_name");
        return namespace == null || name == null || namespace.isEmpty() || name.isEmpty()
                ? Optional.empty()
                : Optional.of(new JobName(namespace, name));
    }

    /** Whether no job can be called so. */
    private static boolean isNone(JobName job) {
        return job.namespace().length() > LONGEST_NAME || job.name().length() > LONGEST_NAME;
    }

    /** A decimal where it is one that a job could take, else as Prometheus writes it; empty for what is no number. */
    private static Optional<String> number(@Nullable List<Object> value) {
        if (value == null || value.size() != 2 || !(value.get(1) instanceof String text) || !text.matches(NUMBER)) {
            return Optional.empty();
        }
        if (text.contains("N") || text.contains("I")) {
            return Optional.of(text);
        }
        BigDecimal exact = new BigDecimal(text);
        if (exact.signum() <= 0 || exact.compareTo(BigDecimal.valueOf(1_000_000_000)) >= 0) {
            return Optional.of(exact.round(DIGITS).stripTrailingZeros().toString());
        }
        BigDecimal rounded = exact.round(DIGITS);
        return Optional.of(rounded.setScale(Math.min(9, Math.max(0, rounded.scale())), RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString());
    }
}
