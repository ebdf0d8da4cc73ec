package dev.lightpath.cli.cluster.doctor;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** JobSet is installed, and its controller answers. */
final class JobSetCheck {
    static final String DEFINITION = "jobsets.jobset.x-k8s.io";

    /** The version whose API the operator writes. */
    private static final String VERSION = "v1alpha2";

    private static final String INSTALL =
            "install JobSet (jobset.sigs.k8s.io); jobs without a pod template run without it";

    private JobSetCheck() {}

    /**
     * @param definition null where it is not installed
     * @param webhooks Services that its webhooks name, as namespace/name, each with its ready endpoints; a webhook that
     *     is called by URL is none
     * @param byUrl whether a webhook is called by URL, which cannot be looked at from here
     */
    static Diagnosis of(
            @Nullable CustomResourceDefinition definition, SortedMap<String, Integer> webhooks, boolean byUrl) {
        List<Finding> findings = new ArrayList<>();
        String where = "customresourcedefinition/" + DEFINITION;
        if (definition == null) {
            findings.add(Finding.warning(where, "is not installed", INSTALL));
            return new Diagnosis("jobset", "", findings);
        }
        Set<String> versions = new java.util.TreeSet<>();
        definition.getSpec().getVersions().stream()
                .filter(version -> version.getServed())
                .forEach(version -> versions.add(version.getName()));
        if (!versions.contains(VERSION)) {
            findings.add(Finding.wrong(where, "serves " + versions + ", not " + VERSION, INSTALL));
        }
        if (webhooks.isEmpty() && !byUrl) {
            findings.add(Finding.wrong(
                    "mutatingwebhookconfiguration", "none is for JobSets", "install JobSet's manifests as a whole"));
        }
        new TreeMap<>(webhooks).forEach((service, ready) -> {
            if (ready == 0) {
                findings.add(Finding.wrong(
                        "service/" + service,
                        "JobSet's controller has no ready pod, and every JobSet is refused",
                        "see its Deployment: kubectl -n " + service.split("/", 2)[0] + " get deployment"));
            }
        });
        return new Diagnosis("jobset", String.join(" ", versions) + ", its webhooks answer", findings);
    }
}
