package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;

/** Circuits that the policy breaks, not the request. */
public final class Implied {
    private Implied() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "conflict/power-on-position",
                        "CONFLICT_POLICY_SAFE, CONFLICT_POLICY_UPDATE; Circuit.role",
                        "SAFE does not break the position a transceiver powers on in, and UPDATE does, for it is nobody's",
                        Implied::powerOnPosition),
                new Requirement(
                        "partial/all-or-nothing-implied",
                        "ATOMICITY_ALL_OR_NOTHING; CONFLICT_POLICY_UPDATE; Circuit.foreign",
                        "All or nothing puts back what the policy broke too, and it is its maker's as before",
                        Implied::allOrNothing));
    }

    private static void powerOnPosition(Bench bench) {
        CircuitKey rest = bench.layout()
                .rest(0)
                .orElseThrow(() -> new Inapplicable("a switch has no position that it powers on in"));
        CircuitKey wanted = bench.layout().circuit(0);
        bench.change()
                .connect(wanted)
                .policy(ConflictPolicy.CONFLICT_POLICY_SAFE)
                .refused(
                        Circuits.text(wanted) + ", by SAFE, while " + Circuits.text(rest) + " is there",
                        Status.Code.FAILED_PRECONDITION,
                        "PORT_IN_USE");
        bench.expectMade();
        Operation moved = bench.change()
                .connect(wanted)
                .policy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .apply();
        that(
                moved.getItemsList().stream()
                        .anyMatch(i -> i.getImplied() && i.getKey().equals(rest)),
                "an implied disconnect of " + Circuits.text(rest),
                moved);
        bench.expectMade(0);
    }

    private static void allOrNothing(Bench bench) throws Exception {
        bench.change().make(0).apply();
        CircuitKey kept = bench.layout().circuit(0);
        CircuitKey dead = bench.failing();
        String before = bench.read().getObservedDigest();
        Change change = bench.change()
                .allOrNothing()
                .policy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .connect(bench.layout().alternative(0))
                .makeInstead(1, dead);
        Operation undone = change.send().getOperation();
        that(
                undone.getOutcome() == Outcome.OUTCOME_ROLLED_BACK || undone.getOutcome() == Outcome.OUTCOME_REJECTED,
                "outcome ROLLED_BACK, or REJECTED when nothing was changed",
                undone);
        equal("digest after the roll-back", before, bench.read().getObservedDigest());
        equal("observed_digest", before, undone.getObservedDigest());
        Optional<ItemResult> implied = undone.getItemsList().stream()
                .filter(i -> i.getImplied() && i.getKey().equals(kept))
                .findFirst();
        that(implied.isPresent(), "an implied disconnect of " + Circuits.text(kept), undone);
        bench.expectMade(0);
        var back = bench.read().getCircuitsList().stream()
                .filter(c -> c.getKey().equals(kept))
                .findFirst()
                .orElseThrow(() -> new Unmet(Circuits.text(kept) + " put back", "it is gone"));
        that(
                !back.getForeign() && back.getRole().equals(bench.role()),
                "not foreign, and of role " + bench.role() + ", for the driver put it back",
                back);
    }
}
