package dev.lightpath.conformance.requirement.restart;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.SlowOperation;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a restart in the middle of an operation must not make the driver forget besides the operation. */
public final class Interrupted {
    private static final long SLOW_MILLIS = 1500;

    /**
     * A move that ends while a restarted driver still waits for it; halved where it did not, doubled where it was over
     * before.
     */
    private static final long SHORT_MILLIS = 800;

    private static final int MORE_ATTEMPTS = 6;

    /**
     * Of the kit's patience one move may take this part, but four times the first at least. A device may make two moves
     * one after the other, and answer nothing meanwhile: then longer moves are over before each restart too, and the
     * wait for their end is in vain.
     */
    private static final int PART_OF_PATIENCE = 8;

    private Interrupted() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "crash/epoch-under-way",
                        "Fencing; Crash",
                        "The epoch of an operation cut by a restart is on disk before the device is asked: the one"
                                + " before is refused",
                        Interrupted::epochUnderWay),
                new Requirement(
                        "crash/owner-of-what-was-cut",
                        "Circuit.foreign, role, operation_id; Crash",
                        "A circuit that an operation cut by a restart has made is that operation's, and not foreign",
                        Interrupted::ownerOfWhatWasCut));
    }

    /** Sends it and restarts the driver once the device is asked; false where it was answered before. */
    private static boolean isCut(Bench bench, Change change, long slowMillis) throws Exception {
        if (bench.terms().faults().isPresent()) {
            bench.faults().inject(new Fault.SlowMoves(slowMillis));
        }
        CompletableFuture<Optional<Refusal>> call = Cut.send(bench, change);
        var unused = Cut.begun(bench, change.request());
        bench.restartDriver();
        return call.join().isPresent();
    }

    /** For another attempt. */
    private static void putBack(Bench bench) throws Exception {
        if (bench.terms().faults().isPresent()) {
            bench.faults().mend();
        }
        bench.change().unmake(0).unmake(1).apply();
    }

    private static Operation resolved(Bench bench, Change change) {
        return bench.await(
                "the operation to be resolved",
                () -> bench.operation(change.id()),
                o -> o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS && o.getOutcome() != Outcome.OUTCOME_UNKNOWN);
    }

    private static void epochUnderWay(Bench bench) throws Exception {
        bench.requireRestart();
        bench.change().apply();
        for (int attempt = 0; attempt < SlowOperation.ATTEMPTS; attempt++) {
            long lower = bench.epoch();
            bench.raiseEpoch();
            Change change = bench.change().make(0);
            boolean cut = isCut(bench, change, SLOW_MILLIS);
            equal(
                    "highest_epoch after a restart in the middle of its first operation",
                    bench.epoch(),
                    bench.read().getHighestEpoch());
            Refusal refusal = bench.change()
                    .epoch(lower)
                    .refused(
                            "the epoch before that of an operation cut by a restart",
                            Status.Code.PERMISSION_DENIED,
                            "STALE_EPOCH");
            equal("metadata stored_epoch", Long.toUnsignedString(bench.epoch()), refusal.detail("stored_epoch"));
            var unused = resolved(bench, change);
            if (cut) {
                return;
            }
            putBack(bench);
        }
    }

    private static void ownerOfWhatWasCut(Bench bench) throws Exception {
        bench.requireRestart();
        long slowMillis = SHORT_MILLIS;
        long longestMillis = Math.max(
                4 * SHORT_MILLIS,
                bench.terms().patience().dividedBy(PART_OF_PATIENCE).toMillis());
        for (int attempt = 0; attempt < MORE_ATTEMPTS && slowMillis <= longestMillis; attempt++) {
            Change change = bench.change().make(0).make(1);
            boolean cut = isCut(bench, change, slowMillis);
            List<String> made = resolved(bench, change).getItemsList().stream()
                    .filter(i -> i.getState() == ItemState.ITEM_STATE_CONNECTED)
                    .map(ItemResult::getKey)
                    .map(Circuits::text)
                    .toList();
            bench.read().getCircuitsList().stream()
                    .filter(c -> made.contains(Circuits.text(c.getKey())))
                    .forEach(c -> that(
                            !c.getForeign()
                                    && c.getRole().equals(bench.role())
                                    && c.getOperationId().equals(change.id()),
                            "a circuit of role " + bench.role() + " and operation " + change.id()
                                    + ", which has it CONNECTED, and not foreign",
                            c));
            if (cut && !made.isEmpty()) {
                return;
            }
            slowMillis = cut ? slowMillis / 2 : slowMillis * 2;
            putBack(bench);
        }
        throw new Inapplicable(
                "with moves of up to " + longestMillis + " ms no restart cut an operation that made a circuit");
    }
}
