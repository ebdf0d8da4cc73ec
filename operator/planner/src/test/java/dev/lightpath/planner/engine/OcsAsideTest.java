package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.state.Forecasts;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.engine.traffic.FabricPodPorts;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jobs between two records: fewer circuits than were chosen for them, until their neighbours have made room. */
class OcsAsideTest {
    private static final String SWITCH = "ocs-00";

    /** Two replicas of eight GPUs, one in each pod. */
    private static Demand.Traffic pair() {
        return Gpt7b.traffic(Parallelism.ofDegrees(8, 1, 2, 1, 1), new Batch(4, 1, 1024, true), 1);
    }

    private static ToyOcs twoPods(DeviceKind kind, int portsPerPod) {
        return ToyOcs.logical(2, 2, 1, kind, portsPerPod);
    }

    private static SliceId wish(ToyOcs ocs, String name, int priority) {
        SliceId id = ocs.wishTraffic(name, pair(), priority, true, new Workload.LightOnly());
        ocs.settle();
        return id;
    }

    /** A record that keeps its counts and names one circuit less, which is dark. */
    private static Circuit standsAside(ToyOcs ocs, SliceId id) {
        LedgerEntry entry = ocs.ledger.get(id);
        Allocation was = entry.allocation().orElseThrow();
        Circuit given = Collections.max(was.circuits().on(SWITCH));
        SwitchedLight.Builder one = new SwitchedLight.Builder();
        one.add(SWITCH, given);
        ocs.ledger.put(
                id,
                new LedgerEntry(
                        Optional.of(new Allocation(
                                was.revision(),
                                was.groups(),
                                was.releasing(),
                                was.origin(),
                                was.circuits().minus(one.build()),
                                was.darkening(),
                                was.prediction())),
                        entry.version()));
        ocs.lit.get(SWITCH).remove(given);
        return given;
    }

    private static Prediction prediction(ToyOcs ocs, SliceId id) {
        return ocs.ledger.get(id).allocation().flatMap(Allocation::prediction).orElseThrow();
    }

    /** Of whom the next pass thinks so. */
    static Set<SliceId> aside(ToyOcs ocs) {
        World world = ocs.world();
        OcsIntent intent = world.ocsFabrics().firstEntry().getValue();
        List<SliceState> claims = SliceState.of(world, intent);
        OcsState scene = OcsState.of(world, intent, claims, Forecasts.MOST_TRANSFERS);
        return new FabricPodPorts(scene, new OcsCircuits(scene, claims), claims).aside();
    }

    @Test
    void whoLacksOneDirectionOfATwoSidedSwitchStandsAside() {
        ToyOcs ocs = twoPods(DeviceKind.TWO_SIDED, 4);
        SliceId patient = wish(ocs, "patient", 0);
        SliceId first = wish(ocs, "first", 1);
        int whole = ocs.recorded(patient).size();
        assertThat(whole).as("circuits, both ways").isGreaterThan(2);
        assertThat(whole + ocs.recorded(first).size()).as("every port is taken").isEqualTo(8);
        ocs.paused = true;
        Circuit given = standsAside(ocs, patient);
        Circuit broken = ocs.recorded(first).on(SWITCH).stream()
                .filter(of -> Integer.parseInt(of.ingress()) <= 4 == Integer.parseInt(given.ingress()) <= 4)
                .findFirst()
                .orElseThrow();
        ocs.fail(SWITCH, broken.ingress());
        ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(aside(ocs)).containsExactly(patient);
    }

    /** It lost circuits like anybody, and gave none up for others. */
    @Test
    void whoseWireIsTakenOutOfTheSpecStandsInLine() {
        ToyOcs ocs = twoPods(DeviceKind.ANY_TO_ANY, 4);
        SliceId job = wish(ocs, "unwired", 0);
        Circuit of = Collections.min(ocs.recorded(job).on(SWITCH));
        OcsSwitch was = ocs.switches.get(SWITCH);
        ocs.described.put(
                SWITCH,
                ToyOcs.rewired(
                        was,
                        was.wiring().stream()
                                .filter(wire -> !wire.ingress().equals(of.ingress()))
                                .toList()));
        assertThat(aside(ocs)).isEmpty();
    }

    @Test
    void whoDoesNotGetAllOfItBackIsToldWhatItHas() {
        ToyOcs ocs = twoPods(DeviceKind.ANY_TO_ANY, 3);
        SliceId job = wish(ocs, "patient", 0);
        assertThat(prediction(ocs, job).circuits()).containsExactly(3);
        ocs.answering = false;
        ocs.paused = true;
        Circuit given = standsAside(ocs, job);
        ocs.fail(SWITCH, given.ingress());
        ocs.settleAfter(Duration.ofSeconds(2));
        ocs.paused = false;
        ocs.step().questions().keySet().forEach(digest -> ocs.answers.put(digest, failed()));
        ocs.settle();
        assertThat(prediction(ocs, job).circuits())
                .containsExactly(ocs.recorded(job).size());
        assertThat(prediction(ocs, job).loss()).isPositive();
        assertThat(aside(ocs)).isEmpty();
    }

    private static TopologyAnswer failed() {
        return new TopologyAnswer.Failed("the solver is gone", Optional.empty());
    }
}
