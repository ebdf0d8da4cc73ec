package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.reading.pod.PodUse;
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

    private static Pod version(int version, String phase) {
        return pod("a", "n1", Map.of())
                .editMetadata()
                .withResourceVersion(Integer.toString(version))
                .endMetadata()
                .editStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }

    private String phase() {
        return store.extracts().map(PodUse::phase).findFirst().orElseThrow();
    }

    @Test
    void whatWasSeenBesideTheWatchStandsUntilTheWatchIsAsNew() {
        put(version(5, "Pending"));
        store.saw(version(8, "Running"));
        assertThat(phase()).isEqualTo("Running");
        put(version(6, "Pending"));
        assertThat(phase()).as("the watch is behind").isEqualTo("Running");
        put(version(8, "Running"));
        put(version(9, "Failed"));
        assertThat(phase()).isEqualTo("Failed");
        store.saw(version(8, "Running"));
        assertThat(phase()).as("seen late").isEqualTo("Failed");
        put(version(3, "Pending"));
        assertThat(phase()).as("a cluster that was restored counts from before").isEqualTo("Pending");
    }

    @Test
    void whatTheWatchHasNotToldOfYetIsThereAsWell() {
        store.saw(version(8, "Running"));
        assertThat(phase()).isEqualTo("Running");
        assertThat(changes).hasValue(1);
        store.remove("team/a");
        assertThat(store.extracts()).isEmpty();
    }
}
