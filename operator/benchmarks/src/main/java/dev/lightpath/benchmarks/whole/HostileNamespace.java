package dev.lightpath.benchmarks.whole;

import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * What one user who may edit one namespace does to all others: jobs with large pod templates, recorded traffic, the longest searches, and
 * every second a change of each.
 */
final class HostileNamespace {
    static final String NAME = "hostile";
    private static final int JOBS = 1000;
    private static final int RECORDINGS = 65;
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    /** Every so many-th template is of small objects, which take twenty times as much as objects of Java and of the API server. */
    private static final int SMALL_OBJECTS = 16;

    private static final String OBJECTS = "[" + "{\"a\":1},".repeat(87_000) + "1]";
    private static final String TEXTS = "[" + ("\"" + "x".repeat(997) + "\",").repeat(700) + "1]";

    private static final String PATH = "/apis/lightpath.dev/v1alpha1/namespaces/" + NAME + "/trainingjobs";

    private final KubernetesClient client;
    private final boolean configMaps;
    private final AtomicInteger turn = new AtomicInteger();

    /** @param configMaps whether the bytes of jobs and recordings are only stored */
    HostileNamespace(KubernetesClient client, boolean configMaps) {
        this.client = client;
        this.configMaps = configMaps;
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Writes all of it. */
    void create() {
        Site.each(IntStream.range(0, RECORDINGS).boxed().toList(), number -> {
            record(number, number);
            post("traced-" + number, """
                    "parallelism": {"tensor": 4, "pipeline": 2, "data": 2}, "scaleOut": {"fabric": "spine", "stagesPerPod": 1,
                     "timeLimitSeconds": 3600, "traffic": {"configMap": "recording-%d", "format": "Chakra"}}""".formatted(number));
        });
        Site.each(
                IntStream.range(0, JOBS - RECORDINGS).boxed().toList(),
                number -> post("large-" + number, """
                        "parallelism": {"tensor": 16, "data": 1}, "scaleUp": {"fabric": "ring-a"}, "workload": {"template":
                         {"spec": {"containers": [{"name": "train", "image": "example/train",
                          "resources": {"limits": {"nvidia.com/gpu": 4}}}]}, "metadata": {"bulk": %s}}}""".formatted(number % SMALL_OBJECTS == 0 ? OBJECTS : TEXTS)));
    }

    private void record(int number, int salt) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(NAME)
                        .withName("recording-" + number)
                        .endMetadata()
                        .withBinaryData(Recording.files(salt))
                        .build())
                .serverSideApply();
    }

    private void post(String name, String rest) {
        if (configMaps) {
            client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace(NAME)
                            .withName(name)
                            .endMetadata()
                            .addToData("job", rest)
                            .build())
                    .create();
            return;
        }
        client.raw(PATH, "POST", """
                {"apiVersion": "lightpath.dev/v1alpha1", "kind": "TrainingJob", "metadata": {"name": "%s"},
                 "spec": {"model": {"preset": "gpt-7b"}, %s}}
                """.formatted(name, rest));
    }

    /** Changes a job with a large template, a recording and a search. */
    void act() {
        int now = turn.getAndIncrement();
        try {
            patch("large-" + now % (JOBS - RECORDINGS), "{\"spec\": {\"maxRestarts\": " + (1 + now % 900) + "}}");
            record(now % RECORDINGS, 1000 + now);
            patch(
                    "traced-" + now % RECORDINGS,
                    "{\"spec\": {\"scaleOut\": {\"portTolerance\": \"0.0" + (1 + now % 900) + "\"}}}");
        } catch (KubernetesClientException e) {
            Speed.say("the hostile namespace was refused: " + e.getMessage());
        }
    }

    private void patch(String job, String patch) {
        if (configMaps) {
            var stored = client.configMaps()
                    .inNamespace(NAME)
                    .withName(job)
                    .patch(MERGE, "{\"metadata\": {\"annotations\": {\"changed\": \"%d\"}}}".formatted(turn.get()));
            return;
        }
        var unused = client.resources(TrainingJob.class)
                .inNamespace(NAME)
                .withName(job)
                .patch(MERGE, patch);
    }
}
