package dev.lightpath.console.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.console.Sight;
import dev.lightpath.planner.engine.simulation.BundleChange;
import dev.lightpath.planner.engine.simulation.PlacementPreview;
import dev.lightpath.planner.engine.simulation.Simulation;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class PlanReportTest {
    private static final SliceId OWN = new SliceId("ours", "llm-ring-a-1");
    private static final SliceId OTHER = new SliceId("theirs", "moe-ring-a-1");

    private static BundleChange move(int position, SliceId slice) {
        return new BundleChange("n" + position, position, 0, BundleState.LOOPBACK, BundleState.PATH_1, slice);
    }

    private static Simulation.Step step(SliceId slice) {
        return new Simulation.Step(slice, Optional.empty(), new Allocation(1, List.of(), new TreeSet<>()));
    }

    private static PlanReport seenBy(Predicate<String> namespaces) {
        PlacementPreview.Placed placed = new PlacementPreview.Placed(
                new TreeMap<>(Map.of(OWN, step(OWN).allocation())),
                List.of(step(OTHER), step(OWN), step(OTHER)),
                Optional.of(new PlacementPreview.OnRing(
                        "ring-a", Optional.empty(), List.of(), List.of(move(1, OWN), move(2, OTHER)))),
                List.of(new JobId("theirs", "moe", "uid-1"), new JobId("ours", "small", "uid-2")));
        return PlanReport.of(
                List.of(PlanReport.JobPlan.of(OWN, "llm", "ring-a", 8, placed, null, new Sight(false, namespaces))),
                List.of());
    }

    @Test
    void whoSeesAllIsToldOfTheJobsThatMove() {
        PlanReport.JobPlan plan = seenBy(namespace -> true).jobs().getFirst();
        assertThat(plan.moves()).extracting(Move::node).containsExactly("n1", "n2");
        assertThat(plan.others()).hasSize(2).allMatch(other -> other.slice().equals("theirs/moe-ring-a-1"));
        assertThat(plan.hidden()).isNull();
        assertThat(plan.preempts()).containsExactly("theirs/moe", "ours/small");
    }

    @Test
    void aTenantIsToldHowManyOfOthersMove() {
        PlanReport report = seenBy("ours"::equals);
        PlanReport.JobPlan plan = report.jobs().getFirst();
        assertThat(plan.moves()).extracting(Move::node).containsExactly("n1");
        assertThat(plan.others()).isEmpty();
        assertThat(plan.hidden()).isEqualTo(1);
        assertThat(PlanPage.of(report).render())
                .contains(
                        "also: 1 slice that you may not see is recorded anew",
                        "takes the place of ours/small, 1 job that you may not see (policy.preemption)")
                .doesNotContain("theirs", "n2");
    }
}
