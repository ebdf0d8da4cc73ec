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
     * Of light that no record explains, what the topology would light just so: it is adopted, never rewired, on drained switches too.
     *
     * @param lent cubes that jobs have by their records
     */
    static SwitchedLight explained(OcsState scene, SwitchedLight found, SortedSet<String> lent) {
        if (found.isEmpty() || !scene.findings().isEmpty()) {
            return SwitchedLight.none();
        }
        SwitchedLight wanted = switch (scene.intent().topology()) {
            case OcsTopology.Logical logical -> SwitchedLight.none();
            case OcsTopology.PolarFly polarFly ->
                fitting(scene, PolarFlyLinks.of(scene.wiring(), polarFly), false, found);
            case OcsTopology.TwistedTorus torus ->
                CubeTorus.made(scene.wiring(), torus.cubes(), found, lent, scene.lentTori())
                        .map(made -> fitting(scene, made.links(scene.wiring()), true, found))
                        .orElse(SwitchedLight.none());
        };
        return found.minus(found.minus(wanted));
    }

    /** Links may be found elsewhere than they belong, as after a repair, unless that costs others their place. */
    private static SwitchedLight fitting(OcsState scene, List<Link> links, boolean fixed, SwitchedLight found) {
        LinkPlan.Outcome afresh = LinkPlan.adopt(
                scene.wiring(), scene.health(), Set.of(), links, fixed, SwitchedLight.none(), scene.stripings());
        LinkPlan.Outcome around =
                LinkPlan.adopt(scene.wiring(), scene.health(), Set.of(), links, fixed, found, scene.stripings());
        return around.missing().size() <= afresh.missing().size() ? around.light() : afresh.light();
    }
}
