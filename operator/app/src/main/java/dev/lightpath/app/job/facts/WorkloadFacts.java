package dev.lightpath.app.job.facts;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.kueue.QueuedWorkload;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.reading.LightReturned;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The workload that uses the circuits of a job. */
public sealed interface WorkloadFacts {
    /** No known workload. */
    record LightOnly() implements WorkloadFacts {}

    /**
     * Pods made from the job's template.
     *
     * @param run empty while it is not made
     * @param problem why the API server would not take it, empty when it would or when it was not asked
     */
    record Own(String name, Optional<Run> run, List<PodFacts> pods, Optional<TemplateProblem> problem)
            implements WorkloadFacts {
        public Own {
            pods = List.copyOf(pods);
        }
    }

    /**
     * An existing workload of another owner.
     *
     * @param title kind and name, for people
     * @param supported whether the operator knows how its pods are found
     * @param run empty when there is none of the name
     * @param pods its workers
     * @param launchers names of its other pods that wait behind the gate
     * @param problem what is wrong with the reference
     * @param taken why it is the workload of another job, which is first; its queue and the pods of that job are not
     *     known then
     * @param counted whether its pods get ranks only once exactly as many are there as the job has nodes
     * @param asked of its workers, by itself
     */
    record Referenced(
            String title,
            boolean supported,
            Optional<Run> run,
            List<PodFacts> pods,
            List<String> launchers,
            Optional<String> problem,
            Optional<String> taken,
            boolean counted,
            AskedWorkers asked)
            implements WorkloadFacts {
        public Referenced {
            pods = List.copyOf(pods);
            launchers = List.copyOf(launchers);
        }

        /** One that is no other job's. */
        public Referenced(
                String title,
                boolean supported,
                Optional<Run> run,
                List<PodFacts> pods,
                List<String> launchers,
                Optional<String> problem,
                boolean counted,
                AskedWorkers asked) {
            this(title, supported, run, pods, launchers, problem, Optional.empty(), counted, asked);
        }

        /** The same, as the workload of another job: that one speaks with its queue. */
        public Referenced taken(String why) {
            return new Referenced(
                    title,
                    supported,
                    run.map(of -> of.with(Optional.empty())),
                    pods,
                    launchers,
                    problem,
                    Optional.of(why),
                    counted,
                    asked);
        }

        /** One whose pods are all workers and have indexes. */
        public Referenced(String title, boolean supported, Optional<Run> run, List<PodFacts> pods) {
            this(title, supported, run, pods, List.of(), Optional.empty(), false, AskedWorkers.UNKNOWN);
        }
    }

    /**
     * The workers that a workload of another owner asks its controller for.
     *
     * @param templates of pods, as far as it has any
     * @param makes how many there are at one time, as far as its Jobs say it
     * @param ungated replicated jobs that lack the scheduling gate
     * @param awaited what has to happen before all of them are made, as "replicated job data to complete"
     */
    record AskedWorkers(List<JsonNode> templates, OptionalInt makes, List<String> ungated, List<String> awaited) {
        /** Nothing is known of them. */
        public static final AskedWorkers UNKNOWN = new AskedWorkers(List.of());

        public AskedWorkers {
            templates = List.copyOf(templates);
            ungated = List.copyOf(ungated);
            awaited = List.copyOf(awaited);
        }

        /** One that makes all of them at once. */
        public AskedWorkers(List<JsonNode> templates, OptionalInt makes, List<String> ungated) {
            this(templates, makes, ungated, List.of());
        }

        /** Of a workload that has no Jobs. */
        public AskedWorkers(List<JsonNode> templates) {
            this(templates, OptionalInt.empty(), List.of());
        }
    }

    /**
     * A workload that is there.
     *
     * @param gated whether its pod templates carry the scheduling gate
     * @param suspended whether it makes no pods yet, as Kueue has it while it waits for quota
     * @param made what it was made for, if the operator made it
     * @param elsewhere whether MultiKueue runs it in another cluster
     * @param queued what Kueue says of it, where it is suspended and Kueue is installed
     * @param restarts how often its pods were started again, also under JobSets before it; 0 where nobody counts
     * @param podsHeld whether Kueue holds its pods each behind a gate of its own, and suspends nothing as a whole
     */
    record Run(
            boolean deleting,
            boolean gated,
            Optional<Ending> ending,
            boolean suspended,
            Made made,
            boolean elsewhere,
            Optional<QueuedWorkload> queued,
            int restarts,
            boolean podsHeld) {
        /** The same, with what Kueue says of it. */
        public Run with(Optional<QueuedWorkload> read) {
            return new Run(deleting, gated, ending, suspended, made, elsewhere, read, restarts, podsHeld);
        }

        /** One whose pods Kueue holds each behind its own gate: it has no field that suspends it as a whole. */
        public Run held(boolean waits, Optional<QueuedWorkload> read) {
            return new Run(deleting, gated, ending, waits, made, elsewhere, read, restarts, true);
        }

        /**
         * Whether its pods may have no nodes yet. Quota that is reserved for it, and kept for our check, counts as its
         * own: it may run once it has light.
         */
        public boolean awaitsQuota() {
            return suspended && queued.filter(QueuedWorkload::holdsQuota).isEmpty();
        }
    }

    /**
     * How it ended.
     *
     * @param reason a CamelCase word
     */
    record Ending(boolean succeeded, String reason, String message) {
        /** How the workload ended, if the status says so. */
        public static Optional<Ending> told(@Nullable TrainingJobStatus status) {
            return LightReturned.ending(status)
                    .map(condition -> new Ending(
                            ConditionType.COMPLETE.word().equals(condition.getType()),
                            condition.getReason(),
                            condition.getMessage()));
        }
    }

    default List<PodFacts> workers() {
        return switch (this) {
            case LightOnly none -> List.of();
            case Own own -> own.pods();
            case Referenced referenced -> referenced.pods();
        };
    }

    default Optional<Run> running() {
        return switch (this) {
            case LightOnly none -> Optional.empty();
            case Own own -> own.run();
            case Referenced referenced -> referenced.run();
        };
    }
}
