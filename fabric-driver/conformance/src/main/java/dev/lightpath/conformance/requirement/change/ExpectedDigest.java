package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.device.Ports;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import io.grpc.Status;
import java.util.List;

/** Compare-and-set. */
public final class ExpectedDigest {
    private static final String SECTION = "ApplyCircuitsRequest.expected_observed_digest";

    private ExpectedDigest() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "compare-and-set/same-state",
                        SECTION,
                        "A change that expects what the device shows is carried out",
                        ExpectedDigest::sameState),
                new Requirement(
                        "compare-and-set/other-state",
                        SECTION + "; ERROR_REASON_DIGEST_DIFFERS",
                        "A change that expects another state is refused with the observed digest, and nothing moves",
                        ExpectedDigest::otherState),
                new Requirement(
                        "compare-and-set/scope-only",
                        SECTION,
                        "The comparison covers the request's scope only",
                        ExpectedDigest::scopeOnly));
    }

    private static void sameState(Bench bench) {
        bench.change().expecting(bench.read().getObservedDigest()).make(0).apply();
        bench.expectMade(0);
    }

    private static void otherState(Bench bench) {
        String before = bench.read().getObservedDigest();
        bench.change().make(0).apply();
        for (ConflictPolicy policy : Ports.POLICIES) {
            var refusal = bench.change()
                    .policy(policy)
                    .expecting(before)
                    .make(1)
                    .refused(
                            "a change by " + policy + " that expects another state",
                            Status.Code.FAILED_PRECONDITION,
                            "DIGEST_DIFFERS");
            equal("metadata observed_digest", bench.read().getObservedDigest(), refusal.detail("observed_digest"));
        }
        bench.change()
                .expecting(before)
                .refused(
                        "a change without items that expects another state",
                        Status.Code.FAILED_PRECONDITION,
                        "DIGEST_DIFFERS");
        bench.expectMade(0);
    }

    private static void scopeOnly(Bench bench) {
        String before = bench.read(bench.layout().scope(1)).getObservedDigest();
        bench.change().make(0).apply();
        bench.change().scope(bench.layout().scope(1)).expecting(before).make(1).apply();
        bench.expectMade(0, 1);
    }
}
