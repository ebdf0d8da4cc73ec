package dev.lightpath.app.job;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJobStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Conditions as they are written: the time of a condition moves only with its status. */
final class ConditionTable {
    /** What the API server takes at most. */
    private static final int LONGEST_MESSAGE = 32768;

    private final List<Condition> before;
    private final long generation;
    private final Instant now;
    private final List<Condition> conditions = new ArrayList<>();

    ConditionTable(@Nullable TrainingJobStatus before, @Nullable Long generation, Instant now) {
        this.before = before == null ? List.of() : before.conditions();
        this.generation = generation == null ? 0 : generation;
        this.now = now.truncatedTo(ChronoUnit.SECONDS);
    }

    void put(ConditionType type, String status, String reason, String message) {
        conditions.add(new ConditionBuilder()
                .withType(type.word())
                .withStatus(status)
                .withReason(reason)
                .withMessage(message.substring(0, Math.min(message.length(), LONGEST_MESSAGE)))
                .withObservedGeneration(generation)
                .withLastTransitionTime(since(type, status))
                .build());
    }

    private String since(ConditionType type, String status) {
        for (Condition condition : before) {
            if (type.word().equals(condition.getType())
                    && status.equals(condition.getStatus())
                    && condition.getLastTransitionTime() != null) {
                return condition.getLastTransitionTime();
            }
        }
        return now.toString();
    }

    List<Condition> conditions() {
        return List.copyOf(conditions);
    }
}
