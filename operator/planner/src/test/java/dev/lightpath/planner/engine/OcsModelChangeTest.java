package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Records of an operator whose model of an iteration was another one. */
class OcsModelChangeTest {
    private static final int WORLDS = Seeds.of(40);
    private static final int EVENTS = 9;

    /** As an operator wrote it that named no model, and expected this many times as long iterations. */
    private static Prediction older(Prediction of, double factor) {
        return new Prediction(
                of.question().replace(TopologyQuestion.MODEL, ""),
                of.circuits(),
                of.iterationSeconds() * factor,
                of.lowerBoundSeconds() * factor,
                of.nct(),
                of.ports(),
                of.portBudget(),
                of.proved(),
                of.bestSeconds() * factor);
    }

    private static void upgrade(ToyOcs ocs, double factor) {
        ocs.ledger.replaceAll((id, entry) -> new LedgerEntry(
                entry.allocation()
                        .map(of -> new Allocation(
                                of.revision(),
                                of.groups(),
                                of.releasing(),
                                of.origin(),
                                of.circuits(),
                                of.darkening(),
                                of.prediction().map(prediction -> older(prediction, factor)))),
                entry.version()));
        ocs.answers.clear();
        ocs.restart();
    }

    private static Map<SliceId, Prediction> predictions(ToyOcs ocs) {
        Map<SliceId, Prediction> predictions = new TreeMap<>();
        ocs.ledger.forEach((id, entry) ->
                entry.allocation().flatMap(Allocation::prediction).ifPresent(of -> predictions.put(id, of)));
        return predictions;
    }

