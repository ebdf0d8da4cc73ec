package dev.lightpath.planner.engine.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import dev.lightpath.planner.engine.OcsFairnessPropertyTest;
import dev.lightpath.planner.engine.ToyOcs;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The surplus rule against DELTA's proof of the fewest ports, over several switches of both kinds, with faults,
 * departures, priorities and jobs whose light may not move.
 */
class OcsSurplusRulePropertyTest {
    private static final int WORLDS = 40;
    private static final int EVENTS = 9;
    private static final double EXACT = 1 + 1e-9;

    private interface Check {
        void of(ToyOcs ocs, String where);
    }

    private static void walk(Check before, Check after) {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = OcsFairnessPropertyTest.world(chance);
            for (int event = 0; event < EVENTS; event++) {
                String where = "seed " + seed + ", event " + event;
                before.of(ocs, where);
                OcsFairnessPropertyTest.happen(ocs, chance, event);
                ocs.settleAfter(Duration.ofSeconds(40));
                after.of(ocs, where);
            }
        }
    }

    private static Map<SliceId, Prediction> placed(ToyOcs ocs) {
        Map<SliceId, Prediction> placed = new TreeMap<>();
        ocs.ledger.forEach((id, entry) -> entry.allocation()
                .flatMap(allocation -> allocation.prediction())
                .ifPresent(prediction -> placed.put(id, prediction)));
        return placed;
    }

    private static List<Integer> used(Demand.Traffic traffic, List<Integer> circuits) {
        int stages = traffic.parallelism().pipeline();
        List<Integer> used = new ArrayList<>();
        for (int stage = 0; stage < stages; stage++) {
            used.add((stage > 0 ? circuits.get(stage - 1) : 0)
                    + (stage + 1 < stages ? circuits.get(stage) : 0)
                    + (traffic.parallelism().replicas() == 2 ? circuits.get(stages - 1 + stage) : 0));
        }
        return used;
    }

    private static TopologyQuestion question(Demand.Traffic traffic, List<Integer> ports) {
        return new TopologyQuestion(
                traffic.iteration(), traffic.parallelism(), 1, 400, ports, traffic.goal(), traffic.timeLimit());
    }

    /**
     * Of the ports that it has, DELTA proves that fewer make a longer iteration; so says the simulator of each circuit.
     */
    @Test
    void whatAJobHasItNeeds() {
        List<String> wasted = new ArrayList<>();
        int[] judged = new int[1];
        walk(
                (ocs, where) -> {},
                (ocs, where) -> placed(ocs).forEach((id, now) -> {
                    SliceIntent intent = ocs.slices.get(id);
                    if (!PortBudgets.movable(intent)) {
                        return;
                    }
                    Demand.Traffic traffic = (Demand.Traffic) intent.demand();
                    List<Integer> ports = used(traffic, now.circuits());
                    Simulator simulator = new Simulator(question(traffic, ports).instance());
                    for (int group = 0; group < now.circuits().size(); group++) {
                        List<Integer> less = new ArrayList<>(now.circuits());
                        less.set(group, less.get(group) - 1);
                        if (less.get(group) > 0
                                && simulator.makespanSeconds(new Topology(less), Rates.JOINT)
                                        <= now.iterationSeconds() * EXACT) {
                            wasted.add(where + ": " + id + " would do with " + less + " of " + now.circuits());
                        }
                    }
                    TopologyAnswer.Found proof = (TopologyAnswer.Found)
                            question(traffic, ports).answer(new DeltaPlanner(), SearchLimits.standard());
                    if (proof.prediction().proved()
                            && proof.prediction().iterationSeconds() >= now.iterationSeconds() / EXACT
                            && proof.prediction().ports() < now.ports()) {
                        wasted.add(where + ": " + id + " has " + now.circuits() + ", proved " + proof.prediction());
                    }
                    judged[0]++;
                }));
        assertThat(wasted).isEmpty();
        assertThat(judged[0]).isGreaterThan(WORLDS);
    }

    /** Light whose job says Never, or whose pods run, changes only where it is broken, and only by what is broken. */
    @Test
    void nothingSoundIsTakenFromWhoseLightMayNotMove() {
        Map<SliceId, SwitchedLight> before = new TreeMap<>();
        walk(
                (ocs, where) -> {
                    before.clear();
                    ocs.slices.forEach((id, intent) -> {
                        if (!PortBudgets.movable(intent) && placed(ocs).containsKey(id)) {
                            before.put(id, ocs.recorded(id));
                        }
                    });
                },
                (ocs, where) -> before.forEach((id, lit) -> {
                    if (ocs.slices.containsKey(id) && !PortBudgets.movable(ocs.slices.get(id))) {
                        lit.minus(ocs.recorded(id))
                                .forEach((name, circuit) -> assertThat(ocs.failedPorts
                                                .getOrDefault(name, new TreeMap<>())
                                                .keySet())
                                        .as("%s: %s lost %s/%s", where, id, name, circuit)
                                        .containsAnyOf(circuit.ingress(), circuit.egress()));
                    }
                }));
    }

    /** Where everybody has all that he could use alone, an arrival costs nobody a circuit. */
    @Test
    void whereNobodyIsShortNothingIsTaken() {
        Map<SliceId, Prediction> before = new TreeMap<>();
        int[] judged = new int[1];
        walk(
                (ocs, where) -> {
                    before.clear();
                    before.putAll(placed(ocs));
                },
                (ocs, where) -> {
                    Map<SliceId, Prediction> after = placed(ocs);
                    if (!ocs.failedPorts.isEmpty()
                            || !after.keySet().containsAll(before.keySet())
                            || !ocs.slices.keySet().equals(after.keySet())) {
                        return;
                    }
                    boolean enough = after.entrySet().stream().allMatch(each -> {
                        Demand.Traffic traffic =
                                (Demand.Traffic) ocs.slices.get(each.getKey()).demand();
                        int all = ocs.pods.getFirst().ports();
                        List<Integer> ports = new ArrayList<>();
                        used(traffic, each.getValue().circuits()).forEach(some -> ports.add(all));
                        TopologyAnswer.Found alone = (TopologyAnswer.Found)
                                question(traffic, ports).answer(new DeltaPlanner(), SearchLimits.standard());
                        return each.getValue().iterationSeconds()
                                <= alone.prediction().iterationSeconds() * EXACT;
                    });
                    if (enough) {
                        before.forEach((id, was) -> {
                            // who was short before may have what a departure left
                            if (was.iterationSeconds() <= after.get(id).iterationSeconds() * EXACT) {
                                assertThat(after.get(id).circuits())
                                        .as("%s: %s", where, id)
                                        .isEqualTo(was.circuits());
                            }
                        });
                        judged[0]++;
                    }
                });
        assertThat(judged[0]).isGreaterThan(WORLDS / 3);
    }
}
