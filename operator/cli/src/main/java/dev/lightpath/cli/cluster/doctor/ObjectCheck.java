package dev.lightpath.cli.cluster.doctor;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Objects beside the operator that a cluster should have: pods of drivers and emulator, NetworkPolicies, monitoring.
 */
final class ObjectCheck {
    private ObjectCheck() {}

    /** @param drivers Deployments of drivers in the cluster; a driver elsewhere has none */
    static Diagnosis driverPods(Collection<Deployment> drivers) {
        List<Finding> findings = new ArrayList<>();
        for (Deployment driver : drivers) {
            int ready = driver.getStatus() == null
                    ? 0
                    : Objects.requireNonNullElse(driver.getStatus().getReadyReplicas(), 0);
            if (ready == 0) {
                String namespace = driver.getMetadata().getNamespace();
                findings.add(Finding.wrong(
                        "deployment/" + namespace + "/" + driver.getMetadata().getName(),
                        "has no ready pod",
                        "see it: kubectl -n " + namespace + " describe pod -l app.kubernetes.io/name="
                                + driver.getMetadata().getName()));
            }
        }
        return new Diagnosis(
                "driver-pods", drivers.isEmpty() ? "none in this cluster" : drivers.size() + " ready", findings);
    }

    /** @param emulator null where hardware is real */
    static Diagnosis emulator(@Nullable Deployment emulator) {
        if (emulator == null) {
            return new Diagnosis("emulator", "there is none", List.of());
        }
        String where = "deployment/" + emulator.getMetadata().getNamespace() + "/"
                + emulator.getMetadata().getName();
        int ready = emulator.getStatus() == null
                ? 0
                : Objects.requireNonNullElse(emulator.getStatus().getReadyReplicas(), 0);
        return new Diagnosis(
                "emulator",
                "is ready: the light is emulated",
                ready > 0
                        ? List.of()
                        : List.of(Finding.wrong(
                                where, "has no ready pod", "all emulated light is dark until it runs again")));
    }

    /**
     * @param policies of the namespaces of operator and drivers
     * @param wanted labels of pods that a policy must select, by the namespace of the pods
     */
    static Diagnosis networkPolicies(Collection<NetworkPolicy> policies, Map<String, List<String>> wanted) {
        List<Finding> findings = new ArrayList<>();
        wanted.forEach((namespace, names) -> names.forEach(name -> {
            boolean selected = policies.stream()
                    .filter(policy -> namespace.equals(policy.getMetadata().getNamespace()))
                    .map(policy -> Objects.requireNonNullElse(
                            policy.getSpec().getPodSelector().getMatchLabels(), Map.<String, String>of()))
                    .anyMatch(labels -> labels.isEmpty() || name.equals(labels.get("app.kubernetes.io/name")));
            if (!selected) {
                findings.add(Finding.warning(
                        "namespace/" + namespace,
                        "no NetworkPolicy is for the pods of " + name + ": every pod of the cluster may connect",
                        "apply that of deploy/kubernetes, or networkPolicies.enabled=true of the chart"));
            }
        }));
        return new Diagnosis("network-policies", policies.size() + " in place", findings);
    }

    /**
     * @param served whether the Prometheus operator's resources are there
     * @param monitors names of PodMonitors in the operator's namespace
     * @param rules names of PrometheusRules there
     */
    static Diagnosis monitoring(boolean served, Collection<String> monitors, Collection<String> rules) {
        if (!served) {
            return new Diagnosis("monitoring", "no Prometheus operator is installed", List.of());
        }
        List<Finding> findings = new ArrayList<>();
        if (monitors.isEmpty()) {
            findings.add(Finding.warning(
                    "podmonitor",
                    "none scrapes operator and drivers",
                    "apply deploy/kubernetes/monitoring, or monitoring.podMonitors=true of the chart"));
        }
        if (rules.isEmpty()) {
            findings.add(Finding.warning(
                    "prometheusrule",
                    "there are no alerts of Lightpath",
                    "apply deploy/kubernetes/monitoring, or monitoring.prometheusRule=true of the chart"));
        }
        return new Diagnosis("monitoring", "scraped, with alerts", findings);
    }
}
