package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import java.util.List;
import java.util.Set;

/** Circuits that the device does not break. */
public final class Stuck {
    private static final Set<ItemState> NOT_MADE =
            Set.of(ItemState.ITEM_STATE_NOT_ATTEMPTED, ItemState.ITEM_STATE_FAILED, ItemState.ITEM_STATE_ROLLED_BACK);

    private Stuck() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "partial/stuck",
                        "Truth; ITEM_STATE_DARK",
                        "A disconnect that the device refuses is not DARK and its change not APPLIED, and read-back still has the circuit",
                        Stuck::disconnect),
                new Requirement(
                        "partial/stuck-in-the-way",
                        "Breaks; Ports; ItemResult.started_at",
                        "A connect that needs a port of a circuit that could not be broken is not made, and a switch is not asked for it",
                        Stuck::inTheWay),
                new Requirement(
                        "partial/stuck-all-or-nothing",
                        "ATOMICITY_ALL_OR_NOTHING",
                        "When a disconnect fails under ALL_OR_NOTHING everything is as it was in the end",
                        Stuck::allOrNothing));
    }

    private static void stick(Bench bench, String port) throws Exception {
        bench.faults().inject(new Fault.StuckElement(port));
    }

    private static void disconnect(Bench bench) throws Exception {
        CircuitKey stuck = bench.layout().circuit(0);
        bench.change().make(0).apply();
        stick(bench, stuck.getEgress());
        Operation failed = bench.change().unmake(0).send().getOperation();
        expectKept(bench, failed, stuck);
        equal("operation as GetOperation has it", failed, bench.operation(failed.getOperationId()));
        equal("observed_digest", bench.read().getObservedDigest(), failed.getObservedDigest());
    }

    /** By its ingress, and on a switch by its egress too: no known device stops one egress from being used twice. */
    private static void inTheWay(Bench bench) throws Exception {
        CircuitKey stuck = bench.layout().circuit(0);
        bench.change().make(0).apply();
        stick(bench, stuck.getEgress());
        expectInTheWay(bench, stuck, bench.layout().alternative(0));
        if (bench.layout().crosses()) {
            bench.faults().mend();
            stick(bench, stuck.getIngress());
            expectInTheWay(bench, stuck, bench.layout().crossing(1, 0));
        }
    }

    private static void expectInTheWay(Bench bench, CircuitKey stuck, CircuitKey wanted) {
        Operation failed =
                bench.change().disconnect(stuck).connect(wanted).send().getOperation();
        expectKept(bench, failed, stuck);
        ItemResult item = Failure.item(failed, wanted);
        that(
                NOT_MADE.contains(item.getState()) && item.getReason() != ItemReason.ITEM_REASON_UNSPECIFIED,
                Circuits.text(wanted) + " NOT_ATTEMPTED, FAILED or ROLLED_BACK, with a reason, while "
                        + Circuits.text(stuck) + " is there",
                item);
        if (bench.layout().crosses()) {
            that(
                    !item.hasStartedAt(),
                    "no started_at, for the device is not asked for " + Circuits.text(wanted) + " while "
                            + Circuits.text(stuck) + " is there",
                    item);
        }
    }

    private static void allOrNothing(Bench bench) throws Exception {
        CircuitKey stuck = bench.layout().circuit(0);
        bench.change().make(0).make(1).apply();
        String before = bench.read().getObservedDigest();
        stick(bench, stuck.getEgress());
        Operation undone = bench.change()
                .allOrNothing()
                .unmake(0)
                .disconnect(bench.layout().circuit(1))
                .connect(bench.layout().alternative(1))
                .send()
                .getOperation();
        requireHeld(bench, undone, stuck);
        that(
                undone.getOutcome() == Outcome.OUTCOME_ROLLED_BACK || undone.getOutcome() == Outcome.OUTCOME_REJECTED,
                "outcome ROLLED_BACK, or REJECTED when nothing was changed",
                undone);
        equal("digest after a disconnect that failed", before, bench.read().getObservedDigest());
        equal("observed_digest", before, undone.getObservedDigest());
        undone.getItemsList()
                .forEach(item -> that(
                        NOT_MADE.contains(item.getState()) && item.getReason() != ItemReason.ITEM_REASON_UNSPECIFIED,
                        "every item NOT_ATTEMPTED, FAILED or ROLLED_BACK, with a reason, for all is as it was",
                        item));
        bench.expectMade(0, 1);
    }

    /** The circuit 0 alone is there, and the driver says so. */
    private static void expectKept(Bench bench, Operation failed, CircuitKey stuck) {
        requireHeld(bench, failed, stuck);
        that(
                failed.getOutcome() == Outcome.OUTCOME_REJECTED || failed.getOutcome() == Outcome.OUTCOME_PARTIAL,
                "outcome REJECTED, or PARTIAL when something changed",
                failed);
        ItemResult item = Failure.item(failed, stuck);
        that(
                item.getState() == ItemState.ITEM_STATE_FAILED
                        && item.getReason() != ItemReason.ITEM_REASON_UNSPECIFIED,
                "the disconnect of " + Circuits.text(stuck) + " FAILED, with a reason",
                item);
        bench.expectMade(0);
    }

    /** @throws Inapplicable when the circuit was broken all the same, and the driver says so */
    private static void requireHeld(Bench bench, Operation done, CircuitKey stuck) {
        if (Failure.item(done, stuck).getState() == ItemState.ITEM_STATE_DARK
                && !bench.shown().contains(Circuits.text(stuck))) {
            throw new Inapplicable("the device broke " + Circuits.text(stuck) + " although its element was stuck");
        }
    }
}
