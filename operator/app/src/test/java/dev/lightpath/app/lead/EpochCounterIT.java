package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.lightpath.app.driver.EpochBook;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
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
            ApiServer.namespace(client, "epoch-race");
            List<Future<Long>> raised = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                raised.add(threads.submit(() -> new EpochCounter(client, "epoch-race", "http://10.0.0.1:8080/view")
                        .raiseAbove(0, "pod")
                        .epoch()));
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
            ApiServer.namespace(client, "epoch-floor");
            EpochCounter counter = new EpochCounter(client, "epoch-floor", "http://10.0.0.1:8080/view");
            assertThat(counter.raiseAbove(41, "pod").epoch()).isEqualTo(42);
            assertThat(counter.raiseAbove(7, "pod").epoch()).isEqualTo(43);
        }
    }

    @Test
    void remembersWhomItGaveTheLastEpochsAndWhoseTheyAre() {
        try (KubernetesClient client = server.client()) {
            ApiServer.namespace(client, "epoch-book");
            EpochCounter counter = new EpochCounter(client, "epoch-book", "http://10.0.0.1:8080/view");
            EpochCounter.Given first = counter.raiseAbove(0, "one");
            EpochCounter.Given second = counter.raiseAbove(0, "two");

            EpochBook read = counter.read();
            assertThat(read.holders()).containsOnly(Map.entry(1L, first.holder()), Map.entry(2L, second.holder()));
            assertThat(read.installation()).isNotEmpty();
            assertThat(second.holder()).isEqualTo("two@" + read.installation());

            for (int more = 0; more < 300; more++) {
                counter.raiseAbove(0, "three");
            }
            assertThat(counter.read().holders()).hasSize(256).containsKey(302L);

            client.configMaps()
                    .inNamespace("epoch-book")
                    .withName(LightpathNames.EPOCH_CONFIG_MAP)
                    .delete();
            assertThat(counter.raiseAbove(0, "four").book().installation()).isNotEqualTo(read.installation());
        }
    }

    @Test
    void saysWhatToWriteInsteadOfNoNumber() {
        try (KubernetesClient client = server.client()) {
            ApiServer.namespace(client, "epoch-text");
            EpochCounter counter = new EpochCounter(client, "epoch-text", "http://10.0.0.1:8080/view");
            counter.raiseAbove(0, "pod");
            client.configMaps()
                    .inNamespace("epoch-text")
                    .withName(LightpathNames.EPOCH_CONFIG_MAP)
                    .edit(map -> {
                        map.setData(Map.of(LightpathNames.EPOCH_KEY, "many"));
                        return map;
                    });
            assertThatIllegalStateException()
                    .isThrownBy(() -> counter.raiseAbove(0, "pod"))
                    .withMessageContaining("'many'")
                    .withMessageContaining("write one above");
        }
    }
}
