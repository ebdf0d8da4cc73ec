package dev.lightpath.app.job.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class NodeStandingTest {
    private static final Pod POD = new PodBuilder().withNewSpec().endSpec().build();

    @Test
    void isReadOffOneLookAtTheNode() {
        assertThat(NodeStanding.of(null, POD)).isEqualTo(new NodeStanding(true, true, false));
        assertThat(NodeStanding.of(node("{}", "True"), POD)).isEqualTo(NodeStanding.WELL);
        assertThat(NodeStanding.of(node("{unschedulable: true}", "True"), POD))
                .isEqualTo(new NodeStanding(false, false, true));
        assertThat(NodeStanding.of(node("{unschedulable: true}", "False"), POD))
                .isEqualTo(new NodeStanding(false, true, true));
        assertThat(NodeStanding.of(node("{}", "Unknown"), POD)).isEqualTo(new NodeStanding(true, true, false));
    }

    private static Node node(String spec, String ready) {
        return Serialization.unmarshal(
                "---\n{spec: %s, status: {conditions: [{type: Ready, status: %s}]}}".formatted(spec, ready),
                Node.class);
    }
}
