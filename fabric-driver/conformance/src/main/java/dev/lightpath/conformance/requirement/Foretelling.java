package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import io.grpc.Status;
import java.util.List;

/** PlanCircuits says what ApplyCircuits would do. */
final class Foretelling {
    private static final String SECTION = "CircuitService.PlanCircuits";

    private Foretelling() {}

    static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "plan/comes-true",
                        SECTION,
                        "A plan changes nothing, and the change does what it said, implied disconnects included",
                        Foretelling::comesTrue),
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

    private static void refuses(Bench bench) {
        bench.change().make(0).apply();
        refused(
                "a plan for a second circuit of an ingress",
                () -> {
                    var unused = bench.calls()
                            .circuits()
                            .planCircuits(request(bench, bench.layout().alternative(0), bench.role())
                                    .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_SAFE)
                                    .build());
                },
                Status.Code.FAILED_PRECONDITION,
                "PORT_IN_USE");
    }
}
