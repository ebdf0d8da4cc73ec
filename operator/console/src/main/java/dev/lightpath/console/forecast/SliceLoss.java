package dev.lightpath.console.forecast;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.text.Page;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.simulation.FaultPreview;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceIntent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a slice would lose by a fault, and what it would have then.
 *
 * @param slice as namespace/name
 * @param repaired false where what failed stays broken, once all that the repair waits for has come
 * @param placedAnew whether no repair fits, and the whole job would be placed anew
 * @param before groups or stages that change, as all would settle without the fault
 * @param groups the same as they would be
 * @param circuitsLost recorded circuits that go
 * @param circuitsNew circuits that come
 * @param pairs pods with more or fewer circuits between them than before
 * @param iterationSecondsBefore as predicted without the fault; none where light does not follow traffic
 * @param iterationSeconds as predicted then
 * @param waitsFor what the repair waits for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SliceLoss(
        String slice,
        String fabric,
        boolean repaired,
        boolean placedAnew,
        @Nullable String planner,
        String why,
        @Nullable String waitsFor,
        List<Group> before,
        List<Group> groups,
        int circuitsLost,
        int circuitsNew,
        List<PairChange> pairs,
        @Nullable Double iterationSecondsBefore,
        @Nullable Double iterationSeconds) {

    /** How many pairs of pods a page shows of a slice. */
    private static final int SHOWN_PAIRS = 16;

    /** Circuits between two pods, as all would settle without the fault and with it. */
    public record PairChange(String from, String to, int before, int then) {}

    static SliceLoss of(
            SliceIntent slice, FaultPreview.Effect effect, Optional<OcsWiring> wiring, Optional<String> waitsFor) {
        List<Group> before = groups(effect.before());
        List<Group> after = groups(effect.after());
        SwitchedLight was = light(effect.before());
        SwitchedLight then = light(effect.after());
        return new SliceLoss(
                slice.id().toString(),
                slice.fabric(),
                !effect.unrepaired() && !effect.placedAnew(),
                effect.placedAnew(),
                effect.origin().map(origin -> origin.planner().word()).orElse(null),
                why(effect),
                effect.unrepaired() ? null : waitsFor.orElse(null),
                before.stream().filter(group -> !after.contains(group)).toList(),
                after.stream().filter(group -> !before.contains(group)).toList(),
                was.minus(then).size(),
                then.minus(was).size(),
                wiring.map(of -> pairs(of, was, then)).orElse(List.of()),
                seconds(effect.before()),
                seconds(effect.after()));
    }

    private static String why(FaultPreview.Effect effect) {
        return switch (effect.placement()) {
            case Placement.Unplaced unplaced -> unplaced.reason().word() + ": " + unplaced.message();
            case Placement.Faulted faulted ->
                String.join(", ", faulted.members()) + " would have failed: "
                        + (faulted.waitsFor().startsWith("is ") ? "it " : "") + faulted.waitsFor()
                        + (faulted.relocatable() ? "; the whole job would be placed anew" : "");
            case Placement.Placed placed -> moved(effect);
            case Placement.Releasing releasing -> moved(effect);
            case Placement.Released released -> moved(effect);
        };
    }

    private static String moved(FaultPreview.Effect effect) {
        return effect.origin().map(Origin::why).orElse("it would stay as it is");
    }

    private static List<Group> groups(Optional<Allocation> allocation) {
        return allocation.map(of -> Group.of(of.groups())).orElse(List.of());
    }

    private static SwitchedLight light(Optional<Allocation> allocation) {
        return allocation.map(Allocation::circuits).orElse(SwitchedLight.none());
    }

    private static @Nullable Double seconds(Optional<Allocation> allocation) {
        return allocation
                .flatMap(Allocation::prediction)
                .map(Prediction::iterationSeconds)
                .orElse(null);
    }

    private static List<PairChange> pairs(OcsWiring wiring, SwitchedLight was, SwitchedLight then) {
        Map<List<String>, int[]> counts = new LinkedHashMap<>();
        Pair.of(wiring, was)
                .forEach(pair -> counts.computeIfAbsent(List.of(pair.from(), pair.to()), none -> new int[2])[0] =
                        pair.circuits());
        Pair.of(wiring, then)
                .forEach(pair -> counts.computeIfAbsent(List.of(pair.from(), pair.to()), none -> new int[2])[1] =
                        pair.circuits());
        List<PairChange> changes = new ArrayList<>();
        counts.forEach((pair, count) -> {
            if (count[0] != count[1]) {
                changes.add(new PairChange(pair.getFirst(), pair.getLast(), count[0], count[1]));
            }
        });
        return changes;
    }

    /** @param whose what has it, as a line begins */
    void tell(Page page, String whose) {
        page.line("  " + whose + ": " + why + (planner == null ? "" : " (" + planner + ")"));
        if (waitsFor != null) {
            page.line("  waits for " + waitsFor);
        }
        before.forEach(group -> page.line("    was  " + group.line()));
        groups.forEach(group -> page.line("    then " + group.line()));
        if (circuitsLost + circuitsNew > 0) {
            page.line("    light: " + Counted.of(circuitsLost, "circuit goes", "circuits go") + ", "
                    + Counted.of(circuitsNew, "comes", "come") + ", all others stay");
        }
        pairs.stream()
                .limit(SHOWN_PAIRS)
                .forEach(pair -> page.line("    " + pair.from() + " - " + pair.to() + ": "
                        + Counted.of(pair.then(), "circuit") + " instead of " + pair.before()));
        if (pairs.size() > SHOWN_PAIRS) {
            page.line("    and " + Counted.of(pairs.size() - SHOWN_PAIRS, "more pair", "more pairs")
                    + " of pods (all of them: -o json)");
        }
        if (iterationSecondsBefore != null && iterationSeconds != null) {
            String then = Table.cell(iterationSeconds);
            String was = Table.cell(iterationSecondsBefore);
            page.line("    an iteration of " + then + " s"
                    + (then.equals(was) ? ", as before" : " instead of " + was + " s"));
        }
    }

    /** What is left broken, for people; empty when nothing is. */
    Optional<String> refusal() {
        return repaired || placedAnew ? Optional.empty() : Optional.of("slice " + slice + ": " + why);
    }
}
