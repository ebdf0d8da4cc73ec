package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.discovery.FibreEnd;
import dev.lightpath.planner.discovery.Found;
import dev.lightpath.planner.discovery.Found.Evidence;
import dev.lightpath.planner.discovery.ProbeOrder;
import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.discovery.Voice;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.ocs.FoundWiring;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Where fibres lead, found by probing circuits. */
class DiscoveryTest {
    static final String ONE = "ocs-00";
    static final SwitchDiscovery NOTHING = SwitchDiscovery.begun("", new TreeSet<>());
    static final Set<String> PODS = Set.of("pod-00", "pod-01", "pod-02", "pod-03");

    @Test
    void findsTheFibresOfATwoSidedSwitchOfUnknownWiring() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        SwitchDiscovery found = discovered(ocs);
        assertThat(found.found())
                .hasSize(16)
                .allSatisfy((end, there) -> assertThat(there.leads()).isTrue());
        assertThat(found.circuits()).as("a circuit tells two ends").isEqualTo(8);
        assertThat(farEnd(found, FibreEnd.ingress("3"))).isEqualTo("pod-01/ocs-00/0");
        assertThat(farEnd(found, FibreEnd.egress("1003"))).isEqualTo("pod-01/ocs-00/0");
        assertThat(ocs.lit.get(ONE)).as("nothing is left lit").isEmpty();
        assertThat(wires(ocs, found))
                .as("as the plant is")
                .containsExactlyElementsOf(ocs.switches.get(ONE).wiring());
    }

    @Test
    void tellsTheFarEndsOfAnyToAnySwitchesApart() {
        ToyOcs ocs = unknown(DeviceKind.ANY_TO_ANY);
        SwitchDiscovery found = discovered(ocs);
        assertThat(found.found())
                .hasSize(8)
                .allSatisfy((end, there) -> assertThat(there.leads()).isTrue());
        assertThat(found.circuits()).isEqualTo(7);
        assertThat(wires(ocs, found))
                .containsExactlyElementsOf(ocs.switches.get(ONE).wiring());
        assertThat(ocs.lit.get(ONE)).isEmpty();
    }

    @Test
    void namesCrossedAndDeadFibres() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.TWO_SIDED, 2);
        OcsSwitch plant = ocs.switches.get(ONE);
        ocs.described.put(ONE, plant);
        List<OcsSwitch.Wire> wires = new ArrayList<>(plant.wiring());
        OcsSwitch.Wire first = wires.get(0);
        OcsSwitch.Wire other = wires.get(2);
        wires.set(0, new OcsSwitch.Wire(other.ingress(), first.egress(), first.pod(), first.index()));
        wires.set(2, new OcsSwitch.Wire(first.ingress(), other.egress(), other.pod(), other.index()));
        ocs.switches.put(ONE, ToyOcs.rewired(plant, wires));
        ocs.cut.add(ONE + "/1008");
        SwitchDiscovery found = discovered(ocs);
        assertThat(farEnd(found, FibreEnd.ingress("1"))).isEqualTo("pod-01/ocs-00/0");
        assertThat(found.found().get(FibreEnd.egress("1008")).evidence()).isEqualTo(Evidence.DARK);
        assertThat(found.found().get(FibreEnd.ingress("8")).leads())
                .as("its other strand works")
                .isTrue();
        assertThat(FoundWiring.findings(plant, PODS, found, Optional.empty()))
                .containsExactly(
                        "crossed: ingress 1 leads to pod-01/ocs-00/0 and is written as pod pod-00, ingress 3 leads to"
                                + " pod-00/ocs-00/0 and is written as pod pod-01",
                        "dead fibre or not wired: egress 1008 is dark and written as pod pod-03");
    }

    @Test
    void silenceProvesNothingWhileAPodCannotBeHeard() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.silentPods.add("pod-02");
        SwitchDiscovery found = discovered(ocs);
        assertThat(found.found().get(FibreEnd.egress("1005")).evidence()).isEqualTo(Evidence.UNHEARD);
        assertThat(found.found().get(FibreEnd.egress("1001")).leads()).isTrue();
    }

    @Test
    void nothingIsDarkWhereNoPortIsKnownToWork() {
        ToyOcs ocs = unknown(DeviceKind.ANY_TO_ANY);
        ocs.switches.get(ONE).wiring().forEach(wire -> ocs.cut.add(ONE + "/" + wire.ingress()));
        SwitchDiscovery found = discovered(ocs);
        assertThat(found.found())
                .hasSize(8)
                .allSatisfy((end, there) -> assertThat(there.evidence()).isEqualTo(Evidence.UNHEARD));
        assertThat(found.circuits()).isLessThanOrEqualTo(16);
    }

    @Test
    void twoPortsAreTwoFarEndsInUnknownOrder() {
        ToyOcs ocs =
                new ToyOcs(new dev.lightpath.planner.world.OcsTopology.Logical(), 2, 1, DeviceKind.ANY_TO_ANY, 1, 0);
        ocs.described.put(ONE, ToyOcs.rewired(ocs.switches.get(ONE), List.of()));
        SwitchDiscovery found = discovered(ocs);
        assertThat(found.found().get(FibreEnd.both("1")).evidence()).isEqualTo(Evidence.AMBIGUOUS);
        assertThat(found.found().get(FibreEnd.both("1")).farEnds())
                .extracting(FarEnd::device)
                .containsExactly("pod-00", "pod-01");
    }

    static boolean qualified(Deliberation pass, SliceId job) {
        return pass.slices().get(job).light().qualified();
    }

    static final int MOST_STEPS = 400;

    static void stepUntil(ToyOcs ocs, BooleanSupplier reached) {
        for (int step = 0; step < MOST_STEPS; step++) {
            if (reached.getAsBoolean()) {
                return;
            }
            ocs.step();
        }
        throw new AssertionError("not reached in " + MOST_STEPS + " steps: " + ocs.decisions.getLast());
    }

    /** The voice was somebody else's: what came with the probe must go with it. */
    @Test
    void aVoiceThatStaysTeachesNothing() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        stepUntil(ocs, () -> !ocs.lit.get(ONE).isEmpty());
        ocs.delayNews();
        for (int second = 0; second < 13; second++) {
            ocs.step();
            ocs.now = ocs.now.plusSeconds(1);
            assertThat(ocs.fibres.get(ONE).found()).as("second %d", second).isEmpty();
        }
        ocs.late.clear();
        SwitchDiscovery found = discovered(ocs);
        assertThat(found.circuits()).as("some were tried again").isGreaterThan(8);
        assertThat(wires(ocs, found))
                .containsExactlyElementsOf(ocs.switches.get(ONE).wiring());
    }

    static ToyOcs unknown(DeviceKind kind) {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, kind, 2);
        OcsSwitch of = ocs.switches.get(ONE);
        // whoever reads it does not know that it has two sides
        ocs.described.put(
                ONE,
                new OcsSwitch(
                        of.name(),
                        of.device(),
                        DeviceKind.ANY_TO_ANY,
                        of.plane(),
                        List.of(),
                        of.reserved(),
                        of.drained()));
        return ocs;
    }

    /** Asks, and lets time pass until it is over. */
    static SwitchDiscovery discovered(ToyOcs ocs) {
        ocs.discover.put(ONE, "now");
        for (int step = 0; step < 20_000; step++) {
            if (ocs.step().decision() instanceof Decision.Rest) {
                ocs.now = ocs.now.plus(Duration.ofSeconds(1));
            }
            SwitchDiscovery found = ocs.fibres.get(ONE);
            if (found.over() && found.probes().isEmpty()) {
                return found;
            }
        }
        throw new AssertionError("not over: " + ocs.fibres.get(ONE));
    }

    /** A fabric that is not patched yet: silence takes long, so it is not waited for twice. */
    @Test
    void aDeadFibreIsSettledByOneSilence() {
        ToyOcs ocs = halfDead();
        SwitchDiscovery found = discovered(ocs);
        assertThat(found.found().values())
                .filteredOn(there -> there.evidence() == Evidence.DARK)
                .hasSize(64);
        assertThat(found.circuits())
                .as("one for each of 80 ends, and a few until dead fibres are known to be common")
                .isLessThanOrEqualTo(80 + 3);
    }

    @Test
    void noProbeBeginsWhereASwitchMeasuresThatNoLightEnters() {
        ToyOcs ocs = halfDead();
        ocs.measuring = true;
        ocs.tellingDark = true;
        List<String> begun = new ArrayList<>();
        ocs.heard = (world, deliberation) -> {
            if (deliberation.decision() instanceof Decision.Apply apply
                    && apply.stage().cause() == Cause.PROBE) {
                apply.stage()
                        .changes()
                        .forEach(change -> change.connects().forEach(probe -> begun.add(probe.ingress())));
            }
        };
        SwitchDiscovery found = discovered(ocs);
        assertThat(begun).isNotEmpty().noneMatch(ingress -> ocs.cut.contains(ONE + "/" + ingress));
        assertThat(found.found().values())
                .filteredOn(there -> there.evidence() == Evidence.DARK)
                .hasSize(64);
        assertThat(found.found().get(FibreEnd.ingress("9")).powerDbm()).hasValue(-40);
    }

    /** Of 40 wires 32 are dead, both strands of each. */
    private static ToyOcs halfDead() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.TWO_SIDED, 10);
        List<OcsSwitch.Wire> wires = ocs.switches.get(ONE).wiring();
        assertThat(wires).hasSize(40);
        wires.stream().skip(8).forEach(wire -> {
            ocs.cut.add(ONE + "/" + wire.ingress());
            ocs.cut.add(ONE + "/" + wire.egress());
        });
        return ocs;
    }

    @Test
    void silenceProvesNothingIfAPodWasAwayWhileTheProbeWasLit() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.cut.add(ONE + "/1008");
        ocs.discover.put(ONE, "now");
        for (int step = 0; step < 2000 && !over(ocs); step++) {
            boolean lit = !ocs.lit.get(ONE).isEmpty();
            if (ocs.step().decision() instanceof Decision.Rest && lit) {
                ocs.silentPods.add("pod-00");
                ocs.step();
                ocs.silentPods.clear();
                ocs.step();
            }
            ocs.now = ocs.now.plus(Duration.ofMillis(500));
        }
        assertThat(ocs.fibres.get(ONE).found().get(FibreEnd.egress("1008")).evidence())
                .isEqualTo(Evidence.UNHEARD);
    }

    private static boolean over(ToyOcs ocs) {
        SwitchDiscovery found = ocs.fibres.get(ONE);
        return found != null && found.over() && found.probes().isEmpty();
    }

    @Test
    void aVoiceThatComesWithinTenSecondsIsWaitedFor() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        ocs.step();
        ocs.silentPods.addAll(PODS);
        for (int second = 0; second < 8; second++) {
            ocs.step();
            ocs.now = ocs.now.plus(Duration.ofSeconds(1));
        }
        ocs.silentPods.clear();
        assertThat(discovered(ocs).circuits()).as("none is tried again").isEqualTo(8);
    }

    @Test
    void oneVoiceWhereTwoAreExpectedIsNoSilence() {
        Voice one = new Voice(new FarEnd("a", "1"), new FarEnd("b", "1"), OptionalDouble.empty());
        assertThat(ProbeOrder.heard(true, List.of(one), false)).isEmpty();
        assertThat(ProbeOrder.heard(true, List.of(one), true))
                .hasValueSatisfying(heard -> assertThat(heard.disturbed()).isTrue());
        assertThat(ProbeOrder.heard(true, List.of(), true))
                .hasValueSatisfying(heard -> assertThat(heard.disturbed()).isFalse());
    }

    private static String farEnd(SwitchDiscovery found, FibreEnd end) {
        return found.found().get(end).farEnds().getFirst().toString();
    }

    private static List<OcsSwitch.Wire> wires(ToyOcs ocs, SwitchDiscovery found) {
        Map<FibreEnd, Found> ends = found.found();
        return FoundWiring.wires(ocs.described.get(ONE), PODS, ends);
    }
}
