package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
class EpochCounterIT {
    private final ApiServer server;

    EpochCounterIT(ApiServer server) {
        this.server = server;
    }

    @Test
    void givesNobodyTheSameEpoch() throws ExecutionException, InterruptedException {
        try (KubernetesClient client = server.client();
                var threads = Executors.newFixedThreadPool(2)) {
            namespace(client, "epoch-race");
            List<Future<Long>> raised = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                raised.add(threads.submit(
                        () -> new EpochCounter(client, "epoch-race", "http://10.0.0.1:8080/view").raiseAbove(0)));
            }
            List<Long> epochs = new ArrayList<>();
            for (Future<Long> one : raised) {
                epochs.add(one.get());
            }
            assertThat(epochs)
                    .doesNotHaveDuplicates()
                    .allSatisfy(epoch -> assertThat(epoch).isBetween(1L, 20L));
        }
    }

    @Test
    void goesAboveWhatADriverHasSeen() {
        try (KubernetesClient client = server.client()) {
            namespace(client, "epoch-floor");
            EpochCounter counter = new EpochCounter(client, "epoch-floor", "http://10.0.0.1:8080/view");
            assertThat(counter.raiseAbove(41)).isEqualTo(42);
            assertThat(counter.raiseAbove(7)).isEqualTo(43);
        }
    }

    @Test
    void saysWhatToWriteInsteadOfNoNumber() {
        try (KubernetesClient client = server.client()) {
            namespace(client, "epoch-text");
            EpochCounter counter = new EpochCounter(client, "epoch-text", "http://10.0.0.1:8080/view");
            counter.raiseAbove(0);
            client.configMaps()
                    .inNamespace("epoch-text")
                    .withName(LightpathNames.EPOCH_CONFIG_MAP)
                    .edit(map -> {
                        map.setData(Map.of(LightpathNames.EPOCH_KEY, "many"));
                        return map;
                    });
            assertThatIllegalStateException()
                    .isThrownBy(() -> counter.raiseAbove(0))
                    .withMessageContaining("'many'")
                    .withMessageContaining("write one above");
        }
    }

    private static void namespace(KubernetesClient client, String name) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }
}
