package dev.lightpath.cli.cluster.doctor;

import dev.lightpath.crds.ApiGroup;
import dev.lightpath.planner.words.Words;
import dev.lightpath.reading.AdmissionPolicies;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The resource definitions are installed, served, and those of this command. */
final class DefinitionCheck {
    static final String MISSING = "is not installed";

    private DefinitionCheck() {}

    /**
     * @param installed by name; one that is not there is missing
     * @param ours by name, as this command knows them
     */
    static Diagnosis of(
            Map<String, CustomResourceDefinition> installed, SortedMap<String, CustomResourceDefinition> ours) {
        List<Finding> findings = new ArrayList<>();
        ours.forEach((name, own) -> {
            CustomResourceDefinition there = installed.get(name);
            String where = "customresourcedefinition/" + name;
            if (there == null) {
                findings.add(Finding.wrong(where, MISSING, AdmissionPolicies.APPLY));
            } else if (!isEstablished(there)) {
                findings.add(
                        Finding.wrong(where, "is not established", "see its conditions: kubectl describe crd " + name));
            } else {
                compare(where, fields(there), fields(own), findings);
            }
        });
        return new Diagnosis("definitions", ours.size() + " of " + ApiGroup.NAME + "/" + ApiGroup.VERSION, findings);
    }

    private static void compare(String where, Set<String> there, Set<String> own, List<Finding> findings) {
        Set<String> missing = new TreeSet<>(own);
        missing.removeAll(there);
        Set<String> more = new TreeSet<>(there);
        more.removeAll(own);
        if (!missing.isEmpty()) {
            findings.add(Finding.wrong(
                    where,
                    "is older than this command: the API server drops " + Words.first(3, missing),
                    AdmissionPolicies.APPLY));
        } else if (!more.isEmpty()) {
            findings.add(Finding.warning(
                    where,
                    "is newer than this command: it has " + Words.first(3, more),
                    "use the command line of the installed version"));
        }
    }

    /** A definition that was just made has no conditions, which the API server writes as null. */
    private static boolean isEstablished(CustomResourceDefinition definition) {
        return definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    /** Every field of the version that we speak, by its path. */
    static Set<String> fields(CustomResourceDefinition definition) {
        Set<String> fields = new TreeSet<>();
        definition.getSpec().getVersions().stream()
                .filter(version -> version.getName().equals(ApiGroup.VERSION) && version.getServed())
                .forEach(version -> collect(version.getSchema().getOpenAPIV3Schema(), "", fields));
        return fields;
    }

    private static void collect(JSONSchemaProps schema, String path, Set<String> into) {
        new TreeMap<>(schema.getProperties() == null ? Map.<String, JSONSchemaProps>of() : schema.getProperties())
                .forEach((name, property) -> {
                    into.add(path + "." + name);
                    collect(property, path + "." + name, into);
                });
        if (schema.getItems() != null && schema.getItems().getSchema() != null) {
            collect(schema.getItems().getSchema(), path + "[]", into);
        }
        if (schema.getAdditionalProperties() != null
                && schema.getAdditionalProperties().getSchema() != null) {
            collect(schema.getAdditionalProperties().getSchema(), path + ".*", into);
        }
    }
}
