package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A device has one writing role. */
public final class Roles {
    private static final long BEYOND_32_BITS = 1L << 32;
    private static final long BEYOND_63_BITS = Long.MIN_VALUE;

    private Roles() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "roles/another-role",
                        "Fencing; ERROR_REASON_FOREIGN_ROLE",
                        "Another role is refused, however high its epoch",
                        Roles::anotherRole),
                new Requirement(
                        "roles/every-write",
                        "Fencing; ERROR_REASON_FOREIGN_ROLE",
                        "ConfirmOperation, CancelOperation and SetPortOverride of another role are refused too",
                        Roles::everyWrite),
                new Requirement(
                        "roles/transfer",
                        "CircuitService.TransferScope",
                        "After TransferScope the new role writes and the old one does not; circuits stay",
                        Roles::transfer),
                new Requirement(
                        "roles/ids-of-their-own",
                        "ApplyCircuitsRequest.operation_id",
                        "Operation ids are names within a role: another role's same id is another operation",
                        Roles::idsOfTheirOwn),
                new Requirement(
                        "roles/update-spares-others",
                        "CONFLICT_POLICY_UPDATE, CONFLICT_POLICY_OVERWRITE",
                        "UPDATE does not break a circuit another role made; OVERWRITE does",
                        Roles::spared),
                new Requirement(
                        "roles/epochs-of-their-own",
                        "CircuitService.TransferScope",
                        "Epochs compare within a role: each keeps its own highest through transfers",
                        Roles::epochsOfTheirOwn),
                new Requirement(
                        "roles/wide-epochs",
                        "Fencing.epoch",
                        "Epochs are unsigned numbers of 64 bits, and compare as such",
                        Roles::wideEpochs),
                new Requirement(
                        "roles/transfer-from-another",
                        "TransferScopeRequest.from_role",
                        "A transfer from a role that does not hold the device, or to nobody, is refused",
                        Roles::transferFromAnother));
    }

    private static String other(Bench bench) {
        return bench.role() + "-other";
    }

    public static TransferScopeResponse give(Bench bench, String from, String to) {
        return give(
                bench,
                TransferScopeRequest.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setFromRole(from)
                        .setToRole(to)
                        .build());
    }

    public static TransferScopeResponse give(Bench bench, String from, String to, long highestEpoch) {
        return give(
                bench,
                TransferScopeRequest.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setFromRole(from)
                        .setToRole(to)
                        .setHighestEpoch(highestEpoch)
                        .build());
    }

    private static TransferScopeResponse give(Bench bench, TransferScopeRequest request) {
        try {
            return bench.calls().circuits().transferScope(request);
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.PERMISSION_DENIED) {
                throw new Inapplicable("TransferScope is not allowed to the kit's certificate: it needs admin");
            }
            throw e;
        }
    }

    private static void anotherRole(Bench bench) {
        bench.change().make(0).apply();
        Refusal refusal = bench.change()
                .role(other(bench))
                .epoch(bench.epoch() + 1000)
                .make(1)
                .refused("another role", Status.Code.PERMISSION_DENIED, "FOREIGN_ROLE");
        equal("metadata holding_role", bench.role(), refusal.detail("holding_role"));
        bench.expectMade(0);
    }

    private static void everyWrite(Bench bench) {
        bench.change().apply();
        Fencing theirs = bench.fencing().toBuilder()
                .setRole(other(bench))
                .setEpoch(bench.epoch() + 1000)
                .build();
        FencedCall.all(bench)
                .forEach(call -> refused(
                        call + " of another role",
                        () -> call.send(bench, theirs),
                        Status.Code.PERMISSION_DENIED,
                        "FOREIGN_ROLE"));
        equal("holding_role", bench.role(), bench.read().getHoldingRole());
    }

    /** Each played by a role of its own, which has shown no epoch yet: any may be the first. */
    private static void wideEpochs(Bench bench) {
        bench.change().apply();
        String holding = bench.role();
        for (Map.Entry<String, Long> each :
                List.of(Map.entry("-wide", BEYOND_32_BITS), Map.entry("-wider", BEYOND_63_BITS))) {
            String role = bench.role() + each.getKey();
            long stored = give(bench, holding, role).getHighestEpoch();
            holding = role;
            long epoch = Long.compareUnsigned(stored, each.getValue()) < 0 ? each.getValue() : stored + 1;
            bench.change().role(role).epoch(epoch).apply();
            equal(
                    "highest_epoch",
                    Long.toUnsignedString(epoch),
                    Long.toUnsignedString(bench.read().getHighestEpoch()));
            Refusal refusal = bench.change()
                    .role(role)
                    .epoch(epoch - 1)
                    .refused(
                            "epoch " + Long.toUnsignedString(epoch - 1) + " after " + Long.toUnsignedString(epoch),
                            Status.Code.PERMISSION_DENIED,
                            "STALE_EPOCH");
            equal("metadata stored_epoch", Long.toUnsignedString(epoch), refusal.detail("stored_epoch"));
        }
    }

    private static void transfer(Bench bench) {
        bench.change().make(0).apply();
        var given = give(bench, bench.role(), other(bench));
        equal("holding_role", other(bench), given.getHoldingRole());
        equal("holding_role of a reading", other(bench), bench.read().getHoldingRole());
        bench.expectMade(0);
        bench.change()
                .epoch(bench.epoch() + 1)
                .make(1)
                .refused("the role that gave the device away", Status.Code.PERMISSION_DENIED, "FOREIGN_ROLE");
        bench.change()
                .role(other(bench))
                .epoch(given.getHighestEpoch() + 1)
                .make(1)
                .apply();
        bench.expectMade(0, 1);
        equal(
                "roles whose operations made the circuits",
                Map.of(
                        Circuits.text(bench.layout().circuit(0)), bench.role(),
                        Circuits.text(bench.layout().circuit(1)), other(bench)),
                bench.read().getCircuitsList().stream()
                        .filter(c -> c.getKey().equals(bench.layout().circuit(0))
                                || c.getKey().equals(bench.layout().circuit(1)))
                        .collect(Collectors.toMap(c -> Circuits.text(c.getKey()), c -> c.getRole())));
    }

    private static void idsOfTheirOwn(Bench bench) {
        Change mine = bench.change().make(0);
        mine.apply();
        long epoch = give(bench, bench.role(), other(bench)).getHighestEpoch() + 1;
        var theirs = bench.change()
                .role(other(bench))
                .epoch(epoch)
                .id(mine.id())
                .make(1)
                .send();
        that(!theirs.getReplayed(), "an operation of its own for another role's same id", theirs);
        bench.expectMade(0, 1);
        equal(
                "operations of one id, by role",
                List.of(bench.role(), other(bench)),
                Stream.of(bench.role(), other(bench))
                        .map(role ->
                                bench.operation(role, mine.id()).getFencing().getRole())
                        .toList());
    }

    private static void spared(Bench bench) {
        bench.change().make(0).apply();
        long epoch = give(bench, bench.role(), other(bench)).getHighestEpoch() + 1;
        CircuitKey wanted = bench.layout().alternative(0);
        bench.change()
                .role(other(bench))
                .epoch(epoch)
                .policy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .connect(wanted)
                .refused("breaking another role's circuit by UPDATE", Status.Code.FAILED_PRECONDITION, "PORT_IN_USE");
        bench.expectMade(0);
        bench.change()
                .role(other(bench))
                .epoch(epoch)
                .policy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                .connect(wanted)
                .apply();
        bench.expectShown(wanted);
    }

    private static void epochsOfTheirOwn(Bench bench) {
        bench.raiseEpoch();
        bench.change().apply();
        long mine = bench.epoch();
        long theirs = give(bench, bench.role(), other(bench)).getHighestEpoch() + 1;
        bench.change().role(other(bench)).epoch(theirs).apply();
        equal(
                "highest_epoch of the role that gets its device back",
                mine,
                give(bench, other(bench), bench.role()).getHighestEpoch());
        bench.change()
                .epoch(mine - 1)
                .make(0)
                .refused("a lower epoch after two transfers", Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
        equal(
                "highest_epoch of the other role, given the device again",
                theirs,
                give(bench, bench.role(), other(bench)).getHighestEpoch());
    }

    private static void transferFromAnother(Bench bench) {
        var refusal = Refusal.ofCall(() -> {
            var unused = give(bench, bench.role(), bench.role());
        });
        refusal.ifPresent(r -> {
            throw new Inapplicable("TransferScope is refused: " + r);
        });
        Optional<Refusal> fromAnother = Refusal.ofCall(() -> {
            var unused = give(bench, other(bench), "lightpath-conformance-third");
        });
        that(
                fromAnother
                        .filter(r -> r.code() == Status.Code.FAILED_PRECONDITION)
                        .isPresent(),
                "a transfer from a role that does not hold the device to be refused with FAILED_PRECONDITION",
                fromAnother);
        var nobody = refused(
                "a transfer to nobody",
                () -> {
                    var unused = give(bench, bench.role(), "");
                },
                Status.Code.INVALID_ARGUMENT,
                "MALFORMED");
        nobody.expectField("to_role");
        Optional<Refusal> fromNobody = Refusal.ofCall(() -> {
            var unused = give(bench, "", other(bench));
        });
        that(
                fromNobody
                        .filter(r ->
                                r.code() == Status.Code.FAILED_PRECONDITION || r.code() == Status.Code.INVALID_ARGUMENT)
                        .isPresent(),
                "a transfer from nobody of a device that is held to be refused with FAILED_PRECONDITION or INVALID_ARGUMENT",
                fromNobody);
        equal("holding_role", bench.role(), bench.read().getHoldingRole());
    }
}