    private static void walk(double factor, boolean judgeFigures) {
        int judged = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = OcsFairnessPropertyTest.world(chance);
            for (int event = 0; event < EVENTS; event++) {
                OcsFairnessPropertyTest.happen(ocs, chance, event);
            }
            ocs.settleAfter(Duration.ofSeconds(40));
            Map<SliceId, Prediction> before = predictions(ocs);
            SwitchedLight lit = ocs.light();
            upgrade(ocs, factor);
            boolean[] moved = {false};
            ocs.watch = () -> moved[0] = true;
            Deliberation rest = ocs.settleAfter(Duration.ofSeconds(40));
            ocs.watch = () -> {};
            String where = "seed " + seed;
            assertThat(moved[0]).as("%s: light moved", where).isFalse();
            assertThat(ocs.light()).as(where).isEqualTo(lit);
            for (Map.Entry<SliceId, Prediction> each : predictions(ocs).entrySet()) {
                Prediction was = Optional.ofNullable(before.get(each.getKey())).orElseThrow();
                // a mass failure lets nothing be recorded
                if (judgeFigures && rest.fabrics().get("spine").massFailure().isEmpty()) {
                    assertThat(each.getValue().question()).as(where).contains(TopologyQuestion.MODEL);
                    assertThat(each.getValue().circuits()).as(where).isEqualTo(was.circuits());
                    assertThat(each.getValue().iterationSeconds())
                            .as(where)
                            .isEqualTo(was.iterationSeconds(), Offset.offset(1e-12));
                    assertThat(each.getValue().loss()).as(where).isEqualTo(was.loss(), Offset.offset(1e-9));
                    judged++;
                }
            }
        }
        assertThat(judged > WORLDS || !judgeFigures).isTrue();
    }

    @Test
    void aJobOfOneReplicaGetsFiguresOfTodayUnderTheNameOfItsQuestion() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 4, DeviceKind.TWO_SIDED, 1);
        SliceId job = ocs.wishTraffic("single", OcsTrafficTest.gpt7b(2, 1));
        ocs.settle();
        Prediction was = predictions(ocs).get(job);
        long revision = ocs.ledger.get(job).allocation().orElseThrow().revision();
        upgrade(ocs, 1.5);
        ocs.settle();
        assertThat(predictions(ocs)).containsEntry(job, was);
        assertThat(ocs.ledger.get(job).allocation().orElseThrow().revision()).isEqualTo(revision + 1);
        assertThat(ocs.step().questions()).isEmpty();
    }

    @Test
    void whatAnOlderModelPredictedIsComputedAnew() {
        walk(1.25, true);
    }

    @Test
    void noLightMovesBecauseTheModelIsAnotherOne() {
        walk(0.5, false);
        walk(3, false);
    }

    /** A port or a switch goes at the moment of the upgrade: what is recorded then compares figures of one model. */
    @Test
    void aFaultAtTheMomentOfTheUpgradeIsJudgedByFiguresOfToday() {
        for (double factor : new double[] {0.5, 3}) {
            for (int switches = 4; switches <= 6; switches += 2) {
                for (String fault : List.of("port", "drain")) {
                    ToyOcs same = hurt(switches, fault, 1);
                    ToyOcs upgraded = hurt(switches, fault, factor);
                    String where = factor + " times as long before, " + switches + " switches, " + fault;
                    assertThat(upgraded.light()).as(where).isEqualTo(same.light());
                    predictions(same).forEach((id, expected) -> {
                        Prediction is =
                                Objects.requireNonNull(predictions(upgraded).get(id));
                        assertThat(is.iterationSeconds()).as(where).isEqualTo(expected.iterationSeconds());
                        assertThat(is.loss()).as(where).isCloseTo(expected.loss(), Offset.offset(1e-9));
                    });
                }
            }
        }
    }

    private static ToyOcs hurt(int switches, String fault, double factor) {
        ToyOcs ocs = ToyOcs.logical(4, 1, switches, DeviceKind.ANY_TO_ANY, 1);
        ocs.wishTraffic("job", OcsTrafficTest.gpt7b(2));
        ocs.settle();
        if (factor == 1) {
            ocs.restart();
        } else {
            upgrade(ocs, factor);
        }
        String name = ocs.light().circuits().firstKey();
        if (fault.equals("drain")) {
            ocs.wiring.drain(name);
        } else {
            ocs.fail(name, ocs.light().on(name).iterator().next().ingress());
        }
        ocs.settleAfter(Duration.ofSeconds(40));
        return ocs;
    }

    /** What another job asks takes its time: that is no reason for a newcomer to wait for ports that it is owed. */
    @Test
    void whoHasMoreThanItsShareGivesBackWhileAnotherQuestionIsOpen() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 4, DeviceKind.ANY_TO_ANY, 1);
        SliceId other = ocs.wishTraffic("other", OcsWaitingTest.twins(2));
        ocs.settle();
        ocs.now = ocs.now.plusSeconds(1);
        SliceId large = ocs.wishTraffic("large", OcsWaitingTest.twins(3));
        ocs.reconfigure(large, Reconfiguration.LIVE);
        ocs.settle();
        assertThat(predictions(ocs).get(large).circuits()).containsExactly(4);
        List<String> pods = ocs.cubes(large);
        assertThat(ocs.cubes(other)).doesNotContainAnyElementsOf(pods);
        for (int pod = 0; pod < ocs.pods.size(); pod++) {
            ocs.wiring.close(pod, !pods.contains(ToyOcs.pod(pod)));
        }
        upgrade(ocs, 1.25);
        ocs.answering = false;
        ocs.now = ocs.now.plusSeconds(1);
        SliceId newcomer = ocs.wishTraffic("newcomer", OcsWaitingTest.twins(3));
        Deliberation rest = ocs.settle();
        for (int round = 0; round < 5; round++) {
            rest.questions().forEach((digest, asked) -> {
                if (!asked.question().iteration().equals(OcsWaitingTest.twins(2).iteration())) {
                    ocs.answers.put(digest, asked.question().answer(new DeltaPlanner(), SearchLimits.standard()));
                }
            });
            rest = ocs.settle();
        }
        assertThat(rest.questions()).as("the other's question is open").isNotEmpty();
        assertThat(rest.slices().get(newcomer).placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
    }
}
