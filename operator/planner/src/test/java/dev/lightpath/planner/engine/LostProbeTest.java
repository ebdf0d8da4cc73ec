package dev.lightpath.planner.engine;

import static dev.lightpath.planner.engine.DiscoveryTest.qualified;
import static dev.lightpath.planner.engine.DiscoveryTest.stepUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Probing circuits of switches that are lost, or that an earlier process left, and the jobs beside them. */
class LostProbeTest {
    private static final String ONE = "ocs-00";
    private static final String OTHER = "ocs-01";
    private static final Workload RUNNING = new Workload.Pods(new TreeSet<>(List.of("node-0-0")), false);

    private final ToyOcs ocs = besideAnUnwritten();

    /** Two switches: of the second nobody has written down a wire. Each pair of pods has one circuit on the first. */
    private static ToyOcs besideAnUnwritten() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 2, DeviceKind.TWO_SIDED, 2);
        ocs.described.put(OTHER, ToyOcs.rewired(ocs.switches.get(OTHER), List.of()));
        ocs.pods.replaceAll(
                pod -> new OcsPod(pod.name(), pod.index(), pod.gpus(), 2, pod.nodes(), pod.placeable(), pod.closed()));
        return ocs;
    }

    private boolean probesFromTheFirstPodToTheSecond() {
        return ocs.lit.get(OTHER).stream().anyMatch(LostProbeTest::leadsFromTheFirstPodToTheSecond);
    }

    private static boolean leadsFromTheFirstPodToTheSecond(Circuit circuit) {
        return port(circuit.ingress()) / 2 == 0 && port(circuit.egress()) / 2 == 1;
    }

    /** Cuts the job's only circuit from the first pod to the second. */
    private void cutFromTheFirstPodToTheSecond(SliceId job) {
        Circuit dark = ocs.recorded(job).on(ONE).stream()
                .filter(LostProbeTest::leadsFromTheFirstPodToTheSecond)
                .findFirst()
                .orElseThrow();
        ocs.cut.add(ONE + "/" + dark.ingress());
    }

    /** A probe from the first pod to the second is lit on a switch that is lost. */
    private void loseAProbeFromTheFirstPodToTheSecond() {
        ocs.discover.put(OTHER, "now");
        stepUntil(ocs, () -> probesFromTheFirstPodToTheSecond());
        ocs.silent.add(OTHER);
        pass(12);
    }

    private void pass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            ocs.step();
            ocs.now = ocs.now.plusSeconds(1);
        }
    }

    private void probe() {
        ocs.discover.put(OTHER, "now");
        stepUntil(ocs, () -> !ocs.lit.get(OTHER).isEmpty());
        ocs.step();
    }

    private void staysQualified(SliceId job, int seconds) {
        for (int second = 0; second < seconds; second++) {
            assertThat(qualified(ocs.step(), job)).as("second %d", second).isTrue();
            ocs.now = ocs.now.plusSeconds(1);
        }
    }

    private void staysUnqualified(SliceId job, int seconds) {
        for (int second = 0; second < seconds; second++) {
            assertThat(qualified(ocs.step(), job)).as("second %d", second).isFalse();
            ocs.now = ocs.now.plusSeconds(1);
        }
    }

    /** Its probe may shine on for as long as the switch is away, and no voice of another circuit is its own. */
    @Test
    void aLostSwitchWithAProbeKeepsNoJobFromReady() {
        probe();
        ocs.silent.add(OTHER);
        ocs.step();
        ocs.now = ocs.now.plusSeconds(11);
        ocs.settle();
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        assertThat(qualified(ocs.settle(), job)).isTrue();
        assertThat(ocs.lit.get(OTHER)).as("it is lit on").hasSize(1);
        assertThat(ocs.fibres.get(OTHER).probes()).as("and recorded").isEqualTo(ocs.lit.get(OTHER));
        ocs.silent.clear();
        ocs.discover.clear();
        ocs.settle();
        assertThat(ocs.lit.get(OTHER)).as("taken down").isEmpty();
        assertThat(ocs.fibres.get(OTHER).probes()).isEmpty();
        ocs.discover.put(ONE, "now");
        ocs.settle();
        assertThat(ocs.fibres.get(ONE).waitsFor()).as("others go on").isEmpty();
    }

    /** The voice of the probe itself proves no dark circuit meanwhile, however long that is. */
    @Test
    void norDoesItProveADarkCircuit() {
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        stepUntil(ocs, () -> ocs.ledger.get(job).allocation().isPresent());
        cutFromTheFirstPodToTheSecond(job);
        ocs.settle();
        ocs.discover.put(OTHER, "now");
        stepUntil(ocs, () -> {
            ocs.delayNews();
            return probesFromTheFirstPodToTheSecond();
        });
        ocs.silent.add(OTHER);
        for (int second = 0; second < 20; second++) {
            if (second == 5) {
                ocs.late.clear();
            }
            assertThat(qualified(ocs.step(), job)).as("second %d", second).isFalse();
            ocs.now = ocs.now.plusMillis(700);
        }
    }

    /** Its voice is among those that come once the far ends are heard again. */
    @Test
    void norIfAFarEndIsAwayWhenTheSwitchIsLost() {
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        stepUntil(ocs, () -> ocs.ledger.get(job).allocation().isPresent());
        cutFromTheFirstPodToTheSecond(job);
        ocs.settle();
        ocs.discover.put(OTHER, "now");
        stepUntil(ocs, () -> {
            ocs.delayNews();
            return probesFromTheFirstPodToTheSecond();
        });
        ocs.silent.add(OTHER);
        ocs.late.clear();
        ocs.silentPods.add("pod-01");
        pass(15);
        ocs.silentPods.clear();
        staysUnqualified(job, 20);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void norOneThatIsCutWhileTheProbeShinesOn(boolean hinted) {
        ocs.hinted = hinted;
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        assertThat(qualified(ocs.settle(), job)).isTrue();
        loseAProbeFromTheFirstPodToTheSecond();
        assertThat(qualified(ocs.settle(), job)).isTrue();
        cutFromTheFirstPodToTheSecond(job);
        assertThat(qualified(ocs.step(), job)).isFalse();
        assertThat(qualified(ocs.step(), job)).isFalse();
        ocs.cut.clear();
        assertThat(qualified(ocs.settle(), job)).isTrue();
    }

    @Test
    void norOneThatIsMadeWhileAFarEndIsAway() {
        loseAProbeFromTheFirstPodToTheSecond();
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        stepUntil(ocs, () -> ocs.ledger.get(job).allocation().isPresent());
        ocs.silentPods.add("pod-01");
        cutFromTheFirstPodToTheSecond(job);
        stepUntil(ocs, () -> ocs.lit.get(ONE).containsAll(ocs.recorded(job).on(ONE)));
        ocs.step();
        ocs.silentPods.clear();
        staysUnqualified(job, 12);
    }

    /** After a restart each voice may be the probe's, but none that has gone silent is. */
    @Test
    void aVoiceThatGoesSilentIsNoProbeOfALostSwitch() {
        SliceId first = ocs.wishTraffic("first", ToyOcs.twoByTwo());
        assertThat(qualified(ocs.settle(), first)).isTrue();
        probe();
        ocs.silent.add(OTHER);
        ocs.restart();
        pass(13);
        var light = ocs.settle().slices().get(first).light();
        assertThat(light.qualified()).isFalse();
        assertThat(light.obstacle().orElseThrow().message())
                .endsWith(", and may hear the probing circuit of switch ocs-01: this ends when the probe is read back"
                        + " dark");
        ocs.wishTraffic("first", ToyOcs.twoByTwo(), 0, false, new Workload.LightOnly());
        ocs.settle();
        assertThat(ocs.lit.get(ONE)).isEmpty();
        SliceId second = ocs.wishTraffic("second", ToyOcs.twoByTwo());
        assertThat(qualified(ocs.settle(), second)).isTrue();
    }

    @Test
    void aProbeThatAnEarlierProcessLeftIsHeardOnlyByThePodsThatItsWiringJoins() {
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        assertThat(qualified(ocs.settle(), job)).isTrue();
        ocs.discover.put(OTHER, "now");
        stepUntil(ocs, () -> probesFromTheFirstPodToTheSecond());
        ocs.silent.add(OTHER);
        ocs.described.clear();
        ocs.wiring.tellWiredPorts();
        ocs.restart();
        ocs.contact = DriverState.Contact.UNREACHABLE;
        ocs.step();
        ocs.contact = DriverState.Contact.SYNCED;
        pass(13);
        assertThat(ocs.settle().slices().get(job).light().obstacle()).isEmpty();
    }

    /** What is not written into the status was not asked for. */
    @Test
    void aProbeThatWasNotRecordedIsNotFeared() {
        ocs.discover.put(OTHER, "now");
        ocs.step();
        assertThat(ocs.fibres.get(OTHER).probes()).hasSize(1);
        ocs.fibres.clear();
        ocs.silent.add(OTHER);
        ocs.step();
        assertThat(ocs.fibres.get(OTHER).probes()).isEmpty();
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        assertThat(qualified(ocs.settle(), job)).isTrue();
    }

    /** Two of each pod, from 0. */
    private static int port(String port) {
        return Integer.parseInt(port) % 1000 - 1;
    }

    /** Where the installation says who is heard there, nothing is doubted. */
    @Test
    void aCircuitThatIsHeardWhereItEndsIsNotDoubted() {
        ocs.hinted = true;
        probe();
        ocs.silent.add(OTHER);
        ocs.step();
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        assertThat(qualified(ocs.settle(), job)).as("at once").isTrue();
        ocs.restart();
        staysQualified(job, 12);
    }

    @Test
    void nothingThatWasProvedIsDoubtedForAProbe() {
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        assertThat(qualified(ocs.settle(), job)).isTrue();
        ocs.now = ocs.now.plusSeconds(30);
        probe();
        for (int step = 0; step < 40; step++) {
            assertThat(qualified(ocs.step(), job)).isTrue();
            ocs.now = ocs.now.plusMillis(400);
        }
    }

    /** A later process does not know what was heard before the probe. */
    @Test
    void aProbeThatAnEarlierProcessLeftTakesNoVoiceFromRunningPods() {
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo(), 0, true, RUNNING);
        assertThat(qualified(ocs.settle(), job)).isTrue();
        probe();
        ocs.silent.add(OTHER);
        ocs.restart();
        staysQualified(job, 20);
    }

    @Test
    void norIfTheFarEndsAreHeardOnlyLater() {
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo(), 0, true, RUNNING);
        ocs.settle();
        probe();
        ocs.silent.add(OTHER);
        ocs.restart();
        ocs.contact = DriverState.Contact.UNREACHABLE;
        ocs.step();
        ocs.contact = DriverState.Contact.SYNCED;
        assertThat(qualified(ocs.step(), job)).isTrue();
        assertThat(qualified(ocs.step(), job)).isTrue();
    }

    @Test
    void norFromJobsThatArePlacedLaterWhileItsSwitchIsLost() {
        probe();
        ocs.silent.add(OTHER);
        ocs.restart();
        ocs.step();
        ocs.now = ocs.now.plusSeconds(11);
        ocs.settle();
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        assertThat(qualified(ocs.settle(), job)).isTrue();
    }

    /** Fibres of the second pod are plugged in the other way round than the installation says. */
    private void hintWrongly() {
        Inventory listed = ToyDevices.asWired(ocs.switches.get(ONE));
        SortedMap<String, FarEnd> peers = new TreeMap<>();
        ocs.switches.get(ONE).wiring().forEach(wire -> {
            FarEnd other = new FarEnd(wire.pod(), ONE + "/" + (1 - wire.index()));
            peers.put(wire.ingress(), other);
            peers.put(wire.egress(), other);
        });
        ocs.inventories.put(ONE, Optional.of(new Inventory(listed.make(), listed.ports(), listed.paths(), peers)));
    }

    /** Which voices are the circuits' is not known after a restart, and the hints of where they end may be wrong. */
    @Test
    void aWrongHintCostsNoRunningPodItsLightBesideAProbeThatAnEarlierProcessLeft() {
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo(), 0, true, RUNNING);
        assertThat(qualified(ocs.settle(), job)).isTrue();
        hintWrongly();
        probe();
        ocs.silent.add(OTHER);
        ocs.restart();
        for (int second = 0; second < 30; second++) {
            Deliberation pass = ocs.step();
            assertThat(qualified(pass, job)).as("second %d", second).isTrue();
            assertThat(pass.fabrics().get("spine").faults())
                    .extracting(fault -> fault.subject().label())
                    .isSubsetOf("device/" + OTHER);
            ocs.now = ocs.now.plusSeconds(1);
        }
    }

    private static Demand.Traffic ofTwoPods() {
        return Gpt7b.traffic(Parallelism.ofDegrees(8, 2, 1, 1, 1), new Batch(16, 1, 4096, true), 1);
    }

    /** Without end, as long as one pod is away: which voice is the probe's stays open that long. */
    @Test
    void aLostProbeDoubtsOnlyThePodsThatItsWiringJoinsWhileAFarEndIsAway() {
        ocs.discover.put(OTHER, "now");
        stepUntil(
                ocs,
                () -> ocs.lit.get(OTHER).stream()
                        .anyMatch(circuit -> port(circuit.ingress()) / 2 == 2 && port(circuit.egress()) / 2 == 3));
        ocs.silent.add(OTHER);
        ocs.silentPods.add("pod-03");
        ocs.described.clear();
        ocs.wiring.tellWiredPorts();
        ocs.wiring.close(2, true);
        ocs.wiring.close(3, true);
        pass(13);
        SliceId job = ocs.wishTraffic("job", ofTwoPods());
        assertThat(qualified(ocs.settle(), job)).isTrue();
        ocs.restart();
        pass(13);
        assertThat(qualified(ocs.settle(), job)).isTrue();
    }

    @Test
    void whereNoWiringSaysWhoHearsALostProbeTheSilentPodIsNamed() {
        probe();
        ocs.silent.add(OTHER);
        ocs.silentPods.add("pod-03");
        ocs.wiring.close(2, true);
        ocs.wiring.close(3, true);
        pass(13);
        SliceId job = ocs.wishTraffic("job", ofTwoPods());
        var light = ocs.settle().slices().get(job).light();
        assertThat(light.qualified()).isFalse();
        assertThat(light.obstacle().orElseThrow().message())
                .endsWith(": this ends when the probe is read back dark, or may once the far ends of pod-03 answer");
    }

    /** What was away when the probe was proposed comes back later, and is not the probe for that. */
    @Test
    void aVoiceOfAPodThatWasAwayBeforeTheProbeIsNotTakenForItsVoice() {
        OcsSwitch plant = ocs.switches.get(ONE);
        ocs.described.put(
                ONE,
                ToyOcs.rewired(
                        plant,
                        plant.wiring().stream()
                                .filter(wire -> wire.index() == 0)
                                .toList()));
        ocs.pods.replaceAll(
                pod -> new OcsPod(pod.name(), pod.index(), pod.gpus(), 1, pod.nodes(), pod.placeable(), pod.closed()));
        ocs.wiring.close(2, true);
        ocs.wiring.close(3, true);
        SliceId job = ocs.wishTraffic("job", ofTwoPods());
        assertThat(qualified(ocs.settle(), job)).isTrue();
        assertThat(ocs.lit.get(ONE)).hasSize(2);
        ocs.now = ocs.now.plusSeconds(30);
        ocs.silentPods.add("pod-01");
        ocs.switches.get(OTHER).wiring().forEach(wire -> ocs.cut.add(OTHER + "/" + wire.egress()));
        ocs.discover.put(OTHER, "now");
        stepUntil(ocs, () -> !ocs.lit.get(OTHER).isEmpty());
        ocs.silent.add(OTHER);
        ocs.step();
        ocs.silentPods.clear();
        for (int second = 0; second < 30; second++) {
            Deliberation pass = ocs.step();
            assertThat(pass.fabrics().get("spine").faults())
                    .as("second %d", second)
                    .extracting(fault -> fault.subject().label())
                    .isSubsetOf("device/" + OTHER);
            ocs.now = ocs.now.plusSeconds(1);
        }
        assertThat(qualified(ocs.settle(), job)).isTrue();
    }
}
