package dev.lightpath.planner.engine;

import static dev.lightpath.planner.engine.DarkScene.HEALTH;
import static dev.lightpath.planner.engine.DarkScene.HOLD;
import static dev.lightpath.planner.engine.DarkScene.assertWhole;
import static dev.lightpath.planner.engine.DarkScene.cutFibre;
import static dev.lightpath.planner.engine.DarkScene.fabric;
import static dev.lightpath.planner.engine.DarkScene.faultyPorts;
import static dev.lightpath.planner.engine.DarkScene.first;
import static dev.lightpath.planner.engine.DarkScene.prediction;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Circuits that switches make and far ends do not see, where pods have several between them. */
class OcsDarkTest {
    private final ToyOcs ocs = fabric(2);

    private SliceId lit() {
        return DarkScene.lit(ocs);
    }

    @Test
    void aCutFibreAmongSeveralCircuitsIsLeftForAPortOfTheSameSwitch() {
        ToyOcs ocs = fabric(3);
        // the fibres are more than the job can use: DELTA leaves some free
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        assertWhole(ocs.settle(), job);
        SwitchedLight before = ocs.light();
        double iteration = prediction(ocs, job).iterationSeconds();
        String name = before.circuits().keySet().stream()
                .filter(of -> before.on(of).size() < 6)
                .findFirst()
                .orElse("ocs-07");
        Circuit victim = first(ocs, name);
        cutFibre(ocs, name, victim.ingress());
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest)).contains("port/" + name + "/" + victim.ingress() + " LossOfLight");
        assertThat(ocs.light().on(name)).doesNotContain(victim);
        // every circuit that goes used one of the two strands
        before.minus(ocs.light())
                .forEach((of, circuit) -> assertThat(circuit.ingress().equals(victim.ingress())
                                || circuit.egress().equals(String.valueOf(1000 + Integer.parseInt(victim.ingress()))))
                        .as(of + "/" + circuit)
                        .isTrue());
        assertThat(prediction(ocs, job).iterationSeconds()).isGreaterThanOrEqualTo(iteration);
    }

    @Test
    void whatIsLostIsToldAndComesBackWhenTheFibreIsMended() {
        SliceId job = lit();
        Prediction whole = prediction(ocs, job);
        SwitchedLight before = ocs.light();
        for (String name : List.of("ocs-00", "ocs-01", "ocs-02")) {
            cutFibre(ocs, name, "1");
            cutFibre(ocs, name, "2");
        }
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(prediction(ocs, job).iterationSeconds()).isGreaterThan(whole.iterationSeconds());
        assertThat(prediction(ocs, job).bestSeconds()).isEqualTo(whole.iterationSeconds());
        // no circuit is left at the ports, and still nobody takes them for healthy
        Deliberation later = ocs.settleAfter(HEALTH);
        assertThat(faultyPorts(later)).isNotEmpty().isEqualTo(faultyPorts(rest));
        ocs.cut.clear();
        ocs.settle();
        assertWhole(ocs.settleAfter(HEALTH), job);
        assertThat(prediction(ocs, job).iterationSeconds()).isEqualTo(whole.iterationSeconds());
        assertThat(ocs.light().size()).isEqualTo(before.size());
    }

    @Test
    void oneStrandThatIsDarkBlamesItsOwnPortOnly() {
        SliceId job = lit();
        Circuit victim = first(ocs, "ocs-03");
        ocs.cut.add("ocs-03/" + victim.ingress());
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/" + victim.ingress() + " LossOfLight");
    }

    @Test
    void lightThatEntersAndDoesNotArriveBlamesBothPorts() {
        SliceId job = lit();
        Circuit victim = first(ocs, "ocs-03");
        ocs.cut.add("ocs-03/" + victim.egress());
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest))
                .containsExactlyInAnyOrder(
                        "port/ocs-03/" + victim.ingress() + " LossOfLight",
                        "port/ocs-03/" + victim.egress() + " LossOfLight");
    }

    @Test
    void switchesThatMeasureNeedNoHints() {
        ocs.hinted = false;
        SliceId job = lit();
        Circuit victim = first(ocs, "ocs-03");
        ocs.cut.add("ocs-03/" + victim.ingress());
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/" + victim.ingress() + " LossOfLight");
    }

    @Test
    void whereNobodyCanTellWhichCircuitIsDarkNothingMovesAndThePairIsNamed() {
        ocs.hinted = false;
        ocs.measuring = false;
        SliceId job = lit();
        SwitchedLight before = ocs.light();
        Circuit victim = first(ocs, "ocs-03");
        ocs.cut.add("ocs-03/" + victim.egress());
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(ocs.light()).isEqualTo(before);
        assertThat(rest.slices().get(job).light().qualified()).isFalse();
        assertThat(rest.slices().get(job).light().obstacle().orElseThrow().message())
                .contains(" hears pod-")
                .contains("check the fibres");
        assertThat(faultyPorts(rest)).isEmpty();
    }

    @Test
    void hintsThatContradictTheFarEndsBlameNobody() {
        SliceId job = lit();
        // hints of another switch: by them everything is dark, though pods hear as many as they should
        ocs.switches.forEach((name, of) -> ocs.inventories.put(
                name,
                Optional.of(new Inventory(
                        ToyDevices.asWired(of).make(),
                        ToyDevices.asWired(of).ports(),
                        new TreeMap<>(),
                        wrongHints(of)))));
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest)).isEmpty();
    }

    @Test
    void aCircuitThatIsNotMadeOnAPausedFabricSaysSo() {
        SliceId job = lit();
        Circuit victim = first(ocs, "ocs-03");
        ocs.paused = true;
        requireNonNull(ocs.lit.get("ocs-03")).remove(victim);
        assertThat(ocs.settle().slices().get(job).light().obstacle())
                .hasValueSatisfying(obstacle -> assertThat(obstacle.message())
                        .endsWith("is not made yet: the fabric is paused: set spec.paused to false to go on"));
    }

    @Test
    void aPodWithoutPowerQualifiesNothingAndMovesNoCircuit() {
        SliceId job = lit();
        SwitchedLight before = ocs.light();
        ocs.silentPods.add("pod-02");
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(ocs.light()).isEqualTo(before);
        assertThat(rest.slices().get(job).light().qualified()).isFalse();
        assertThat(faultyPorts(rest)).containsExactly("device/pod-02 DeviceSilent");
        ocs.silentPods.clear();
        assertWhole(ocs.settleAfter(HEALTH), job);
    }

    @Test
    void aNeighboursVoiceDoesNotQualifyWhoIsDark() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 8, DeviceKind.TWO_SIDED, 2);
        ocs.hinted = true;
        SliceId one = ocs.wishTraffic(
                "one", ToyOcs.twoByTwo(), 0, true, new Workload.Pods(new TreeSet<>(List.of("node-0-0")), false));
        SliceId two = ocs.wishTraffic(
                "two", ToyOcs.twoByTwo(), 0, true, new Workload.Pods(new TreeSet<>(List.of("node-0-1")), false));
        ocs.settle();
        ocs.settle();
        SwitchedLight ofTwo = ocs.recorded(two);
        String name = ofTwo.circuits().firstKey();
        Circuit victim = ofTwo.on(name).iterator().next();
        ocs.cut.add(name + "/" + victim.egress());
        Deliberation dark = FabricEngine.deliberate(ocs.world());
        assertThat(dark.slices().get(two).light().qualified()).isFalse();
        assertThat(dark.slices().get(two).light().obstacle().orElseThrow().message())
                .contains(name + "/" + victim);
        assertThat(dark.slices().get(one).light().qualified()).isTrue();
    }

    private static TreeMap<String, FarEnd> wrongHints(OcsSwitch of) {
        TreeMap<String, FarEnd> peers = new TreeMap<>();
        of.wiring().forEach(wire -> {
            peers.put(wire.ingress(), new FarEnd(wire.pod(), "nowhere"));
            peers.put(wire.egress(), new FarEnd(wire.pod(), "nowhere"));
        });
        return peers;
    }

    /** What is left out of the circuits because it contradicts itself may be lit. */
    @Test
    void aCircuitOfAPortThatIsReportedTwiceIsNotTakenForDark() {
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        Circuit victim = ocs.recorded(job).on("ocs-03").iterator().next();
        requireNonNull(ocs.lit.get("ocs-03")).remove(victim);
        ocs.failedPorts.put("ocs-03", new TreeMap<>(Map.of(victim.ingress(), DeviceState.REPORTED_TWICE)));
        ocs.unwish(job);
        ocs.settle();
        SwitchedLight left =
                requireNonNull(ocs.ledger.get(job)).allocation().orElseThrow().darkening();
        assertThat(left.on("ocs-03")).containsExactly(victim);
        ocs.failedPorts.clear();
        ocs.settle();
        assertThat(requireNonNull(ocs.ledger.get(job))
                        .allocation()
                        .orElseThrow()
                        .released())
                .isTrue();
    }
}
