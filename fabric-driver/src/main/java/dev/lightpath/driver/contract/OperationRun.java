package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.PortMap;
import dev.lightpath.driver.contract.view.PortUses;
import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the items of one operation on one device: breaks, read-back, makes, read-back. What a device answers to a
 * move only says whether to wait for it; an item's state is always what read-back shows.
 */
final class OperationRun {
    private static final long FIRST_PAUSE_NANOS = 500_000;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;

    /** How it ended; {@code circuits} is the last read-back, empty when the device fell silent. */
    record Result(Outcome outcome, List<ItemResult> items, Optional<SortedMap<CircuitPair, NativeCircuit>> circuits) {}

    private final DeviceLine line;
    private final PortMap ports;
    private final Clock clock;
    private final Duration settleWithin;
    private final boolean selector;
    private final List<ItemResult.Builder> items;
    private final SortedMap<CircuitPair, NativeCircuit> before;
    private SortedMap<CircuitPair, NativeCircuit> now;

    /**
     * @param selector whether the device itself replaces the circuit of an ingress, as a transceiver's selector does.
     *     If the same request gives that ingress a new circuit, or its old one back, the break is part of that move
     */
    OperationRun(
            DeviceLine line,
            PortMap ports,
            Clock clock,
            Duration settleWithin,
            boolean selector,
            List<ItemResult> items,
            SortedMap<CircuitPair, NativeCircuit> before) {
        this.line = line;
        this.ports = ports;
        this.clock = clock;
        this.settleWithin = settleWithin;
        this.selector = selector;
        this.items = items.stream().map(ItemResult::toBuilder).toList();
        this.before = before;
        this.now = before;
    }

    Result run(boolean allOrNothing) {
        try {
            List<ItemResult.Builder> breaks = todo(ItemAction.ITEM_ACTION_DISCONNECT);
            List<ItemResult.Builder> makes = todo(ItemAction.ITEM_ACTION_CONNECT);
            List<ItemResult.Builder> folded =
                    breaks.stream().filter(b -> isFolded(b, makes)).toList();
            breaks.removeIf(b -> isFolded(b, makes));
            breakAll(breaks);
            boolean broken = breaks.stream().allMatch(b -> b.getState() == ItemState.ITEM_STATE_DARK);
            if (broken || !allOrNothing) {
                makeAll(makes, folded);
            } else {
                folded.forEach(f -> fail(f, ItemState.ITEM_STATE_NOT_ATTEMPTED, earlierFailed(), ""));
                makes.forEach(m -> fail(m, ItemState.ITEM_STATE_NOT_ATTEMPTED, earlierFailed(), ""));
            }
            settlePresent();
            boolean good = items.stream().allMatch(OperationRun::isInPlace);
            boolean changed = !now.keySet().equals(before.keySet());
            if (good) {
                return result(Outcome.OUTCOME_APPLIED);
            }
            if (!changed) {
                return result(Outcome.OUTCOME_REJECTED);
            }
            return allOrNothing ? putBack(ItemReason.ITEM_REASON_EARLIER_ITEM_FAILED) : result(Outcome.OUTCOME_PARTIAL);
        } catch (DeviceSilentException silent) {
            return unknown(silent);
        }
    }

    /**
     * Rolls back the items that are in place, and leaves the others. Items that cannot be rolled back stay, with the
     * reason of the roll-back.
     *
     * @param why CANCELLED or NOT_CONFIRMED
     * @throws DeviceSilentException when the roll-back may be partly done; to be tried again
     */
    Result undo(ItemReason why) throws DeviceSilentException {
        return putBack(why);
    }

    /**
     * The state of the items from read-back alone, for an operation with an unknown end.
     *
     * @param late how long the device may still show an item that it does not show yet
     * @throws DeviceSilentException when the device does not answer now either
     */
    Result resolve(Duration late) throws DeviceSilentException {
        long end = System.nanoTime() + late.toNanos();
        settle(circuits -> circuits.values().stream().noneMatch(c -> c.state() == CircuitState.CIRCUIT_STATE_TUNING)
                && (System.nanoTime() - end >= 0 || items.stream().allMatch(item -> isBegun(item, circuits))));
        items.stream()
                .filter(i -> i.getReason() != ItemReason.ITEM_REASON_ALREADY)
                .forEach(this::judge);
        judgePresent();
        boolean good = items.stream().allMatch(OperationRun::isInPlace);
        boolean none = items.stream()
                .filter(i -> i.getReason() != ItemReason.ITEM_REASON_ALREADY)
                .noneMatch(item -> isBegun(item, now));
        return result(good ? Outcome.OUTCOME_APPLIED : none ? Outcome.OUTCOME_REJECTED : Outcome.OUTCOME_PARTIAL);
    }

