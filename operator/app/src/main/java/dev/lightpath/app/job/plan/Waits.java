package dev.lightpath.app.job.plan;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.planner.words.Counted;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a job waits for: the end of pods and JobSets, the end of light, or that the API server takes what is to be made.
 *
 * @param refusal of a step
 */
record Waits(JobFacts facts, Purpose purpose, Optional<StepsTaken.Refusal> refusal) {
    /** What a release waits for, or that it is over. */
    String ofRelease() {
        if (!(purpose instanceof Purpose.Release release)) {
            return "";
        }
        String pods = forPods();
        Optional<String> blocked = refusal.filter(Waits::isBeside).map(this::told);
        if (blocked.isPresent()) {
            return release.message() + pods + "; " + blocked.get();
        }
        if (!pods.isEmpty()) {
            return release.message() + pods + whoEnds(release);
        }
        Optional<String> ending = facts.left()
                .or(() -> release.endsWorkload() && facts.workload() instanceof WorkloadFacts.Own own
                        ? Optional.of(own)
                        : Optional.empty())
                .filter(own -> own.run().isPresent())
                .map(WorkloadFacts.Own::name);
        if (ending.isPresent()) {
            return release.message() + "; waits for JobSet " + ending.get() + " to go";
        }
        if (refusal.isPresent()) {
            return release.message() + "; " + told(refusal.get());
        }
        if (!facts.slices().isEmpty()) {
            SliceFacts slice = facts.slices().getFirst();
            return release.message() + "; waits for the light of slice " + slice.name() + " to go down"
                    + slice.condition(ConditionType.READY)
                            .map(Condition::getMessage)
                            .filter(message -> !message.isBlank())
                            .map(message -> ": " + message)
                            .orElse("");
        }
        return release.message() + "; nothing is lit for it";
    }

    /** Pods of others: the operator ends none of them. */
    private String whoEnds(Purpose.Release release) {
        if (!release.endsWorkload()
                || !(facts.workload() instanceof WorkloadFacts.Referenced referenced)
                || referenced.pods().stream().noneMatch(pod -> pod.usesLight() && !pod.deleting())) {
            return "";
        }
        Optional<WorkloadFacts.Run> run = referenced.run();
        if (run.filter(of -> of.deleting() || of.suspended() || of.ending().isPresent())
                .isPresent()) {
            return "";
        }
        return run.isEmpty() || Acceptance.namesPods(facts.job())
                ? ": delete its pods, the operator does not"
                : ": delete or suspend " + referenced.title() + ", the operator does not";
    }

    /** Light stays as long as pods use it; empty when none does. */
    String forPods() {
        List<PodFacts> pods =
                facts.workers().stream().filter(PodFacts::usesLight).toList();
        return pods.isEmpty()
                ? ""
                : "; waits for " + Counted.of(pods.size(), "pod") + " to end, first "
                        + pods.getFirst().name();
    }

    /** That a slice is not made. */
    Optional<Verdict> refusedSlice() {
        return refused(of -> of.step() instanceof JobStep.CreateSlice);
    }

    /** That a JobSet is not made, or that JobSet and pods do not become what they are to be. */
    Optional<Verdict> refusedPods() {
        return refused(of -> of.step() instanceof JobStep.CreateJobSet || isBeside(of));
    }

    /** Beside all else: that a pod is not told of light that changed. It runs on; empty where each is told. */
    String untold() {
        return refusal.filter(of -> of.step() instanceof JobStep.TellLight)
                .map(of -> "; " + told(of))
                .orElse("");
    }

    private Optional<Verdict> refused(Predicate<StepsTaken.Refusal> which) {
        return refusal.filter(which).map(of -> Verdict.fails(Reason.CREATION_REFUSED, told(of)));
    }

    /** Whether pods that are there, or their JobSet, do not become what they are to be. */
    private static boolean isBeside(StepsTaken.Refusal refused) {
        return switch (refused.step()) {
            case JobStep.Ungate ungate -> true;
            case JobStep.Free free -> true;
            case JobStep.DeleteJobSet delete -> true;
            case JobStep.DeletePod delete -> true;
            case JobStep.DeleteUnbound delete -> true;
            case JobStep.ForceDeletePod delete -> true;
            case JobStep.TellLight tell -> false;
            case JobStep.CreateSlice create -> false;
            case JobStep.CreateJobSet create -> false;
            case JobStep.DeleteJob delete -> false;
            case JobStep.AddFinalizer add -> false;
            case JobStep.RemoveFinalizer remove -> false;
            case JobStep.Relabel relabel -> false;
            case JobStep.DeleteSlice delete -> false;
        };
    }

    /** What is refused, by whom, and what to do about it. */
    private String told(StepsTaken.Refusal refused) {
        if (refused.step() instanceof JobStep.DeleteJob) {
            return "the job cannot be deleted, though spec.ttlSecondsAfterFinished is over: " + refused.words()
                    + "; it is tried again";
        }
        if (refused.step() instanceof JobStep.TellLight tell) {
            return "pod " + tell.pod() + " cannot be told of its light: " + refused.words() + "; it is tried again";
        }
        String step = switch (refused.step()) {
            case JobStep.CreateSlice create -> "FabricSlice " + create.name() + " cannot be made";
            case JobStep.CreateJobSet create -> "JobSet " + create.name() + " cannot be made";
            case JobStep.Ungate ungate -> "pod " + ungate.pod() + " cannot be let go";
            case JobStep.Free free -> "pod " + free.pod() + " cannot be let go";
            case JobStep.DeleteJobSet delete -> "JobSet " + delete.name() + " cannot be deleted";
            case JobStep.DeletePod delete -> "pod " + delete.pod() + " cannot be deleted";
            case JobStep.DeleteUnbound delete -> "pod " + delete.pod() + " cannot be deleted";
            case JobStep.ForceDeletePod delete -> "pod " + delete.pod() + " cannot be deleted";
            default -> throw new IllegalStateException("cannot be refused: " + refused.step());
        };
        String what = step + ": " + refused.words();
        return refused.namespaceGoes() ? what : what + "; it is tried again, and once that allows it the job goes on";
    }
}
