package dev.lightpath.reading.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentTemplateTest {
    private static Node node(String... addresses) {
        NodeBuilder node = new NodeBuilder()
                .withNewMetadata()
                .withName("gpu-17")
                .endMetadata()
                .withNewStatus()
                .addNewAddress("gpu-17.example", "Hostname")
                .endStatus();
        for (String address : addresses) {
            node.editStatus().addNewAddress(address, "InternalIP").endStatus();
        }
        return node.build();
    }

    private static String address(String template, Node node) {
        return AgentTemplate.of(template).orElseThrow().address(node).orElse("none");
    }

    @Test
    void namesTheNodeOrItsFirstInternalAddress() {
        assertThat(address("{node}:9440", node())).isEqualTo("gpu-17:9440");
        assertThat(address("{address}:9440", node("10.1.2.3", "10.9.9.9"))).isEqualTo("10.1.2.3:9440");
        assertThat(address("{address}:9440", node("fd00::17"))).isEqualTo("[fd00::17]:9440");
        assertThat(address("{address}:9440", node())).isEqualTo("none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"driver:9440", "{host}:9440", "agent-{node}:9440", "{node}", "{node}:", "[::1]:9440"})
    void allElseIsTheAddressOfOneDriver(String endpoint) {
        assertThat(AgentTemplate.of(endpoint)).isEmpty();
    }

    @Test
    void aNodeThatGetsAnotherAddressIsAnother() {
        assertThat(NodeSketch.of(node("10.1.2.3"))).isNotEqualTo(NodeSketch.of(node("10.1.2.4")));
    }
}
