package dev.lightpath.conformance.requirement.device;

import static dev.lightpath.conformance.bench.Expect.equal;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;

/** Digests of a scope that is less than what the device shows. */
public final class NarrowDigests {
    private NarrowDigests() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "compare-and-set/refusal-of-a-scope",
                        "ERROR_REASON_DIGEST_DIFFERS",
                        "The digest in a refusal is that of the request's scope, also of a change that is only checked",
                        NarrowDigests::refusal),
                new Requirement(
                        "plan/scope",
                        "PlanCircuitsResponse.observed_digest, planned_digest",
                        "The digests of a plan are those of its scope, now and after the change",
                        NarrowDigests::plan));
    }

    private static void refusal(Bench bench) {
        bench.change().make(0).apply();
        String narrow = bench.read(bench.layout().scope(1)).getObservedDigest();
        var refusal = bench.change()
                .scope(bench.layout().scope(1))
                .expecting(Circuits.ANOTHER_STATE)
                .make(1)
                .refused("a change that expects another state", Status.Code.FAILED_PRECONDITION, "DIGEST_DIFFERS");
        equal("metadata observed_digest, of the scope,", narrow, refusal.detail("observed_digest"));
        if (bench.device().capabilities().getValidateOnly()) {
            var checked = bench.change()
                    .validateOnly()
                    .scope(bench.layout().scope(1))
                    .expecting(Circuits.ANOTHER_STATE)
                    .make(1)
                    .refused("a check that expects another state", Status.Code.FAILED_PRECONDITION, "DIGEST_DIFFERS");
            equal("metadata observed_digest, of the scope,", narrow, checked.detail("observed_digest"));
            var unused = bench.change()
                    .validateOnly()
                    .scope(bench.layout().scope(1))
                    .expecting(narrow)
                    .make(1)
                    .send();
        }
    }

    private static void plan(Bench bench) {
        bench.change().make(0).apply();
        CircuitKey wanted = bench.layout().circuit(1);
        var read = bench.read(bench.layout().scope(1));
        PlanCircuitsResponse plan = bench.calls()
                .circuits()
                .planCircuits(PlanCircuitsRequest.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setRole(bench.role())
                        .setScope(bench.layout().scope(1))
                        .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                        .addConnects(wanted)
                        .build());
        equal("observed_digest of a plan, of its scope,", read.getObservedDigest(), plan.getObservedDigest());
        List<CircuitKey> planned = new ArrayList<>(Circuits.keys(read.getCircuitsList()));
        bench.layout().rest(1).ifPresent(planned::remove);
        planned.add(wanted);
        equal("planned_digest of a plan, of its scope,", Circuits.digest(planned), plan.getPlannedDigest());
    }
}
