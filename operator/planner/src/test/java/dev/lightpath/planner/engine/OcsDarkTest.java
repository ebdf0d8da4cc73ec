package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Circuits that switches make and far ends do not see, where pods have several between them. */
class OcsDarkTest {
    private static final Duration HOLD = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(11);
    private static final Duration HEALTH = Duration.ofSeconds(40);

    private static ToyOcs fabric(int portsPerPod) {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, portsPerPod);
        ocs.hinted = true;
        ocs.measuring = true;
        return ocs;
    }

    private static Prediction prediction(ToyOcs ocs, SliceId id) {
        return ocs.ledger.get(id).allocation().orElseThrow().prediction().orElseThrow();
    }

    private static Circuit first(ToyOcs ocs, String name) {
        return ocs.lit.get(name).first();
    }

    /** Both strands of the fibre whose light enters at a port. */
    private static void cutFibre(ToyOcs ocs, String name, String ingress) {
        ocs.cut.add(name + "/" + ingress);
        ocs.cut.add(name + "/" + (1000 + Integer.parseInt(ingress)));
    }

    private static List<String> faultyPorts(Deliberation rest) {
        return rest.fabrics().get("spine").faults().stream()
                .map(fault -> fault.subject().label() + " " + fault.reason())
                .sorted()
                .toList();
    }

    private static void assertWhole(Deliberation rest, SliceId job) {
        assertThat(rest.slices().get(job).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
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
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
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
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        Circuit victim = first(ocs, "ocs-03");
        ocs.cut.add("ocs-03/" + victim.ingress());
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/" + victim.ingress() + " LossOfLight");
    }

    @Test
    void lightThatEntersAndDoesNotArriveBlamesBothPorts() {
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
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
        ToyOcs ocs = fabric(2);
        ocs.hinted = false;
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        Circuit victim = first(ocs, "ocs-03");
        ocs.cut.add("ocs-03/" + victim.ingress());
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/" + victim.ingress() + " LossOfLight");
    }

    @Test
    void whereNobodyCanTellWhichCircuitIsDarkNothingMovesAndThePairIsNamed() {
        ToyOcs ocs = fabric(2);
        ocs.hinted = false;
        ocs.measuring = false;
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
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
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        // hints of another switch: by them everything is dark, though pods hear as many as they should
        ocs.switches.forEach((name, of) -> ocs.inventories.put(
                name,
                java.util.Optional.of(new dev.lightpath.planner.light.Inventory(
                        ToyDevices.asWired(of).make(),
                        ToyDevices.asWired(of).ports(),
                        new TreeMap<>(),
                        wrongHints(of)))));
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest)).isEmpty();
    }

    private static TreeMap<String, dev.lightpath.planner.light.FarEnd> wrongHints(
            dev.lightpath.planner.world.OcsSwitch of) {
        TreeMap<String, dev.lightpath.planner.light.FarEnd> peers = new TreeMap<>();
        of.wiring().forEach(wire -> {
            peers.put(wire.ingress(), new dev.lightpath.planner.light.FarEnd(wire.pod(), "nowhere"));
            peers.put(wire.egress(), new dev.lightpath.planner.light.FarEnd(wire.pod(), "nowhere"));
        });
        return peers;
    }

    @Test
    void aPortThatAPodReportsFailedIsLeftAtBothEndsOfItsFibre() {
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        ocs.failedFarPorts.put("pod-01", new TreeMap<>(java.util.Map.of("ocs-03/0", "PortFailed")));
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/1003 PortFailed", "port/ocs-03/3 PortFailed");
        ocs.light().on("ocs-03").forEach(circuit -> {
            assertThat(circuit.ingress()).isNotEqualTo("3");
            assertThat(circuit.egress()).isNotEqualTo("1003");
        });
    }

    @Test
    void weakLightIsLeftAtTheSideWhereItGetsWeak() {
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        Circuit victim = first(ocs, "ocs-03");
        int at = Integer.parseInt(victim.egress()) - 1001;
        TreeMap<String, String> weak = new TreeMap<>(java.util.Map.of("ocs-03/" + at % 2, "LowPower"));
        ocs.failedFarPorts.put(ToyOcs.pod(at / 2), weak);
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/" + victim.egress() + " LowPower");
        assertThat(ocs.light().on("ocs-03")).noneMatch(lit -> lit.egress().equals(victim.egress()));

        ToyOcs other = fabric(2);
        job = other.wishTraffic("llm", ToyOcs.twoByTwo());
        other.settle();
        other.failedFarPorts.put(ToyOcs.pod(at / 2), weak);
        other.failedPorts.put("ocs-03", new TreeMap<>(java.util.Map.of(victim.ingress(), "LowPower")));
        rest = other.settle();
        assertThat(faultyPorts(rest)).isEmpty();
        other.now = other.now.plus(Duration.ofMillis(300));
        rest = other.step();
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/" + victim.ingress() + " LowPower");
    }

    /** No circuit leads there any more, so nobody sees weak light: the connector is no cleaner for it. */
    @Test
    void weakLightThatWasLeftKeepsItsPortOutUntilAPersonClearsIt() {
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        Circuit victim = first(ocs, "ocs-03");
        int at = Integer.parseInt(victim.egress()) - 1001;
        TreeMap<String, String> weak = new TreeMap<>(java.util.Map.of("ocs-03/" + at % 2, "LowPower"));
        ocs.failedFarPorts.put(ToyOcs.pod(at / 2), weak);
        ocs.settleAfter(HOLD);
        ocs.failedFarPorts.clear();
        SwitchedLight moved = ocs.light();
        assertThat(moved.on("ocs-03")).noneMatch(lit -> lit.egress().equals(victim.egress()));
        Deliberation rest = ocs.settleAfter(Duration.ofMinutes(20));
        assertWhole(rest, job);
        assertThat(ocs.light()).isEqualTo(moved);
        assertThat(rest.fabrics().get("spine").faults()).singleElement().satisfies(fault -> {
            assertThat(fault.subject().label()).isEqualTo("port/ocs-03/" + victim.egress());
            assertThat(fault.quarantined()).isTrue();
        });
    }

    @Test
    void weakLightThatGetsStrongWhileItShinesIsOver() {
        ToyOcs ocs = fabric(2);
        ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        Circuit victim = first(ocs, "ocs-03");
        SwitchedLight before = ocs.light();
        // so that the light stays where it is weak
        ocs.paused = true;
        int at = Integer.parseInt(victim.egress()) - 1001;
        ocs.failedFarPorts.put(ToyOcs.pod(at / 2), new TreeMap<>(java.util.Map.of("ocs-03/" + at % 2, "LowPower")));
        assertThat(faultyPorts(ocs.settleAfter(HOLD))).hasSize(1);
        assertThat(ocs.light()).isEqualTo(before);
        ocs.failedFarPorts.clear();
        assertThat(faultyPorts(ocs.settleAfter(HEALTH))).isEmpty();
    }

    @Test
    void aCircuitThatIsNotMadeOnAPausedFabricSaysSo() {
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        Circuit victim = first(ocs, "ocs-03");
        ocs.paused = true;
        java.util.Objects.requireNonNull(ocs.lit.get("ocs-03")).remove(victim);
        assertThat(ocs.settle().slices().get(job).light().obstacle())
                .hasValueSatisfying(obstacle -> assertThat(obstacle.message())
                        .endsWith("is not made yet: the fabric is paused: set spec.paused to false to go on"));
    }

    @Test
    void anAlarmOfAPodsOwnDeviceIsToldAndMovesNoLight() {
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.failedFarPorts.put(ToyOcs.pod(0), new TreeMap<>(java.util.Map.of("", "Temperature")));
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(faultyPorts(rest)).containsExactly("device/" + ToyOcs.pod(0) + " Temperature");
        assertThat(ocs.light()).isEqualTo(before);
        assertWhole(rest, job);
    }

    @Test
    void aHotSwitchGetsNoNewCircuitsAndKeepsThoseThatShine() {
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.failedPorts.put("ocs-03", new TreeMap<>(java.util.Map.of("", "Temperature")));
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(faultyPorts(rest)).containsExactly("device/ocs-03 Temperature");
        assertThat(rest.fabrics().get("spine").massFailure()).isEmpty();
        assertThat(ocs.light()).isEqualTo(before);
        assertWhole(rest, job);
        ocs.unwish(job);
        ocs.settle();
        SliceId late = ocs.wishTraffic("late", ToyOcs.twoByTwo());
        assertWhole(ocs.settle(), late);
        assertThat(ocs.light().on("ocs-03")).isEmpty();
    }

    @Test
    void aHotSwitchKeepsItsCircuitsWhileTheNewsOfOthersComeLate() {
        ToyOcs ocs = fabric(2);
        ocs.dark.add("ocs-02");
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight before = ocs.recorded(job);
        assertThat(before.on("ocs-02")).containsAnyElementsOf(before.on("ocs-03"));
        ocs.failedPorts.put("ocs-03", new TreeMap<>(java.util.Map.of("", "Temperature")));
        ocs.settleAfter(HOLD);
        assertThat(ocs.recorded(job)).isEqualTo(before);
    }

    @Test
    void aSilentSwitchThatShinesOnKeepsItsCircuits() {
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight before = ocs.light();
        Prediction whole = prediction(ocs, job);
        ocs.silent.add("ocs-03");
        ocs.settleAfter(HOLD);
        assertThat(ocs.recorded(job)).isEqualTo(before);
        assertThat(prediction(ocs, job)).isEqualTo(whole);
    }

    /** The network by which a row is managed fails. */
    @Test
    void nobodyCanSayThatASilentSwitchIsDarkWhereItsFarEndsAreSilentToo() {
        for (boolean dies : List.of(false, true)) {
            ToyOcs ocs = fabric(2);
            SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
            ocs.settle();
            SwitchedLight before = ocs.recorded(job);
            ocs.silent.add("ocs-03");
            ocs.mutePods.add("pod-02");
            if (dies) {
                ocs.dark.add("ocs-03");
            }
            ocs.settleAfter(HOLD);
            if (dies) {
                assertThat(ocs.recorded(job).on("ocs-03")).isEmpty();
            } else {
                assertThat(ocs.recorded(job)).isEqualTo(before);
            }
        }
    }

    /** Between the same pods a job has circuits on a silent switch that shines on, and another one comes. */
    @Test
    void circuitsThatAreNotMadeYetSayNothingAgainstASilentSwitch() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 8, DeviceKind.TWO_SIDED, 4);
        SliceId one = running(ocs, "one", "node-0-0", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight before = ocs.recorded(one);
        ocs.silent.add(before.circuits().firstKey());
        ocs.settleAfter(HOLD);
        SliceId two = running(ocs, "two", "node-0-1", ToyOcs.twoByTwo());
        ocs.settle();
        assertThat(ocs.recorded(two).size()).isPositive();
        assertThat(ocs.recorded(one)).isEqualTo(before);
    }

    @Test
    void circuitsOfWhichTheNewsComeLateSayNothingAgainstASilentSwitch() {
        for (boolean hinted : List.of(true, false)) {
            ToyOcs ocs = ToyOcs.logical(2, 2, 5, DeviceKind.TWO_SIDED, 2);
            ocs.hinted = hinted;
            SliceId one = running(ocs, "one", "node-0-0", twoStages());
            ocs.settle();
            SwitchedLight before = ocs.recorded(one);
            String silent = before.circuits().firstKey();
            ocs.silent.add(silent);
            ocs.settleAfter(HOLD);
            ocs.delayNews();
            SliceId two = running(ocs, "two", "node-0-1", twoStages());
            ocs.settleAfter(HOLD);
            assertThat(ocs.light().size())
                    .isEqualTo(before.size() + ocs.recorded(two).size());
            assertThat(ocs.recorded(one)).as("hinted: %s", hinted).isEqualTo(before);
            ocs.late.clear();
            ocs.settleAfter(HOLD);
            assertThat(ocs.recorded(one)).as("hinted: %s", hinted).isEqualTo(before);
            ocs.dark.add(silent);
            ocs.settle();
            assertThat(ocs.recorded(one).on(silent)).as("hinted: %s", hinted).isEmpty();
        }
    }

    /** A stage made them all, and of the light of other pods the news come late. */
    @Test
    void circuitsThatAreSeenLitSpeakAgainstASwitchThatDiesWhileOthersAreWaitedFor() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 2);
        ocs.hinted = true;
        ocs.settle();
        ocs.delayNews();
        List.of(ToyOcs.pod(0), ToyOcs.pod(1)).forEach(ocs.late::remove);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight before = ocs.recorded(job);
        List<String> joining = before.circuits().keySet().stream()
                .filter(name -> before.on(name).stream().anyMatch(OcsDarkTest::leadsFromPod1ToPod0))
                .toList();
        assertThat(joining).hasSizeGreaterThan(1);
        ocs.silent.add(joining.getFirst());
        ocs.dark.add(joining.getFirst());
        ocs.settleAfter(HOLD);
        assertThat(ocs.recorded(job).on(joining.getFirst())).noneMatch(OcsDarkTest::leadsFromPod1ToPod0);
    }

    private static boolean leadsFromPod1ToPod0(Circuit circuit) {
        return List.of("3", "4").contains(circuit.ingress())
                && List.of("1001", "1002").contains(circuit.egress());
    }

    @Test
    void aCircuitThatIsKnownToBeDarkSaysNothingAgainstASilentSwitch() {
        for (boolean alarm : List.of(true, false)) {
            ToyOcs ocs = fabric(2);
            SliceId job = running(ocs, "one", "node-0-0", ToyOcs.twoByTwo());
            ocs.settle();
            SwitchedLight before = ocs.recorded(job);
            String silent = before.circuits().firstKey();
            // another switch that joins the same pods
            String other = before.circuits().tailMap(silent + "0").keySet().stream()
                    .filter(name -> before.on(name).contains(first(ocs, silent)))
                    .findFirst()
                    .orElseThrow();
            Circuit victim = first(ocs, silent);
            ocs.silent.add(silent);
            ocs.settleAfter(HOLD);
            if (alarm) {
                ocs.fail(other, victim.ingress());
            } else {
                ocs.cut.add(other + "/" + victim.ingress());
            }
            ocs.settleAfter(HOLD);
            assertThat(ocs.recorded(job).on(other)).doesNotContain(victim);
            assertThat(ocs.recorded(job).on(silent)).as("alarm: %s", alarm).isEqualTo(before.on(silent));
        }
    }

    private static Demand.Traffic twoStages() {
        return Gpt7b.traffic(Parallelism.ofDegrees(8, 2, 1, 1, 1), new Batch(16, 1, 4096, true), 1);
    }

    private static SliceId running(ToyOcs ocs, String name, String node, Demand.Traffic traffic) {
        return ocs.wishTraffic(name, traffic, 0, true, new Workload.Pods(new TreeSet<>(List.of(node)), false));
    }

    /**
     * A job goes while a switch that shines does not answer; the next one on these pods may not live on what it left.
     */
    @Test
    void whatASilentSwitchStillCarriesForOthersProvesNothing() {
        for (boolean hinted : List.of(true, false)) {
            ToyOcs ocs = fabric(2);
            ocs.hinted = hinted;
            SliceId old = ocs.wishTraffic("old", ToyOcs.twoByTwo());
            ocs.settle();
            ocs.silent.add("ocs-03");
            ocs.settleAfter(HOLD);
            ocs.unwish(old);
            ocs.settle();
            assertThat(ocs.lit.get("ocs-03")).isNotEmpty();
            assertThat(ocs.ledger
                            .get(old)
                            .allocation()
                            .orElseThrow()
                            .darkening()
                            .size())
                    .isPositive();
            SliceId job = ocs.wishTraffic("new", ToyOcs.twoByTwo());
            Deliberation rest = ocs.settle();
            Circuit echo = first(ocs, "ocs-03");
            // one of the new circuits between the two pods that the old light joins
            OcsSwitch silent = ocs.switches.get("ocs-03");
            String name = ocs.recorded(job).circuits().keySet().stream()
                    .filter(of -> ocs.recorded(job).on(of).contains(echo))
                    .findFirst()
                    .orElseThrow();
            assertThat(silent.name()).isNotEqualTo(name);
            assertThat(rest.slices().get(job).light().qualified()).isTrue();
            cutFibre(ocs, name, echo.ingress());
            assertThat(FabricEngine.deliberate(ocs.world())
                            .slices()
                            .get(job)
                            .light()
                            .qualified())
                    .as("hinted: %s", hinted)
                    .isFalse();
        }
    }

    @Test
    void aPodWithoutPowerQualifiesNothingAndMovesNoCircuit() {
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
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

    @Test
    void lightOfWhichTheNewsComeLateIsWaitedFor() {
        ToyOcs ocs = fabric(2);
        // nobody hears anything yet, though the switches have made it
        ocs.dark.addAll(ocs.switches.keySet());
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight made = ocs.light();
        Deliberation silence = ocs.settleAfter(HOLD);
        assertThat(faultyPorts(silence)).isEmpty();
        // then half of them, then all
        ocs.dark.removeAll(List.of("ocs-00", "ocs-02", "ocs-04", "ocs-06"));
        Deliberation half = ocs.settleAfter(HOLD);
        assertThat(faultyPorts(half)).isEmpty();
        assertThat(half.slices().get(job).light().qualified()).isFalse();
        ocs.dark.clear();
        Deliberation rest = ocs.settleAfter(HOLD);
        assertWhole(rest, job);
        assertThat(ocs.light()).isEqualTo(made);
        assertThat(faultyPorts(rest)).isEmpty();
    }

    @Test
    void voicesOfWhoHadThePortsBeforeProveNothing() {
        ToyOcs ocs = fabric(2);
        SliceId first = ocs.wishTraffic("first", ToyOcs.twoByTwo());
        ocs.settle();
        ocs.delayNews();
        ocs.unwish(first);
        ocs.settle();
        ocs.forget(first);
        SliceId second = ocs.wishTraffic("second", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight made = ocs.light();
        // first the news that the old light went, later those that the new came
        ocs.late.clear();
        ocs.dark.addAll(ocs.switches.keySet());
        assertThat(faultyPorts(ocs.settleAfter(HOLD))).isEmpty();
        ocs.dark.clear();
        assertWhole(ocs.settleAfter(HOLD), second);
        assertThat(ocs.light()).isEqualTo(made);
    }

    @Test
    void aCircuitThatIsNeverLitIsGivenUpInTheEnd() {
        ToyOcs ocs = fabric(2);
        ocs.cut.add("ocs-03/1");
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        assertThat(faultyPorts(ocs.settleAfter(HOLD))).isEmpty();
        Deliberation rest = ocs.settleAfter(PATIENCE);
        assertThat(faultyPorts(rest)).containsExactly("port/ocs-03/1 LossOfLight");
        assertWhole(rest, job);
    }

    @Test
    void whatShoneOnceIsMissedAsSoonAsItIsDark() {
        ToyOcs ocs = fabric(2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        Circuit victim = first(ocs, "ocs-03");
        ocs.cut.add("ocs-03/" + victim.egress());
        ocs.dark.add("ocs-05");
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(faultyPorts(rest))
                .contains("port/ocs-03/" + victim.ingress() + " LossOfLight")
                .anyMatch(fault -> fault.startsWith("port/ocs-05/"));
        assertWhole(rest, job);
    }
}
