package dev.lightpath.app.conditions;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.planner.words.Words;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Conditions of one object, merged with those it had: {@code lastTransitionTime} moves only with {@code status}. An
 * immutable value; conditions of other types than those set here belong to other writers and are left out.
 */
public final class Conditions {
    /** More is not read; what another program is to know is never told in a message. */
    static final int LONGEST_MESSAGE = 4096;

    private final List<Condition> before;
    private final long generation;
    private final Instant now;
    private final Map<ConditionType, Condition> set;

    private Conditions(List<Condition> before, long generation, Instant now, Map<ConditionType, Condition> set) {
        this.before = before;
        this.generation = generation;
        this.now = now;
        this.set = set;
    }

    /** @param generation of the spec that the conditions answer */
    public static Conditions since(List<Condition> before, long generation, Instant now) {
        return new Conditions(List.copyOf(before), generation, now, Map.of());
    }

    public Conditions with(ConditionType type, Verdict verdict) {
        Map<ConditionType, Condition> next = new LinkedHashMap<>(set);
        next.put(type, condition(type, verdict));
        return new Conditions(before, generation, now, next);
    }

    /**
     * The two conditions by which tools know whether to wait or to alert a person. The one that is True has the
     * summary's text, the other one a sentence.
     *
     * @param summary the verdict of Ready
     * @param reconciling whether it goes on by itself
     * @param stalled whether only a person can help
     */
    public Conditions summed(Verdict summary, boolean reconciling, boolean stalled) {
        String otherwise = reconciling ? "it goes on by itself as soon as it can" : "nothing needs a person";
        return with(ConditionType.RECONCILING, abnormal(reconciling, summary, "nothing is under way"))
                .with(ConditionType.STALLED, abnormal(stalled, summary, otherwise));
    }

    private static Verdict abnormal(boolean there, Verdict summary, String otherwise) {
        return there
                ? Verdict.because(summary.reason(), summary.message())
                : Verdict.fails(Reason.SATISFIED, otherwise);
    }

    /** In the order in which their types were first set. */
    public List<Condition> list() {
        return List.copyOf(new ArrayList<>(set.values()));
    }

    /** Whether the conditions of one list are in the other as they are; others there do not matter. */
    public static boolean contained(List<Condition> conditions, List<Condition> there) {
        return there.containsAll(conditions);
    }

    /** Whether a condition of that type is there. */
    public static boolean has(List<Condition> conditions, ConditionType type) {
        return conditions.stream().anyMatch(condition -> type.word().equals(condition.getType()));
    }

    /** Whether a condition of that type is there and is true. */
    public static boolean isTrue(List<Condition> conditions, ConditionType type) {
        return conditions.stream()
                .anyMatch(condition -> type.word().equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    /** Whether a condition of that type is there for that reason. */
    public static boolean isFor(List<Condition> conditions, ConditionType type, String reason) {
        return conditions.stream()
                .anyMatch(condition -> type.word().equals(condition.getType()) && reason.equals(condition.getReason()));
    }

    private Condition condition(ConditionType type, Verdict verdict) {
        String transition = before.stream()
                .filter(known ->
                        type.word().equals(known.getType()) && verdict.status().equals(known.getStatus()))
                .map(Condition::getLastTransitionTime)
                .findFirst()
                .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(type.word())
                .withStatus(verdict.status())
                .withReason(verdict.reason())
                .withMessage(Words.shortened(verdict.message(), LONGEST_MESSAGE))
                .withObservedGeneration(generation)
                .withLastTransitionTime(transition)
                .build();
    }

    /**
     * What a condition says.
     *
     * @param status True, False or Unknown
     * @param reason a CamelCase word
     */
    public record Verdict(String status, String reason, String message) {
        public static Verdict holds(String message) {
            return new Verdict("True", Reason.SATISFIED.word(), message);
        }

        /** It holds, and for an abnormal-true condition this is why. */
        public static Verdict because(String reason, String message) {
            return new Verdict("True", reason, message);
        }

        public static Verdict fails(String reason, String message) {
            return new Verdict("False", reason, message);
        }

        public static Verdict fails(Reason reason, String message) {
            return fails(reason.word(), message);
        }

        /** The object was not read yet, or a decision is on its way. */
        public static Verdict pending(String message) {
            return unknown(Reason.PENDING.word(), message);
        }

        public static Verdict unknown(String reason, String message) {
            return new Verdict("Unknown", reason, message);
        }

        public boolean holds() {
            return status.equals("True");
        }
    }
}
