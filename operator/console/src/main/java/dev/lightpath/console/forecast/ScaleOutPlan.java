package dev.lightpath.console.forecast;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.Sight;
import dev.lightpath.console.text.Page;
import dev.lightpath.console.text.Table;
import dev.lightpath.crds.job.ScaleUp;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.simulation.PlacementPreview;
import dev.lightpath.planner.engine.simulation.Simulation;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pods, circuits and iteration that a job on switches would get.
 *
 * @param stages in the order of the ranks: which pod holds which stage of which replica
 * @param circuits between two pods, both ways
 * @param proved whether no circuits within these ports are better
 * @param groups its nodes on the ring, none where the job has no scaleUp
 * @param ring more of its place there; null where it has none
 * @param moves jobs whose circuits would change for it
 * @param hidden more of them, which may not be shown
 * @param reason a condition's reason, when there is no place
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScaleOutPlan(
        String namespace,
        String name,
        String fabric,
        boolean placed,
        List<Stage> stages,
        List<Pair> circuits,
        @Nullable Double iterationSeconds,
        @Nullable Double lowerBoundSeconds,
        @Nullable Boolean proved,
        @Nullable Integer ports,
        @Nullable Integer portBudget,
        List<Group> groups,
        @Nullable OnRing ring,
        List<Move> moves,
        @Nullable Integer hidden,
        @Nullable String waitsFor,
        @Nullable String reason,
        @Nullable String message) {

    public record Stage(int replica, int stage, String pod) {}

    /** @param moves every bundle that changes its state, of jobs that may be shown */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record OnRing(
            String fabric,
            @Nullable String planner,
            @Nullable String why,
            @Nullable Double crossTorRatio,
            @Nullable Integer spareNodes,
            List<dev.lightpath.console.forecast.Move> moves) {
        /** Of a job that has no place. */
        static OnRing without(String fabric) {
            return new OnRing(fabric, null, null, null, null, List.of());
        }

        static OnRing of(PlacementPreview.OnRing found, Allocation record, Sight sight) {
            return new OnRing(
                    found.fabric(),
                    record.origin().map(origin -> origin.planner().word()).orElse(null),
                    record.origin().map(Origin::why).orElse(null),
                    found.siting().map(SliceVerdict.Siting::crossTorRatio).orElse(null),
                    found.siting().map(SliceVerdict.Siting::spareNodes).orElse(null),
                    found.bundles().stream()
                            .filter(bundle -> sight.shows(bundle.slice().namespace()))
                            .map(dev.lightpath.console.forecast.Move::of)
                            .toList());
        }

        void tell(Page page) {
            if (why != null) {
                page.line("  why: " + why + " (" + planner + ")");
            }
            if (crossTorRatio != null) {
                page.line("  " + Table.cell(100 * crossTorRatio) + " % of the traffic between groups leaves its rack; "
                        + spareNodes + " free nodes within reach as spares");
            }
            dev.lightpath.console.forecast.Move.tell(page, moves);
        }
    }

    /** @param circuits that go dark, or come up elsewhere */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Move(String slice, int circuits, @Nullable String why) {}

    static ScaleOutPlan unplaced(TrainingJob job, String reason, String message) {
        ScaleUp scaleUp = job.getSpec().scaleUp();
        return new ScaleOutPlan(
                job.getMetadata().getNamespace(),
                job.getMetadata().getName(),
                Objects.requireNonNull(job.getSpec().scaleOut()).fabric(),
                false,
                List.of(),
                List.of(),
                null,
                null,
                null,
                null,
                null,
                List.of(),
                scaleUp == null ? null : OnRing.without(scaleUp.fabric()),
                List.of(),
                null,
                null,
                reason,
                message);
    }

    /** @param before what was recorded before */
    static ScaleOutPlan placed(
            String namespace,
            String name,
            String fabric,
            Demand.Traffic traffic,
            OcsWiring wiring,
            PlacementPreview.Placed found,
            SortedMap<SliceId, LedgerEntry> before,
            @Nullable String waits,
            Sight sight) {
        Allocation spine = found.allocations().firstEntry().getValue();
        Optional<Prediction> prediction = spine.prediction();
        return new ScaleOutPlan(
                namespace,
                name,
                fabric,
                true,
                stages(traffic, wiring, spine),
                Pair.of(wiring, spine.circuits()),
                prediction.map(Prediction::iterationSeconds).orElse(null),
                prediction.map(Prediction::lowerBoundSeconds).orElse(null),
                prediction.map(Prediction::proved).orElse(null),
                prediction.map(Prediction::ports).orElse(null),
                prediction.map(Prediction::portBudget).orElse(null),
                found.allocations().size() > 1
                        ? Group.of(found.allocations().lastEntry().getValue().groups())
                        : List.of(),
                found.ring()
                        .map(ring ->
                                OnRing.of(ring, found.allocations().lastEntry().getValue(), sight))
                        .orElse(null),
                moves(found.others(), before, sight),
                Hidden.of(found.others(), sight),
                waits,
                null,
                null);
    }

    private static List<Stage> stages(Demand.Traffic traffic, OcsWiring wiring, Allocation spine) {
        int pipeline = traffic.parallelism().pipeline();
        List<Stage> stages = new ArrayList<>();
        for (int group = 0; group < spine.groups().size(); group++) {
            int index = spine.groups().get(group).members().getFirst().position();
            String pod = wiring.intent().pods().stream()
                    .filter(of -> of.index() == index)
                    .map(of -> of.name())
                    .findFirst()
                    .orElse("pod of index " + index);
            stages.add(new Stage(group / pipeline, group % pipeline, pod));
        }
        return stages;
    }

    private static List<Move> moves(List<Simulation.Step> others, SortedMap<SliceId, LedgerEntry> before, Sight sight) {
        return others.stream()
                .filter(step -> sight.shows(step.slice().namespace()))
                .map(step -> {
                    SwitchedLight was = Optional.ofNullable(before.get(step.slice()))
                            .flatMap(LedgerEntry::allocation)
                            .map(Allocation::circuits)
                            .orElse(SwitchedLight.none());
                    return new Move(
                            step.slice().toString(),
                            was.minus(step.allocation().circuits()).size(),
                            step.origin().map(origin -> origin.why()).orElse(null));
                })
                .toList();
    }

    /** In one line why there is no place. */
    String refusal() {
        return namespace + "/" + name + ": " + reason + ": " + message;
    }

    void tell(Page page) {
        String title = "TrainingJob " + namespace + "/" + name
                + (ring == null ? " on fabric " + fabric : " on fabrics " + ring.fabric() + " and " + fabric) + ": ";
        if (!placed) {
            page.line(title + "would not be placed");
            page.line("  " + reason + ": " + message);
            return;
        }
        page.line(title + "would be placed");
        Map<Integer, StringBuilder> replicas = new TreeMap<>();
        stages.forEach(
                stage -> replicas.computeIfAbsent(stage.replica(), of -> new StringBuilder("  replica " + of + ":"))
                        .append(" stage ")
                        .append(stage.stage())
                        .append(" in ")
                        .append(stage.pod())
                        .append(','));
        replicas.values().forEach(line -> page.line(line.substring(0, line.length() - 1)));
        groups.forEach(group -> page.line("  " + group.line()));
        if (ring != null) {
            ring.tell(page);
        }
        circuits.forEach(pair ->
                page.line("  " + pair.from() + " - " + pair.to() + ": " + Counted.of(pair.circuits(), "circuit")));
        if (iterationSeconds != null) {
            page.line("  an iteration of " + Table.cell(iterationSeconds)
                    + (lowerBoundSeconds == null ? " s" : " s, bound " + Table.cell(lowerBoundSeconds) + " s")
                    + (Boolean.TRUE.equals(proved) ? " (proved)" : "") + ", on " + ports + " of " + portBudget
                    + " ports a replica");
        }
        moves.forEach(move -> page.line("  also: slice " + move.slice() + " moves "
                + Counted.of(move.circuits(), "circuit") + (move.why() == null ? "" : ": " + move.why())));
        Hidden.tell(page, hidden);
        if (waitsFor != null) {
            page.line("  not now: " + waitsFor);
        }
    }
}
