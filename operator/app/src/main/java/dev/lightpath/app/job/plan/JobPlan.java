package dev.lightpath.app.job.plan;

import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.LightRequest;
import dev.lightpath.app.job.facts.Made;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.app.job.workload.LightFile;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What to do next for a job, in order. A pure function of the facts: time is among them. What goes, goes from the top:
 * the workload, its pods, their light, the slices, the finalizer. {@link JobReport} says what to tell its user,
 * {@link PodSteps} what becomes of pods.
 */
public final class JobPlan {
    private JobPlan() {}

    public static List<JobStep> of(JobFacts facts) {
        Purpose purpose = Purpose.of(facts);
        List<JobStep> decided = switch (purpose) {
            case Purpose.Serve serve ->
                serve.queues() ? queue(facts) : serve(facts, serve.refusal().isPresent());
            case Purpose.Release release -> release(facts, release);
        };
        return Stream.of(relabel(facts), leave(facts, purpose), PodSteps.free(facts), decided.stream(), retire(facts))
                .flatMap(each -> each)
                .toList();
    }

    /** Last and beside all else: it may be refused for long, and the job is cared for until it is gone. */
    private static Stream<JobStep> retire(JobFacts facts) {
        return Retention.left(facts.job(), facts.now()).filter(Duration::isZero).stream()
                .map(over -> new JobStep.DeleteJob());
    }

    private static Stream<JobStep> relabel(JobFacts facts) {
        return facts.slices().stream()
                .filter(slice -> !slice.labelled())
                .map(slice -> new JobStep.Relabel(slice.name()));
    }

    /**
     * Nobody else ends what was made of a template that the job no longer names: light stays as long as its pods use
     * it, and others are to run on their nodes.
     */
    private static Stream<JobStep> leave(JobFacts facts, Purpose purpose) {
        List<JobStep> steps = new ArrayList<>();
        boolean givenUp = Attempt.recorded(facts) > facts.attempt() && !facts.massFailure();
        facts.left().ifPresent(left -> {
            PodSteps.end(left, steps);
            PodSteps.letGo(facts, left, purpose instanceof Purpose.Release || givenUp, steps);
        });
        return steps.stream();
    }

    private static List<JobStep> serve(JobFacts facts, boolean refused) {
        boolean anyPlaced =
                facts.slices().stream().anyMatch(slice -> slice.allocation().isPresent());
        List<LightRequest> requests = facts.requests();
        if (requests.isEmpty() || refused && !anyPlaced) {
            return withdraw(facts);
        }
        List<JobStep> steps = new ArrayList<>();
        if (!finalized(facts)) {
            steps.add(new JobStep.AddFinalizer());
        }
        for (SliceFacts slice : facts.superseded()) {
            if (goes(slice, facts)) {
                steps.add(JobStep.DeleteSlice.of(slice));
            }
        }
        List<SliceFacts> current = facts.current();
        if (refused) {
            stay(facts, requests, current, steps);
        } else if (current.isEmpty()) {
            steps.addAll(create(facts, requests, Attempt.recorded(facts) + 1));
        } else if (Attempt.recorded(facts) > facts.attempt()
                || !Attempt.serves(facts, requests)
                || current.stream()
                        .anyMatch(slice -> (slice.deleting() || slice.forceRelease()) && goes(slice, facts))) {
            startAnew(facts, requests, steps);
        } else if (current.size() < requests.size()) {
            steps.addAll(create(facts, missing(current, requests), facts.attempt()));
        } else {
            place(facts, current, steps);
        }
        return steps;
    }

    /** The pods come first, so that their queue knows of them; it lets none of them run yet. */
    private static List<JobStep> queue(JobFacts facts) {
        List<JobStep> steps = new ArrayList<>(withdraw(facts));
        if (!finalized(facts)) {
            steps.add(new JobStep.AddFinalizer());
        }
        if (facts.workload() instanceof WorkloadFacts.Own own) {
            if (isOutdated(own, facts)) {
                renew(own, steps);
            } else if (own.run().isEmpty() && own.problem().isEmpty()) {
                facts.fabric()
                        .ifPresent(fabric -> steps.add(new JobStep.CreateJobSet(
                                own.name(), facts.nodesWanted().orElseThrow(), fabric.gpuResource())));
            }
        }
        return steps;
    }

