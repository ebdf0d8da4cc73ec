package dev.lightpath.cli.cluster.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DefinitionCheckTest {
    private static final String NAME = "trainingjobs.lightpath.dev";

    @Test
    void aDefinitionThatWasJustMadeIsNotEstablished() {
        CustomResourceDefinition own = definition("metadata: {}");
        CustomResourceDefinition there = definition("status: {conditions: null, storedVersions: [v1alpha1]}");

        Diagnosis diagnosis = DefinitionCheck.of(Map.of(NAME, there), new TreeMap<>(Map.of(NAME, own)));

        assertThat(diagnosis.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).isEqualTo("is not established"));
    }

    private static CustomResourceDefinition definition(String yaml) {
        return Serialization.unmarshal(yaml, CustomResourceDefinition.class);
    }
}
