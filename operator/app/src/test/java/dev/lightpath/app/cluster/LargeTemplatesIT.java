package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.WholeObjects;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.reading.TemplateSize;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What informers, as the application makes them, keep of jobs with large pod templates. */
@ExtendWith(ApiServerExtension.class)
class LargeTemplatesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String JOBS = "/apis/lightpath.dev/v1alpha1/namespaces/default/trainingjobs";

    private final Config config;
    private final KubernetesClient admin;

    LargeTemplatesIT(ApiServer server) {
        config = Config.fromKubeconfig(server.kubeConfigYaml());
        admin = server.client();
    }

    @AfterEach
    void delete() {
        admin.resources(TrainingJob.class).inNamespace("default").delete();
        admin.close();
    }

    @Test
    void informersKeepOfATemplateAtMostItsSizeWhetherListedOrTold() {
        ObjectMapper mapper = new ObjectMapper();
        new WatchedJson().customize(mapper);
        KubernetesSerialization serialization = new KubernetesSerialization(mapper, true);
        serialization.registerKubernetesResource(TrainingJob.class);
        serialization.registerKubernetesResource(FabricSlice.class);
        serialization.registerKubernetesResource(OpticalFabric.class);
        create("listed");
        try (KubernetesClient client = ClusterProducer.watching(serialization, config, Duration.ofMinutes(5));
                KubernetesClient whole = WholeObjects.client(config);
                ClusterInformers informers =
                        new ClusterInformers(client, new RingIntentReader("c"), new OcsIntentReader("c"))) {
            informers.start();
            await().atMost(PATIENCE).until(() -> informers.jobs().size() == 1);
            create("told");
            await().atMost(PATIENCE).until(() -> informers.jobs().size() == 2);
            admin.resources(TrainingJob.class)
                    .inNamespace("default")
                    .withName("listed")
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"maxRestarts\": 5}}");
            await().atMost(PATIENCE)
                    .until(() -> informers.jobs().stream()
                            .anyMatch(job -> job.getSpec().maxRestarts() == 5));

            assertThat(informers.jobs()).allSatisfy(job -> {
                assertThat(job.getSpec().workload()).isNotNull();
                assertThat(TemplateSize.of(job)).isGreaterThan(TemplateSize.MOST);
                assertThat(TemplateSize.problem(job))
                        .as("the same of the whole job")
                        .isEqualTo(TemplateSize.problem(whole.resource(job).get()))
                        .isPresent();
                assertThat(job.getMetadata().getManagedFields()).isEmpty();
                assertThat(whole.resource(job)
                                .get()
                                .getSpec()
                                .workload()
                                .template()
                                .at("/spec/odd"))
                        .as("whoever acts has it whole")
                        .hasSize(70_001);
            });
        }
    }

    private void create(String name) {
        admin.raw(JOBS, "POST", """
                {"apiVersion": "lightpath.dev/v1alpha1", "kind": "TrainingJob", "metadata": {"name": "%s"},
                 "spec": {"model": {"preset": "gpt-7b"}, "parallelism": {"tensor": 8}, "scaleUp": {"fabric": "none"},
                  "workload": {"template": {"spec": {"containers": [{"name": "c", "image": "i"}], "odd": [%s1]}}}}}
                """.formatted(name, "{\"a\":1},".repeat(70_000)));
    }
}
