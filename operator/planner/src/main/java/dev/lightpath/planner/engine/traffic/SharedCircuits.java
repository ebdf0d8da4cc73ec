package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.Link;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.SliceId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Light that was planned for several jobs at once, shared out among them.
 *
 * @param neighbours as many circuits between each two pods as each had
 * @param own what is left for the job that it was planned for
 */
record SharedCircuits(Map<SliceId, SwitchedLight> neighbours, SwitchedLight own) {

    /**
     * Each slice keeps what it has and is still there; for the rest circuits of the same pods are as good. Linear in
     * circuits, but for the number of jobs.
     *
     * @param had light of the neighbours
     * @param mine light of the job itself
     * @param wanted links of the job itself
     * @param planned for all of them
     */
    static SharedCircuits of(
            OcsWiring wiring,
            Map<SliceId, SwitchedLight> had,
            SwitchedLight mine,
            List<Link> wanted,
            SwitchedLight planned) {
        Map<SliceId, SwitchedLight> after = new LinkedHashMap<>();
        SwitchedLight left = planned;
        for (Map.Entry<SliceId, SwitchedLight> each : had.entrySet()) {
            SwitchedLight kept = each.getValue().shared(planned);
            after.put(each.getKey(), kept);
            left = left.minus(kept);
        }
        Map<OcsWiring.Ends, Integer> links = new HashMap<>();
        wanted.forEach(link ->
                links.merge(wiring.joined(link.via(), new OcsWiring.Ends(link.from(), link.to())), 1, Integer::sum));
        SwitchedLight own = some(wiring, mine.shared(left), links);
        left = left.minus(own);
        for (Map.Entry<SliceId, SwitchedLight> each : had.entrySet()) {
            Map<OcsWiring.Ends, Integer> missing = new HashMap<>();
            each.getValue()
                    .minus(planned)
                    .forEach((name, circuit) ->
                            wiring.joined(name, circuit).ifPresent(ends -> missing.merge(ends, 1, Integer::sum)));
            SwitchedLight found = some(wiring, left, missing);
            left = left.minus(found);
            after.merge(each.getKey(), found, SwitchedLight::and);
        }
        return new SharedCircuits(after, left.and(own));
    }

    /** As many circuits of some light as are missing between each two pods. */
    private static SwitchedLight some(OcsWiring wiring, SwitchedLight of, Map<OcsWiring.Ends, Integer> missing) {
        SwitchedLight.Builder some = new SwitchedLight.Builder();
        of.forEach((name, circuit) -> wiring.joined(name, circuit)
                .filter(ends -> missing.getOrDefault(ends, 0) > 0)
                .ifPresent(ends -> {
                    missing.merge(ends, -1, Integer::sum);
                    some.add(name, circuit);
                }));
        return some.build();
    }
}