    /** Waits for circuits that were there already and still on their way. Nothing is asked for again. */
    private void settlePresent() throws DeviceSilentException {
        List<ItemResult.Builder> onTheirWay = items.stream()
                .filter(i ->
                        i.getReason() == ItemReason.ITEM_REASON_ALREADY && i.getState() == ItemState.ITEM_STATE_TUNING)
                .toList();
        if (!onTheirWay.isEmpty()) {
            settle(circuits -> onTheirWay.stream().allMatch(i -> isSettled(circuits.get(pair(i)))));
            judgePresent();
        }
    }

    /** The state of circuits that were there already, from the last read-back. They keep their reason. */
    private void judgePresent() {
        for (ItemResult.Builder item : items) {
            if (item.getReason() == ItemReason.ITEM_REASON_ALREADY
                    && item.getAction() == ItemAction.ITEM_ACTION_CONNECT) {
                NativeCircuit seen = now.get(pair(item));
                item.setState(seen == null ? ItemState.ITEM_STATE_FAILED : ChangePlan.standing(seen));
            }
        }
    }

    private List<ItemResult.Builder> todo(ItemAction action) {
        List<ItemResult.Builder> found = new ArrayList<>();
        for (ItemResult.Builder item : items) {
            if (item.getAction() == action && item.getReason() != ItemReason.ITEM_REASON_ALREADY) {
                found.add(item);
            }
        }
        return found;
    }

    /** What a selector leaves by taking up something else. */
    private boolean isFolded(ItemResult.Builder broken, List<ItemResult.Builder> makes) {
        return selector
                && makes.stream()
                        .anyMatch(m ->
                                m.getKey().getIngress().equals(broken.getKey().getIngress()));
    }

    private void breakAll(List<ItemResult.Builder> breaks) throws DeviceSilentException {
        if (breaks.isEmpty()) {
            return;
        }
        List<ItemResult.Builder> accepted = ask(breaks, Move.Break::new);
        settle(circuits -> accepted.stream().noneMatch(b -> circuits.containsKey(pair(b))));
        breaks.forEach(this::judge);
    }

    private void makeAll(List<ItemResult.Builder> makes, List<ItemResult.Builder> folded) throws DeviceSilentException {
        PortUses remaining = ports.uses(now.keySet());
        folded.forEach(f -> remaining.remove(pair(f)));
        List<ItemResult.Builder> possible =
                possible(makes, remaining, m -> fail(m, ItemState.ITEM_STATE_NOT_ATTEMPTED, earlierFailed(), ""));
        if (possible.isEmpty()) {
            return;
        }
        List<ItemResult.Builder> accepted = ask(possible, Move.Make::new);
        settle(circuits -> accepted.stream().allMatch(m -> isSettled(circuits.get(pair(m)))));
        possible.forEach(this::judge);
        for (ItemResult.Builder left : folded) {
            left.setStartedAt(Times.wire(clock.instant()));
            possible.stream()
                    .filter(make -> isUnheard(make) && isFolded(left, List.of(make)))
                    .forEach(make -> left.setReason(make.getReason()).setNativeText(make.getNativeText()));
            judge(left);
        }
    }

    /**
     * Those of which no port is used by a circuit that remains, or by one before them: whatever the device would allow.
     */
    private List<ItemResult.Builder> possible(
            List<ItemResult.Builder> wanted, PortUses remaining, Consumer<ItemResult.Builder> impossible) {
        List<ItemResult.Builder> possible = new ArrayList<>();
        for (ItemResult.Builder item : wanted) {
            if (remaining.inTheWay(pair(item)).isEmpty()) {
                possible.add(item);
                remaining.add(pair(item));
            } else {
                impossible.accept(item);
            }
        }
        return possible;
    }

    private static boolean isSettled(@Nullable NativeCircuit circuit) {
        return circuit != null && circuit.state() != CircuitState.CIRCUIT_STATE_TUNING;
    }

