package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.CubeTorus;
import dev.lightpath.planner.ocs.Link;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.PolarFlyLinks;
import dev.lightpath.planner.world.OcsTopology;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;

/** Light that a fabric wants by its own description. */
final class StaticTopology {
    private StaticTopology() {}

    /**
     * Of light that no record explains, what the topology would light just so: it is adopted, never rewired, on drained
     * switches too.
     *
     * @param lent cubes that jobs have by their records
     */
    static SwitchedLight explained(OcsState state, SwitchedLight found, SortedSet<String> lent) {
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
                                lent,
                                state.memory().memo(CubeTorus.LENT_TORI))
                        .map(made -> fitting(state, made.links(state.wiring()), true, found))
                        .orElse(SwitchedLight.none());
        };
        return found.minus(found.minus(wanted));
    }

    /** Links may be found elsewhere than they belong, as after a repair, unless that costs others their place. */
    private static SwitchedLight fitting(OcsState state, List<Link> links, boolean fixed, SwitchedLight found) {
        LinkPlan.Outcome afresh = LinkPlan.adopt(
                state.wiring(), state.health(), Set.of(), links, fixed, SwitchedLight.none(), state.stripings());
        LinkPlan.Outcome around =
                LinkPlan.adopt(state.wiring(), state.health(), Set.of(), links, fixed, found, state.stripings());
        return around.missing().size() <= afresh.missing().size() ? around.light() : afresh.light();
    }
}
