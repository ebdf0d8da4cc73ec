package dev.lightpath.console.forecast;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.Sight;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.simulation.PlacementPreview;
import dev.lightpath.planner.engine.simulation.Simulation;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs would be placed, what would move for them and why: the JSON document of {@code plan}.
 *
 * @param infeasible why a job would not be placed, null when all would
 * @param jobs those that ask for a ring alone
 * @param scaleOut those whose traffic decides about circuits between pods
 * @param notes what is left out
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanReport(
        @Nullable String infeasible,
        List<JobPlan> jobs,
        List<ScaleOutPlan> scaleOut,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> notes) {
    public PlanReport {
        jobs = List.copyOf(jobs);
        scaleOut = List.copyOf(scaleOut);
        notes = notes == null ? List.of() : List.copyOf(notes);
    }

    /**
     * @param placed whether there is a place
     * @param held whether the job has it already, so that nothing is left to do
     * @param planner which of the operator's planners decides it
     * @param waitsFor what keeps the operator from doing it now
     * @param moves every bundle that changes its state
     * @param preempts jobs of lower priority that give their places up first, of those that may be shown
     * @param hiddenPreempted more of them, which may not be shown
     * @param others slices of other jobs whose record changes at the same time
     * @param hidden more of them, which may not be shown
     * @param reason a condition's reason, when there is no place
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record JobPlan(
            String namespace,
            String name,
            String fabric,
            int gpus,
            boolean placed,
            boolean held,
            List<Group> groups,
            @Nullable Double crossTorRatio,
            @Nullable Integer spareNodes,
            List<Integer> aggregationDomains,
            @Nullable String planner,
            @Nullable String why,
            @Nullable String waitsFor,
            List<Move> moves,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> preempts,
            @Nullable Integer hiddenPreempted,
            List<Other> others,
            @Nullable Integer hidden,
            @Nullable String reason,
            @Nullable String message,
            @Nullable Integer gpusUsable) {
        public JobPlan {
            preempts = preempts == null ? List.of() : List.copyOf(preempts);
        }

        /** @param waits what keeps the fabric from moving light now, null when nothing does */
        static JobPlan of(
                SliceId slice,
                String job,
                String fabric,
                int gpus,
                PlacementPreview preview,
                @Nullable String waits,
                Sight sight) {
            return switch (preview) {
                case PlacementPreview.Placed placed -> placed(slice, job, fabric, gpus, placed, waits, sight);
                case PlacementPreview.Unplaceable none ->
                    unplaced(slice.namespace(), job, fabric, gpus, none.reason().word(), none.why(), none.usableGpus());
            };
        }

        static JobPlan unplaced(
                String namespace,
                String job,
                String fabric,
                int gpus,
                String reason,
                String message,
                @Nullable Integer gpusUsable) {
            return new JobPlan(
                    namespace,
                    job,
                    fabric,
                    gpus,
                    false,
                    false,
                    List.of(),
                    null,
                    null,
                    List.of(),
                    null,
                    null,
                    null,
                    List.of(),
                    List.of(),
                    null,
                    List.of(),
                    null,
                    reason,
                    message,
                    gpusUsable);
        }

        private static JobPlan placed(
                SliceId slice,
                String job,
                String fabric,
                int gpus,
                PlacementPreview.Placed placed,
                @Nullable String waits,
                Sight sight) {
            List<Simulation.Step> own = placed.steps().stream()
                    .filter(step -> step.slice().equals(slice))
                    .toList();
            PlacementPreview.OnRing ring = placed.ring().orElseThrow();
            Origin origin = own.isEmpty() ? null : own.getLast().origin().orElse(null);
            return new JobPlan(
                    slice.namespace(),
                    job,
                    fabric,
                    gpus,
                    true,
                    own.isEmpty(),
                    Group.of(placed.allocations().firstEntry().getValue().groups()),
                    ring.siting().map(SliceVerdict.Siting::crossTorRatio).orElse(0.0),
                    ring.siting().map(SliceVerdict.Siting::spareNodes).orElse(0),
                    ring.domains(),
                    origin == null ? null : origin.planner().word(),
                    origin == null ? null : origin.why(),
                    waits,
                    ring.bundles().stream()
                            .filter(bundle -> sight.shows(bundle.slice().namespace()))
                            .map(Move::of)
                            .toList(),
                    placed.preempted().stream()
                            .filter(victim -> sight.shows(victim.namespace()))
                            .map(JobId::toString)
                            .toList(),
                    Hidden.count(placed.preempted().stream().map(JobId::namespace), sight),
                    placed.others().stream()
                            .filter(step -> sight.shows(step.slice().namespace()))
                            .map(Other::of)
                            .toList(),
                    Hidden.of(placed.steps(), sight),
                    null,
                    null,
                    null);
        }

        /** In one line why there is no place. */
        String refusal() {
            return namespace + "/" + name + ": " + reason + ": " + message;
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Other(
            String slice,
            @Nullable String planner,
            @Nullable String why,
            List<Group> groups) {
        static Other of(Simulation.Step step) {
            Origin origin = step.origin().orElse(null);
            return new Other(
                    step.slice().toString(),
                    origin == null ? null : origin.planner().word(),
                    origin == null ? null : origin.why(),
                    Group.of(step.allocation().groups()));
        }
    }

    static PlanReport of(List<JobPlan> jobs, List<ScaleOutPlan> scaleOut) {
        String refusals = Stream.concat(
                        jobs.stream().filter(job -> !job.placed()).map(JobPlan::refusal),
                        scaleOut.stream().filter(job -> !job.placed()).map(ScaleOutPlan::refusal))
                .collect(Collectors.joining("; "));
        return new PlanReport(refusals.isEmpty() ? null : refusals, jobs, scaleOut, List.of());
    }

    /** The same with one more note. */
    public PlanReport noting(String note) {
        return new PlanReport(
                infeasible,
                jobs,
                scaleOut,
                Stream.concat(notes.stream(), Stream.of(note)).toList());
    }
}
