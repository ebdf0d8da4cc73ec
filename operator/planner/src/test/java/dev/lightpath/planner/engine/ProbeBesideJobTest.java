package dev.lightpath.planner.engine;

import static dev.lightpath.planner.engine.DiscoveryTest.MOST_STEPS;
import static dev.lightpath.planner.engine.DiscoveryTest.NOTHING;
import static dev.lightpath.planner.engine.DiscoveryTest.ONE;
import static dev.lightpath.planner.engine.DiscoveryTest.PODS;
import static dev.lightpath.planner.engine.DiscoveryTest.discovered;
import static dev.lightpath.planner.engine.DiscoveryTest.qualified;
import static dev.lightpath.planner.engine.DiscoveryTest.stepUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.discovery.FibreEnd;
import dev.lightpath.planner.discovery.Found.Evidence;
import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.ocs.FoundWiring;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Probing circuits beside the circuits of a job. */
class ProbeBesideJobTest {
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
}
