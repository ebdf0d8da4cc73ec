package dev.lightpath.app.job;

import dev.lightpath.app.telling.Conditions;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.reading.JobNames;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What to do next for a job, in order, and what to tell its user. A pure function of the facts: time is among them.
 * What goes, goes from the top: the workload, its pods, their light, the slices, the finalizer.
 *
 * @param status empty when there is nothing to tell, which is the case on a replica that does not lead
 */
record JobPlan(List<JobStep> steps, Optional<TrainingJobStatus> status) {
    /** Reason of a slice's Ready=False once nothing of it burns. */
    static final String RELEASED = "Released";

    JobPlan {
        steps = List.copyOf(steps);
    }

    static JobPlan of(JobFacts facts) {
        if (!facts.leading()) {
            return new JobPlan(List.of(), Optional.empty());
        }
        Purpose purpose = Purpose.of(facts);
        List<JobStep> decided = switch (purpose) {
            case Purpose.Serve serve ->
                serve.queues() ? queue(facts) : serve(facts, serve.refusal().isPresent());
            case Purpose.Release release -> release(facts, release);
        };
        List<JobStep> steps = Stream.of(relabel(facts), leave(facts, purpose), decided.stream())
                .flatMap(each -> each)
                .toList();
        return new JobPlan(steps, Optional.of(status(facts, purpose, steps, Optional.empty())));
    }

    /** What to tell after its steps: what was refused is not there, and its user is told why. */
    Optional<TrainingJobStatus> told(JobFacts facts, StepsTaken taken) {
        return taken.refusal().isEmpty()
                ? status
                : status.map(whole -> status(facts, Purpose.of(facts), taken.done(), taken.refusal()));
    }

    private static TrainingJobStatus status(
            JobFacts facts, Purpose purpose, List<JobStep> steps, Optional<StepsTaken.Refusal> refusal) {
        return new JobReport(facts, purpose, newestAttempt(facts, purpose, steps), steps, refusal).status();
    }

    private static Stream<JobStep> relabel(JobFacts facts) {
        return facts.slices().stream()
                .filter(slice -> !slice.labelled())
                .map(slice -> new JobStep.Relabel(slice.name()));
    }

    /**
     * Nobody else ends what was made of a template that the job no longer names: light stays as long as its pods use it, and others are
     * to run on their nodes.
     */
    private static Stream<JobStep> leave(JobFacts facts, Purpose purpose) {
        List<JobStep> steps = new ArrayList<>();
        boolean givenUp = recordedAttempt(facts) > facts.attempt() && !facts.massFailure();
        facts.left().ifPresent(left -> {
            end(left, steps);
            letGo(facts, left, purpose instanceof Purpose.Release || givenUp, steps);
        });
        return steps.stream();
    }

