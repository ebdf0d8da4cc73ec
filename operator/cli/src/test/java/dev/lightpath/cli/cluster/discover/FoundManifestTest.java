package dev.lightpath.cli.cluster.discover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.reading.OcsIntentReader;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FoundManifestTest {
    private final KubernetesSerialization yaml = new KubernetesSerialization();

    private final OpticalFabric fabric = yaml.unmarshal("""
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata: {name: spine}
            spec:
              ocs:
                gpusPerNode: 4
                topology: {logical: {}}
                pods: [{name: pod-0, index: 0, ports: 1, gpus: 16}, {name: pod-1, index: 1, ports: 2, gpus: 16}]
            """, OpticalFabric.class);

    /** Of pod-1 one port was found whole; of another one fibre. */
    private final OpticalSwitch found = yaml.unmarshal("""
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalSwitch
            metadata: {name: ocs-0}
            spec: {fabric: spine, driver: {endpoint: "driver:1", deviceId: ocs-0}, wiring: {unknown: {}}}
            status:
              discovery:
                request: now
                over: true
                ends: 9
                known: 9
                circuits: 5
                ports:
                - {port: "1", side: Ingress, evidence: Heard, farEnds: [pod-0/1], at: "2026-11-29T00:00:00Z"}
                - {port: "2", side: Ingress, evidence: Heard, farEnds: [pod-1/1], at: "2026-11-29T00:00:00Z"}
                - {port: "3", side: Ingress, evidence: Dark, at: "2026-11-29T00:00:00Z"}
                - {port: "4", side: Ingress, evidence: Heard, farEnds: [spare/1], at: "2026-11-29T00:00:00Z"}
                - {port: "11", side: Egress, evidence: Heard, farEnds: [pod-0/1], at: "2026-11-29T00:00:00Z"}
                - {port: "12", side: Egress, evidence: Heard, farEnds: [pod-1/1], at: "2026-11-29T00:00:00Z"}
                - {port: "13", side: Egress, evidence: Heard, farEnds: [pod-1/2], at: "2026-11-29T00:00:00Z"}
                - {port: "14", side: Egress, evidence: Unheard, at: "2026-11-29T00:00:00Z"}
                - {port: "15", side: Egress, evidence: Ambiguous, farEnds: [pod-0/2, pod-0/3],
                   at: "2026-11-29T00:00:00Z"}
            """, OpticalSwitch.class);

    private final OcsIntent intent =
            new OcsIntentReader("").read(fabric, List.of(found), List.of()).orElseThrow();
    private final FoundManifest manifest = FoundManifest.of(found, intent).orElseThrow();

    @Test
    void namesEachPortThatItLeavesOut() {
        String text = manifest.yaml(yaml);
        assertThat(text.lines().filter(line -> line.startsWith("#")))
                .containsExactly(
                        "# left out: ingress 3 (dark)",
                        "# left out: ingress 4 (leads to spare/1, which is no pod of the fabric)",
                        "# left out: egress 13 (leads to pod-1/2, whose other fibre was not found)",
                        "# left out: egress 14 (not heard)",
                        "# left out: egress 15 (leads to pod-0/2 or pod-0/3)");
        assertThat(yaml.unmarshal(text, OpticalSwitch.class).getSpec().wiring().ports())
                .as("comments say nothing to a program")
                .hasSize(2);
        assertThat(manifest.omission())
                .isEqualTo("; left out: 5 ports, such as ingress 3 (dark): the comments in it name each");
    }

    /** The fibres may have been moved since. */
    @Test
    void writesNothingOfAnAnswerToAnEarlierQuestion() {
        found.getMetadata().setAnnotations(Map.of("lightpath.dev/discover", "later"));
        assertThat(FoundManifest.of(found, intent)).isEmpty();
        found.getMetadata().setAnnotations(Map.of("lightpath.dev/discover", "now"));
        assertThat(FoundManifest.of(found, intent)).contains(manifest);
    }

    @Test
    void saysWhichNumberOfPortsOfAPodDiffers() {
        assertThat(PodCounts.differences(intent, List.of(manifest)))
                .containsExactly("fabric/spine spec.ocs.pods: pod pod-1 has ports: 2, and the manifests name 1");
    }
}
