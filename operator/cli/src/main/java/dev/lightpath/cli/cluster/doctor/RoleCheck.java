package dev.lightpath.cli.cluster.doctor;

import dev.lightpath.reading.AdmissionPolicies;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The operator has its rights, users can be given theirs, and somebody may use light. */
final class RoleCheck {
    private static final String OPERATOR = "lightpath-operator";
    private static final String USE = "lightpath-use";
    private static final List<String> OF_USERS = List.of(
            "lightpath-edit",
            "lightpath-fabric-admin",
            "lightpath-fabric-view",
            "lightpath-preview",
            USE,
            "lightpath-view");

    private RoleCheck() {}

    /** @param namespace of the operator */
    static Diagnosis of(
            String namespace,
            Collection<ClusterRole> roles,
            Collection<ClusterRoleBinding> clusterBindings,
            Collection<RoleBinding> bindings) {
        List<Finding> findings = new ArrayList<>();
        Set<String> names =
                roles.stream().map(role -> role.getMetadata().getName()).collect(Collectors.toSet());
        if (!names.contains(OPERATOR)) {
            findings.add(Finding.wrong("clusterrole/" + OPERATOR, "is not there", AdmissionPolicies.APPLY));
        }
        for (String role : OF_USERS) {
            if (!names.contains(role)) {
                findings.add(Finding.warning("clusterrole/" + role, "is not there", AdmissionPolicies.APPLY));
            }
        }
        if (clusterBindings.stream()
                .noneMatch(binding -> names(binding.getRoleRef(), "ClusterRole", OPERATOR)
                        && isOperator(binding.getSubjects(), namespace))) {
            findings.add(Finding.wrong(
                    "clusterrolebinding/" + OPERATOR,
                    "gives ClusterRole " + OPERATOR + " to no ServiceAccount " + OPERATOR + " of namespace "
                            + namespace,
                    AdmissionPolicies.APPLY));
        }
        if (bindings.stream()
                .noneMatch(binding -> namespace.equals(binding.getMetadata().getNamespace())
                        && names(binding.getRoleRef(), "Role", OPERATOR)
                        && isOperator(binding.getSubjects(), namespace))) {
            findings.add(Finding.wrong(
                    "rolebinding/" + namespace + "/" + OPERATOR,
                    "gives Role " + OPERATOR + " to no ServiceAccount " + OPERATOR,
                    AdmissionPolicies.APPLY));
        }
        if (Stream.concat(
                        clusterBindings.stream().map(ClusterRoleBinding::getRoleRef),
                        bindings.stream().map(RoleBinding::getRoleRef))
                .noneMatch(role -> names(role, "ClusterRole", USE))) {
            findings.add(Finding.warning(
                    "clusterrole/" + USE,
                    "is bound to no subject, so only those with a role of your own and cluster administrators get"
                            + " circuits",
                    "kubectl create rolebinding light -n TEAM --clusterrole=" + USE + " --group=TEAM"));
        }
        return new Diagnosis("roles", "of the operator and of users", findings);
    }

    private static boolean names(RoleRef role, String kind, String name) {
        return kind.equals(role.getKind()) && name.equals(role.getName());
    }

    private static boolean isOperator(List<Subject> subjects, String namespace) {
        return Objects.requireNonNullElse(subjects, List.<Subject>of()).stream()
                .anyMatch(subject -> "ServiceAccount".equals(subject.getKind())
                        && OPERATOR.equals(subject.getName())
                        && namespace.equals(subject.getNamespace()));
    }
}