    /**
     * Whether the JobSet is of an earlier spec, which can be changed as long as the job has no place, also after a
     * person let its slices go: it has not the pods that the job needs now. Of another template or queue it is so only
     * as long as none of its pods was let go.
     */
    static boolean isOutdated(WorkloadFacts.Own own, JobFacts facts) {
        Made now = Made.of(facts.sized());
        boolean begun = own.pods().stream().anyMatch(pod -> !pod.gated());
        return own.run()
                .filter(run -> run.made().isForOthersThan(now)
                        || !begun && run.made().isFromOthersThan(now)
                        || !begun && run.suspended() && run.made().isQueuedElsewhereThan(now))
                .isPresent();
    }

    /** Its successor, of the same name, is made once it is gone. */
    private static void renew(WorkloadFacts.Own own, List<JobStep> steps) {
        if (own.run().filter(run -> !run.deleting()).isPresent()) {
            steps.add(new JobStep.DeleteJobSet(own.name()));
        }
    }

    /** What waits for a place does not get one any more. */
    private static List<JobStep> withdraw(JobFacts facts) {
        return facts.slices().stream()
                .filter(slice -> goes(slice, facts))
                .<JobStep>map(JobStep.DeleteSlice::of)
                .toList();
    }

    /**
     * A job that is refused keeps what it has, and is given nothing new. What it gave up before is gone once its pods
     * are, and what a person let go is gone at once.
     */
    private static void stay(
            JobFacts facts, List<LightRequest> requests, List<SliceFacts> current, List<JobStep> steps) {
        boolean settled = !current.isEmpty()
                && Attempt.recorded(facts) <= facts.attempt()
                && Attempt.serves(facts, requests)
                && current.size() == requests.size()
                && current.stream().noneMatch(SliceFacts::forceRelease);
        if (settled) {
            place(facts, current, steps);
        } else if (Attempt.recorded(facts) > facts.attempt()) {
            giveUp(facts, steps);
        }
        for (SliceFacts slice : current) {
            if ((slice.forceRelease() || Attempt.recorded(facts) > facts.attempt()) && goes(slice, facts)) {
                steps.add(JobStep.DeleteSlice.of(slice));
            }
        }
    }

    /**
     * The spec changed before the job was placed, no repair fits and there is another place, or a person let the slice
     * go: the old light goes first, but for what is on devices that do not answer. The new slice is there before the
     * old one is gone, so that nobody else is given its room. All of the old light goes once its pods are gone, and
     * pods that hang are let go.
     */
    private static void startAnew(JobFacts facts, List<LightRequest> requests, List<JobStep> steps) {
        giveUp(facts, steps);
        if (facts.current().stream().allMatch(slice -> goes(slice, facts) || slice.leavesOnlySilence())) {
            steps.addAll(create(facts, requests, Math.max(Attempt.recorded(facts), facts.attempt() + 1)));
        }
        for (SliceFacts slice : facts.current()) {
            if (goes(slice, facts)) {
                steps.add(JobStep.DeleteSlice.of(slice));
            }
        }
    }

    /**
     * Pods that never end by themselves hold up no light that is given up, but after a mass failure: what is down may
     * be back.
     */
    private static void giveUp(JobFacts facts, List<JobStep> steps) {
        if (facts.workload() instanceof WorkloadFacts.Own own && !facts.massFailure()) {
            PodSteps.letGo(facts, own, true, steps);
            PodSteps.takeBack(facts, own, List.of(), steps);
        }
    }

    private static void place(JobFacts facts, List<SliceFacts> current, List<JobStep> steps) {
        if (!current.stream().allMatch(SliceFacts::placed)) {
            return;
        }
        List<RankedNode> ranked = RankedNode.of(current);
        if (facts.workload() instanceof WorkloadFacts.Own own) {
            if (facts.replicas().isPresent() && resized(facts, own, steps)) {
                return;
            }
            if (isOutdated(own, facts)) {
                renew(own, steps);
                return;
            }
            if (own.run().isEmpty() && own.problem().isEmpty()) {
                steps.add(new JobStep.CreateJobSet(own.name(), ranked.size(), facts.gpuResource(), facts.replicas()));
            }
            PodSteps.letGo(facts, own, false, steps);
            PodSteps.takeBack(facts, own, ranked, steps);
        }
        if (facts.workload().workers().isEmpty()) {
            return;
        }
        LightFile light = LightFile.of(facts);
        if (facts.left().isEmpty()
                && current.stream().allMatch(SliceFacts::shines)
                && !growsFirst(facts, current)
                && !isSuspended(facts)) {
            PodSteps.ungate(facts, ranked, light, steps);
        }
        PodSteps.tellLight(facts, ranked, light, steps);
    }

