package dev.lightpath.conformance.requirement.restart;

import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.requirement.device.Circuit;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What is told of an operation that a restart of the driver cut, beside what the device shows. */
final class Cut {
    private static final Set<ItemState> NOT_SURE = Set.of(ItemState.ITEM_STATE_TUNING, ItemState.ITEM_STATE_UNKNOWN);
    private static final Set<ItemState> NOT_THERE =
            Set.of(ItemState.ITEM_STATE_FAILED, ItemState.ITEM_STATE_NOT_ATTEMPTED, ItemState.ITEM_STATE_ROLLED_BACK);

    /** For most of a second: a move of a second and a half goes on still. */
    private static final int LOOKS = 30;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(30);
    private static final Duration A_WHILE = Duration.ofSeconds(3);

    private Cut() {}

    /** Circuits the device says are in place, as text. */
    static List<String> connected(DeviceCircuits read) {
        return Circuits.texts(Circuits.keys(read.getCircuitsList().stream()
                .filter(c -> c.getState() == CircuitState.CIRCUIT_STATE_CONNECTED)
                .toList()));
    }

    /**
     * Sends a change and returns once the driver has admitted it; the answer of the call comes when it ends or is cut.
     */
    static CompletableFuture<Optional<Refusal>> send(Bench bench, Change change) {
        ApplyCircuitsRequest asked = change.request();
        CompletableFuture<Optional<Refusal>> call = CompletableFuture.supplyAsync(
                () -> Refusal.ofCall(() -> {
                    var unused = bench.calls().circuits().applyCircuits(asked);
                }),
                Thread::startVirtualThread);
        bench.await(
                "the operation to be admitted",
                () -> bench.operation(change.id()),
                o -> !o.getOperationId().isEmpty());
        return call;
    }

    /**
     * Waits a little until the device shows what was asked for, so that the cut comes after it was asked; as last read.
     */
    static DeviceCircuits begun(Bench bench, ApplyCircuitsRequest asked) {
        List<String> wanted = Circuits.texts(asked.getConnectsList());
        DeviceCircuits read = bench.read();
        for (int look = 0; look < LOOKS && !texts(read).containsAll(wanted); look++) {
            bench.pause(BETWEEN_LOOKS);
            read = bench.read();
        }
        return read;
    }

    /**
     * The driver has told an end, and then the device was read. A device may have gone on in between, and shown more of
     * what was asked. What counts is {@code APPLIED}, which must be true by now, what was shown before the cut already,
     * and else a device that shows the same in a while.
     *
     * @param cut the device before the restart
     * @param read the device after the driver told
     */
    static void expectTrue(
            Bench bench,
            ApplyCircuitsRequest asked,
            String before,
            DeviceCircuits cut,
            Operation told,
            DeviceCircuits read) {
        that(
                told.getOutcome() != Outcome.OUTCOME_APPLIED || inPlace(asked, read),
                "not APPLIED, for the device shows in place " + connected(read),
                told);
        Optional<String> unshown = unshown(before, told, read);
        Optional<String> untrue = unshown.or(() -> unmoved(asked, told, read));
        boolean known = unshown.isPresent() && cut.getObservedDigest().equals(read.getObservedDigest());
        untrue.filter(expected -> known || staysSo(bench, read)).ifPresent(expected -> {
            throw new Unmet(expected + ", for the device shows " + texts(read), told.toString());
        });
    }

    private static boolean staysSo(Bench bench, DeviceCircuits read) {
        bench.pause(A_WHILE);
        return unmeasured(bench.read()).equals(unmeasured(read));
    }

    private static List<String> texts(DeviceCircuits read) {
        return Circuits.texts(Circuits.keys(read.getCircuitsList()));
    }

    private static List<dev.lightpath.proto.driver.v1alpha1.Circuit> unmeasured(DeviceCircuits read) {
        return read.getCircuitsList().stream().map(Circuit::unmeasured).toList();
    }

    private static boolean inPlace(ApplyCircuitsRequest asked, DeviceCircuits read) {
        return connected(read).containsAll(Circuits.texts(asked.getConnectsList()))
                && asked.getDisconnectsList().stream().map(Circuits::text).noneMatch(texts(read)::contains);
    }

    /** What should have been told by what is shown, in place or not; empty when that agrees. */
    private static Optional<String> unshown(String before, Operation told, DeviceCircuits read) {
        boolean undone =
                told.getOutcome() == Outcome.OUTCOME_REJECTED || told.getOutcome() == Outcome.OUTCOME_ROLLED_BACK;
        if (undone && isSure(told) && !read.getObservedDigest().equals(before)) {
            return Optional.of("an outcome that says that something changed");
        }
        if (!told.getObservedDigest().equals(read.getObservedDigest())) {
            return Optional.of("observed_digest " + read.getObservedDigest());
        }
        return told.getItemsList().stream()
                .filter(i -> isThereAllTheSame(i, read))
                .findFirst()
                .map(i -> Circuits.text(i.getKey()) + " not " + i.getState());
    }

    /** APPLIED, where it was not told although everything is in place and no item is said to have taken too long. */
    private static Optional<String> unmoved(ApplyCircuitsRequest asked, Operation told, DeviceCircuits read) {
        return told.getOutcome() != Outcome.OUTCOME_APPLIED && isSure(told) && inPlace(asked, read)
                ? Optional.of("outcome APPLIED")
                : Optional.empty();
    }

    private static boolean isSure(Operation told) {
        return told.getItemsList().stream()
                .noneMatch(i -> NOT_SURE.contains(i.getState()) || i.getReason() == ItemReason.ITEM_REASON_NOT_SETTLED);
    }

    private static boolean isThereAllTheSame(ItemResult item, DeviceCircuits read) {
        return item.getAction() == ItemAction.ITEM_ACTION_CONNECT
                && NOT_THERE.contains(item.getState())
                && item.getReason() != ItemReason.ITEM_REASON_NOT_SETTLED
                && read.getCircuitsList().stream()
                        .anyMatch(c ->
                                c.getKey().equals(item.getKey()) && c.getState() != CircuitState.CIRCUIT_STATE_FAILED);
    }
}
