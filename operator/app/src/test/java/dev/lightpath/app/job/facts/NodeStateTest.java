package dev.lightpath.app.job.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeStateTest {
    @ParameterizedTest
    @CsvSource({
        "True, UP",
        "False, DOWN",
        "Unknown, LOST",
    })
    void isWhatItsConditionSays(String status, NodeState state) {
        Node node = new NodeBuilder()
                .withNewStatus()
                .addNewCondition()
                .withType("MemoryPressure")
                .withStatus("Unknown")
                .endCondition()
                .addNewCondition()
                .withType("Ready")
                .withStatus(status)
                .endCondition()
                .endStatus()
                .build();
        assertThat(NodeState.of(node)).isEqualTo(state);
    }

    @Test
    void aNodeThatIsGoneIsLostAndOneThatSaysNothingIsNeither() {
        assertThat(NodeState.of(null)).isEqualTo(NodeState.LOST);
        assertThat(NodeState.of(new NodeBuilder().withStatus(null).build())).isEqualTo(NodeState.UP);
        Node silent = new NodeBuilder().withNewStatus().endStatus().build();
        silent.getStatus().setConditions(null);
        assertThat(NodeState.of(silent)).isEqualTo(NodeState.UP);
    }
}
