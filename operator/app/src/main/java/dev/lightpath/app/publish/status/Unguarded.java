package dev.lightpath.app.publish.status;

import static dev.lightpath.reading.AdmissionPolicies.APPLY;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.planner.words.Words;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Tells on a fabric that admission policies are not in force. */
public final class Unguarded {
    private static final int MOST_NAMED = 4;

    private Unguarded() {}

    /** The admission policies of Lightpath, as they were looked at last. */
    public interface AdmissionPolicies {
        /** Policies that are not in force by name, each with why; empty before the first look. */
        Optional<SortedMap<String, String>> notInForce();

        /** @param listener called when that changes, on a thread that it must not keep */
        void listen(Runnable listener);

        /** All are in force. */
        AdmissionPolicies COMPLETE = new AdmissionPolicies() {
            @Override
            public Optional<SortedMap<String, String>> notInForce() {
                return Optional.of(Collections.emptySortedMap());
            }

            @Override
            public void listen(Runnable listener) {
                // nothing changes
            }
        };
    }

    /**
     * @param missing policies by name, each with why; empty while that is not known, and then the fabric says what it
     *     said
     * @param before the status the object has now, null when it has none
     */
    static OpticalFabricStatus with(
            Optional<SortedMap<String, String>> missing,
            OpticalFabricStatus status,
            @Nullable OpticalFabricStatus before,
            long generation,
            Instant now) {
        List<Condition> said = before == null ? List.of() : before.conditions();
        List<Condition> told = missing.map(policies -> policies.isEmpty()
                        ? List.<Condition>of()
                        : Conditions.since(said, generation, now)
                                .with(
                                        ConditionType.UNGUARDED,
                                        Verdict.because(Reason.POLICIES_MISSING.word(), words(policies)))
                                .list())
                .orElseGet(() -> said.stream()
                        .filter(condition -> condition.getType().equals(ConditionType.UNGUARDED.word()))
                        .toList());
        if (told.isEmpty()) {
            return status;
        }
        List<Condition> conditions = new ArrayList<>(status.conditions());
        conditions.addAll(told);
        return status.with(conditions);
    }

    private static String words(SortedMap<String, String> missing) {
        List<String> each = missing.entrySet().stream()
                .map(policy -> policy.getKey() + " " + policy.getValue())
                .toList();
        return "admission policies are not in force, so more is allowed than docs/security.md says: "
                + Words.first(MOST_NAMED, each) + "; " + APPLY;
    }
}
