package dev.lightpath.app.measuring;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.fabric.measurement.MeasurementSource;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells on a fabric whether its query of iteration times is answered. */
public final class MeasurementsRead {
    private MeasurementsRead() {}

    /**
     * Before the first answer the fabric says what it said.
     *
     * @param before the status the object has now, null when it has none
     */
    public static OpticalFabricStatus with(
            QueriedTimes times,
            OpticalFabric fabric,
            OpticalFabricStatus status,
            @Nullable OpticalFabricStatus before,
            long generation,
            Instant now) {
        @Nullable MeasurementSource source = fabric.getSpec().measurements();
        if (source == null) {
            return status;
        }
        List<Condition> said = before == null ? List.of() : before.conditions();
        Optional<QueryAnswer> answer = times.answer(fabric.getMetadata().getName(), source.prometheus());
        List<Condition> conditions = new ArrayList<>(status.conditions());
        if (answer.isEmpty()) {
            said.stream()
                    .filter(condition -> condition.getType().equals(ConditionType.MEASUREMENTS_READ.word()))
                    .forEach(conditions::add);
        } else {
            conditions.addAll(Conditions.since(said, generation, now)
                    .with(ConditionType.MEASUREMENTS_READ, verdict(answer.get()))
                    .list());
        }
        return status.with(conditions);
    }

    /** An answer without times is no fault: no job may run. It may also be that of a query for another metric. */
    private static Verdict verdict(QueryAnswer answer) {
        return switch (answer) {
            case QueryAnswer.Failed(String why) ->
                Verdict.fails(Reason.QUERY_FAILED, "spec.measurements.prometheus: " + why);
            case QueryAnswer.Times(Map<JobName, String> seconds) ->
                Verdict.holds("spec.measurements.prometheus is answered"
                        + (seconds.isEmpty()
                                ? ", and names no job: none tells, or the query asks for another metric"
                                : ""));
        };
    }
}
