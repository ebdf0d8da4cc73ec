package dev.lightpath.driver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.PortMap;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is told of a selector that replaces circuits, whose ports may be used by others or out of reach by then. */
final class OperationRunTest {
    private final Selector device = new Selector();

    /** Takes up a circuit in place of the one of its ingress, and refuses a port that another ingress uses. */
    private static final class Selector implements DeviceLine {
        private final SortedMap<CircuitPair, NativeCircuit> circuits = new TreeMap<>();
        private final List<String> asked = new ArrayList<>();
        private int reads;
        /** At this read, and not before, what is on its way arrives. */
        private int settleAtRead = Integer.MAX_VALUE;
        /** Moves of this ingress are refused for this reason, and it is left out of what is read then. */
        private String deaf = "";

        private ItemReason why = ItemReason.ITEM_REASON_PORT_UNUSABLE;
        private boolean leftOut;
        /** An ingress that is to lead here leads nowhere then, and the move is refused. */
        private String dead = "";

        void show(String circuit, CircuitState state) {
            circuits.put(pair(circuit), new NativeCircuit(pair(circuit), state, OptionalDouble.empty()));
        }

        void make(CircuitPair pair) {
            circuits.keySet().removeIf(c -> c.ingress().equals(pair.ingress()));
            circuits.put(pair, new NativeCircuit(pair, CircuitState.CIRCUIT_STATE_CONNECTED, OptionalDouble.empty()));
        }

        @Override
        public SortedMap<CircuitPair, NativeCircuit> read() {
            if (++reads == settleAtRead) {
                List.copyOf(circuits.keySet()).forEach(this::make);
            }
            SortedMap<CircuitPair, NativeCircuit> read = new TreeMap<>(circuits);
            read.keySet().removeIf(c -> leftOut && c.ingress().equals(deaf));
            return read;
        }

        @Override
        public List<MoveAnswer> move(List<Move> moves) {
            moves.forEach(move -> {
                asked.add(move.getClass().getSimpleName() + " " + move.pair());
                if (move.pair().ingress().equals(deaf)) {
                    leftOut = true;
                    return;
                }
                switch (move) {
                    case Move.Break broken -> circuits.remove(broken.pair());
                    case Move.Make made
                    when made.pair().egress().equals(dead) ->
                        circuits.keySet()
                                .removeIf(c -> c.ingress().equals(made.pair().ingress()));
                    case Move.Make made -> make(made.pair());
                }
            });
            return moves.stream()
                    .<MoveAnswer>map(move -> move.pair().ingress().equals(deaf)
                                    || move.pair().egress().equals(dead)
                            ? new MoveAnswer.Refused(why, "it does not answer")
                            : new MoveAnswer.Accepted())
                    .toList();
        }

        List<String> shown() {
            return circuits.keySet().stream().map(CircuitPair::toString).toList();
        }
    }

    private static CircuitPair pair(String text) {
        String[] ports = text.split("->");
        return new CircuitPair(ports[0], ports[1]);
    }

    private static ItemResult item(ItemAction action, String circuit, ItemState state) {
        return ItemResult.newBuilder()
                .setAction(action)
                .setKey(pair(circuit).toKey())
                .setState(state)
                .build();
    }

    private static ItemResult broken(String circuit) {
        return item(ItemAction.ITEM_ACTION_DISCONNECT, circuit, ItemState.ITEM_STATE_DARK);
    }

    private static ItemResult made(String circuit) {
        return item(ItemAction.ITEM_ACTION_CONNECT, circuit, ItemState.ITEM_STATE_CONNECTED);
    }

    private OperationRun run(List<ItemResult> items) {
        PortMap ports = new PortMap(new DeviceDescription(
                Device.getDefaultInstance(),
                Capabilities.newBuilder()
                        .setSidedness(Sidedness.SIDEDNESS_TWO_SIDED)
                        .build(),
                DeviceInventory.getDefaultInstance()));
        return new OperationRun(device, ports, Clock.systemUTC(), Duration.ofMillis(200), true, items, device.read());
    }

    private static ItemResult there(String circuit, ItemState state) {
        return item(ItemAction.ITEM_ACTION_CONNECT, circuit, state).toBuilder()
                .setReason(ItemReason.ITEM_REASON_ALREADY)
                .build();
    }

    private OperationRun.Result cancelled(List<ItemResult> items, String... shown) throws Exception {
        for (String circuit : shown) {
            device.make(pair(circuit));
        }
        return run(items).undo(ItemReason.ITEM_REASON_CANCELLED);
    }

    @Test
    void whatASelectorTookUpIsLeftByTakingUpTheOldAgain() throws Exception {
        var result = cancelled(List.of(broken("1->7"), made("1->8")), "1->8");
        assertThat(device.shown()).containsExactly("1->7");
        assertThat(device.asked).containsExactly("Make 1->7");
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
    }

    @Test
    void whatASelectorTookUpIsBrokenWhereTheOldCannotBeMadeAgain() throws Exception {
        var result = cancelled(List.of(broken("1->7"), made("1->8")), "1->8", "2->7");
        assertThat(device.shown()).containsExactly("2->7");
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(result.items())
                .extracting(ItemResult::getState)
                .containsExactly(ItemState.ITEM_STATE_DARK, ItemState.ITEM_STATE_ROLLED_BACK);
    }

