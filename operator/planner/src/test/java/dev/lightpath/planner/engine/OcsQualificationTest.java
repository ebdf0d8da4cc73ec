package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Light;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which circuits of switches qualify, and what waits until they do. */
class OcsQualificationTest {
    private static ToyOcs fabric(DeviceKind kind) {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, kind, 2);
        ocs.hinted = true;
        return ocs;
    }

    private static void lose(ToyOcs ocs, String name, Circuit circuit, double lossDb) {
        ocs.losses.put(name, new TreeMap<>(Map.of(circuit.ingress(), lossDb, circuit.egress(), lossDb)));
    }

    private static Circuit first(ToyOcs ocs, SliceId job) {
        return new TreeSet<>(ocs.recorded(job).on("ocs-03")).first();
    }

    @Test
    void aCircuitThatLosesTooMuchDoesNotQualify() {
        for (DeviceKind kind : DeviceKind.values()) {
            ToyOcs ocs = fabric(kind);
            SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
            Light before = ocs.settle().slices().get(job).light();
            assertThat(before.qualified()).isTrue();
            Circuit circuit = first(ocs, job);
            lose(ocs, "ocs-03", circuit, 3.01);
            Light light = ocs.settle().slices().get(job).light();
            assertThat(light.qualified()).as(kind.name()).isFalse();
            assertThat(light.qualifiedLinks())
                    .as(kind.name())
                    .isEqualTo(before.links() - (kind == DeviceKind.ANY_TO_ANY ? 2 : 1));
            assertThat(light.obstacle().orElseThrow().message())
                    .isEqualTo("ocs-03/" + circuit + " loses 3.01 dB, allowed are 3.00 dB: clean the connector");
            lose(ocs, "ocs-03", circuit, 3.0);
            assertThat(ocs.settle().slices().get(job).light().qualified()).isTrue();
        }
    }

    @Test
    void aCircuitThatLosesTooMuchDoesNotQualifyWhereNobodyHearsTheFarEnds() {
        ToyOcs ocs = fabric(DeviceKind.TWO_SIDED);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        ocs.untold = true;
        assertThat(ocs.settle().slices().get(job).light().qualified()).isTrue();
        lose(ocs, "ocs-03", first(ocs, job), 3.5);
        assertThat(ocs.settle().slices().get(job).light().qualified()).isFalse();
    }

    /** The same links, each on the next switch: every circuit has to move. */
    private static ToyOcs rewired(int minimumPassPercent) {
        ToyOcs ocs = ToyOcs.polarFly(5, 2);
        ocs.wishStatic(true).settle();
        ocs.policy = Policies.passing(Policies.massFailure(Policies.budget(ocs.policy, 10), 100), minimumPassPercent);
        SwitchedLight before = ocs.recorded(ToyOcs.STATIC);
        List<String> names = new ArrayList<>(ocs.switches.keySet());
        List<String> next = new ArrayList<>(names);
        Collections.rotate(next, 1);
        SwitchedLight.Builder after = new SwitchedLight.Builder();
        for (int at = 0; at < names.size(); at++) {
            String to = next.get(at);
            before.on(names.get(at)).forEach(circuit -> after.add(to, circuit));
        }
        Allocation was = ocs.ledger.get(ToyOcs.STATIC).allocation().orElseThrow();
        SwitchedLight wanted = after.build();
        ocs.ledger.put(
                ToyOcs.STATIC,
                new LedgerEntry(
                        Optional.of(new Allocation(
                                was.revision() + 1,
                                was.groups(),
                                was.releasing(),
                                was.origin(),
                                wanted,
                                before.minus(wanted))),
                        "rewired"));
        return ocs;
    }

    private static int moved(ToyOcs ocs) {
        SwitchedLight wanted = ocs.recorded(ToyOcs.STATIC);
        return wanted.size() - wanted.minus(ocs.light()).size();
    }

    /** From the first change on no far end hears anything. */
    private static void goDarkAtTheFirstChange(ToyOcs ocs) {
        ocs.watch = () -> ocs.dark.addAll(ocs.switches.keySet());
    }

    @Test
    void theNextStageWaitsUntilEnoughLinksOfTheStageBeforePass() {
        ToyOcs ocs = rewired(90);
        int all = ocs.recorded(ToyOcs.STATIC).size();
        goDarkAtTheFirstChange(ocs);
        ocs.settle();
        assertThat(moved(ocs)).isPositive().isLessThan(all / 2);
        ocs.watch = () -> {};
        ocs.dark.clear();
        ocs.settle();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(ToyOcs.STATIC));
    }

    @Test
    void theNextStageWaitsForLinksThatLoseTooMuch() {
        ToyOcs ocs = rewired(90);
        int all = ocs.recorded(ToyOcs.STATIC).size();
        ocs.watch = () -> ocs.lit.forEach((name, circuits) -> {
            TreeMap<String, Double> losses = new TreeMap<>();
            circuits.forEach(circuit -> {
                losses.put(circuit.ingress(), 3.5);
                losses.put(circuit.egress(), 3.5);
            });
            ocs.losses.put(name, losses);
        });
        ocs.settle();
        assertThat(moved(ocs)).isPositive().isLessThan(all / 2);
        ocs.watch = () -> {};
        ocs.losses.clear();
        ocs.settle();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(ToyOcs.STATIC));
    }

    @Test
    void noProbeIsMadeWhileOtherChangesAreDue() {
        ToyOcs ocs = rewired(90);
        goDarkAtTheFirstChange(ocs);
        ocs.settle();
        assertThat(moved(ocs)).isLessThan(ocs.recorded(ToyOcs.STATIC).size());
        ocs.switches.keySet().forEach(name -> ocs.discover.put(name, "now"));
        ocs.decisions.clear();
        ocs.settle();
        assertThat(ocs.decisions).noneMatch(Decision.Apply.class::isInstance);
        assertThat(ocs.fibres.values()).allMatch(of -> of.probes().isEmpty() && of.circuits() == 0);
    }

    @Test
    void deadLinksHoldUpTheNextStageForALinkUpTimeOnly() {
        ToyOcs ocs = rewired(90);
        goDarkAtTheFirstChange(ocs);
        ocs.settle();
        int first = moved(ocs);
        Instant began = ocs.now;
        ocs.now = ocs.now.plus(Duration.ofSeconds(9));
        Deliberation waiting = ocs.settle();
        assertThat(moved(ocs)).isEqualTo(first);
        assertThat(waiting.agenda().wakeAt()).contains(began.plusMillis(10_200));
        int before = ocs.decisions.size();
        ocs.now = began.plusMillis(10_200);
        ocs.settle();
        assertThat(ocs.decisions.subList(before, ocs.decisions.size()))
                .anyMatch(decision -> decision instanceof Decision.Apply);
    }

    @Test
    void aWaitThatIsOverWakesNobodyWhileTheDriverIsAway() {
        ToyOcs ocs = rewired(90);
        goDarkAtTheFirstChange(ocs);
        ocs.settle();
        ocs.contact = DriverState.Contact.UNREACHABLE;
        ocs.now = ocs.now.plus(Duration.ofMinutes(1));
        assertThat(ocs.settle().agenda().wakeAt().filter(at -> !at.isAfter(ocs.now)))
                .isEmpty();
    }

    @Test
    void oneLinkOfAHundredIsEnoughIfThePolicySaysSo() {
        ToyOcs waits = rewired(100);
        ToyOcs goesOn = rewired(50);
        for (ToyOcs ocs : List.of(waits, goesOn)) {
            String name = ocs.recorded(ToyOcs.STATIC).circuits().firstKey();
            ocs.watch = () -> ocs.dark.add(name);
            ocs.settle();
        }
        assertThat(moved(goesOn)).isEqualTo(goesOn.recorded(ToyOcs.STATIC).size());
        assertThat(moved(waits)).isLessThan(waits.recorded(ToyOcs.STATIC).size());
    }
}
