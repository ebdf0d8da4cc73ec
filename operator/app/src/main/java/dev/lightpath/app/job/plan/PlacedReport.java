package dev.lightpath.app.job.plan;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.Replicas;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.AllocationOrigin;
import dev.lightpath.planner.words.Counted;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;

/**
 * What is told of the place that a job has: how large it is, what moved last, and what is not as it should be.
 *
 * @param current slices that serve it, all placed
 */
record PlacedReport(JobFacts facts, List<SliceFacts> current) {
    Verdict verdict() {
        String deleted = deleted();
        String seats = "the job has " + Counted.of(RankedNode.of(current).size(), "node") + replicas() + origin()
                + tuned() + deleted;
        return unsolved()
                .map(failed -> Verdict.because(failed.getReason(), seats + "; " + failed.getMessage()))
                .orElseGet(() ->
                        deleted.isEmpty() ? complete(seats) : Verdict.because(Reason.SLICE_DELETED.word(), seats));
    }

    private Verdict complete(String seats) {
        return Replicas.width(facts)
                .filter(width -> width.replicas() < width.wished())
                .map(width -> Verdict.because(Reason.FEWER_REPLICAS.word(), seats))
                .orElseGet(() -> Verdict.holds(seats));
    }

    /** How many of its replicas an elastic job has, and when it grows. */
    private String replicas() {
        return Replicas.width(facts)
                .map(width -> ", " + width.replicas() + " of " + Counted.of(width.wished(), "replica")
                        + (current.stream().anyMatch(SliceFacts::grows)
                                ? "; there is room for more, which it gets when its pods next restart"
                                : ""))
                .orElse("");
    }

    /** What the spec says otherwise by now than when the light was chosen. */
    private String tuned() {
        List<String> changes = current.stream()
                .map(SliceFacts::request)
                .flatMap(served -> facts.requests().stream()
                        .filter(served::isOfTheSameJob)
                        .flatMap(request -> served.changes(request).stream()))
                .distinct()
                .toList();
        return changes.isEmpty()
                ? ""
                : "; " + String.join(", ", changes) + (changes.size() == 1 ? " counts" : " count")
                        + " from the next attempt";
    }

    /** Slices that somebody deleted while the job has their light: they stay Terminating. */
    private String deleted() {
        List<String> names = current.stream()
                .filter(SliceFacts::deleting)
                .map(SliceFacts::name)
                .toList();
        return names.isEmpty()
                ? ""
                : "; FabricSlice " + String.join(", ", names) + (names.size() == 1 ? " was" : " were")
                        + " deleted: the job keeps its light, which is repaired as before, until it ends, is suspended or is"
                        + " placed anew";
    }

    /** Says so when nobody could look for better circuits. */
    private Optional<Condition> unsolved() {
        return current.stream()
                .flatMap(slice -> slice.condition(ConditionType.ALLOCATED).stream())
                .filter(allocated -> Reason.SOLVER_FAILED.word().equals(allocated.getReason()))
                .findFirst();
    }

    /** What moved last, and why. */
    private String origin() {
        return current.stream()
                .flatMap(slice -> slice.allocation().stream())
                .filter(allocation -> allocation.revision() > 1)
                .flatMap(allocation -> Optional.ofNullable(allocation.origin()).stream()
                        .map(origin -> "; last change: " + told(allocation, origin)))
                .findFirst()
                .orElse("");
    }

    private static String told(Allocation allocation, AllocationOrigin origin) {
        String what = allocation.circuits().isEmpty() ? "bundle" : "circuit";
        return origin.planner() + ", " + Counted.of(origin.bundles(), what) + ", " + origin.why();
    }
}
