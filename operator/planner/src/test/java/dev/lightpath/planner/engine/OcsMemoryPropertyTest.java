package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.state.Forecasts;
import dev.lightpath.planner.engine.traffic.AssignedCircuits;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is remembered of a fabric of switches saves what it cost, and changes no decision. */
class OcsMemoryPropertyTest {
    private static final int WORLDS = 8;
    private static final int EVENTS = 12;
    private static final int POLAR_FLIES = Seeds.of(20);
    private static final int POLAR_FLY_EVENTS = 15;

    private interface Check {
        void of(ToyOcs ocs, String where);
    }

    /** Larger than brute force could judge, so that some jobs stay short of what the switches do not allow. */
    private static ToyOcs world(Random chance) {
        DeviceKind kind = chance.nextBoolean() ? DeviceKind.ANY_TO_ANY : DeviceKind.TWO_SIDED;
        return ToyOcs.logical(5, 4, 3, kind, 2);
    }

    private static void walk(Check check) {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = world(chance);
            for (int event = 0; event < EVENTS; event++) {
                OcsFairnessPropertyTest.happen(ocs, chance, event);
                ocs.settleAfter(Duration.ofSeconds(40));
                check.of(ocs, "seed " + seed + ", event " + event);
            }
        }
    }

    /** Nothing remembered, and no iteration built. */
    private static Deliberation without(ToyOcs ocs) {
        var remembered = ocs.remembered;
        var answers = new TreeMap<>(ocs.answers);
        ocs.remembered = new TreeMap<>();
        ocs.answers.replaceAll((digest, answer) -> answer.bare());
        Deliberation deliberation = FabricEngine.deliberate(ocs.world());
        ocs.remembered = remembered;
        ocs.answers.putAll(answers);
        return deliberation;
    }

    /** All that was concluded; what counts as a fault is in the verdicts of fabrics. */
    private static List<Object> conclusion(Deliberation of) {
        return List.of(
                of.decision(),
                of.slices(),
                of.fabrics(),
                of.remaining(),
                of.planner(),
                of.ocsFabrics(),
                of.questions());
    }

    @Test
    void aSearchInVainSimulatesAndStripesNothingAgainAtRest() {
        int[] remembered = new int[1];
        walk((ocs, where) -> {
            PlannerCache fresh = without(ocs).remembered().get("spine");
            if (fresh.known(Forecasts.PREDICTIONS).workedOut() == 0) {
                return;
            }
            ocs.now = ocs.now.plusSeconds(7);
            assertThat(FabricEngine.deliberate(ocs.world()).remembered().get("spine"))
                    .as(where)
                    .returns(0, of -> of.known(LinkPlan.STRIPINGS).workedOut())
                    .returns(0, of -> of.known(AssignedCircuits.TRIALS).workedOut())
                    .returns(0, of -> of.known(AssignedCircuits.DEALS).workedOut())
                    .returns(0, of -> of.known(Forecasts.PREDICTIONS).workedOut())
                    .returns(0, of -> of.known(Forecasts.ITERATIONS).workedOut());
            remembered[0]++;
        });
        assertThat(remembered[0]).isPositive();
    }

    @Test
    void nothingIsTriedAgainForWhoWaitsForPods() {
        int[] tried = new int[1];
        walk((ocs, where) -> {
            ocs.now = ocs.now.plusSeconds(7);
            PlannerCache rest =
                    FabricEngine.deliberate(ocs.world()).remembered().get("spine");
            assertThat(rest.known(AssignedCircuits.TRIALS).workedOut())
                    .as(where)
                    .isZero();
            tried[0] += without(ocs)
                    .remembered()
                    .get("spine")
                    .known(AssignedCircuits.TRIALS)
                    .workedOut();
        });
        assertThat(tried[0]).as("tries that memory saved").isPositive();
    }

    @Test
    void memoryChangesNoDecisionOnATopologyThatIsDrainedRewiredAndFitted() {
        int[] searched = new int[1];
        for (long seed = 1; seed <= POLAR_FLIES; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = ToyOcs.polarFly(3, chance.nextInt(2)).wishStatic(true);
            for (int event = 0; event < POLAR_FLY_EVENTS; event++) {
                befall(ocs, chance);
                for (int pass = 0; pass < 60; pass++) {
                    Deliberation fresh = without(ocs);
                    assertThat(conclusion(FabricEngine.deliberate(ocs.world())))
                            .as("seed %d, event %d, pass %d", seed, event, pass)
                            .isEqualTo(conclusion(fresh));
                    searched[0] += fresh.remembered()
                            .get("spine")
                            .known(LinkPlan.STRIPINGS)
                            .workedOut();
                    if (ocs.step().decision() instanceof Decision.Rest) {
                        break;
                    }
                }
                ocs.settleAfter(Duration.ofSeconds(chance.nextBoolean() ? 3 : 40));
            }
        }
        assertThat(searched[0]).as("searches to remember").isPositive();
    }

    /**
     * A switch is drained or not any more, a port fails, all heal, two pods' fibres are swapped, a switch lacks a port
     * or has it again.
     */
    static void befall(ToyOcs ocs, Random chance) {
        ocs.now = ocs.now.plusSeconds(1 + chance.nextInt(30));
        List<String> names = List.copyOf(ocs.switches.keySet());
        String name = names.get(chance.nextInt(names.size()));
        OcsSwitch of = ocs.switches.get(name);
        List<OcsSwitch.Wire> wires = of.wiring();
        int one = chance.nextInt(wires.size());
        switch (chance.nextInt(6)) {
            case 0, 1 -> ocs.wiring.drain(name, !of.drained());
            case 2 -> ocs.fail(name, wires.get(one).ingress());
            case 3 -> ocs.failedPorts.clear();
            case 4 -> ocs.switches.put(name, swapped(of, one, chance.nextInt(wires.size())));
            default -> {
                if (ocs.inventories.remove(name) == null) {
                    ocs.inventories.put(
                            name, Optional.of(lacking(of, wires.get(one).ingress())));
                }
            }
        }
    }

    private static OcsSwitch swapped(OcsSwitch of, int one, int other) {
        List<OcsSwitch.Wire> wires = new ArrayList<>(of.wiring());
        OcsSwitch.Wire first = wires.get(one);
        OcsSwitch.Wire second = wires.get(other);
        wires.set(one, new OcsSwitch.Wire(first.ingress(), first.egress(), second.pod(), second.index()));
        wires.set(other, new OcsSwitch.Wire(second.ingress(), second.egress(), first.pod(), first.index()));
        return ToyOcs.rewired(of, wires);
    }

    private static Inventory lacking(OcsSwitch of, String port) {
        Inventory all = ToyDevices.asWired(of);
        SortedMap<String, Inventory.Side> ports = new TreeMap<>(all.ports());
        ports.remove(port);
        return new Inventory(all.make(), ports, all.paths());
    }

    @Test
    void memoryChangesNoDecision() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = world(chance);
            for (int event = 0; event < EVENTS; event++) {
                OcsFairnessPropertyTest.happen(ocs, chance, event);
                for (int pass = 0; pass < 60; pass++) {
                    assertThat(conclusion(FabricEngine.deliberate(ocs.world())))
                            .as("seed %d, event %d, pass %d", seed, event, pass)
                            .isEqualTo(conclusion(without(ocs)));
                    if (ocs.step().decision() instanceof Decision.Rest) {
                        break;
                    }
                }
                ocs.settleAfter(Duration.ofSeconds(40));
            }
        }
    }
}
