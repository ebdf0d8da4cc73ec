package dev.lightpath.cli.cluster.doctor;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An operator leads, and is of this command's version. */
final class OperatorCheck {
    static final String NAME = "lightpath-operator";

    /** A leader renews every few seconds; the rest is for clocks that differ. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private OperatorCheck() {}

    /**
     * @param namespace where it is looked for
     * @param deployment null where there is none, as when it runs outside of the cluster
     * @param lease null where there is none
     * @param version of this command
     */
    static Diagnosis of(
            String namespace, @Nullable Deployment deployment, @Nullable Lease lease, String version, Instant now) {
        List<Finding> findings = new ArrayList<>();
        Optional<String> holder = holder(lease, now);
        if (holder.isEmpty()) {
            findings.add(Finding.wrong(
                    "lease/" + namespace + "/" + NAME,
                    lease == null ? "is not there: no operator ever led" : "is not renewed: no operator leads",
                    "see the operator's log: kubectl -n " + namespace + " logs deployment/" + NAME
                            + " (--operator-namespace names another namespace)"));
        }
        if (deployment != null) {
            judge(namespace, deployment, version, findings);
        }
        return new Diagnosis("operator", holder.map(name -> name + " leads").orElse(""), findings);
    }

    private static void judge(String namespace, Deployment deployment, String version, List<Finding> findings) {
        String where = "deployment/" + namespace + "/" + NAME;
        int wanted = Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
        int ready = deployment.getStatus() == null
                ? 0
                : Objects.requireNonNullElse(deployment.getStatus().getReadyReplicas(), 0);
        if (ready < wanted) {
            findings.add(Finding.warning(
                    where,
                    ready + " of " + wanted + " replicas are ready",
                    "see its pods: kubectl -n " + namespace + " get pods"));
        }
        deployment.getSpec().getTemplate().getSpec().getContainers().stream()
                .filter(container -> container.getName().equals("operator"))
                .map(container -> Objects.requireNonNullElse(container.getImage(), ""))
                .filter(image -> !image.contains("@"))
                .filter(image -> !image.endsWith(":" + version))
                .forEach(image -> findings.add(Finding.warning(
                        where,
                        "runs " + image + ", this command is " + version,
                        "use the command line of the same version")));
    }

    private static Optional<String> holder(@Nullable Lease lease, Instant now) {
        if (lease == null
                || lease.getSpec() == null
                || lease.getSpec().getHolderIdentity() == null
                || lease.getSpec().getHolderIdentity().isEmpty()
                || lease.getSpec().getRenewTime() == null
                || lease.getSpec().getRenewTime().toInstant().plus(PATIENCE).isBefore(now)) {
            return Optional.empty();
        }
        return Optional.of(lease.getSpec().getHolderIdentity());
    }
}
