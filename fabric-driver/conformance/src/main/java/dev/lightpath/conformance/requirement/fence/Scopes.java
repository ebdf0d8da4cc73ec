package dev.lightpath.conformance.requirement.fence;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;

/** Nothing outside a scope is seen or touched. */
public final class Scopes {
    private static final String SECTION = "Scope";

    private Scopes() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "scope/ports-outside",
                        SECTION + "; ERROR_REASON_OUTSIDE_SCOPE",
                        "A circuit that names a port outside the scope is refused",
                        Scopes::portsOutside),
                new Requirement(
                        "scope/half-outside",
                        SECTION + "; ERROR_REASON_OUTSIDE_SCOPE",
                        "A connect is refused when its ingress alone or its egress alone is inside, by a check and a plan too",
                        Scopes::halfOutside),
                new Requirement(
                        "scope/by-ingress",
                        SECTION,
                        "Disconnecting by ingress leaves a circuit whose egress is outside the scope",
                        Scopes::byIngress),
                new Requirement(
                        "scope/names",
                        SECTION,
                        "A port is in a scope by its whole name: one that begins like it is another",
                        Scopes::names),
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
        that(
                List.of(wanted.getIngress(), wanted.getEgress()).contains(refusal.detail("port")),
                "metadata port to name a port of " + Circuits.text(wanted) + ", for both are outside",
                refusal.detail("port"));
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

    private static void halfOutside(Bench bench) {
        CircuitKey wanted = bench.layout().circuit(0);
        CircuitKey other = bench.layout().circuit(1);
        outside(bench, wanted, List.of(wanted.getIngress(), other.getEgress()), wanted.getEgress());
        outside(bench, wanted, List.of(other.getIngress(), wanted.getEgress()), wanted.getIngress());
        bench.expectMade();
    }

    private static void outside(Bench bench, CircuitKey wanted, List<String> ports, String outside) {
        List<Runnable> calls = new ArrayList<>();
        Change change = bench.change().scope(Circuits.scope(ports)).connect(wanted);
        calls.add(() -> {
            var unused = bench.calls().circuits().applyCircuits(change.request());
        });
        if (bench.device().capabilities().getValidateOnly()) {
            Change check =
                    bench.change().scope(Circuits.scope(ports)).connect(wanted).validateOnly();
            calls.add(() -> {
                var unused = bench.calls().circuits().applyCircuits(check.request());
            });
        }
        calls.add(() -> {
            var unused = bench.calls()
                    .circuits()
                    .planCircuits(PlanCircuitsRequest.newBuilder()
                            .setDeviceId(bench.deviceId())
                            .setRole(bench.role())
                            .setScope(Circuits.scope(ports))
                            .addConnects(wanted)
                            .build());
        });
        for (Runnable call : calls) {
            var refusal = refused(
                    Circuits.text(wanted) + " in the scope " + ports,
                    call,
                    Status.Code.INVALID_ARGUMENT,
                    "OUTSIDE_SCOPE");
            equal("metadata port", outside, refusal.detail("port"));
        }
    }

    /** How it is refused is left open: the request names no port outside. */
    private static void byIngress(Bench bench) {
        bench.change().make(0).apply();
        String ingress = bench.layout().circuit(0).getIngress();
        Change change = bench.change().scope(Circuits.scope(List.of(ingress))).disconnect(Circuits.key(ingress, ""));
        var unused = Refusal.ofCall(() -> {
            var answered = bench.calls().circuits().applyCircuits(change.request());
        });
        bench.expectMade(0);
    }

    private static void names(Bench bench) {
        for (int inner = 0; inner < bench.layout().size(); inner++) {
            for (int outer = 0; outer < bench.layout().size(); outer++) {
                CircuitKey longer = bench.layout().circuit(outer);
                for (String shorter : bench.layout().scope(inner).getPortsList()) {
                    if (inner != outer && begins(longer, shorter)) {
                        expectNotInside(bench, outer, shorter);
                        return;
                    }
                }
            }
        }
        throw new Inapplicable("no free port is named as another one begins");
    }

    private static boolean begins(CircuitKey circuit, String name) {
        return circuit.getIngress().startsWith(name) || circuit.getEgress().startsWith(name);
    }

    private static void expectNotInside(Bench bench, int outer, String shorter) {
        Scope scope = Circuits.scope(List.of(shorter));
        CircuitKey longer = bench.layout().circuit(outer);
        bench.change()
                .scope(scope)
                .connect(longer)
                .refused(
                        Circuits.text(longer) + " in the scope of port " + shorter,
                        Status.Code.INVALID_ARGUMENT,
                        "OUTSIDE_SCOPE");
        bench.change().make(outer).apply();
        equal(
                "circuits that touch port " + shorter,
                List.of(),
                Circuits.texts(Circuits.keys(bench.read(scope).getCircuitsList()).stream()
                        .filter(longer::equals)
                        .toList()));
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
        bench.makeAll(0, 1);
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
