package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.CubeMembers;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.CubeTorus;
import dev.lightpath.planner.ocs.Link;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.PolarFlyLinks;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Light that a fabric wants by its own description. */
final class StaticTopology {
    /** Holds the light of a static topology whose slice is not written yet. */
    private static final SliceId UNWRITTEN = new SliceId("lightpath", "unwritten-topology");

    private StaticTopology() {}

    /** The slice that is to have its light. */
    static SliceId holder(List<SliceState> slices) {
        return slices.stream()
                .filter(SliceState::isStatic)
                .map(SliceState::id)
                .findFirst()
                .orElse(UNWRITTEN);
    }

    /**
     * Whether its light may be there without a record, as its slice is one that was written again. Not where it may be
     * that of a job whose record is lost.
     */
    static boolean mayBeUnrecorded(List<SliceState> slices) {
        return slices.stream()
                .allMatch(slice -> slice.isStatic()
                        ? slice.intent().wanted() && slice.recorded().isEmpty()
                        : slice.recorded().isPresent()
                                || !slice.intent().workload().usesLight());
    }

    /** Cubes that jobs have by their records. */
    private static SortedSet<String> lent(OcsState state, List<SliceState> slices) {
        SortedSet<String> lent = new TreeSet<>();
        slices.stream()
                .filter(slice -> !slice.isStatic())
                .flatMap(slice -> slice.recorded().stream())
                .forEach(allocation -> lent.addAll(CubeMembers.cubes(state.wiring(), allocation)));
        return lent;
    }

    /**
     * Of light that no record explains, what the topology would light just so: it is adopted, never rewired, on drained
     * switches too.
     */
    static SwitchedLight explained(OcsState state, SwitchedLight found, List<SliceState> slices) {
        if (found.isEmpty() || !state.findings().isEmpty()) {
            return SwitchedLight.none();
        }
        SwitchedLight wanted = switch (state.intent().topology()) {
            case OcsTopology.Logical logical -> SwitchedLight.none();
            case OcsTopology.PolarFly polarFly ->
                fitting(state, PolarFlyLinks.of(state.wiring(), polarFly), false, found);
            case OcsTopology.TwistedTorus torus ->
                CubeTorus.made(
                                state.wiring(),
                                torus.cubes(),
                                found,
                                lent(state, slices),
                                state.memory().memo(CubeTorus.LENT_TORI))
                        .map(made -> fitting(state, made.links(state.wiring()), true, found))
                        .orElse(SwitchedLight.none());
        };
        return found.shared(wanted);
    }

    /** Links may be found elsewhere than they belong, as after a repair, unless that costs others their place. */
    private static SwitchedLight fitting(OcsState state, List<Link> links, boolean fixed, SwitchedLight found) {
        LinkPlan.Outcome afresh = LinkPlan.adopt(
                state.wiring(), state.health(), taken -> false, links, fixed, SwitchedLight.none(), state.stripings());
        LinkPlan.Outcome around =
                LinkPlan.adopt(state.wiring(), state.health(), taken -> false, links, fixed, found, state.stripings());
        return around.missing().size() <= afresh.missing().size() ? around.light() : afresh.light();
    }
}