    private static List<JobStep> serve(JobFacts facts, boolean refused) {
        boolean anyPlaced =
                facts.slices().stream().anyMatch(slice -> slice.allocation().isPresent());
        List<LightWish> wishes = facts.wishes();
        if (wishes.isEmpty() || refused && !anyPlaced) {
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
            stay(facts, wishes, current, steps);
        } else if (current.isEmpty()) {
            steps.addAll(create(facts, wishes, recordedAttempt(facts) + 1));
        } else if (recordedAttempt(facts) > facts.attempt()
                || !serves(facts, wishes)
                || current.stream()
                        .anyMatch(slice -> (slice.deleting() || slice.forceRelease()) && goes(slice, facts))) {
            startAnew(facts, wishes, steps);
        } else if (current.size() < wishes.size()) {
            steps.addAll(create(facts, missing(current, wishes), facts.attempt()));
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
                                own.name(),
                                Math.ceilDiv(facts.job().getSpec().parallelism().gpus(), fabric.gpusPerNode()))));
            }
        }
        return steps;
    }

    /**
     * Whether the JobSet is of an earlier spec, which can be changed as long as the job has no place, also after a person let its slices
     * go: it has not the pods that the job needs now. Of another template or queue it is so only as long as none of its pods was let go.
     */
    private static boolean isOutdated(WorkloadFacts.Own own, JobFacts facts) {
        Made now = Made.of(facts.job());
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
     * A job that is refused keeps what it has, and is given nothing new. What it gave up before is gone once its pods are, and what a
     * person let go is gone at once.
     */
    private static void stay(JobFacts facts, List<LightWish> wishes, List<SliceFacts> current, List<JobStep> steps) {
        boolean settled = !current.isEmpty()
                && recordedAttempt(facts) <= facts.attempt()
                && serves(facts, wishes)
                && current.size() == wishes.size()
                && current.stream().noneMatch(SliceFacts::forceRelease);
        if (settled) {
            place(facts, current, steps);
        } else if (recordedAttempt(facts) > facts.attempt()) {
            giveUp(facts, steps);
        }
        for (SliceFacts slice : current) {
            if ((slice.forceRelease() || recordedAttempt(facts) > facts.attempt()) && goes(slice, facts)) {
                steps.add(JobStep.DeleteSlice.of(slice));
            }
        }
    }

    /**
     * The spec changed before the job was placed, no repair fits and there is another place, or a person let the slice go: the old
     * light goes first, but for what is on devices that do not answer. The new slice is there before the old one is gone, so that nobody else
     * is given its room. All of the old light goes once its pods are gone, and pods that hang are let go.
     */
    private static void startAnew(JobFacts facts, List<LightWish> wishes, List<JobStep> steps) {
        giveUp(facts, steps);
        if (facts.current().stream().allMatch(slice -> goes(slice, facts) || slice.leavesOnlySilence())) {
            steps.addAll(create(facts, wishes, Math.max(recordedAttempt(facts), facts.attempt() + 1)));
        }
        for (SliceFacts slice : facts.current()) {
            if (goes(slice, facts)) {
                steps.add(JobStep.DeleteSlice.of(slice));
            }
        }
    }

    /** Pods that never end by themselves hold up no light that is given up, but after a mass failure: what is down may be back. */
    private static void giveUp(JobFacts facts, List<JobStep> steps) {
        if (facts.workload() instanceof WorkloadFacts.Own own && !facts.massFailure()) {
            letGo(facts, own, true, steps);
            takeBack(facts, own, List.of(), steps);
        }
    }

    private static void place(JobFacts facts, List<SliceFacts> current, List<JobStep> steps) {
        if (!current.stream().allMatch(SliceFacts::placed)) {
            return;
        }
        List<RankedNode> ranked = ranked(current);
        if (facts.workload() instanceof WorkloadFacts.Own own) {
            if (isOutdated(own, facts)) {
                renew(own, steps);
                return;
            }
            if (own.run().isEmpty() && own.problem().isEmpty()) {
                steps.add(new JobStep.CreateJobSet(own.name(), ranked.size()));
            }
            letGo(facts, own, false, steps);
            takeBack(facts, own, ranked, steps);
        }
        if (facts.left().isPresent() || !current.stream().allMatch(SliceFacts::shines)) {
            return;
        }
        int there = facts.workload() instanceof WorkloadFacts.Own own ? firstMissing(own.pods()) : ranked.size();
        facts.workload().workers().stream()
                .filter(pod -> pod.gated() && !pod.deleting())
                .filter(pod -> pod.rank().isPresent() && pod.rank().getAsInt() < Math.min(there, ranked.size()))
                .sorted(Comparator.comparingInt(pod -> pod.rank().getAsInt()))
                .forEach(pod -> {
                    RankedNode place = ranked.get(pod.rank().getAsInt());
                    steps.add(new JobStep.Ungate(
                            pod.name(),
                            place,
                            facts.attempt(),
                            facts.ringPositions().getOrDefault(place.node(), "")));
                });
    }

    /** Pods of our own JobSet appear in any order and all of them do: who comes early waits for the ranks before it. */
    private static int firstMissing(List<PodFacts> pods) {
        Set<Integer> ranks = pods.stream()
                .filter(pod -> !pod.deleting() && pod.rank().isPresent())
                .map(pod -> pod.rank().getAsInt())
                .collect(Collectors.toSet());
        int rank = 0;
        while (ranks.contains(rank)) {
            rank++;
        }
        return rank;
    }

    private static List<JobStep> release(JobFacts facts, Purpose.Release release) {
        List<JobStep> steps = new ArrayList<>();
        boolean busy = facts.workers().stream().anyMatch(PodFacts::usesLight)
                || facts.left().flatMap(WorkloadFacts.Own::run).isPresent();
        if (facts.workload() instanceof WorkloadFacts.Own own) {
            if (release.endsWorkload()) {
                busy |= own.run().isPresent();
                end(own, steps);
            }
            letGo(facts, own, true, steps);
        }
        if (busy) {
            return steps;
        }
        for (SliceFacts slice : facts.slices()) {
            if (mayGo(slice, facts)) {
                steps.add(JobStep.DeleteSlice.of(slice));
            }
        }
        if (facts.deleted() && facts.slices().isEmpty() && finalized(facts)) {
            steps.add(new JobStep.RemoveFinalizer());
        }
        return steps;
    }

    /** From the top, and the pods too: the garbage collector may be late, and their light waits for them. */
    private static void end(WorkloadFacts.Own own, List<JobStep> steps) {
        if (own.run().isPresent() && !own.run().get().deleting()) {
            steps.add(new JobStep.DeleteJobSet(own.name()));
            return;
        }
        own.pods().stream()
                .filter(pod -> pod.usesLight() && !pod.deleting())
                .forEach(pod -> steps.add(new JobStep.DeletePod(pod.name())));
    }

    /**
     * Pods that hang are not waited for where no light of the job is any more.
     *
     * @param givenUp whether all of its light goes, and waits for them
     */
    private static void letGo(JobFacts facts, WorkloadFacts.Own own, boolean givenUp, List<JobStep> steps) {
        boolean darkens = !givenUp && facts.current().stream().anyMatch(JobPlan::darkens);
        if (darkens || !facts.job().getSpec().recovery().forceDelete()) {
            return;
        }
        Set<String> lit = givenUp ? Set.of() : withLight(facts.current());
        for (PodFacts pod : own.pods()) {
            if (pod.hanging() && !lit.contains(pod.node())) {
                steps.add(new JobStep.ForceDeletePod(pod.name()));
            }
        }
    }

    /**
     * Pods that were let go to a node that died or was closed before they were bound, or that is not the node of their rank any more:
     * nobody evicts them, so they would wait there for ever, and others for them. Who would be let go again at once waits on. After a mass
     * failure nothing ends by itself that may come back.
     */
    private static void takeBack(JobFacts facts, WorkloadFacts.Own own, List<RankedNode> ranked, List<JobStep> steps) {
        boolean halted = facts.massFailure();
        boolean lit = facts.current().stream().allMatch(SliceFacts::shines);
        for (PodFacts pod : own.pods()) {
            pod.waiting()
                    .filter(waiting -> (waiting.down() || waiting.barred() && !lit) && !halted
                            || isElsewhere(pod, waiting.node(), ranked))
                    .ifPresent(waiting -> steps.add(new JobStep.DeleteUnbound(pod.name(), waiting.version())));
        }
    }

    private static boolean isElsewhere(PodFacts pod, String node, List<RankedNode> ranked) {
        return pod.rank().isPresent()
                && pod.rank().getAsInt() < ranked.size()
                && !ranked.get(pod.rank().getAsInt()).node().equals(node);
    }

    /** Whether a slice that serves no longer may go: if nothing was granted in the version read, or it is dark. */
    private static boolean goes(SliceFacts slice, JobFacts facts) {
        return slice.allocation().isEmpty() || mayGo(slice, facts);
    }

    private static boolean mayGo(SliceFacts slice, JobFacts facts) {
        return mayGo(slice, facts.fabricOf(slice));
    }

    /**
     * Whether nothing of a slice burns, or what may burn is in quarantine. Light that no planner looks after, because its fabric is gone
     * and nothing was granted, has nothing to release.
     */
    static boolean mayGo(SliceFacts slice, Optional<FabricFacts> fabric) {
        return slice.released()
                || slice.forceRelease() && quarantined(slice, fabric)
                || slice.allocation().isEmpty() && fabric.isEmpty();
    }

    /** Whether the fabric has taken note of what the slice leaves behind, or has no one to take note. */
    private static boolean quarantined(SliceFacts slice, Optional<FabricFacts> fabric) {
        return fabric.isEmpty()
                || slice.allocation()
                        .filter(allocation -> !fabric.get().holdsAllOf(allocation))
                        .isEmpty();
    }

    private static List<JobStep> create(JobFacts facts, List<LightWish> wishes, int attempt) {
        ObjectMeta metadata = facts.job().getMetadata();
        return wishes.stream()
                .<JobStep>map(wish -> new JobStep.CreateSlice(
                        JobNames.slice(metadata.getName(), wish.fabric(), attempt, metadata.getUid()),
                        wish.fabric(),
                        attempt,
                        wish.demand()))
                .toList();
    }

    /** Somebody stopped between the slices of one attempt. */
    private static List<LightWish> missing(List<SliceFacts> current, List<LightWish> wishes) {
        return wishes.stream()
                .filter(wish ->
                        current.stream().noneMatch(slice -> slice.fabric().equals(wish.fabric())))
                .toList();
    }

    /** What was recorded keeps its place, whatever its conditions say: what the API server lets be changed waits. */
    private static boolean serves(JobFacts facts, List<LightWish> wishes) {
        return facts.current().stream().allMatch(slice -> {
            LightWish served = slice.wish();
            return wishes.contains(served)
                    || slice.allocation().isPresent() && wishes.stream().anyMatch(served::isOfTheSameJob);
        });
    }

    /** The nodes of a job in rank order: on two fabrics the ring has chosen them, in the pods that the other one chose. */
    static List<RankedNode> ranked(List<SliceFacts> slices) {
        return slices.stream()
                .sorted(Comparator.comparing(slice -> slice.demand().scaleUp() == null))
                .flatMap(slice -> slice.allocation().stream())
                .findFirst()
                .map(RankedNode::of)
                .orElse(List.of());
    }

    /** Nodes whose light is theirs, or goes yet: what nobody can make dark is not waited for. */
    private static Set<String> withLight(List<SliceFacts> slices) {
        Set<String> nodes = ranked(slices).stream().map(RankedNode::node).collect(Collectors.toSet());
        slices.stream()
                .filter(slice -> !slice.leftOnlySilence())
                .flatMap(slice -> slice.allocation().stream())
                .flatMap(allocation -> Stream.ofNullable(allocation.releasing()))
                .forEach(going -> nodes.addAll(going.nodes()));
        return nodes;
    }

    /** Whether circuits of an earlier revision may burn on: which node they serve is not written. */
    private static boolean darkens(SliceFacts slice) {
        return !slice.leftOnlySilence()
                && slice.allocation()
                        .map(allocation -> allocation.releasing())
                        .filter(going -> !going.circuits().isEmpty())
                        .isPresent();
    }

    private static boolean finalized(JobFacts facts) {
        return facts.job().getMetadata().getFinalizers().contains(LightpathNames.FINALIZER);
    }

    private static int recordedAttempt(JobFacts facts) {
        @Nullable TrainingJobStatus status = facts.job().getStatus();
        return status == null || status.attempt() == null ? 0 : status.attempt();
    }

    private static int newestAttempt(JobFacts facts, Purpose purpose, List<JobStep> steps) {
        int attempt = Math.max(facts.attempt(), recordedAttempt(facts));
        for (JobStep step : steps) {
            if (step instanceof JobStep.CreateSlice create) {
                attempt = Math.max(attempt, create.attempt());
            }
        }
        List<LightWish> wishes = facts.wishes();
        // what is given back is not placed anew: what changes meanwhile counts from the attempt that comes after
        boolean served =
                purpose instanceof Purpose.Serve serve && serve.refusal().isEmpty();
        boolean outdated = !wishes.isEmpty()
                && purpose instanceof Purpose.Serve
                && attempt > 0
                && attempt == facts.attempt()
                && (isHalfLetGo(facts)
                        || isHeldForNothing(facts)
                        || served
                                && (!serves(facts, wishes)
                                        || facts.current().stream().anyMatch(SliceFacts::asksForAnotherPlace)));
        return outdated ? attempt + 1 : attempt;
    }

    /** Its template was changed to one that is refused before it had the place; once it is told, the template cannot be changed back. */
    private static boolean isHeldForNothing(JobFacts facts) {
        @Nullable TrainingJobStatus status = facts.job().getStatus();
        boolean told = status != null && Conditions.isTrue(status.conditions(), ConditionType.PLACED);
        return !told
                && facts.workload() instanceof WorkloadFacts.Own own
                && own.problem().filter(TemplateProblem::mendable).isPresent()
                && own.pods().stream().noneMatch(PodFacts::usesLight)
                && facts.current().stream().anyMatch(SliceFacts::placed);
    }

    /** Circuits are not chosen anew for groups that stay. */
    private static boolean isHalfLetGo(JobFacts facts) {
        return facts.current().size() > 1 && facts.current().stream().anyMatch(SliceFacts::forceRelease);
    }
}
