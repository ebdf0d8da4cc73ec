package dev.lightpath.conformance.requirement.fence;

import static dev.lightpath.conformance.bench.Expect.equal;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Expect;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import io.grpc.Status;
import java.util.List;

/** PlanCircuits says what ApplyCircuits would do. */
public final class Foretelling {
    private static final String SECTION = "CircuitService.PlanCircuits";

    private Foretelling() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "plan/comes-true",
                        SECTION,
                        "A plan changes nothing, and the change does what it said, implied disconnects included",
                        Foretelling::comesTrue),
                new Requirement(
                        "plan/already",
                        "PlanCircuitsResponse.items",
                        "A plan names what is already so, and marks it ALREADY",
                        Foretelling::already),
                new Requirement(
                        "plan/refuses",
                        SECTION,
                        "A plan is refused for what the change would be refused for",
                        Foretelling::refuses));
    }

    static PlanCircuitsResponse plan(Bench bench, CircuitKey wanted, String role) {
        return bench.calls()
                .circuits()
                .planCircuits(request(bench, wanted, role)
                        .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                        .build());
    }

    private static PlanCircuitsRequest.Builder request(Bench bench, CircuitKey wanted, String role) {
        return PlanCircuitsRequest.newBuilder()
                .setDeviceId(bench.deviceId())
                .setRole(role)
                .setScope(bench.layout().scope())
                .addConnects(wanted);
    }

    private static void comesTrue(Bench bench) {
        bench.change().make(0).apply();
        CircuitKey wanted = bench.layout().alternative(0);
        PlanCircuitsResponse plan = plan(bench, wanted, bench.role());
        equal(
                "planned items",
                List.of(Circuits.text(bench.layout().circuit(0)), Circuits.text(wanted)),
                plan.getItemsList().stream().map(i -> Circuits.text(i.getKey())).toList());
        bench.expectMade(0);
        Operation done = bench.change()
                .policy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                .expecting(plan.getObservedDigest())
                .connect(wanted)
                .apply();
        equal("planned_digest", plan.getPlannedDigest(), done.getObservedDigest());
    }

    private static void already(Bench bench) {
        bench.change().make(0).apply();
        PlanCircuitsResponse plan = plan(bench, bench.layout().circuit(0), bench.role());
        equal(
                "planned items for what is there",
                List.of(Circuits.text(bench.layout().circuit(0)) + " " + ItemReason.ITEM_REASON_ALREADY),
                plan.getItemsList().stream()
                        .map(i -> Circuits.text(i.getKey()) + " " + i.getReason())
                        .toList());
        equal("planned_digest", plan.getObservedDigest(), plan.getPlannedDigest());
    }

    private static void refuses(Bench bench) {
        bench.change().make(0).apply();
        CircuitKey wanted = bench.layout().alternative(0);
        refused(bench, "a plan for a second circuit of an ingress", safe(bench, wanted), "PORT_IN_USE");
        refused(
                bench,
                "a plan for a port that is not there",
                safe(bench, Circuits.key(wanted.getIngress(), "no-such-port"))
                        .setScope(Scope.newBuilder().setAllPorts(true)),
                "NO_SUCH_PORT");
        refused(
                bench,
                "a plan outside its scope",
                safe(bench, wanted).setScope(bench.layout().scope(1)),
                "OUTSIDE_SCOPE");
        refused(
                bench,
                "a plan that uses an ingress twice",
                safe(bench, bench.layout().circuit(1))
                        .addConnects(bench.layout().alternative(1)),
                "PORT_USED_TWICE");
        if (bench.layout().crosses()) {
            refused(
                    bench,
                    "a plan that uses an egress twice",
                    safe(bench, bench.layout().circuit(1))
                            .addConnects(bench.layout().crossing(2, 1)),
                    "PORT_USED_TWICE");
        }
        refused(
                bench,
                "a plan that disconnects another circuit than is there",
                safe(bench, wanted).clearConnects().addDisconnects(wanted),
                "NO_SUCH_CIRCUIT");
        for (String role : List.of("", bench.role() + "-other")) {
            refused(
                    bench,
                    "a plan of role '" + role + "' to break by UPDATE what another role made",
                    request(bench, wanted, role).setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE),
                    "PORT_IN_USE");
        }
        var unused = bench.override(bench.layout().circuit(1).getEgress(), PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
        refused(
                bench,
                "a plan for a port out of service",
                safe(bench, bench.layout().circuit(1)).setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE),
                "PORT_OUT_OF_SERVICE");
    }

    private static PlanCircuitsRequest.Builder safe(Bench bench, CircuitKey wanted) {
        return request(bench, wanted, bench.role()).setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_SAFE);
    }

    private static void refused(Bench bench, String what, PlanCircuitsRequest.Builder plan, String reason) {
        boolean never =
                List.of("NO_SUCH_PORT", "OUTSIDE_SCOPE", "PORT_USED_TWICE").contains(reason);
        Expect.refused(
                what,
                () -> {
                    var unused = bench.calls().circuits().planCircuits(plan.build());
                },
                never ? Status.Code.INVALID_ARGUMENT : Status.Code.FAILED_PRECONDITION,
                reason);
    }
}
