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
 * What one user who may edit one namespace does to all others: jobs with pod templates as large as are allowed,
 * recorded traffic, the longest searches, and every second a change of each and a template that is larger than is
 * allowed.
 */
final class HostileNamespace {
    static final String NAME = "hostile";
    private static final int JOBS = 1000;
    private static final int RECORDINGS = 65;
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    /**
     * Every so many-th template is of small objects, which take twenty times as much as objects of Java and of the API
     * server.
     */
    private static final int SMALL_OBJECTS = 16;

    /** As many as a template may have, and what one of 0.7 MB has. */
    private static final String OBJECTS = objects(2900);

    private static final String TEXTS = texts(29);
    private static final String MANY_OBJECTS = objects(87_000);
    private static final String MANY_TEXTS = texts(700);

    private static final String PATH = "/apis/lightpath.dev/v1alpha1/namespaces/" + NAME + "/trainingjobs";

    private final KubernetesClient client;
    private final AtomicInteger turn = new AtomicInteger();

    HostileNamespace(KubernetesClient client) {
        this.client = client;
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .build())
                .create();
    }

    private static String objects(int count) {
        return "[" + "{\"a\":1},".repeat(count) + "1]";
    }

    private static String texts(int count) {
        return "[" + ("\"" + "x".repeat(997) + "\",").repeat(count) + "1]";
    }

    /** Writes all of it. */
    void create() {
        Site.each(IntStream.range(0, RECORDINGS).boxed().toList(), number -> {
            record(number, number);
            post("traced-" + number, """
                    "parallelism": {"tensor": 4, "pipeline": 2, "data": 2}, "scaleOut": {"fabric": "spine", "stagesPerPod": 1,
                     "timeLimitSeconds": 3600, "traffic": {"configMap": "recording-%d", "format": "Chakra"}}""".formatted(number));
        });
        Patience.until("templates of 0.7 MB are refused", 60, () -> isRefused("large-0", MANY_OBJECTS));
        Site.each(
                IntStream.range(0, JOBS - RECORDINGS).boxed().toList(),
                number -> post("large-" + number, large(number % SMALL_OBJECTS == 0 ? OBJECTS : TEXTS)));
    }

    private static String large(String bulk) {
        return """
                "parallelism": {"tensor": 16, "data": 1}, "scaleUp": {"fabric": "ring-a"}, "workload": {"template":
                 {"spec": {"containers": [{"name": "train", "image": "example/train",
                  "resources": {"limits": {"nvidia.com/gpu": 4}}}]}, "metadata": {"bulk": %s}}}""".formatted(bulk);
    }

    /** One that is taken is deleted. */
    private boolean isRefused(String name, String bulk) {
        try {
            post(name, large(bulk));
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage()).contains("at most 32 KiB");
        }
        client.raw(PATH + "/" + name, "DELETE", null);
        return false;
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
        client.raw(PATH, "POST", """
                {"apiVersion": "lightpath.dev/v1alpha1", "kind": "TrainingJob", "metadata": {"name": "%s"},
                 "spec": {"model": {"preset": "gpt-7b"}, %s}}
                """.formatted(name, rest));
    }

    /** Asks for a template of 0.7 MB, and changes a job with one as large as is allowed, a recording and a search. */
    void act() {
        int now = turn.getAndIncrement();
        if (!isRefused("larger-" + now, now % SMALL_OBJECTS == 0 ? MANY_OBJECTS : MANY_TEXTS)) {
            throw new IllegalStateException("a template of 0.7 MB was taken");
        }
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
        var unused = client.resources(TrainingJob.class)
                .inNamespace(NAME)
                .withName(job)
                .patch(MERGE, patch);
    }
}
