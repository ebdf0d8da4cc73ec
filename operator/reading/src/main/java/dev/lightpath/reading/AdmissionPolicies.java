package dev.lightpath.reading;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The admission policies of {@code deploy/kubernetes/access} that deny something, and whether they are in force. */
public final class AdmissionPolicies {
    /** Each has a binding of the same name. */
    public static final List<String> NAMES = List.of(
            "lightpath-acts",
            "lightpath-ledger",
            "lightpath-nodes",
            "lightpath-operator-jobsets",
            "lightpath-operator-nodes",
            "lightpath-operator-objects",
            "lightpath-operator-pods",
            "lightpath-pods",
            "lightpath-slices",
            "lightpath-use",
            "lightpath-workloads");

    /**
     * How an administrator of the cluster applies them once more, and the roles and resource definitions beside them.
     * Of an installation by Helm only Helm knows the values. Without force both refuse an object of which anybody else
     * set a field.
     */
    public static final String APPLY =
            "helm upgrade --reset-then-reuse-values --force-conflicts or, without Helm, kubectl apply"
                    + " --server-side --force-conflicts -k deploy/kubernetes/access";

    private AdmissionPolicies() {}

    /** Why a policy is not in force; empty while it is. */
    public static Optional<String> problem(
            @Nullable ValidatingAdmissionPolicy policy, @Nullable ValidatingAdmissionPolicyBinding binding) {
        if (policy == null) {
            return Optional.of("is not there");
        }
        if (!"Fail".equals(policy.getSpec().getFailurePolicy())) {
            return Optional.of("has failurePolicy " + policy.getSpec().getFailurePolicy() + ", not Fail");
        }
        if (binding == null) {
            return Optional.of("has no binding of its name");
        }
        return binding.getSpec().getValidationActions().contains("Deny")
                ? Optional.empty()
                : Optional.of("has a binding that does not deny");
    }
}
