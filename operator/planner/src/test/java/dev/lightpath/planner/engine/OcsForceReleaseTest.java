package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OcsForceReleaseTest {
    private static SortedSet<String> ports(SwitchedLight light) {
        SortedSet<String> ports = new TreeSet<>();
        light.forEach((name, circuit) -> {
            ports.add(name + "/" + circuit.ingress());
            ports.add(name + "/" + circuit.egress());
        });
        return ports;
    }

    private static ToyOcs withOneSilentSwitch(SliceId[] job) {
        ToyOcs ocs = ToyOcs.torus("1x1x1", 3, 1);
        job[0] = ocs.wishTorus("job", "4x4x8", true, new Workload.LightOnly());
        ocs.settle();
        ocs.silent.add("ocs-40");
        return ocs;
    }

    @Test
    void portsOfASliceReleasedByForceStayOutOfUseUntilReadBackDark() {
        SliceId[] job = new SliceId[1];
        ToyOcs ocs = withOneSilentSwitch(job);
        SwitchedLight unreadable = ocs.light().minus(new SwitchedLight(without(ocs, "ocs-40")));
        ocs.force(job[0]);
        Deliberation rest = ocs.settle();
        assertThat(ocs.light()).isEqualTo(unreadable);
        assertThat(rest.fabrics().get("spine").quarantinedPorts()).isEqualTo(ports(unreadable));
        ocs.forget(job[0]);
        SliceId next = ocs.wishTorus("next", "4x4x8", true, new Workload.LightOnly());
        rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
        assertThat(rest.fabrics().get("spine").quarantinedPorts()).isEqualTo(ports(unreadable));
        ocs.silent.clear();
        rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").quarantinedPorts()).isEmpty();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(next));
    }

    @Test
    void aDriverThatIsAwayKeepsEveryPortInQuarantine() {
        SliceId[] job = new SliceId[1];
        ToyOcs ocs = withOneSilentSwitch(job);
        SwitchedLight before = ocs.light();
        ocs.contact = DriverState.Contact.UNREACHABLE;
        ocs.force(job[0]);
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").quarantinedPorts()).isEqualTo(ports(before));
        assertThat(ocs.light()).isEqualTo(before);
        ocs.forget(job[0]);
        ocs.silent.clear();
        ocs.contact = DriverState.Contact.SYNCED;
        rest = ocs.settle();
        assertThat(ocs.light().isEmpty()).isTrue();
        assertThat(rest.fabrics().get("spine").quarantinedPorts()).isEmpty();
    }

    @Test
    void lightThatSomebodyElsePutOnAQuarantinedPortIsForeign() {
        SliceId[] job = new SliceId[1];
        ToyOcs ocs = withOneSilentSwitch(job);
        ocs.force(job[0]);
        ocs.settle();
        ocs.forget(job[0]);
        ocs.lit.get("ocs-40").clear();
        ocs.lit.get("ocs-40").add(new Circuit("1", "1003"));
        ocs.silent.clear();
        ocs.policy = dev.lightpath.planner.world.FabricPolicy.standard();
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").foreign()).containsExactly("ocs-40/1->1003");
        assertThat(ocs.light().on("ocs-40")).containsExactly(new Circuit("1", "1003"));
    }

    @Test
    void lightOnAPortThatWasJustTakenOverIsLeftBehindToo() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 4, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight whole = ocs.light();
        SliceId job = ocs.wishTorus("job", "4x4x8", true, new Workload.LightOnly());
        ocs.step();
        SwitchedLight lent = ocs.recorded(job);
        ocs.lit.get("ocs-40").clear();
        ocs.lit.get("ocs-40").addAll(ocs.recorded(ToyOcs.STATIC).and(lent).on("ocs-40"));
        ocs.silent.add("ocs-40");
        ocs.settle();
        ocs.force(job);
        ocs.settle();
        ocs.forget(job);
        ocs.silent.clear();
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
        assertThat(rest.fabrics().get("spine").quarantinedPorts()).isEmpty();
        assertThat(ocs.light()).isEqualTo(whole);
    }

    /** Four pods with a port on each of four switches, all of them the first job's. */
    @Test
    void circuitsAreChosenForThePortsThatAreNotInQuarantine() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.TWO_SIDED, 1);
        SliceId first = ocs.wishTraffic("first", ToyOcs.twoByTwo());
        ocs.settle();
        String name = ocs.recorded(first).circuits().firstKey();
        Circuit circuit = ocs.recorded(first).on(name).iterator().next();
        ocs.deaf.add(name + "/" + circuit.ingress());
        ocs.force(first);
        ocs.settleAfter(ToyOcs.SETBACK);
        ocs.forget(first);
        assertThat(ocs.light().circuits().keySet()).containsExactly(name);
        SliceId next = ocs.wishTraffic("next", ToyOcs.twoByTwo());
        Deliberation rest = ocs.settleAfter(ToyOcs.SETBACK);
        assertThat(rest.fabrics().get("spine").quarantinedPorts())
                .containsExactlyInAnyOrder(name + "/" + circuit.ingress(), name + "/" + circuit.egress());
        assertThat(rest.slices().get(next).light().programmed()).isTrue();
        assertThat(ocs.recorded(next).circuits()).hasSize(4);
        Prediction of =
                ocs.ledger.get(next).allocation().orElseThrow().prediction().orElseThrow();
        assertThat(of.portBudget()).isEqualTo(6);
        assertThat(of.proved()).isTrue();
        assertThat(ports(ocs.recorded(next))).doesNotContain(name + "/" + circuit.ingress());
    }

    private static java.util.SortedMap<String, SortedSet<Circuit>> without(ToyOcs ocs, String name) {
        java.util.SortedMap<String, SortedSet<Circuit>> others = new java.util.TreeMap<>(ocs.lit);
        others.remove(name);
        return others;
    }

    private static SwitchedLight goingDark(ToyOcs ocs, SliceId id) {
        return ocs.ledger.get(id).allocation().orElseThrow().darkening();
    }

    /** The job gave cubes back, they are recorded for the static torus, and one switch does not carry it out. */
    private static SliceId givenBackInVain(ToyOcs ocs, Runnable trouble) {
        ocs.wishStatic(true);
        ocs.settle();
        SliceId job = ocs.wishTorus("job", "4x4x8", true, new Workload.LightOnly());
        ocs.settle();
        trouble.run();
        ocs.unwish(job);
        ocs.settleAfter(ToyOcs.SETBACK);
        assertThat(goingDark(ocs, job).isEmpty()).isFalse();
        return job;
    }

    @Test
    void portsThatAnotherSliceHasByNowAreInQuarantineToo() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 4, 1);
        SliceId job = givenBackInVain(ocs, () -> ocs.silent.add("ocs-40"));
        SwitchedLight recorded = ocs.recorded(ToyOcs.STATIC);
        SortedSet<String> left = ports(goingDark(ocs, job));
        ocs.force(job);
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").quarantinedPorts()).isEqualTo(left);
        ocs.forget(job);
        rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").quarantinedPorts()).isEqualTo(left);
        assertThat(ocs.recorded(ToyOcs.STATIC)).isEqualTo(recorded);
        ocs.silent.clear();
        rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
        assertThat(rest.fabrics().get("spine").quarantinedPorts()).isEmpty();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(ToyOcs.STATIC));
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
    }

    @Test
    void alsoWhereTheSwitchAnswersAndRefuses() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 4, 1);
        SliceId job = givenBackInVain(
                ocs, () -> ocs.lit.get("ocs-40").forEach(circuit -> ocs.deaf.add("ocs-40/" + circuit.ingress())));
        SortedSet<String> left = ports(goingDark(ocs, job));
        ocs.force(job);
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").quarantinedPorts()).isEqualTo(left);
        ocs.forget(job);
        ocs.settle();
        ocs.mend();
        rest = ocs.settleAfter(ToyOcs.SETBACK);
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
        assertThat(rest.fabrics().get("spine").quarantinedPorts()).isEmpty();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(ToyOcs.STATIC));
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
    }
}
