package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ocs.OcsHealth;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * All that a search for better circuits among neighbours reads, by value: equal inputs have equal outcomes.
 *
 * @param applicants in order of precedence
 * @param neighbours jobs in pods, in order of precedence
 * @param lit circuits of all records
 * @param inTheWay ports that no slice may plan on
 * @param pods names, in the order of the fabric
 */
public record RearrangementInput(
        List<Applicant> applicants,
        List<Neighbour> neighbours,
        SwitchedLight lit,
        Set<PortUse> inTheWay,
        OcsHealth health,
        SortedMap<String, OcsSwitch> switches,
        List<String> pods) {
    /** What the last search read that found nothing: the same is not searched again. */
    public static final Slot<RearrangementInput> FRUITLESS = new Slot<>("fruitless rearrangement");

    /**
     * A job that has its place and whose best counts do not fit the switches.
     *
     * @param question with its budgets
     * @param answer to it
     */
    record Applicant(SliceId id, StagePods stagePods, TopologyQuestion question, Prediction answer, Prediction now) {}

    /**
     * @param done whether nothing of an earlier change is left to be done
     * @param counts of its circuits, which others' good may not cost it
     * @param yields whether its light may move for others
     */
    record Neighbour(
            SliceId id,
            StagePods stagePods,
            SwitchedLight circuits,
            boolean done,
            List<Integer> counts,
            boolean yields) {

        private static Neighbour of(OcsCircuits light, FabricPodPorts.Tenant tenant) {
            SliceState slice = tenant.slice();
            return new Neighbour(
                    slice.id(),
                    tenant.stagePods(),
                    slice.lit(),
                    RearrangementSearch.isDone(light, slice),
                    slice.recorded()
                            .flatMap(Allocation::prediction)
                            .map(Prediction::circuits)
                            .orElse(List.of()),
                    RearrangementSearch.yields(slice));
        }
    }

    /** Linear in jobs. */
    static RearrangementInput of(OcsState state, OcsCircuits light, FabricPodPorts room, List<Applicant> applicants) {
        List<Neighbour> neighbours = new ArrayList<>();
        room.tenants().values().forEach(tenant -> neighbours.add(Neighbour.of(light, tenant)));
        return new RearrangementInput(
                List.copyOf(applicants),
                neighbours,
                state.recorded(),
                light.inTheWay(),
                state.health(),
                state.intent().switches(),
                List.copyOf(state.wiring().pods().keySet()));
    }
}
