package dev.lightpath.cli.cluster.doctor;

import dev.lightpath.reading.AdmissionPolicies;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The admission policies are in force. */
final class PolicyCheck {
    private PolicyCheck() {}

    /** Policies and bindings by name. */
    static Diagnosis of(
            Map<String, ValidatingAdmissionPolicy> policies, Map<String, ValidatingAdmissionPolicyBinding> bindings) {
        List<Finding> findings = new ArrayList<>();
        for (String name : AdmissionPolicies.NAMES) {
            AdmissionPolicies.problem(policies.get(name), bindings.get(name))
                    .ifPresent(why -> findings.add(Finding.wrong(
                            "validatingadmissionpolicy/" + name,
                            why + ", so more is allowed than docs/security.md says",
                            AdmissionPolicies.APPLY)));
        }
        return new Diagnosis("policies", AdmissionPolicies.NAMES.size() + " in force", findings);
    }
}