    @Test
    void theRestIsBrokenBeforeTheOldIsMadeAgain() throws Exception {
        var result = cancelled(
                List.of(broken("1->7"), broken("2->8"), made("1->8"), made("2->9"), made("3->10")),
                "1->8",
                "2->9",
                "3->10",
                "4->7");
        assertThat(device.shown()).containsExactly("2->8", "4->7");
        assertThat(device.asked).last().isEqualTo("Make 2->8");
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
    }

    @Test
    void aCircuitThatIsThereAndHasFailedIsNotInPlace() throws Exception {
        device.show("1->7", CircuitState.CIRCUIT_STATE_FAILED);
        var result = run(List.of(there("1->7", ItemState.ITEM_STATE_FAILED))).run(false);
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_REJECTED);
        assertThat(result.items()).extracting(ItemResult::getState).containsExactly(ItemState.ITEM_STATE_FAILED);
        assertThat(device.asked).isEmpty();
    }

    @Test
    void aCircuitThatIsThereAndOnItsWayIsWaitedFor() throws Exception {
        device.show("1->7", CircuitState.CIRCUIT_STATE_TUNING);
        device.settleAtRead = 4;
        var result = run(List.of(there("1->7", ItemState.ITEM_STATE_TUNING))).run(false);
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(result.items()).containsExactly(there("1->7", ItemState.ITEM_STATE_CONNECTED));
        assertThat(device.asked).isEmpty();
    }

    @Test
    void aCircuitThatWasThereIsKeptWhenTheOthersArePutBack() throws Exception {
        device.show("1->7", CircuitState.CIRCUIT_STATE_FAILED);
        var result = run(List.of(
                        there("1->7", ItemState.ITEM_STATE_FAILED),
                        item(ItemAction.ITEM_ACTION_CONNECT, "2->8", ItemState.ITEM_STATE_NOT_ATTEMPTED)))
                .run(true);
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
        assertThat(device.shown()).containsExactly("1->7");
    }

    private static ItemResult asked(ItemAction action, String circuit) {
        return item(action, circuit, ItemState.ITEM_STATE_NOT_ATTEMPTED);
    }

    private OperationRun.Result brokenOnADeafPort() {
        device.make(pair("1->7"));
        device.make(pair("2->8"));
        device.deaf = "1";
        return run(List.of(
                        asked(ItemAction.ITEM_ACTION_DISCONNECT, "1->7"),
                        asked(ItemAction.ITEM_ACTION_DISCONNECT, "2->8")))
                .run(false);
    }

    @Test
    void whatIsNotReachedAndThenLeftOutOfTheReadingIsNotDark() {
        var result = brokenOnADeafPort();
        assertThat(device.shown()).containsExactly("1->7");
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(result.items())
                .extracting(item -> item.getState() + " " + item.getReason() + " " + item.getNativeText())
                .containsExactly(
                        "ITEM_STATE_FAILED ITEM_REASON_PORT_UNUSABLE it does not answer",
                        "ITEM_STATE_DARK ITEM_REASON_UNSPECIFIED ");
    }

    /** The reading of a device that reaches the port is right, whatever it answered. */
    @Test
    void whatIsRefusedForAnotherReasonAndReadBackGoneIsDark() {
        device.why = ItemReason.ITEM_REASON_DEVICE_REFUSED;
        var result = brokenOnADeafPort();
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(result.items()).extracting(ItemResult::getState).containsOnly(ItemState.ITEM_STATE_DARK);
    }

    @Test
    void whatASelectorThatIsNotReachedWouldLeaveIsNotDark() {
        device.deaf = "1";
        var result = swapped(false);
        assertThat(result.items())
                .extracting(item -> item.getState() + " " + item.getReason())
                .containsOnly("ITEM_STATE_FAILED ITEM_REASON_PORT_UNUSABLE");
    }

    @Test
    void whatIsNotReachedIsNotRolledBack() throws Exception {
        device.deaf = "1";
        var result = cancelled(List.of(made("1->7"), made("2->8")), "1->7", "2->8");
        assertThat(device.shown()).containsExactly("1->7");
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(result.items())
                .extracting(ItemResult::getState)
                .containsExactly(ItemState.ITEM_STATE_CONNECTED, ItemState.ITEM_STATE_ROLLED_BACK);
    }

    @Test
    void whatASelectorThatIsNotReachedTookUpIsNotRolledBack() throws Exception {
        device.deaf = "1";
        var result = cancelled(List.of(broken("1->7"), made("1->8")), "1->8");
        assertThat(device.asked).containsExactly("Make 1->7");
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(result.items())
                .extracting(ItemResult::getState)
                .containsExactly(ItemState.ITEM_STATE_DARK, ItemState.ITEM_STATE_CONNECTED);
    }

    private OperationRun.Result swapped(boolean allOrNothing) {
        device.make(pair("1->7"));
        return run(List.of(
                        asked(ItemAction.ITEM_ACTION_DISCONNECT, "1->7"),
                        asked(ItemAction.ITEM_ACTION_CONNECT, "1->8")))
                .run(allOrNothing);
    }

    @Test
    void whatMayBeBrokenOnAPortThatIsNotReachedIsMadeAgain() {
        device.dead = "8";
        var result = swapped(true);
        assertThat(device.shown()).containsExactly("1->7");
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
    }

    @Test
    void whatIsNotReachedForTheRollBackEitherIsToldInPart() {
        device.deaf = "1";
        var result = swapped(true);
        assertThat(device.asked).containsExactly("Make 1->8", "Make 1->7");
        assertThat(result.outcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(result.items()).extracting(ItemResult::getState).containsOnly(ItemState.ITEM_STATE_FAILED);
    }
}
