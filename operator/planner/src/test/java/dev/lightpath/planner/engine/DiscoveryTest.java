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
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.ocs.FoundWiring;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where fibres lead, found by probing circuits. */
class DiscoveryTest {
    private static final String ONE = "ocs-00";
    private static final SwitchDiscovery NOTHING = SwitchDiscovery.begun("", new TreeSet<>());
    private static final Set<String> PODS = Set.of("pod-00", "pod-01", "pod-02", "pod-03");

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

    /** Robots take minutes, and many passes look on. */
    @Test
    void aProbeWhoseElementsMoveIsNotMadeAgain() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        SortedSet<Circuit> before = new TreeSet<>();
        for (int step = 0; step < 500; step++) {
            ocs.step();
            ocs.now = ocs.now.plus(Duration.ofSeconds(1));
            SortedSet<String> moving = new TreeSet<>();
            ocs.lit.get(ONE).stream()
                    .filter(circuit -> !before.contains(circuit))
                    .forEach(circuit -> moving.addAll(List.of(circuit.ingress(), circuit.egress())));
            ocs.moving.put(ONE, moving);
            before.clear();
            before.addAll(ocs.lit.get(ONE));
        }
        SwitchDiscovery found = ocs.fibres.get(ONE);
        assertThat(found.over()).isTrue();
        assertThat(found.circuits()).as("a circuit tells two ends").isEqualTo(8);
        assertThat(ocs.lit.get(ONE)).as("nothing is left lit").isEmpty();
    }

    @Test
    void saysThatAProbeIsStillBeingMade() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 2, DeviceKind.TWO_SIDED, 2);
        String other = ocs.switches.lastKey();
        ocs.discover.put(ONE, "now");
        ocs.discover.put(other, "now");
        stepUntil(ocs, () -> !ocs.lit.get(ONE).isEmpty());
        Circuit probe = ocs.lit.get(ONE).first();
        ocs.moving.put(ONE, new TreeSet<>(List.of(probe.ingress(), probe.egress())));
        ocs.step();
        String why = "the probing circuit " + probe + " of switch " + ONE + " is still being made";
        assertThat(ocs.fibres.get(ONE).waitsFor()).contains(why);
        assertThat(ocs.fibres.get(other).waitsFor()).contains(why);
        ocs.step();
        assertThat(ocs.fibres.get(ONE).waitsFor()).contains(why);
        ocs.moving.clear();
        ocs.step();
        assertThat(ocs.fibres.get(ONE).waitsFor()).isEmpty();
        assertThat(ocs.fibres.get(other).waitsFor()).isEmpty();
    }

    /** The port of a probe that is proposed and not made may be in a job's circuit whose mirrors still move. */
    @Test
    void aProbeIsNotMadeOnAPortThatAJobTookMeanwhile() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.TWO_SIDED, 2);
        ocs.discover.put(ONE, "now");
        ocs.step();
        Circuit proposed = ocs.fibres.get(ONE).probes().first();
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        stepUntil(
                ocs,
                () -> ocs.ledger.get(job).allocation().isPresent()
                        && ocs.lit.get(ONE).equals(ocs.recorded(job).on(ONE)));
        SortedSet<String> moving = new TreeSet<>();
        ocs.lit.get(ONE).forEach(circuit -> moving.addAll(List.of(circuit.ingress(), circuit.egress())));
        assertThat(moving).containsAnyOf(proposed.ingress(), proposed.egress());
        assertThat(ocs.lit.get(ONE)).doesNotContain(proposed);
        ocs.moving.put(ONE, moving);
        for (int step = 0; step < 5; step++) {
            boolean probes = ocs.step().decision() instanceof Decision.Apply apply
                    && apply.stage().cause() == Cause.PROBE;
            assertThat(probes).as("step %d", step).isFalse();
        }
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

    /** A later process knows whose light it is. */
    @Test
    void aProbeIsWrittenBeforeItIsMadeAndTakenDownAfterARestart() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        ocs.step();
        assertThat(ocs.fibres.get(ONE).probes()).hasSize(1);
        assertThat(ocs.lit.get(ONE)).isEmpty();
        ocs.step();
        assertThat(ocs.lit.get(ONE)).isEqualTo(ocs.fibres.get(ONE).probes());
        ocs.restart();
        Circuit left = ocs.lit.get(ONE).first();
        ocs.step();
        assertThat(ocs.lit.get(ONE)).doesNotContain(left);
        assertThat(discovered(ocs).found()).hasSize(16);
        assertThat(ocs.lit.get(ONE)).isEmpty();
    }

    /** A robot plugs a fibre for minutes, and goes on when the process that asked for it has ended. */
    @Test
    void aProbeThatIsUnderWayWhenItsProcessEndsIsTakenDownOnceItIsLit() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.slow = true;
        ocs.discover.put(ONE, "now");
        stepUntil(ocs, () -> {
            assertThat(ocs.lit.get(ONE)).isEmpty();
            return ocs.decisions.stream().anyMatch(Decision.Apply.class::isInstance);
        });
        Set<Circuit> probes = ocs.fibres.get(ONE).probes();
        ocs.restartWithChangesUnderWay();
        ocs.discover.clear();
        boolean[] lit = {false};
        ocs.watch = () -> lit[0] |= ocs.lit.get(ONE).containsAll(probes);
        for (int step = 0; step < 9; step++) {
            ocs.step();
        }
        assertThat(lit[0]).as("it comes up later").isTrue();
        assertThat(ocs.lit.get(ONE)).as("nothing is left lit").isEmpty();
        assertThat(ocs.fibres.get(ONE).probes()).isEmpty();
    }

    @Test
    void isNeitherForeignNorAFault() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        ocs.step();
        ocs.step();
        assertThat(ocs.lit.get(ONE)).hasSize(1);
        var fabric = ocs.step().fabrics().get("spine");
        assertThat(fabric.foreign()).isEmpty();
        assertThat(fabric.faults()).isEmpty();
    }

    @Test
    void aPausedFabricAndADrainedSwitchAreNotProbed() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.paused = true;
        ocs.discover.put(ONE, "now");
        ocs.settle();
        assertThat(ocs.fibres.get(ONE).waitsFor().orElseThrow()).startsWith("the fabric is paused");
        ocs.paused = false;
        ocs.described.clear();
        ocs.drain(ONE);
        ocs.settle();
        assertThat(ocs.fibres.get(ONE).waitsFor()).contains("it is drained");
        assertThat(ocs.lit.get(ONE)).isEmpty();
    }

    /** Nothing else would wake the loop for it. */
    @Test
    void theNextProbeIsProposedByThePassThatSeesTheLastOneDark() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        int ended = 0;
        for (int step = 0; step < 100 && !ocs.fibres.getOrDefault(ONE, NOTHING).over(); step++) {
            Set<Circuit> before = Set.copyOf(ocs.lit.get(ONE));
            boolean released = ocs.step().decision() instanceof Decision.Apply apply
                    && apply.stage().cause() == Cause.RELEASE;
            if (released) {
                ocs.step();
                ended++;
                SwitchDiscovery now = ocs.fibres.get(ONE);
                assertThat(now.over() || now.probes().size() == 1 && Collections.disjoint(now.probes(), before))
                        .as(now.toString())
                        .isTrue();
            }
        }
        assertThat(ended).isEqualTo(8);
    }

    /** What would be decided is decided without probes: nothing is written there that they could wait for. */
    @Test
    void aSimulationMakesNoProbe() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        ocs.step();
        ocs.step();
        assertThat(ocs.lit.get(ONE)).hasSize(1);
        var going = ocs.world().ocsFabrics().get("spine").goingOn(ocs.policy);
        assertThat(going.discovery().get(ONE).request()).isEmpty();
        assertThat(going.discovery().get(ONE).recorded().orElseThrow().probes()).isEqualTo(ocs.lit.get(ONE));
    }

    @Test
    void stopsWhereAskedAndLeavesNothingLit() {
        ToyOcs ocs = unknown(DeviceKind.TWO_SIDED);
        ocs.discover.put(ONE, "now");
        for (int step = 0; step < 9; step++) {
            ocs.step();
        }
        ocs.discover.clear();
        for (int step = 0; step < 9; step++) {
            ocs.step();
        }
        SwitchDiscovery found = ocs.fibres.get(ONE);
        assertThat(found.over()).isTrue();
        assertThat(found.found()).isNotEmpty().hasSizeLessThan(16);
        assertThat(ocs.lit.get(ONE)).isEmpty();
        assertThat(found.probes()).isEmpty();
    }

    @Test
    void portsInUseAreLeftAloneAndCountWhereHintsAgree() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.TWO_SIDED, 2);
        ocs.hinted = true;
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        ocs.settle();
        Set<Circuit> used = Set.copyOf(ocs.recorded(job).on(ONE));
        assertThat(used).isNotEmpty();
        ocs.heard = (world, deliberation) -> {
            if (deliberation.decision() instanceof Decision.Apply apply
                    && apply.stage().cause() == Cause.PROBE) {
                apply.stage()
                        .changes()
                        .forEach(change -> change.connects()
                                .forEach(probe -> assertThat(used)
                                        .noneMatch(circuit -> circuit.ingress().equals(probe.ingress())
                                                || circuit.egress().equals(probe.egress()))));
            }
        };
        SwitchDiscovery found = discovered(ocs);
        assertThat(ocs.lit.get(ONE)).isEqualTo(used);
        used.forEach(circuit -> {
            assertThat(found.found().get(FibreEnd.ingress(circuit.ingress())).evidence())
                    .isEqualTo(Evidence.IN_USE);
            assertThat(found.found().get(FibreEnd.egress(circuit.egress())).evidence())
                    .isEqualTo(Evidence.IN_USE);
        });
        assertThat(FoundWiring.findings(ocs.switches.get(ONE), PODS, found, Optional.empty()))
                .isEmpty();
    }

    /** A job that wants the port has it in the same change. */
    @Test
    void yieldsToAJobAtOnce() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.TWO_SIDED, 2);
        ocs.discover.put(ONE, "now");
        ocs.step();
        ocs.step();
        assertThat(ocs.lit.get(ONE)).hasSize(1);
        ocs.delayNews();
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        for (int step = 0; step < 6; step++) {
            ocs.step();
        }
        assertThat(ocs.lit.get(ONE)).containsAll(ocs.recorded(job).on(ONE));
        ocs.late.clear();
        discovered(ocs);
        assertThat(ocs.lit.get(ONE)).isEqualTo(ocs.recorded(job).on(ONE));
    }

    /** Four ports of each pod, of which two are written down; nobody uses the others. */
    private static ToyOcs halfWritten(DeviceKind kind) {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, kind, 4);
        OcsSwitch plant = ocs.switches.get(ONE);
        ocs.described.put(
                ONE,
                ToyOcs.rewired(
                        plant,
                        plant.wiring().stream().filter(wire -> wire.index() < 2).toList()));
        ocs.pods.replaceAll(
                pod -> new OcsPod(pod.name(), pod.index(), pod.gpus(), 2, pod.nodes(), pod.placeable(), pod.closed()));
        return ocs;
    }

    /** The only circuit of two pods is dark from the beginning. The next probes join these pods too. */
    private static SliceId withADarkCircuit(ToyOcs ocs, DeviceKind kind) {
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        stepUntil(ocs, () -> ocs.ledger.get(job).allocation().isPresent());
        Circuit dark = ocs.recorded(job).on(ONE).stream()
                .filter(circuit -> kind == DeviceKind.ANY_TO_ANY
                        ? Set.of(pod(circuit.ingress()), pod(circuit.egress())).equals(Set.of(0, 1))
                        : pod(circuit.ingress()) == 0 && pod(circuit.egress()) == 1)
                .findFirst()
                .orElseThrow();
        ocs.cut.add(ONE + "/" + dark.ingress());
        ocs.cut.add(ONE + "/" + dark.egress());
        assertThat(qualified(ocs.settle(), job)).isFalse();
        assertThat(ocs.lit.get(ONE)).contains(dark);
        ocs.discover.put(ONE, "now");
        return job;
    }

    private static int pod(String port) {
        return (Integer.parseInt(port) % 1000 - 1) / 4;
    }

    static boolean qualified(Deliberation pass, SliceId job) {
        return pass.slices().get(job).light().qualified();
    }

    private static List<Circuit> probes(ToyOcs ocs, SliceId job) {
        return ocs.lit.get(ONE).stream()
                .filter(circuit -> !ocs.recorded(job).on(ONE).contains(circuit))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(DeviceKind.class)
    void theLightOfAProbeProvesNoCircuitOfAJob(DeviceKind kind) {
        ToyOcs ocs = halfWritten(kind);
        SliceId job = withADarkCircuit(ocs, kind);
        Set<Circuit> probed = new TreeSet<>();
        for (int step = 0;
                step < MOST_STEPS
                        && !ocs.fibres.getOrDefault(ONE, NOTHING).over()
                        && ocs.lit.get(ONE).containsAll(ocs.recorded(job).on(ONE));
                step++) {
            probed.addAll(probes(ocs, job));
            Deliberation pass = ocs.step();
            assertThat(qualified(pass, job)).as("beside " + probes(ocs, job)).isFalse();
            if (pass.decision() instanceof Decision.Rest) {
                ocs.now = ocs.now.plusMillis(500);
            }
        }
        assertThat(probed).as("probes").hasSizeGreaterThan(3);
        assertThat(ocs.settleAfter(Duration.ofSeconds(60))
                        .fabrics()
                        .get("spine")
                        .faults())
                .as("the darkness is believed")
                .isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(DeviceKind.class)
    void norDoesTheLightOfAProbeThatAnEarlierProcessLeft(DeviceKind kind) {
        ToyOcs ocs = halfWritten(kind);
        SliceId job = withADarkCircuit(ocs, kind);
        int left = 0;
        for (int step = 0; step < 60; step++) {
            ocs.step();
            if (probes(ocs, job).stream().anyMatch(probe -> pod(probe.ingress()) == 0 && pod(probe.egress()) == 1)) {
                ocs.restart();
                assertThat(qualified(ocs.step(), job))
                        .as("beside " + probes(ocs, job))
                        .isFalse();
                left++;
            }
        }
        assertThat(left).isPositive();
    }

    @Test
    void aCircuitThatIsLitBesideAProbeCountsOnceTheProbeIsOver() {
        ToyOcs ocs = halfWritten(DeviceKind.TWO_SIDED);
        SliceId job = withADarkCircuit(ocs, DeviceKind.TWO_SIDED);
        stepUntil(ocs, () -> !probes(ocs, job).isEmpty());
        ocs.cut.clear();
        ocs.step();
        ocs.discover.clear();
        assertThat(qualified(ocs.settleAfter(Duration.ofSeconds(11)), job)).isTrue();
    }

    private static final int MOST_STEPS = 400;

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
    private static SwitchDiscovery discovered(ToyOcs ocs) {
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

    /** Somebody's circuit the other way through the ports of a probe is no probe. */
    @Test
    void aTurnedCircuitOfATwoSidedSwitchIsForeign() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.TWO_SIDED, 2);
        ocs.discover.put(ONE, "now");
        ocs.step();
        ocs.step();
        Circuit probe = ocs.lit.get(ONE).first();
        Circuit turned = new Circuit(probe.egress(), probe.ingress());
        ocs.lit.get(ONE).add(turned);
        assertThat(ocs.step().fabrics().get("spine").foreign()).containsExactly(ONE + "/" + turned);
        assertThat(ocs.lit.get(ONE)).contains(turned);
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
    void saysWhatFreezesTheFabric() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 1, DeviceKind.TWO_SIDED, 2);
        ocs.lit.get(ONE).add(new Circuit("1", "1005"));
        ocs.discover.put(ONE, "now");
        ocs.settle();
        assertThat(ocs.fibres.get(ONE).waitsFor().orElseThrow()).contains("adopt");
        assertThat(ocs.fibres.get(ONE).circuits()).isZero();
        ocs.lit.get(ONE).clear();
        discovered(ocs);
        assertThat(ocs.fibres.get(ONE).waitsFor()).isEmpty();
    }

    @Test
    void saysWhichProbeOfAnotherSwitchIsWaitedFor() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 2, DeviceKind.TWO_SIDED, 2);
        String other = ocs.switches.lastKey();
        ocs.discover.put(other, "now");
        ocs.step();
        ocs.step();
        assertThat(ocs.lit.get(other)).hasSize(1);
        ocs.silent.add(other);
        ocs.restart();
        ocs.discover.put(ONE, "now");
        ocs.step();
        ocs.step();
        assertThat(ocs.fibres.get(ONE).waitsFor().orElseThrow())
                .contains("of switch " + other + " was not read back dark");
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
