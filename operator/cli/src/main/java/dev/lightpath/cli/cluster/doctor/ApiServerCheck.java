package dev.lightpath.cli.cluster.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The API server has what Lightpath needs of it. */
final class ApiServerCheck {
    /** ValidatingAdmissionPolicy is part of v1 from here on. */
    private static final int FIRST_MINOR = 30;

    private static final Pattern VERSION = Pattern.compile("v1\\.(\\d+).*");

    private ApiServerCheck() {}

    /**
     * @param version as the API server says it, v1.36.1
     * @param policies whether it serves ValidatingAdmissionPolicies
     */
    static Diagnosis of(String version, boolean policies) {
        List<Finding> findings = new ArrayList<>();
        Matcher matcher = VERSION.matcher(version);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) < FIRST_MINOR) {
            findings.add(Finding.wrong(
                    "kube-apiserver", "is " + version, "use Kubernetes v1." + FIRST_MINOR + " or a later v1"));
        }
        if (!policies) {
            findings.add(Finding.wrong(
                    "kube-apiserver",
                    "serves no ValidatingAdmissionPolicies, which keep the ledger",
                    "enable admissionregistration.k8s.io/v1"));
        }
        return new Diagnosis("api-server", version, findings);
    }
}
