package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import io.grpc.Status;
import java.util.List;

/** Nothing outside a scope is seen or touched. */
final class Scopes {
    private static final String SECTION = "Scope";

    private Scopes() {}

    static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "scope/ports-outside",
                        SECTION + "; ERROR_REASON_OUTSIDE_SCOPE",
                        "A circuit that names a port outside the scope is refused",
                        Scopes::portsOutside),
                new Requirement(
                        "scope/circuits-outside",
                        SECTION + "; CONFLICT_POLICY_OVERWRITE",
                        "A circuit that leaves the scope is not broken, neither by UPDATE nor by OVERWRITE",
                        Scopes::circuitsOutside),
                new Requirement(
                        "scope/others-stay",
                        SECTION,
                        "A change in one scope leaves the circuits of another as they are",
                        Scopes::othersStay),
                new Requirement(
                        "scope/reading",
                        "DeviceScope.scope",
                        "Reading a scope shows the circuits that touch it, and its digest covers only these",
                        Scopes::reading),
                new Requirement(
                        "scope/empty",
                        SECTION + "; ERROR_REASON_MALFORMED",
                        "A write without a scope, or with all_ports and names, is refused",
                        Scopes::empty));
    }

    private static void portsOutside(Bench bench) {
        CircuitKey wanted = bench.layout().circuit(0);
        var refusal = bench.change()
                .scope(bench.layout().scope(1))
                .connect(wanted)
                .refused("a circuit outside the scope", Status.Code.INVALID_ARGUMENT, "OUTSIDE_SCOPE");
        equal("metadata port", wanted.getIngress(), refusal.detail("port"));
        bench.expectMade();
        bench.change().make(0).apply();
        var half = bench.change()
                .scope(Circuits.scope(List.of(wanted.getIngress())))
                .disconnect(wanted)
                .refused(
                        "a disconnect whose egress is outside the scope",
                        Status.Code.INVALID_ARGUMENT,
                        "OUTSIDE_SCOPE");
        equal("metadata port", wanted.getEgress(), half.detail("port"));
        bench.expectMade(0);
    }

    private static void circuitsOutside(Bench bench) {
        bench.change().make(0).apply();
        CircuitKey wanted = bench.layout().crosses()
                ? bench.layout().crossing(1, 0)
                : bench.layout().alternative(0);
        for (ConflictPolicy policy :
                List.of(ConflictPolicy.CONFLICT_POLICY_UPDATE, ConflictPolicy.CONFLICT_POLICY_OVERWRITE)) {
            bench.change()
                    .scope(Circuits.scope(List.of(wanted.getIngress(), wanted.getEgress())))
                    .policy(policy)
                    .connect(wanted)
                    .refused(
                            Circuits.text(wanted) + ", by " + policy
                                    + ", in the way of a circuit that leaves the scope",
                            Status.Code.FAILED_PRECONDITION,
                            "PORT_IN_USE");
        }
        bench.expectMade(0);
    }

    private static void othersStay(Bench bench) {
        bench.change().make(0).apply();
        String before = bench.read(bench.layout().scope(1)).getObservedDigest();
        Operation done = bench.change().scope(bench.layout().scope(1)).make(1).apply();
        bench.expectMade(0, 1);
        equal("before_digest of the operation's scope", before, done.getBeforeDigest());
        equal(
                "digest of the operation's scope",
                bench.read(bench.layout().scope(1)).getObservedDigest(),
                done.getObservedDigest());
        bench.change().scope(bench.layout().scope(1)).unmake(1).apply();
        bench.expectMade(0);
    }

    private static void reading(Bench bench) {
        bench.change().make(0).make(1).apply();
        DeviceCircuits read = bench.read(bench.layout().scope(1));
        List<CircuitKey> keys = Circuits.keys(read.getCircuitsList());
        equal("circuits of the scope", List.of(Circuits.text(bench.layout().circuit(1))), Circuits.texts(keys));
        equal("digest of the scope", Circuits.digest(keys), read.getObservedDigest());
        DeviceCircuits half =
                bench.read(Circuits.scope(List.of(bench.layout().circuit(0).getEgress())));
        equal(
                "circuits that touch one port",
                List.of(Circuits.text(bench.layout().circuit(0))),
                Circuits.texts(Circuits.keys(half.getCircuitsList())));
    }

    private static void empty(Bench bench) {
        bench.change()
                .scope(Scope.getDefaultInstance())
                .make(0)
                .refused("a write without a scope", Status.Code.INVALID_ARGUMENT, "MALFORMED");
        bench.change()
                .scope(bench.layout().scope().toBuilder().setAllPorts(true).build())
                .make(0)
                .refused("all_ports together with names", Status.Code.INVALID_ARGUMENT, "MALFORMED");
        String port = bench.layout().ports().getFirst();
        bench.change()
                .scope(Circuits.scope(List.of(port, port)))
                .refused("a port named twice in the scope", Status.Code.INVALID_ARGUMENT, "MALFORMED");
        bench.expectMade();
    }
}
