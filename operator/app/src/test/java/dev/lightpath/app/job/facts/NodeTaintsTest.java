package dev.lightpath.app.job.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeTaintsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                  | []                                                       | false",
                "{unschedulable: true}                               | []                                                       | true",
                "{unschedulable: true}                               | [{key: node.kubernetes.io/unschedulable, operator: Exists}] | false",
                "{unschedulable: true}                               | [{operator: Exists}]                                     | false",
                "{taints: [{key: k, effect: NoSchedule}]}            | []                                                       | true",
                "{taints: [{key: k, effect: NoExecute}]}             | []                                                       | true",
                "{taints: [{key: k, effect: PreferNoSchedule}]}      | []                                                       | false",
                "{taints: [{key: k, value: v, effect: NoSchedule}]}  | [{key: k, value: v, effect: NoSchedule}]                 | false",
                "{taints: [{key: k, value: v, effect: NoSchedule}]}  | [{key: k, value: w}]                                     | true",
                "{taints: [{key: k, effect: NoSchedule}]}            | [{key: k}]                                               | false",
                "{taints: [{key: k, value: v, effect: NoSchedule}]}  | [{key: k, operator: Exists, effect: NoExecute}]          | true",
                "{taints: [{key: k, effect: NoExecute}]}             | [{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 45}] | false",
                "{taints: [{key: k, effect: NoSchedule}]}            | [{key: l, operator: Exists}]                             | true",
            })
    void keepOutWhoDoesNotTolerateThem(String spec, String tolerations, boolean out) {
        Node node = Serialization.unmarshal("---\n{metadata: {name: n}, spec: " + spec + "}", Node.class);
        assertThat(NodeTaints.keepOut(node, pod(tolerations))).isEqualTo(out);
    }

    @Test
    void aNodeThatIsGoneKeepsNobodyOut() {
        assertThat(NodeTaints.keepOut(null, pod("[]"))).isFalse();
        assertThat(NodeTaints.keepOut(new Node(), pod("[]"))).isFalse();
    }

    private static Pod pod(String tolerations) {
        return Serialization.unmarshal(
                "---\n{metadata: {name: p}, spec: {tolerations: " + tolerations + "}}", Pod.class);
    }
}
