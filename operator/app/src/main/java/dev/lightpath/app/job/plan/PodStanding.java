package dev.lightpath.app.job.plan;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.crds.Reason;
import dev.lightpath.planner.words.Counted;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What keeps a job whose light is well from being ready: its pods. */
final class PodStanding {
    private PodStanding() {}

    /**
     * Empty where a workload makes as many pods as the job has nodes, or says no number.
     *
     * @param gpus of the job
     */
    static Optional<String> miscount(WorkloadFacts.Referenced referenced, int nodes, int gpus) {
        return referenced.asked().makes().isEmpty()
                        || referenced.asked().makes().getAsInt() == nodes
                ? Optional.empty()
                : Optional.of("makes "
                        + Counted.of(referenced.asked().makes().getAsInt(), "pod that trains", "pods that train")
                        + "; the job has " + Counted.of(nodes, "node") + ": make " + nodes + ", or a job of "
                        + (long) referenced.asked().makes().getAsInt() * Math.ceilDiv(gpus, nodes) + " GPUs");
    }

    /** Empty when all run where their light is, or when there are none to run. */
    static Optional<Verdict> of(WorkloadFacts workload, List<RankedNode> ranked, int gpus) {
        int nodes = ranked.size();
        if (workload instanceof WorkloadFacts.LightOnly) {
            return Optional.empty();
        }
        if (workload instanceof WorkloadFacts.Referenced referenced) {
            if (referenced.run().isEmpty()) {
                return Optional.of(Verdict.fails(
                        Reason.PODS_PENDING,
                        "spec.workload.ref: there is no " + referenced.title() + leftOver(referenced.pods())));
            }
            if (!referenced.run().get().gated()) {
                return Optional.of(Verdict.fails(Reason.GATE_MISSING, gateMissing(referenced)));
            }
        }
        List<PodFacts> workers = workload.workers();
        long running = workers.stream().filter(PodFacts::runs).count();
        long strangers = workers.stream()
                .filter(pod ->
                        pod.gated() && (pod.rank().isEmpty() || pod.rank().getAsInt() >= nodes))
                .count();
        if (running >= nodes && strangers == 0) {
            return leftBehind(workers, ranked);
        }
        return Optional.of(Verdict.fails(
                Reason.PODS_PENDING,
                Counted.part(running, nodes, "pod runs", "pods run")
                        + (strangers == 0 ? "" : "; " + strangers(workload, strangers, nodes))
                        + suspended(workload)
                        + awaited(workload)
                        + (workload instanceof WorkloadFacts.Referenced referenced
                                ? miscount(referenced, nodes, gpus)
                                        .map(count -> "; " + referenced.title() + " " + count)
                                        .orElse("")
                                : "")));
    }

    /** It has quota by now: who gave that, or the controller of the workload, has to start it. */
    private static String suspended(WorkloadFacts workload) {
        String title = switch (workload) {
            case WorkloadFacts.LightOnly none -> "";
            case WorkloadFacts.Own own -> "JobSet " + own.name();
            case WorkloadFacts.Referenced referenced -> referenced.title();
        };
        Optional<WorkloadFacts.Run> waiting = workload.running().filter(WorkloadFacts.Run::suspended);
        if (waiting.filter(WorkloadFacts.Run::podsHeld).isPresent()) {
            return "; the pods of " + title + " still wait behind the gate of their queue";
        }
        return waiting.isEmpty()
                ? ""
                : "; " + title + " is still suspended"
                        + (workload instanceof WorkloadFacts.Referenced of && of.counted() ? "" : " (spec.suspend)");
    }

    /** What comes before its pods, as initializers do. One that is suspended begins nothing. */
    private static String awaited(WorkloadFacts workload) {
        return !(workload instanceof WorkloadFacts.Referenced referenced)
                        || referenced.asked().awaited().isEmpty()
                        || referenced.run().filter(WorkloadFacts.Run::suspended).isPresent()
                ? ""
                : "; waits for " + String.join(" and for ", referenced.asked().awaited()) + ", before which "
                        + referenced.title() + " makes no further pods";
    }

    /** Who needs the gate, and how it comes there. */
    static String gateMissing(WorkloadFacts.Referenced referenced) {
        List<String> jobs = referenced.asked().ungated();
        return "spec.workload.ref: the pods of " + referenced.title()
                + (jobs.isEmpty()
                        ? ""
                        : " (replicated " + (jobs.size() == 1 ? "job " : "jobs ") + String.join(", ", jobs) + ")")
                + " need spec.schedulingGates with name lightpath.dev/circuits in their template";
    }

    /** Their workload was deleted. */
    private static String leftOver(List<PodFacts> workers) {
        List<PodFacts> left = workers.stream().filter(PodFacts::usesLight).toList();
        return left.isEmpty()
                ? ""
                : "; its nodes and light go back once its pods have ended; waits for "
                        + Counted.of(left.size(), "pod") + " to end, first "
                        + left.getFirst().name();
    }

    private static String strangers(WorkloadFacts workload, long strangers, int nodes) {
        boolean counted = workload instanceof WorkloadFacts.Referenced of && of.counted();
        List<PodFacts> live = workload.workers().stream()
                .filter(pod -> !pod.deleting() && pod.phase() != PodFacts.Phase.ENDED)
                .toList();
        if (counted
                && workload instanceof WorkloadFacts.Referenced referenced
                && live.size() > nodes
                && live.stream().anyMatch(PodFacts::runs)) {
            String spare = live.stream()
                    .filter(pod -> pod.gated() && pod.rank().isEmpty())
                    .map(PodFacts::name)
                    .min(Comparator.naturalOrder())
                    .orElse("");
            return referenced.title() + " has " + Counted.of(live.size(), "pod") + " for " + Counted.of(nodes, "node")
                    + ": let it make " + nodes + ", or delete one that has no rank"
                    + (spare.isEmpty() ? "" : " (" + spare + ")");
        }
        return counted
                ? Counted.of(strangers, "pod has", "pods have") + " no rank: a job of " + Counted.of(nodes, "node")
                        + " takes exactly as many pods, and none runs before all are there"
                : Counted.of(strangers, "pod has", "pods have") + " no node: a job of " + Counted.of(nodes, "node")
                        + " takes completion indexes 0 to " + (nodes - 1);
    }

    /** Light may have moved under running pods, as recovery.replace allows: they do not compute in it. */
    private static Optional<Verdict> leftBehind(List<PodFacts> workers, List<RankedNode> ranked) {
        List<PodFacts> behind = workers.stream()
                .filter(PodFacts::runs)
                .filter(pod -> pod.rank().isPresent() && pod.rank().getAsInt() < ranked.size())
                .filter(pod ->
                        !pod.node().equals(ranked.get(pod.rank().getAsInt()).node()))
                .toList();
        if (behind.isEmpty()) {
            return Optional.empty();
        }
        PodFacts first = behind.getFirst();
        return Optional.of(Verdict.fails(
                Reason.PODS_PENDING,
                Counted.of(
                                behind.size(),
                                "pod runs where its light no longer is",
                                "pods run where their light no longer is")
                        + ", first " + first.name() + " on "
                        + first.node()
                        + " instead of " + ranked.get(first.rank().getAsInt()).node()
                        + ": the workload has to restart them"));
    }
}
