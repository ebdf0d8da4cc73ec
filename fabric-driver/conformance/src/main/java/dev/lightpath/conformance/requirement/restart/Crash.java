package dev.lightpath.conformance.requirement.restart;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Confirmation;
import dev.lightpath.conformance.requirement.FencedCall;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.Roles;
import dev.lightpath.conformance.requirement.TimeToConfirm;
import dev.lightpath.conformance.requirement.device.Circuit;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What survives a restart of the driver, kill -9 included. */
public final class Crash {
    private static final String SECTION = "Crash";
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final long SLOW_MILLIS = 1500;

    private Crash() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "crash/identity",
                        "GetDriverInfoResponse.instance_id, boot_id",
                        "After a restart the instance_id is the same and the boot_id is new, in calls and on streams",
                        Crash::identity),
                new Requirement(
                        "crash/light-stays", SECTION, "A restart of the driver moves no light", Crash::lightStays),
                new Requirement(
                        "crash/old-epoch", "Fencing", "A lower epoch is refused also after a restart", Crash::oldEpoch),
                new Requirement(
                        "crash/epoch-of-a-refusal",
                        "Fencing; ERROR_REASON_STALE_EPOCH",
                        "The epoch of a change that was refused, of an override, and of a confirmation of nothing, is remembered after a restart",
                        Crash::epochOfARefusal),
                new Requirement(
                        "crash/transfer",
                        "CircuitService.TransferScope",
                        "A device given away stays given away after a restart, with the epochs of both roles",
                        Crash::transfer),
                new Requirement(
                        "crash/wide-epochs",
                        "Fencing.epoch",
                        "An epoch of 64 bits is the same number after a restart",
                        Crash::wideEpochs),
                new Requirement(
                        "crash/holding-role",
                        "Fencing; CircuitService.TransferScope",
                        "The role that holds the device still does after a restart",
                        Crash::holdingRole),
                new Requirement(
                        "crash/remembers-operations",
                        "Idempotency",
                        "Operations and their results survive a restart: the same request is still replayed",
                        Crash::remembersOperations),
                new Requirement(
                        "crash/remembers-who-made-circuits",
                        "Circuit.foreign",
                        "A circuit made before a restart is not foreign after it",
                        Crash::remembersOwners),
                new Requirement(
                        "crash/remembers-overrides",
                        "CircuitService.SetPortOverride",
                        "A port out of service is so after a restart, and one put back in service too",
                        Crash::remembersOverrides),
                new Requirement(
                        "crash/unconfirmed",
                        SECTION + "; ApplyCircuitsRequest.rollback_after",
                        "What awaits a confirmation is put back in time although the driver restarted",
                        Crash::unconfirmed),
                new Requirement(
                        "crash/confirmable",
                        SECTION + "; CircuitService.ConfirmOperation",
                        "What awaits a confirmation is neither kept nor put back by a restart, and once confirmed stays so",
                        Crash::confirmable),
                new Requirement(
                        "crash/cancelled",
                        SECTION + "; CircuitService.CancelOperation",
                        "What was cancelled stays cancelled after a restart",
                        Crash::cancelled),
                new Requirement(
                        "crash/operation-under-way",
                        SECTION + "; Truth",
                        "The outcome of an operation cut by a restart is what read-back shows, and it is not done again",
                        Crash::operationUnderWay));
    }

    private static void identity(Bench bench) throws Exception {
        bench.requireRestart();
        GetDriverInfoResponse before = info(bench);
        bench.restartDriver();
        GetDriverInfoResponse after = info(bench);
        equal("instance_id after the restart", before.getInstanceId(), after.getInstanceId());
        that(
                Circuit.instant(after.getStartedAt()).isAfter(Circuit.instant(before.getStartedAt())),
                "started_at of this run, later than that of the run before, " + before.getStartedAt(),
                after.getStartedAt());
        try (Watching watching = bench.watch()) {
            equal(
                    "boot_id on the stream",
                    bench.bootId(),
                    watching.messages().getFirst().getBootId());
            equal("seq of the first message", 1L, watching.messages().getFirst().getSeq());
        }
    }

    private static GetDriverInfoResponse info(Bench bench) {
        return bench.calls().identity().getDriverInfo(GetDriverInfoRequest.getDefaultInstance());
    }

    private static void lightStays(Bench bench) throws Exception {
        bench.requireRestart();
        bench.makeAll(0, 1);
        String before = bench.read().getObservedDigest();
        bench.restartDriver();
        bench.expectMade(0, 1);
        equal("digest after the restart", before, bench.read().getObservedDigest());
    }

    private static void oldEpoch(Bench bench) throws Exception {
        bench.requireRestart();
        long lower = bench.epoch();
        bench.raiseEpoch();
        bench.change().make(0).apply();
        bench.restartDriver();
        Refusal refusal = bench.change()
                .epoch(lower)
                .make(1)
                .refused("a lower epoch after a restart", Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
        equal("metadata stored_epoch", Long.toUnsignedString(bench.epoch()), refusal.detail("stored_epoch"));
        equal("metadata stored_holder", bench.fencing().getHolder(), refusal.detail("stored_holder"));
        bench.expectMade(0);
    }

    private static void epochOfARefusal(Bench bench) throws Exception {
        bench.requireRestart();
        bench.raiseEpoch();
        bench.change()
                .expecting(Circuits.ANOTHER_STATE)
                .refused("a change that expects another state", Status.Code.FAILED_PRECONDITION, "DIGEST_DIFFERS");
        bench.restartDriver();
        equal("highest_epoch after the restart", bench.epoch(), bench.read().getHighestEpoch());
        bench.raiseEpoch();
        var unused = bench.override(bench.layout().circuit(0).getEgress(), PortOverride.PORT_OVERRIDE_NONE);
        bench.restartDriver();
        equal(
                "highest_epoch after the next restart",
                bench.epoch(),
                bench.read().getHighestEpoch());
        for (FencedCall call : FencedCall.ofUnknownOperations(bench)) {
            bench.raiseEpoch();
            var refused = Refusal.ofCall(() -> call.send(bench, bench.fencing()));
            bench.restartDriver();
            equal(
                    "highest_epoch after " + call + " of an unknown operation and a restart",
                    bench.epoch(),
                    bench.read().getHighestEpoch());
        }
    }

    private static void transfer(Bench bench) throws Exception {
        bench.requireRestart();
        bench.change().apply();
        String other = bench.role() + "-other";
        long theirs = Roles.give(bench, bench.role(), other).getHighestEpoch() + 1;
        bench.restartDriver();
        equal(
                "holding_role, which has not written yet, after a restart",
                other,
                bench.read().getHoldingRole());
        bench.change().role(other).epoch(theirs).apply();
        bench.restartDriver();
        equal("holding_role after the restart", other, bench.read().getHoldingRole());
        equal("highest_epoch of that role", theirs, bench.read().getHighestEpoch());
        equal(
                "highest_epoch of the role that gets its device back",
                bench.epoch(),
                Roles.give(bench, other, bench.role()).getHighestEpoch());
    }

    private static void confirmable(Bench bench) throws Exception {
        bench.requireRestart();
        Confirmation.requireConfirmation(bench);
        Change change = bench.change().confirmWithin(Confirmation.LONG).make(0);
        Operation pending = change.apply();
        bench.restartDriver();
        equal("operation after the restart", pending, bench.operation(change.id()));
        bench.expectMade(0);
        Operation kept = Confirmation.confirm(bench, change.id());
        that(!kept.hasConfirmBefore(), "no confirm_before of a confirmed operation", kept);
        bench.restartDriver();
        equal("confirmed operation after the next restart", kept, bench.operation(change.id()));
        bench.expectMade(0);
    }

    private static void holdingRole(Bench bench) throws Exception {
        bench.requireRestart();
        bench.change().apply();
        bench.restartDriver();
        equal("holding_role after the restart", bench.role(), bench.read().getHoldingRole());
        bench.change()
                .role(bench.role() + "-other")
                .epoch(bench.epoch() + 1000)
                .make(0)
                .refused("another role after a restart", Status.Code.PERMISSION_DENIED, "FOREIGN_ROLE");
    }

    private static void remembersOperations(Bench bench) throws Exception {
        bench.requireRestart();
        Change change = bench.change().make(0);
        Operation done = change.apply();
        bench.change().unmake(0).apply();
        bench.restartDriver();
        Optional<Refusal> lost =
                Refusal.ofCall(() -> equal("operation after the restart", done, bench.operation(change.id())));
        that(lost.isEmpty(), "GetOperation to know the operation after a restart", lost);
        ApplyCircuitsResponse again = change.send();
        that(again.getReplayed(), "replayed after a restart", again);
        equal("operation answered to the repetition", done, again.getOperation());
        bench.expectMade();
        bench.change()
                .id(change.id())
                .make(1)
                .refused("an operation id used again", Status.Code.INVALID_ARGUMENT, "OPERATION_ID_REUSED");
    }

    private static void remembersOwners(Bench bench) throws Exception {
        bench.requireRestart();
        Change change = bench.change().make(0);
        change.apply();
        bench.restartDriver();
        var circuit = bench.read().getCircuitsList().stream()
                .filter(c -> c.getKey().equals(bench.layout().circuit(0)))
                .findFirst()
                .orElseThrow(
                        () -> new Unmet(Circuits.text(bench.layout().circuit(0)) + " after the restart", "it is gone"));
        that(!circuit.getForeign() && circuit.getRole().equals(bench.role()), "not foreign", circuit);
        equal("operation_id", change.id(), circuit.getOperationId());
    }

    private static void remembersOverrides(Bench bench) throws Exception {
        bench.requireRestart();
        var unused = bench.override(bench.layout().circuit(0).getEgress(), PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
        bench.restartDriver();
        bench.change().make(0).refused("a port out of service", Status.Code.FAILED_PRECONDITION, "PORT_OUT_OF_SERVICE");
        bench.expectMade();
        var lifted = bench.override(bench.layout().circuit(0).getEgress(), PortOverride.PORT_OVERRIDE_NONE);
        bench.restartDriver();
        bench.change().make(0).apply();
    }

    private static void unconfirmed(Bench bench) throws Exception {
        bench.requireRestart();
        TimeToConfirm.growing(bench, SHORT, time -> {
            Change change = bench.change().confirmWithin(time).make(0);
            if (!Confirmation.applied(change)) {
                return false;
            }
            bench.restartDriver();
            Operation ended = bench.await(
                    "the unconfirmed operation to be rolled back after the restart",
                    () -> bench.operation(change.id()),
                    o -> o.getOutcome() == Outcome.OUTCOME_ROLLED_BACK);
            that(!ended.hasConfirmBefore(), "no confirm_before of what was rolled back", ended);
            bench.expectMade();
            return true;
        });
    }

    private static void operationUnderWay(Bench bench) throws Exception {
        bench.requireRestart();
        if (bench.terms().faults().isPresent()) {
            bench.faults().inject(new Fault.SlowMoves(SLOW_MILLIS));
        }
        String before = bench.read().getObservedDigest();
        Change change = bench.change().make(0).make(1);
        ApplyCircuitsRequest asked = change.request();
        CompletableFuture<Optional<Refusal>> cut = Cut.send(bench, change);
        DeviceCircuits begun = Cut.begun(bench, asked);
        bench.restartDriver();
        var unused = cut.join();
        Optional<Refusal> lost = Refusal.ofCall(() -> {
            var known = bench.operation(change.id());
        });
        that(lost.isEmpty(), "GetOperation to know an operation admitted before the restart", lost);
        Operation told = bench.await(
                "the operation to be resolved",
                () -> bench.operation(change.id()),
                o -> o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS && o.getOutcome() != Outcome.OUTCOME_UNKNOWN);
        DeviceCircuits now = bench.read();
        Cut.expectTrue(bench, asked, before, begun, told, now);
        var read = now.getCircuitsList();
        List<String> shown = Circuits.texts(Circuits.keys(read));
        List<String> connected = Cut.connected(now);
        for (ItemResult item : told.getItemsList()) {
            boolean there = shown.contains(Circuits.text(item.getKey()));
            boolean saysThere = item.getState() == ItemState.ITEM_STATE_CONNECTED;
            boolean saysGone = item.getState() == ItemState.ITEM_STATE_DARK;
            that(
                    !(saysThere && !connected.contains(Circuits.text(item.getKey()))) && !(saysGone && there),
                    "items as read-back shows them: " + shown + ", of which connected " + connected,
                    told);
        }
        ApplyCircuitsResponse again = change.send();
        that(again.getReplayed(), "replayed, not done again", again);
        equal("operation answered to the repetition", told, again.getOperation());
        equal(
                "circuits after the repetition",
                shown,
                Circuits.texts(Circuits.keys(bench.read().getCircuitsList())));
    }

    private static void cancelled(Bench bench) throws Exception {
        bench.requireRestart();
        Confirmation.requireConfirmation(bench);
        Change change = bench.change().confirmWithin(Confirmation.LONG).make(0);
        change.apply();
        Operation cancelled = Confirmation.cancel(bench, change.id());
        bench.restartDriver();
        equal("cancelled operation after the restart", cancelled, bench.operation(change.id()));
        bench.expectMade();
    }

    /** An odd number beyond 63 bits: no floating-point number and no signed one is the same. */
    private static void wideEpochs(Bench bench) throws Exception {
        bench.requireRestart();
        bench.change().apply();
        String role = bench.role() + "-wider";
        long stored = Roles.give(bench, bench.role(), role).getHighestEpoch();
        long epoch = Long.compareUnsigned(stored, Long.MIN_VALUE) < 0 ? Long.MIN_VALUE | 1 : (stored + 1) | 1;
        bench.change().role(role).epoch(epoch).apply();
        bench.restartDriver();
        equal(
                "highest_epoch after the restart",
                Long.toUnsignedString(epoch),
                Long.toUnsignedString(bench.read().getHighestEpoch()));
    }
}
