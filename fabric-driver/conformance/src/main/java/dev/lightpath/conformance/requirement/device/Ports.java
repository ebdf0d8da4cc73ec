package dev.lightpath.conformance.requirement.device;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import io.grpc.Status;
import java.util.List;

/** No port is used twice, whatever the device would allow. */
public final class Ports {
    private static final String SECTION = "Ports";
    private static final String NOWHERE = "no-such-port";

    /** Whatever a change may break, these are all that may be said of it. */
    public static final List<ConflictPolicy> POLICIES = List.of(
            ConflictPolicy.CONFLICT_POLICY_UNSPECIFIED,
            ConflictPolicy.CONFLICT_POLICY_SAFE,
            ConflictPolicy.CONFLICT_POLICY_UPDATE,
            ConflictPolicy.CONFLICT_POLICY_OVERWRITE);

    private Ports() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "ports/egress-twice-in-a-request",
                        SECTION,
                        "A request that uses an egress twice is refused",
                        Ports::egressTwice),
                new Requirement(
                        "ports/ingress-twice-in-a-request",
                        SECTION,
                        "A request that uses an ingress twice is refused",
                        Ports::ingressTwice),
                new Requirement(
                        "ports/both-ways-in-a-request",
                        SECTION,
                        "On a one-sided device the ingress and the egress of one name are the same port",
                        Ports::bothWays),
                new Requirement(
                        "ports/both-ways-in-use",
                        SECTION + "; CONFLICT_POLICY_SAFE",
                        "On a one-sided device a port that light leaves at is not given to light that enters",
                        Ports::bothWaysInUse),
                new Requirement(
                        "ports/itself", SECTION, "On a one-sided device no port is connected to itself", Ports::itself),
                new Requirement(
                        "ports/egress-in-use",
                        SECTION + "; CONFLICT_POLICY_SAFE",
                        "An egress that carries a circuit is not given to another",
                        Ports::egressInUse),
                new Requirement(
                        "ports/ingress-in-use",
                        SECTION + "; CONFLICT_POLICY_SAFE",
                        "An ingress that carries a circuit is not given to another",
                        Ports::ingressInUse),
                new Requirement(
                        "ports/unknown-port",
                        "ERROR_REASON_NO_SUCH_PORT",
                        "A port the device does not have is refused",
                        Ports::unknownPort),
                new Requirement(
                        "ports/wrong-side",
                        "ERROR_REASON_NO_SUCH_PORT",
                        "Light cannot enter at an egress port or leave at an ingress port",
                        Ports::wrongSide),
                new Requirement(
                        "conflict/update-replaces-own",
                        "CONFLICT_POLICY_UPDATE",
                        "UPDATE breaks circuits of the caller's role that are in the way, and says so",
                        Ports::updateReplacesOwn),
                new Requirement(
                        "conflict/update-replaces-both",
                        "CONFLICT_POLICY_UPDATE, CONFLICT_POLICY_OVERWRITE; Ports",
                        "UPDATE and OVERWRITE break two circuits where one has the ingress and another the egress that is wanted",
                        Ports::updateReplacesBoth),
                new Requirement(
                        "conflict/implied-last",
                        "Operation.items",
                        "Disconnects that the policy adds come after those that were asked for",
                        Ports::impliedLast));
    }

    private static void egressTwice(Bench bench) {
        expectTwice(
                bench, bench.layout().crossing(1, 0), bench.layout().circuit(0).getEgress(), "an egress");
    }

    private static void ingressTwice(Bench bench) {
        expectTwice(
                bench, bench.layout().alternative(0), bench.layout().circuit(0).getIngress(), "an ingress");
    }

    private static void expectTwice(Bench bench, CircuitKey second, String port, String what) {
        for (ConflictPolicy policy : POLICIES) {
            var refusal = bench.change()
                    .policy(policy)
                    .make(0)
                    .connect(second)
                    .refused(what + " used twice, by " + policy, Status.Code.INVALID_ARGUMENT, "PORT_USED_TWICE");
            equal("metadata port", port, refusal.detail("port"));
        }
        bench.expectMade();
    }

    private static void bothWays(Bench bench) {
        bench.change()
                .make(0)
                .connect(bench.layout().backwards(0, 1))
                .refused("a port used as ingress and as egress", Status.Code.INVALID_ARGUMENT, "PORT_USED_TWICE");
        bench.expectMade();
    }

    private static void bothWaysInUse(Bench bench) {
        bench.change().make(0).apply();
        CircuitKey second = bench.layout().backwards(0, 1);
        var refusal = bench.change()
                .connect(second)
                .refused(
                        Circuits.text(second) + " while "
                                + Circuits.text(bench.layout().circuit(0)) + " is there",
                        Status.Code.FAILED_PRECONDITION,
                        "PORT_IN_USE");
        equal("metadata egress", bench.layout().circuit(0).getEgress(), refusal.detail("egress"));
        bench.expectMade(0);
    }

    private static void itself(Bench bench) {
        String port = bench.layout().backwards(0, 1).getIngress();
        bench.change()
                .connect(Circuits.key(port, port))
                .refused("a port connected to itself", Status.Code.INVALID_ARGUMENT, "PORT_USED_TWICE");
        bench.expectMade();
    }

    private static void egressInUse(Bench bench) {
        bench.change().make(0).apply();
        CircuitKey second = bench.layout().crossing(1, 0);
        for (ConflictPolicy policy :
                List.of(ConflictPolicy.CONFLICT_POLICY_UNSPECIFIED, ConflictPolicy.CONFLICT_POLICY_SAFE)) {
            var refusal = bench.change()
                    .connect(second)
                    .policy(policy)
                    .refused(
                            Circuits.text(second) + " while "
                                    + Circuits.text(bench.layout().circuit(0)) + " is there",
                            Status.Code.FAILED_PRECONDITION,
                            "PORT_IN_USE");
            equal("metadata port", second.getEgress(), refusal.detail("port"));
            equal("metadata ingress", bench.layout().circuit(0).getIngress(), refusal.detail("ingress"));
            equal("metadata egress", second.getEgress(), refusal.detail("egress"));
        }
        bench.expectMade(0);
    }

    private static void ingressInUse(Bench bench) {
        bench.change().make(0).apply();
        var refusal = bench.change()
                .connect(bench.layout().alternative(0))
                .refused("a second circuit of an ingress", Status.Code.FAILED_PRECONDITION, "PORT_IN_USE");
        equal("metadata port", bench.layout().circuit(0).getIngress(), refusal.detail("port"));
        bench.expectMade(0);
    }

    private static void unknownPort(Bench bench) {
        String ingress = bench.layout().circuit(0).getIngress();
        String egress = bench.layout().circuit(0).getEgress();
        expectUnknown(bench.change().connect(Circuits.key(ingress, NOWHERE)), "an unknown egress");
        expectUnknown(bench.change().connect(Circuits.key(NOWHERE, egress)), "an unknown ingress");
    }

    private static void expectUnknown(Change change, String what) {
        var refusal = change.edit(r -> r.getScopeBuilder().clear().setAllPorts(true))
                .refused(what, Status.Code.INVALID_ARGUMENT, "NO_SUCH_PORT");
        equal("metadata port", NOWHERE, refusal.detail("port"));
    }

    private static void wrongSide(Bench bench) {
        if (!bench.device().isTwoSided() && !bench.device().isSelector()) {
            throw new Inapplicable("the device is one-sided: any port may meet any other");
        }
        CircuitKey way = bench.layout().circuit(0);
        if (bench.device().isBothWays(way.getIngress()) && bench.device().isBothWays(way.getEgress())) {
            throw new Inapplicable("light may enter and leave at each port of " + Circuits.text(way));
        }
        bench.change()
                .connect(Circuits.key(way.getEgress(), way.getIngress()))
                .refused("a circuit against the ports' sides", Status.Code.INVALID_ARGUMENT, "NO_SUCH_PORT");
    }

    private static void updateReplacesOwn(Bench bench) {
        bench.change().make(0).apply();
        CircuitKey next = bench.layout().alternative(0);
        Operation moved = bench.change()
                .policy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .connect(next)
                .apply();
        that(
                moved.getItemsList().stream()
                        .anyMatch(i -> i.getImplied()
                                && i.getKey().equals(bench.layout().circuit(0))),
                "an implied disconnect of " + Circuits.text(bench.layout().circuit(0)),
                moved);
        bench.expectShown(next);
    }

    private static void updateReplacesBoth(Bench bench) {
        expectReplacesBoth(bench, ConflictPolicy.CONFLICT_POLICY_UPDATE);
        bench.change().disconnect(bench.layout().crossing(0, 1)).apply();
        expectReplacesBoth(bench, ConflictPolicy.CONFLICT_POLICY_OVERWRITE);
    }

    private static void expectReplacesBoth(Bench bench, ConflictPolicy policy) {
        CircuitKey wanted = bench.layout().crossing(0, 1);
        bench.change().make(0).make(1).apply();
        Operation moved = bench.change().policy(policy).connect(wanted).apply();
        equal(
                "circuits broken for " + Circuits.text(wanted) + " by " + policy,
                Circuits.texts(List.of(bench.layout().circuit(0), bench.layout().circuit(1))),
                Circuits.texts(moved.getItemsList().stream()
                        .filter(ItemResult::getImplied)
                        .map(ItemResult::getKey)
                        .toList()));
        bench.expectShown(wanted);
    }

    private static void impliedLast(Bench bench) {
        bench.change().make(0).make(1).apply();
        Operation moved = bench.change()
                .policy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .unmake(1)
                .connect(bench.layout().alternative(0))
                .apply();
        equal(
                "disconnects, those the policy added last,",
                List.of(
                        Circuits.text(bench.layout().circuit(1)),
                        Circuits.text(bench.layout().circuit(0)) + ", implied"),
                moved.getItemsList().stream()
                        .filter(i -> i.getAction() == ItemAction.ITEM_ACTION_DISCONNECT)
                        .map(i -> Circuits.text(i.getKey()) + (i.getImplied() ? ", implied" : ""))
                        .toList());
    }
}
