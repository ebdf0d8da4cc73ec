package dev.lightpath.app.job.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.facts.RankedNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PodPatchTest {
    private static final RankedNode PLACE = new RankedNode("n7", 3, "0,1");

    @Test
    void removesOnlyOurGateAndOnlyIfItIsStillThere() {
        JsonNode patch = patch("spec: {schedulingGates: [{name: a/b}, {name: lightpath.dev/circuits}, {name: c/d}]}");
        assertThat(patch.get(1)).isEqualTo(yaml("""
                {op: test, path: /spec/schedulingGates/1/name, value: lightpath.dev/circuits}"""));
        assertThat(patch.get(patch.size() - 1)).isEqualTo(yaml("{op: remove, path: /spec/schedulingGates/1}"));
        assertThat(patch)
                .filteredOn(each -> each.get("path").asText().startsWith("/spec/schedulingGates"))
                .hasSize(2);
    }

    /** It may have been read from a watch, which is late. */
    @Test
    void holdsOnlyForThePodAsItWasRead() {
        JsonNode patch = patch("""
                metadata: {resourceVersion: "17"}
                spec: {schedulingGates: [{name: lightpath.dev/circuits}]}
                """);
        assertThat(patch.get(0)).isEqualTo(yaml("{op: test, path: /metadata/resourceVersion, value: '17'}"));
    }

    @Test
    void hasNothingToDoForAPodWithoutOurGate() {
        assertThat(PodPatch.ungate(pod("spec: {schedulingGates: [{name: a/b}]}"), "train", PLACE, 2, NOTES))
                .isEmpty();
        assertThat(PodPatch.ungate(pod("spec: {}"), "train", PLACE, 2, NOTES)).isEmpty();
    }

    @Test
    void freesAPodThatNeedsNoLightWithoutAPin() {
        Pod launcher = pod("spec: {schedulingGates: [{name: a/b}, {name: lightpath.dev/circuits}]}");
        assertThat(yaml(PodPatch.free(launcher).orElseThrow())).isEqualTo(yaml("""
                - {op: test, path: /spec/schedulingGates/1/name, value: lightpath.dev/circuits}
                - {op: remove, path: /spec/schedulingGates/1}
                """));
        assertThat(PodPatch.free(pod("spec: {}"))).isEmpty();
    }

    @Test
    void pinsAPodWithoutAffinity() {
        JsonNode patch = patch("spec: {schedulingGates: [{name: lightpath.dev/circuits}]}");
        assertThat(value(patch, "/spec/affinity")).isEqualTo(yaml("{}"));
        assertThat(value(patch, "/spec/affinity/nodeAffinity")).isEqualTo(yaml("{}"));
        assertThat(value(patch, "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"))
                .isEqualTo(yaml("""
                        nodeSelectorTerms:
                        - matchFields: [{key: metadata.name, operator: In, values: [n7]}]
                        """));
    }

    @Test
    void pinsEveryTermBecauseTermsAreAlternatives() {
        JsonNode patch = patch("""
                spec:
                  schedulingGates: [{name: lightpath.dev/circuits}]
                  affinity:
                    podAntiAffinity: {}
                    nodeAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                        nodeSelectorTerms:
                        - matchExpressions: [{key: zone, operator: In, values: [a]}]
                        - matchFields: [{key: metadata.name, operator: NotIn, values: [n1]}]
                        - {}
                """);
        String terms = "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/";
        assertThat(value(patch, terms + "0/matchFields"))
                .isEqualTo(yaml("[{key: metadata.name, operator: In, values: [n7]}]"));
        assertThat(value(patch, terms + "1/matchFields/-"))
                .isEqualTo(yaml("{key: metadata.name, operator: In, values: [n7]}"));
        assertThat(patch)
                .as("an empty term matches nothing and must not begin to")
                .noneMatch(each -> each.get("path").asText().startsWith(terms + "2"));
        assertThat(patch).noneMatch(each -> each.get("path").asText().equals("/spec/affinity"));
    }

    @Test
    void marksThePodWithItsPlaceAndKeepsItsOtherMarks() {
        JsonNode patch = patch("""
                metadata: {labels: {a: b}, annotations: {c: d}}
                spec: {schedulingGates: [{name: lightpath.dev/circuits}]}
                """);
        assertThat(value(patch, "/metadata/labels/lightpath.dev~1job").asText()).isEqualTo("train");
        assertThat(value(patch, "/metadata/labels/lightpath.dev~1attempt").asText())
                .isEqualTo("2");
        assertThat(value(patch, "/metadata/annotations/lightpath.dev~1rank").asText())
                .isEqualTo("3");
        assertThat(value(patch, "/metadata/annotations/lightpath.dev~1group").asText())
                .isEqualTo("0,1");
        assertThat(value(patch, "/metadata/annotations/lightpath.dev~1ring-position")
                        .asText())
                .isEqualTo("17");
    }

    @Test
    void marksAPodWithoutMarks() {
        JsonNode patch = patch("spec: {schedulingGates: [{name: lightpath.dev/circuits}]}");
        assertThat(value(patch, "/metadata/labels"))
                .isEqualTo(yaml("{lightpath.dev/attempt: '2', lightpath.dev/job: train}"));
        assertThat(value(patch, "/metadata/annotations")
                        .get("lightpath.dev/rank")
                        .asText())
                .isEqualTo("3");
    }

    private static final SortedMap<String, String> NOTES = new TreeMap<>(
            Map.of("lightpath.dev/rank", "3", "lightpath.dev/group", "0,1", "lightpath.dev/ring-position", "17"));

    private static JsonNode value(JsonNode patch, String path) {
        for (JsonNode operation : patch) {
            if (operation.get("path").asText().equals(path)
                    && operation.get("op").asText().equals("add")) {
                return operation.get("value");
            }
        }
        throw new AssertionError("nothing is added at " + path + " by " + patch);
    }

    private static JsonNode patch(String pod) {
        return yaml(PodPatch.ungate(pod(pod), "train", PLACE, 2, NOTES).orElseThrow());
    }

    private static Pod pod(String text) {
        Pod pod = Serialization.unmarshal("kind: Pod\napiVersion: v1\n" + text, Pod.class);
        if (pod.getMetadata() == null) {
            pod.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMeta());
        }
        return pod;
    }

    private static JsonNode yaml(String text) {
        return Serialization.unmarshal("---\n" + text, JsonNode.class);
    }
}
