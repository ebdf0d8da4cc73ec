package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Confirmation;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.stream.Streams;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;

/** Elements that do not move, and people who move them by hand. */
public final class Failure {
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration MADE = Duration.ofMillis(500);

    private Failure() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "partial/best-effort",
                        "OUTCOME_PARTIAL; ATOMICITY_BEST_EFFORT",
                        "When the first item fails the others are done, the outcome is PARTIAL, each item says how it stands, and read-back agrees",
                        Failure::bestEffort),
                new Requirement(
                        "partial/all-or-nothing",
                        "OUTCOME_ROLLED_BACK; ATOMICITY_ALL_OR_NOTHING",
                        "When one item fails under ALL_OR_NOTHING everything is put back as it was",
                        Failure::allOrNothing),
                new Requirement(
                        "partial/same-operation-twice",
                        "Idempotency; ApplyCircuitsRequest.operation_id",
                        "Repeating an operation that failed in part answers the first result, and tries nothing again",
                        Failure::twice),
                new Requirement(
                        "partial/nothing-possible",
                        "OUTCOME_REJECTED",
                        "When the only item fails the outcome is not APPLIED, and the device shows it is not there",
                        Failure::nothingPossible),
                new Requirement(
                        "partial/put-back-unless-confirmed",
                        "OUTCOME_PARTIAL; ApplyCircuitsRequest.rollback_after",
                        "What was done of a change that failed in part is put back too, unless it is confirmed",
                        Failure::partWaits),
                new Requirement(
                        "partial/nothing-to-confirm",
                        "Operation.confirm_before",
                        "A change that all or nothing put back awaits no confirmation, and is in nobody's way",
                        Failure::nothingWaits),
                new Requirement(
                        "foreign/told",
                        "ForeignChange; Circuit.foreign",
                        "A circuit somebody else makes is told as a foreign change in its scope, and read as foreign whoever made it before",
                        Failure::foreignTold),
                new Requirement(
                        "foreign/read-now",
                        "CIRCUIT_SOURCE_HARDWARE; DeviceCircuits.stale_since",
                        "Reading the hardware shows what is there now, not when the driver last looked, and so does compare-and-set",
                        Failure::readNow),
                new Requirement(
                        "foreign/left-alone",
                        "CONFLICT_POLICY_UPDATE, CONFLICT_POLICY_OVERWRITE",
                        "UPDATE does not break a foreign circuit; OVERWRITE does",
                        Failure::foreignLeftAlone));
    }

    static ItemResult item(Operation operation, CircuitKey key) {
        return operation.getItemsList().stream()
                .filter(i -> i.getKey().equals(key))
                .findFirst()
                .orElseThrow(() -> new Unmet("an item for " + Circuits.text(key), operation.toString()));
    }

    private static void bestEffort(Bench bench) throws Exception {
        CircuitKey dead = bench.failing();
        Operation partial = bench.change().makeInstead(1, dead).make(0).send().getOperation();
        equal("outcome", Outcome.OUTCOME_PARTIAL, partial.getOutcome());
        equal("operation as GetOperation has it", partial, bench.operation(partial.getOperationId()));
        equal(
                "state of the item that works",
                ItemState.ITEM_STATE_CONNECTED,
                item(partial, bench.layout().circuit(0)).getState());
        ItemResult failed = item(partial, dead);
        equal("state of the item on the dead element", ItemState.ITEM_STATE_FAILED, failed.getState());
        that(failed.getReason() != ItemReason.ITEM_REASON_UNSPECIFIED, "a reason", failed);
        equal(
                "observed_digest",
                bench.read().getObservedDigest(),
                bench.operation(partial.getOperationId()).getObservedDigest());
        that(
                bench.shown().contains(Circuits.text(bench.layout().circuit(0))),
                Circuits.text(bench.layout().circuit(0)) + " read back",
                bench.shown());
    }

    private static void allOrNothing(Bench bench) throws Exception {
        bench.change().make(0).apply();
        String before = bench.read().getObservedDigest();
        CircuitKey dead = bench.failing();
        Operation undone = bench.change()
                .allOrNothing()
                .disconnect(bench.layout().circuit(0))
                .connect(bench.layout().alternative(0))
                .makeInstead(1, dead)
                .send()
                .getOperation();
        that(
                undone.getOutcome() == Outcome.OUTCOME_ROLLED_BACK || undone.getOutcome() == Outcome.OUTCOME_REJECTED,
                "outcome ROLLED_BACK, or REJECTED when nothing was changed",
                undone);
        equal("before_digest", before, undone.getBeforeDigest());
        equal("digest after the roll-back", before, bench.read().getObservedDigest());
        equal("observed_digest", before, undone.getObservedDigest());
        ItemResult failed = item(undone, dead);
        that(
                (failed.getState() == ItemState.ITEM_STATE_FAILED
                                || failed.getState() == ItemState.ITEM_STATE_ROLLED_BACK)
                        && failed.getReason() != ItemReason.ITEM_REASON_UNSPECIFIED,
                "the item on the dead element FAILED or ROLLED_BACK, with a reason",
                failed);
        undone.getItemsList()
                .forEach(item -> that(
                        item.getState() != ItemState.ITEM_STATE_CONNECTED
                                && item.getState() != ItemState.ITEM_STATE_DARK,
                        "no item CONNECTED or DARK, for all is as it was",
                        item));
        bench.expectMade(0);
    }

    private static void twice(Bench bench) throws Exception {
        CircuitKey dead = bench.failing();
        Change change = bench.change().make(0).makeInstead(1, dead);
        Operation first = change.send().getOperation();
        equal("outcome", Outcome.OUTCOME_PARTIAL, first.getOutcome());
        bench.faults().mend();
        var again = change.send();
        that(again.getReplayed(), "replayed, for an operation that failed happened once too", again);
        equal("operation answered to the repetition", first, again.getOperation());
    }

    private static void nothingPossible(Bench bench) throws Exception {
        CircuitKey dead = bench.failing();
        Change change = bench.change().makeInstead(1, dead);
        Operation failed = change.send().getOperation();
        that(
                failed.getOutcome() == Outcome.OUTCOME_REJECTED || failed.getOutcome() == Outcome.OUTCOME_PARTIAL,
                "outcome REJECTED, or PARTIAL when something changed",
                failed);
        ItemState state = item(failed, dead).getState();
        that(
                state == ItemState.ITEM_STATE_FAILED || state == ItemState.ITEM_STATE_NOT_ATTEMPTED,
                "the item FAILED or NOT_ATTEMPTED",
                failed);
        if (bench.terms().faults().isPresent()) {
            bench.faults().mend();
        }
        var again = change.send();
        that(again.getReplayed(), "replayed, for an operation that was rejected happened once too", again);
        equal("operation answered to the repetition", failed, again.getOperation());
    }

    private static void partWaits(Bench bench) throws Exception {
        Confirmation.requireConfirmation(bench);
        CircuitKey dead = bench.failing();
        Change part = bench.change().confirmWithin(SHORT).makeInstead(1, dead).make(0);
        Outcome answered = part.send().getOperation().getOutcome();
        that(
                answered == Outcome.OUTCOME_PARTIAL || answered == Outcome.OUTCOME_ROLLED_BACK,
                "outcome PARTIAL, or ROLLED_BACK when its time is up already",
                answered);
        bench.await(
                "the unconfirmed part to be rolled back",
                () -> bench.operation(part.id()),
                o -> o.getOutcome() == Outcome.OUTCOME_ROLLED_BACK);
        that(
                !bench.shown().contains(Circuits.text(bench.layout().circuit(0))),
                Circuits.text(bench.layout().circuit(0)) + " put back",
                bench.shown());
    }

    private static void nothingWaits(Bench bench) throws Exception {
        Confirmation.requireConfirmation(bench);
        CircuitKey dead = bench.failing();
        Operation undone = bench.change()
                .allOrNothing()
                .confirmWithin(Confirmation.LONG)
                .make(0)
                .makeInstead(1, dead)
                .send()
                .getOperation();
        that(!undone.hasConfirmBefore(), "no confirm_before of what was put back already", undone);
        bench.change().make(0).apply();
    }

    private static void foreignTold(Bench bench) throws Exception {
        Streams.require(bench, StreamKind.STREAM_KIND_CIRCUITS);
        CircuitKey foreign = bench.layout().circuit(1);
        bench.change().make(1).apply();
        bench.change().unmake(1).apply();
        WatchRequest elsewhere = WatchRequest.newBuilder()
                .addDevices(DeviceScope.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setScope(bench.layout().scope(0)))
                .build();
        try (Watching watching = bench.watch();
                Watching others = bench.watch(elsewhere)) {
            others.awaitSynced();
            bench.faults().inject(new Fault.ForeignCircuit(foreign));
            WatchResponse told = watching.await(
                    "ForeignChange with " + Circuits.text(foreign),
                    m -> m.getForeignChange().getAppearedList().contains(foreign));
            equal(
                    "observed_digest of the foreign change",
                    bench.read().getObservedDigest(),
                    told.getForeignChange().getObservedDigest());
            bench.change().make(0).apply();
            others.awaitDigest(
                    bench.deviceId(), bench.read(bench.layout().scope(0)).getObservedDigest());
            others.messages()
                    .forEach(m -> that(!m.hasForeignChange(), "no ForeignChange of circuits outside the scope", m));
        }
        that(
                bench.read().getCircuitsList().stream()
                        .anyMatch(c -> c.getKey().equals(foreign)
                                && c.getForeign()
                                && c.getRole().isEmpty()
                                && c.getOperationId().isEmpty()),
                Circuits.text(foreign) + " read as foreign, of no role and no operation",
                bench.read());
    }

    /** One look, after so long as a move takes; later ones might come after the driver's own. */
    private static void readNow(Bench bench) throws Exception {
        CircuitKey foreign = bench.layout().circuit(1);
        String before = bench.read().getObservedDigest();
        bench.faults().inject(new Fault.ForeignCircuit(foreign));
        bench.pause(bench.atLeast(MADE, 4));
        DeviceCircuits read = bench.read();
        that(
                read.hasStaleSince() || Circuits.keys(read.getCircuitsList()).contains(foreign),
                Circuits.text(foreign) + ", which somebody else made, read from the hardware at once, or stale_since",
                read);
        bench.change()
                .expecting(before)
                .make(0)
                .refused(
                        "a change that expects what was there before",
                        Status.Code.FAILED_PRECONDITION,
                        "DIGEST_DIFFERS");
    }

    private static void foreignLeftAlone(Bench bench) throws Exception {
        CircuitKey foreign = bench.layout().circuit(1);
        bench.faults().inject(new Fault.ForeignCircuit(foreign));
        bench.await(Circuits.text(foreign) + " read back", bench::shown, s -> s.contains(Circuits.text(foreign)));
        CircuitKey wanted = bench.layout().alternative(1);
        bench.change()
                .policy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .connect(wanted)
                .refused("breaking a foreign circuit by UPDATE", Status.Code.FAILED_PRECONDITION, "PORT_IN_USE");
        bench.expectShown(foreign);
        bench.change()
                .policy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                .connect(wanted)
                .apply();
        bench.expectShown(wanted);
    }
}