    /** Of pods that its queue holds back none is let go: the queue ends only those that it let run itself. */
    private static boolean isSuspended(JobFacts facts) {
        return facts.workload().running().filter(WorkloadFacts.Run::suspended).isPresent();
    }

    /**
     * Pods of another number of replicas end, all of them, before there are others of the same names. In a mass failure
     * they stay: nodes that were lost together come back together. Pods that are over stay too: their JobSet is about
     * to say that it has completed, or to start them again. What a JobSet counted is in the status before it goes.
     */
    private static boolean resized(JobFacts facts, WorkloadFacts.Own own, List<JobStep> steps) {
        boolean remains = own.run().isEmpty() && own.pods().stream().anyMatch(PodFacts::usesLight);
        if (!isOutdated(own, facts) && !remains) {
            return false;
        }
        if (!facts.massFailure()
                && Restarts.areTold(facts)
                && own.pods().stream().noneMatch(JobPlan::isOver)) {
            PodSteps.end(own, steps);
            PodSteps.letGo(facts, own, false, steps);
        }
        return true;
    }

    private static boolean isOver(PodFacts pod) {
        return pod.phase() == PodFacts.Phase.ENDED && !pod.deleting();
    }

    /** Whether pods that are all behind the gate wait until the planner has added replicas, or found that it cannot. */
    private static boolean growsFirst(JobFacts facts, List<SliceFacts> current) {
        return current.stream().anyMatch(SliceFacts::grows)
                && facts.workers().stream().noneMatch(PodFacts::usesLight);
    }

    private static List<JobStep> release(JobFacts facts, Purpose.Release release) {
        List<JobStep> steps = new ArrayList<>();
        boolean busy = facts.workers().stream().anyMatch(PodFacts::usesLight)
                || facts.left().flatMap(WorkloadFacts.Own::run).isPresent();
        if (facts.workload() instanceof WorkloadFacts.Own own) {
            if (release.endsWorkload()) {
                busy |= own.run().isPresent();
                PodSteps.end(own, steps);
            }
            PodSteps.letGo(facts, own, true, steps);
        }
        if (busy) {
            return steps;
        }
        for (SliceFacts slice : facts.slices()) {
            if (slice.mayGo(facts.fabricOf(slice))) {
                steps.add(JobStep.DeleteSlice.of(slice));
            }
        }
        if (facts.deleted() && facts.slices().isEmpty() && finalized(facts)) {
            steps.add(new JobStep.RemoveFinalizer());
        }
        return steps;
    }

    /** Whether a slice that serves no longer may go: if nothing was granted in the version read, or it is dark. */
    private static boolean goes(SliceFacts slice, JobFacts facts) {
        return slice.allocation().isEmpty() || slice.mayGo(facts.fabricOf(slice));
    }

    private static List<JobStep> create(JobFacts facts, List<LightRequest> requests, int attempt) {
        ObjectMeta metadata = facts.job().getMetadata();
        return requests.stream()
                .<JobStep>map(request -> new JobStep.CreateSlice(
                        JobNames.slice(metadata.getName(), request.fabric(), attempt, metadata.getUid()),
                        request.fabric(),
                        attempt,
                        request.demand()))
                .toList();
    }

    /** Somebody stopped between the slices of one attempt. */
    private static List<LightRequest> missing(List<SliceFacts> current, List<LightRequest> requests) {
        return requests.stream()
                .filter(request ->
                        current.stream().noneMatch(slice -> slice.fabric().equals(request.fabric())))
                .toList();
    }

    private static boolean finalized(JobFacts facts) {
        return facts.job().getMetadata().getFinalizers().contains(LightpathNames.FINALIZER);
    }
}
