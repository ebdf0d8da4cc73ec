package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** How a fabric of one kind stands. */
interface FabricReport {
    /** In figures. */
    FabricVerdict.Figures figures();

    /** How far the light of a record has come. */
    SliceVerdict.Light qualify(Allocation recorded);

    /**
     * A verdict for each of these slices.
     *
     * @param verdict of one of them
     */
    default SortedMap<SliceId, SliceVerdict> verdicts(
            List<SliceState> decided, Function<SliceState, SliceVerdict> verdict) {
        SortedMap<SliceId, SliceVerdict> verdicts = new TreeMap<>();
        decided.forEach(slice -> verdicts.put(slice.id(), verdict.apply(slice)));
        return verdicts;
    }
}
