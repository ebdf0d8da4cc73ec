package dev.lightpath.cli.cluster.doctor;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.policy.RouteAcknowledgement;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Where pods wait for routes, somebody may acknowledge them. */
final class RouteCheck {
    private static final String ROUTER = "lightpath-router";

    private RouteCheck() {}

    static Diagnosis of(
            Collection<OpticalFabric> fabrics,
            Collection<ClusterRoleBinding> clusterBindings,
            Collection<RoleBinding> bindings) {
        List<String> waiting = fabrics.stream()
                .filter(fabric -> fabric.getSpec().policy().routes().acknowledgement() == RouteAcknowledgement.REQUIRED)
                .map(fabric -> fabric.getMetadata().getName())
                .toList();
        boolean bound = Stream.concat(
                        clusterBindings.stream()
                                .filter(binding -> binds(binding.getRoleRef(), binding.getSubjects()))
                                .map(ClusterRoleBinding::getRoleRef),
                        bindings.stream()
                                .filter(binding -> binds(binding.getRoleRef(), binding.getSubjects()))
                                .map(RoleBinding::getRoleRef))
                .findAny()
                .isPresent();
        List<Finding> findings = new ArrayList<>();
        if (!bound) {
            waiting.forEach(name -> findings.add(Finding.warning(
                    "opticalfabric/" + name,
                    "pods wait for routes (policy.routes.acknowledgement: Required), and nobody is bound to ClusterRole "
                            + ROUTER,
                    "bind it to your router (docs/routes.md), unless it has a role of your own")));
        }
        return new Diagnosis(
                "routes", waiting.isEmpty() ? "no fabric waits for them" : "may be acknowledged", findings);
    }

    private static boolean binds(RoleRef role, List<Subject> subjects) {
        return "ClusterRole".equals(role.getKind())
                && ROUTER.equals(role.getName())
                && !Objects.requireNonNullElse(subjects, List.<Subject>of()).isEmpty();
    }
}
