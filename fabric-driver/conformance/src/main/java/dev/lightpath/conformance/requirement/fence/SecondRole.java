package dev.lightpath.conformance.requirement.fence;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.Roles;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;

/** What a restart leaves of the operations of a role that was given the device. */
public final class SecondRole {
    private SecondRole() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "crash/operations-of-both-roles",
                        "Idempotency; CircuitService.TransferScope; ApplyCircuitsRequest.operation_id",
                        "After a restart operations of one id are known by each role's own, and replayed for the role that holds the device",
                        SecondRole::operations),
                new Requirement(
                        "crash/fence-of-the-second-role",
                        "Fencing; CircuitService.TransferScope",
                        "A role that was given the device is fenced by its own epoch after a restart, and the role before it stays out",
                        SecondRole::fenced));
    }

    private static String other(Bench bench) {
        return bench.role() + "-other";
    }

    private static Change theirs(Bench bench, long epoch) {
        return bench.change().role(other(bench)).epoch(epoch);
    }

    private static void operations(Bench bench) throws Exception {
        bench.requireRestart();
        Change mine = bench.change().make(0);
        Operation made = mine.apply();
        long epoch = Roles.give(bench, bench.role(), other(bench)).getHighestEpoch() + 1;
        Change theirs = theirs(bench, epoch).id(mine.id()).make(1);
        Operation next = theirs.apply();
        theirs(bench, epoch).unmake(1).apply();
        bench.restartDriver();
        expectKnown(bench, other(bench), next);
        expectKnown(bench, bench.role(), made);
        expectReplayed(theirs, next);
        bench.expectMade(0);
        var unused = Roles.give(bench, other(bench), bench.role());
        expectReplayed(mine, made);
        expectKnown(bench, other(bench), next);
        bench.expectMade(0);
    }

    private static void expectKnown(Bench bench, String role, Operation before) {
        Optional<Refusal> lost = Refusal.ofCall(() -> equal(
                "operation of role " + role + " after the restart",
                before,
                bench.operation(role, before.getOperationId())));
        that(lost.isEmpty(), "GetOperation to know the operation of role " + role + " after a restart", lost);
    }

    private static void expectReplayed(Change change, Operation before) {
        ApplyCircuitsResponse again = change.send();
        that(again.getReplayed(), "replayed after a restart", again);
        equal("operation answered to the repetition", before, again.getOperation());
    }

    private static void fenced(Bench bench) throws Exception {
        bench.requireRestart();
        bench.raiseEpoch();
        bench.change().make(0).apply();
        long lower = Roles.give(bench, bench.role(), other(bench)).getHighestEpoch() + 1;
        theirs(bench, lower + 1).make(1).apply();
        bench.restartDriver();
        Refusal stale = theirs(bench, lower)
                .unmake(1)
                .refused(
                        "a lower epoch of the role that was given the device",
                        Status.Code.PERMISSION_DENIED,
                        "STALE_EPOCH");
        equal("metadata stored_epoch", Long.toUnsignedString(lower + 1), stale.detail("stored_epoch"));
        bench.change()
                .epoch(bench.epoch() + 1000)
                .unmake(0)
                .refused("the role that gave the device away", Status.Code.PERMISSION_DENIED, "FOREIGN_ROLE");
        bench.expectMade(0, 1);
        expectRole(bench, 0, bench.role());
        expectRole(bench, 1, other(bench));
        theirs(bench, lower + 1).unmake(1).apply();
        bench.expectMade(0);
    }

    private static void expectRole(Bench bench, int lane, String role) {
        var key = bench.layout().circuit(lane);
        equal(
                "role that made " + Circuits.text(key) + ", after the restart,",
                role,
                bench.read().getCircuitsList().stream()
                        .filter(c -> c.getKey().equals(key))
                        .findFirst()
                        .orElseThrow(() -> new Unmet(Circuits.text(key) + " after the restart", "it is gone"))
                        .getRole());
    }
}
