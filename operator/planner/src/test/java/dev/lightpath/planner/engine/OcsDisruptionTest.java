package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whom the disruption budget of switches waits for. */
class OcsDisruptionTest {
    private final ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 4);
    private final SliceId job = ocs.wishTraffic(
            "llm", ToyOcs.twoByTwo(), 0, true, new Workload.Pods(new TreeSet<>(List.of("node-0-0")), false));

    /** A circuit that may be made in the stead of another one. */
    private record Move(String from, Circuit before, String to, Circuit after) {}

    @Test
    void aSwitchThatRejectsAgainAndAgainHoldsUpNoOtherMove() {
        ocs.settle();
        ocs.policy = Policies.budget(FabricPolicy.standard(), 1);
        Move rejected = move("ocs-00", "ocs-07");
        ocs.refusing.add(rejected.to());
        record(rejected);
        minutes(1);
        assertThat(ocs.light().on(rejected.from())).doesNotContain(rejected.before());
        Move other = ocs.switches.keySet().stream()
                .filter(name -> !List.of(rejected.from(), rejected.to()).contains(name))
                .flatMap(name -> Optional.ofNullable(found(name, name)).stream())
                .findFirst()
                .orElseThrow();
        record(other);
        minutes(10);
        assertThat(ocs.light().on(rejected.to())).doesNotContain(rejected.after());
        assertThat(ocs.light().on(other.to())).contains(other.after()).doesNotContain(other.before());
    }

    @Test
    void lightThatMovesToASwitchThatRejectsAgainAndAgainStaysWithinTheBudget() {
        List<Circuit> leaving = threeMoveToASwitchThatRejects();
        minutes(10);
        List<Circuit> dark = leaving.stream()
                .filter(circuit -> !ocs.light().on("ocs-00").contains(circuit))
                .toList();
        assertThat(dark).hasSizeLessThanOrEqualTo(1);
        ocs.refusing.clear();
        minutes(10);
        assertThat(ocs.light()).isEqualTo(ocs.recorded(job));
    }

    @Test
    void aSwitchThatTakesDownAndMakesNothingTakesNoMoreThanTheBudget() {
        moveOn("ocs-07");
        minutes(10);
        assertThat(dark()).isEqualTo(1);
        ocs.breaking.clear();
        minutes(10);
        assertThat(ocs.light()).isEqualTo(ocs.recorded(job));
    }

    @Test
    void norDoesItAfterRestarts() {
        moveOn("ocs-07");
        for (int restart = 0; restart < 3; restart++) {
            minutes(5);
            ocs.restart();
            assertThat(dark()).isEqualTo(1);
        }
        ocs.breaking.clear();
        minutes(10);
        assertThat(ocs.light()).isEqualTo(ocs.recorded(job));
    }

    /** Three circuits of a switch get other ports of it, and it makes none. */
    private void moveOn(String name) {
        ocs.switches.computeIfPresent(name, (key, of) -> reservingHalf(of));
        ocs.settle();
        ocs.policy = Policies.budget(FabricPolicy.standard(), 1);
        ocs.breaking.add(name);
        for (int count = 0; count < 3; count++) {
            record(move(name, name));
        }
    }

    private static OcsSwitch reservingHalf(OcsSwitch of) {
        TreeSet<String> reserved = new TreeSet<>();
        for (OcsSwitch.Wire wire : of.wiring()) {
            if (wire.index() >= 2) {
                reserved.addAll(List.of(wire.ingress(), wire.egress()));
            }
        }
        return new OcsSwitch(of.name(), of.device(), of.kind(), of.plane(), of.wiring(), reserved, of.drained());
    }

    private int dark() {
        return ocs.recorded(job).size() - ocs.light().size();
    }

    @Test
    void aJobThatIsReleasedLeavesNoLightToASwitchThatRejects() {
        List<Circuit> leaving = threeMoveToASwitchThatRejects();
        minutes(10);
        assertThat(ocs.light().on("ocs-00")).containsAnyElementsOf(leaving);
        ocs.slices.put(
                job,
                ocs.slices
                        .get(job)
                        .but()
                        .wanted(false)
                        .workload(new Workload.LightOnly())
                        .build());
        minutes(10);
        assertThat(ocs.light().on("ocs-00")).isEmpty();
    }

    /** Returns the circuits of ocs-00 that are to go. */
    private List<Circuit> threeMoveToASwitchThatRejects() {
        ocs.wiring.drain("ocs-07");
        ocs.settle();
        ocs.wiring.drain("ocs-07", false);
        ocs.policy = Policies.budget(FabricPolicy.standard(), 1);
        ocs.refusing.add("ocs-07");
        List<Circuit> leaving = new ArrayList<>();
        for (int count = 0; count < 3; count++) {
            Move move = move("ocs-00", "ocs-07");
            leaving.add(move.before());
            record(move);
        }
        return leaving;
    }

    private void minutes(int count) {
        for (int minute = 0; minute < count; minute++) {
            ocs.settle();
            ocs.now = ocs.now.plus(Duration.ofMinutes(1));
        }
        ocs.settle();
    }

    private Move move(String from, String to) {
        return Objects.requireNonNull(found(from, to));
    }

    /** Of a switch, another port for the end of a circuit; on another switch free ports of the same pods. */
    private @Nullable Move found(String from, String to) {
        SwitchedLight recorded = ocs.recorded(job);
        for (Circuit before : new TreeSet<>(recorded.shared(ocs.light()).on(from))) {
            String in = from.equals(to)
                    ? before.ingress()
                    : free(to, pod(before.ingress(), 0), OcsSwitch.Wire::ingress, Circuit::ingress);
            String out = free(to, pod(before.egress(), 1000), OcsSwitch.Wire::egress, Circuit::egress);
            if (!in.isEmpty() && !out.isEmpty()) {
                return new Move(from, before, to, new Circuit(in, out));
            }
        }
        return null;
    }

    private static String pod(String port, int offset) {
        return ToyOcs.pod((Integer.parseInt(port) - offset - 1) / 4);
    }

    private String free(
            String name, String pod, Function<OcsSwitch.Wire, String> side, Function<Circuit, String> busy) {
        return ocs.switches.get(name).wiring().stream()
                .filter(wire -> wire.pod().equals(pod))
                .map(side)
                .filter(port -> Stream.of(ocs.light(), ocs.recorded(job))
                        .flatMap(light -> light.on(name).stream())
                        .noneMatch(circuit -> busy.apply(circuit).equals(port)))
                .findFirst()
                .orElse("");
    }

    private void record(Move move) {
        Allocation was = ocs.ledger.get(job).allocation().orElseThrow();
        SwitchedLight left = one(move.from(), move.before());
        ocs.ledger.put(
                job,
                new LedgerEntry(
                        Optional.of(new Allocation(
                                was.revision() + 1,
                                was.groups(),
                                was.releasing(),
                                was.origin(),
                                was.circuits().minus(left).and(one(move.to(), move.after())),
                                was.darkening().and(left),
                                was.prediction())),
                        "moved " + move.before()));
    }

    private static SwitchedLight one(String name, Circuit circuit) {
        return new SwitchedLight.Builder().add(name, circuit).build();
    }
}
