package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.reading.PodUse;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ExtractStoreTest {
    private final AtomicInteger changes = new AtomicInteger();
    private final ExtractStore<Pod, PodUse> store = ExtractStore.pods(changes::incrementAndGet);

    private static PodBuilder pod(String name, String node, Map<String, String> labels) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withName("main")
                .withNewResources()
                .addToRequests("nvidia.com/gpu", new Quantity("4"))
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus();
    }

    private void put(Pod pod) {
        store.put(store.getKey(pod), pod);
    }

    @Test
    void tellsOnlyOfChangesThatAreRead() {
        put(pod("a", "n1", Map.of()).build());
        put(pod("a", "n1", Map.of())
                .editMetadata()
                .withResourceVersion("2")
                .endMetadata()
                .build());
        assertThat(changes).hasValue(1);

        put(pod("a", "n1", Map.of())
                .editStatus()
                .withPhase("Failed")
                .endStatus()
                .build());
        assertThat(changes).hasValue(2);

        store.remove("team/a");
        assertThat(changes).hasValue(3);
        assertThat(store.extracts()).isEmpty();
    }

    @Test
    void keepsNameAndVersionAndNothingElseOfAPod() {
        put(pod("a", "n1", Map.of("x", "y"))
                .editMetadata()
                .withResourceVersion("7")
                .endMetadata()
                .build());

        Pod kept = store.get("team/a");
        assertThat(kept).isNotNull();
        assertThat(kept.getSpec()).isNull();
        assertThat(kept.getMetadata().getLabels()).isNullOrEmpty();
        assertThat(kept.getMetadata().getResourceVersion()).isEqualTo("7");
    }
}