    /** Requests moves and returns the items that the device accepted; the others carry its refusal. */
    private List<ItemResult.Builder> ask(List<ItemResult.Builder> asked, Function<CircuitPair, Move> toMove)
            throws DeviceSilentException {
        asked.forEach(i -> i.setStartedAt(Times.wire(clock.instant())).setState(ItemState.ITEM_STATE_UNKNOWN));
        List<MoveAnswer> answers =
                line.move(asked.stream().map(i -> toMove.apply(pair(i))).toList());
        List<ItemResult.Builder> accepted = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            switch (answers.get(i)) {
                case MoveAnswer.Accepted unused -> accepted.add(asked.get(i));
                case MoveAnswer.Refused refused ->
                    asked.get(i).setReason(refused.reason()).setNativeText(refused.nativeText());
            }
        }
        return accepted;
    }

    /** Reads until the condition holds, or the device has had its time. */
    private void settle(Predicate<SortedMap<CircuitPair, NativeCircuit>> done) throws DeviceSilentException {
        long deadline = System.nanoTime() + settleWithin.toNanos();
        long pause = FIRST_PAUSE_NANOS;
        now = line.read();
        while (!done.test(now) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            now = line.read();
        }
    }

    /**
     * Whether the device refused an item because it does not reach its port. It may then leave out the circuit of that
     * port from what it shows, lit or not.
     */
    private static boolean isUnheard(ItemResult.Builder item) {
        return item.getReason() == ItemReason.ITEM_REASON_PORT_UNUSABLE;
    }

    /** Sets an item's state from the last read-back; a refusal's reason is kept. */
    private void judge(ItemResult.Builder item) {
        Optional<NativeCircuit> seen = Optional.ofNullable(now.get(pair(item)));
        item.setFinishedAt(Times.wire(clock.instant()));
        switch (item.getAction()) {
            case ITEM_ACTION_DISCONNECT -> {
                if (seen.isEmpty() && !isUnheard(item)) {
                    inPlace(item, ItemState.ITEM_STATE_DARK);
                } else {
                    fail(item, ItemState.ITEM_STATE_FAILED, ItemReason.ITEM_REASON_READ_BACK_DIFFERS, "");
                }
            }
            case ITEM_ACTION_CONNECT -> {
                seen.ifPresent(c -> c.lossDb().ifPresent(item::setMeasuredLossDb));
                switch (seen.map(NativeCircuit::state).orElse(CircuitState.CIRCUIT_STATE_UNSPECIFIED)) {
                    case CIRCUIT_STATE_CONNECTED -> inPlace(item, ItemState.ITEM_STATE_CONNECTED);
                    case CIRCUIT_STATE_TUNING -> {
                        item.clearFinishedAt();
                        fail(item, ItemState.ITEM_STATE_TUNING, ItemReason.ITEM_REASON_NOT_SETTLED, "");
                    }
                    case CIRCUIT_STATE_FAILED ->
                        fail(item, ItemState.ITEM_STATE_FAILED, ItemReason.ITEM_REASON_NOT_SETTLED, "");
                    case CIRCUIT_STATE_UNSPECIFIED, UNRECOGNIZED ->
                        fail(item, ItemState.ITEM_STATE_FAILED, ItemReason.ITEM_REASON_READ_BACK_DIFFERS, "");
                }
            }
            case ITEM_ACTION_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalStateException("an item without an action: " + item);
        }
    }

    private static void inPlace(ItemResult.Builder item, ItemState state) {
        item.setState(state).setReason(ItemReason.ITEM_REASON_UNSPECIFIED).setNativeText("");
    }

    private static void fail(ItemResult.Builder item, ItemState state, ItemReason reason, String text) {
        item.setState(state);
        if (item.getReason() == ItemReason.ITEM_REASON_UNSPECIFIED
                || item.getReason() == ItemReason.ITEM_REASON_DEVICE_SILENT) {
            item.setReason(reason).setNativeText(text);
        }
    }

    private static ItemReason earlierFailed() {
        return ItemReason.ITEM_REASON_EARLIER_ITEM_FAILED;
    }

    private Result putBack(ItemReason why) throws DeviceSilentException {
        List<ItemResult.Builder> made = new ArrayList<>();
        List<ItemResult.Builder> broken = new ArrayList<>();
        List<ItemResult.Builder> undoneBefore = new ArrayList<>();
        for (ItemResult.Builder item : todo(ItemAction.ITEM_ACTION_CONNECT)) {
            if (now.containsKey(pair(item))) {
                made.add(item);
            } else if (item.getState() == ItemState.ITEM_STATE_CONNECTED) {
                undoneBefore.add(item);
            }
        }
        for (ItemResult.Builder item : todo(ItemAction.ITEM_ACTION_DISCONNECT)) {
            if (item.getState() == ItemState.ITEM_STATE_DARK) {
                (now.containsKey(pair(item)) ? undoneBefore : broken).add(item);
            } else if (isUnheard(item) && !now.containsKey(pair(item))) {
                broken.add(item);
            }
        }
        // a roll-back that a crash cut short has done part of the work, and its items still have their earlier state
        undoneBefore.forEach(item -> undone(item, true, why));
        Set<CircuitPair> unheard = new TreeSet<>();
        List<ItemResult.Builder> free = leave(made, broken, unheard);
        if (!free.isEmpty()) {
            List<ItemResult.Builder> stay = reverse(free, Move.Make::new);
            settle(circuits -> free.stream().allMatch(i -> isSettled(circuits.get(pair(i)))));
            stay.removeIf(item -> now.containsKey(pair(item)));
            made.stream().filter(m -> isFolded(m, stay)).forEach(m -> unheard.add(pair(m)));
        }
        boolean restored = true;
        for (ItemResult.Builder item : made) {
            restored &= undone(item, !now.containsKey(pair(item)) && !unheard.contains(pair(item)), why);
        }
        for (ItemResult.Builder item : broken) {
            NativeCircuit circuit = now.get(pair(item));
            restored &= undone(item, circuit != null && circuit.state() == CircuitState.CIRCUIT_STATE_CONNECTED, why);
        }
        return result(restored ? Outcome.OUTCOME_ROLLED_BACK : Outcome.OUTCOME_PARTIAL);
    }

    /**
     * Breaks what was made. A selector that returns to its old circuit does that by itself, but only if no other
     * circuit uses the port by then, including one that was made and cannot be broken.
     *
     * @param unheard gets those that the device does not reach: they may be lit, whatever it shows
     * @return those of the broken that can be made again
     */
    private List<ItemResult.Builder> leave(
            List<ItemResult.Builder> made, List<ItemResult.Builder> broken, Set<CircuitPair> unheard)
            throws DeviceSilentException {
        List<ItemResult.Builder> unasked = new ArrayList<>(made);
        while (true) {
            PortUses remaining = ports.uses(now.keySet());
            unasked.forEach(m -> remaining.remove(pair(m)));
            List<ItemResult.Builder> free = possible(broken, remaining, blocked -> {});
            List<ItemResult.Builder> apart =
                    unasked.stream().filter(m -> !isFolded(m, free)).toList();
            if (apart.isEmpty()) {
                return free;
            }
            reverse(apart, Move.Break::new).forEach(i -> unheard.add(pair(i)));
            settle(circuits -> apart.stream().noneMatch(i -> circuits.containsKey(pair(i))));
            unasked.removeIf(m -> !isFolded(m, free));
        }
    }

    /** Requests moves that put items back, and returns those whose port the device does not reach. */
    private List<ItemResult.Builder> reverse(List<ItemResult.Builder> asked, Function<CircuitPair, Move> toMove)
            throws DeviceSilentException {
        List<MoveAnswer> answers =
                line.move(asked.stream().map(i -> toMove.apply(pair(i))).toList());
        List<ItemResult.Builder> unheard = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            if (answers.get(i) instanceof MoveAnswer.Refused refused
                    && refused.reason() == ItemReason.ITEM_REASON_PORT_UNUSABLE) {
                unheard.add(asked.get(i));
            }
        }
        return unheard;
    }

    private boolean undone(ItemResult.Builder item, boolean done, ItemReason why) {
        item.setFinishedAt(Times.wire(clock.instant()));
        if (done) {
            item.setState(ItemState.ITEM_STATE_ROLLED_BACK);
        }
        if (done ? item.getReason() == ItemReason.ITEM_REASON_UNSPECIFIED : isUndone(why)) {
            item.setReason(why);
        }
        return done;
    }

    /** Whether a caller, or the deadline, requested that this item be undone. */
    static boolean isUndone(ItemReason reason) {
        return reason == ItemReason.ITEM_REASON_CANCELLED || reason == ItemReason.ITEM_REASON_NOT_CONFIRMED;
    }

    private static boolean isInPlace(ItemResult.Builder item) {
        return item.getState() == ItemState.ITEM_STATE_DARK || item.getState() == ItemState.ITEM_STATE_CONNECTED;
    }

    /** Whether read-back shows anything of it: a circuit that does not settle is made all the same. */
    private static boolean isBegun(ItemResult.Builder item, SortedMap<CircuitPair, NativeCircuit> shown) {
        return (item.getAction() == ItemAction.ITEM_ACTION_CONNECT) == shown.containsKey(pair(item));
    }

    private Result result(Outcome outcome) {
        return new Result(outcome, items.stream().map(ItemResult.Builder::build).toList(), Optional.of(now));
    }

    private Result unknown(DeviceSilentException silent) {
        for (ItemResult.Builder item : items) {
            if (item.getReason() != ItemReason.ITEM_REASON_ALREADY
                    && item.getState() == ItemState.ITEM_STATE_UNKNOWN
                    && item.getReason() == ItemReason.ITEM_REASON_UNSPECIFIED) {
                item.setReason(ItemReason.ITEM_REASON_DEVICE_SILENT).setNativeText(String.valueOf(silent.getMessage()));
            }
        }
        return new Result(
                Outcome.OUTCOME_UNKNOWN,
                items.stream().map(ItemResult.Builder::build).toList(),
                Optional.empty());
    }

    private static CircuitPair pair(ItemResult.Builder item) {
        return CircuitPair.of(item.getKey());
    }
}
