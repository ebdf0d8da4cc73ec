package dev.lightpath.app.job.effects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.conditions.EventWriter;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.job.plan.StepsTaken;
import dev.lightpath.app.job.reading.Concurrently;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods that are let go to their nodes over light that was just read. */
@ExtendWith(ApiServerExtension.class)
final class PodsLetGoIT {
    private StepScene scene;

    @BeforeEach
    void start(ApiServer server) {
        scene = new StepScene(server);
    }

    @AfterEach
    void stop() {
        scene.close();
    }

    /** A fault comes while the pods of a job are let go. */
    @Test
    void podsAreLetGoAFewAtATimeAndNoneAfterItsLightWentOut() {
        TrainingJob job = scene.makeJob("many", "default");
        List<JobStep> steps = scene.gated();
        AtomicReference<FabricSlice> now = new AtomicReference<>(scene.light(1, "True"));
        List<String> letGo = Collections.synchronizedList(new ArrayList<>());
        StepExecutor interrupted = new StepExecutor(
                scene.client,
                (read, names) -> List.of(SliceFacts.of(now.get(), none -> null)),
                pod -> {
                    letGo.add(pod.getMetadata().getName());
                    if (letGo.size() >= 10) {
                        now.set(scene.light(2, "False"));
                    }
                },
                new EventWriter(scene.client, InstantSource.system()));

        StepsTaken taken = interrupted.carryOut(job, steps, () -> List.of(now.get()), () -> true);

        assertThat(taken.current()).as("all is to be read again").isFalse();
        assertThat(letGo).first().isEqualTo("many-0");
        List<String> free = scene.free();
        assertThat(free).containsExactlyInAnyOrderElementsOf(letGo);
        assertThat(free)
                .as("those before it, and those under way by then")
                .hasSizeBetween(10, 10 + Concurrently.AT_A_TIME)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, free.size())
                        .mapToObj(rank -> "many-" + rank)
                        .toList());
    }

    /** Else each pod of a large job would wait for a reading of its own where the API server is slow. */
    @Test
    void lightThatTakesLongToReadCountsForThePodsThatGoAtOnceAfterIt() {
        TrainingJob job = scene.makeJob("many", "default");
        List<JobStep> steps = scene.gated();
        AtomicInteger readings = new AtomicInteger();
        StepExecutor slow = new StepExecutor(
                scene.client,
                (read, names) -> {
                    readings.incrementAndGet();
                    LockSupport.parkNanos(Duration.ofMillis(150).toNanos());
                    return List.of(SliceFacts.of(scene.light(1, "True"), none -> null));
                },
                pod -> {},
                new EventWriter(scene.client, InstantSource.system()));

        assertThat(slow.carryOut(job, steps, () -> List.of(scene.light(1, "True")), () -> true)
                        .current())
                .isTrue();

        assertThat(scene.free()).hasSize(steps.size());
        assertThat(readings.get())
                .as("one for the first, one for those that go at once after it, one for each other")
                .isLessThanOrEqualTo(2 + steps.size() - 1 - Concurrently.AT_A_TIME);
    }

    /**
     * What is shown is late: one pod was changed since, one is not shown yet, one is gone, and one was let go before.
     * The others cost one write each.
     */
    @Test
    void podsAreLetGoAsTheyWereShownAndReadWhereTheyChangedSince(ApiServer server) {
        TrainingJob job = scene.makeJob("many", "default");
        List<JobStep> steps = scene.gated().subList(0, 8);
        Map<String, Pod> shown = scene.client.pods().inNamespace("default").list().getItems().stream()
                .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), pod -> pod));
        scene.client
                .pods()
                .inNamespace("default")
                .withName("many-2")
                .edit(pod -> pod.edit()
                        .editMetadata()
                        .addToAnnotations("example.com/note", "newer")
                        .endMetadata()
                        .build());
        shown.remove("many-3");
        scene.client
                .pods()
                .inNamespace("default")
                .withName("many-4")
                .withGracePeriod(0)
                .delete();
        Queue<String> asked = new ConcurrentLinkedQueue<>();
        Queue<Set<String>> read = new ConcurrentLinkedQueue<>();
        StepsTaken taken;
        try (KubernetesClient counted = counted(server, asked)) {
            StepExecutor lit = new StepExecutor(
                    counted,
                    (of, names) -> {
                        read.add(names);
                        return List.of(SliceFacts.of(scene.light(1, "True"), none -> null));
                    },
                    pod -> {},
                    new EventWriter(counted, InstantSource.system()));
            assertThat(lit.carryOut(job, List.of(steps.get(5)), scene.showing(shown), () -> true)
                            .current())
                    .isTrue();
            assertThat(scene.free()).containsExactly("many-5");
            assertThat(asked).containsExactly("PATCH many-5");

            asked.clear();
            taken = lit.carryOut(job, steps, scene.showing(shown), () -> true);
        }

        assertThat(taken.current()).as("one is gone").isFalse();
        assertThat(asked)
                .as("read is what was not as it was shown, and that is then written again if it waits still")
                .containsExactlyInAnyOrder(
                        "PATCH many-0",
                        "PATCH many-1",
                        "PATCH many-2",
                        "GET many-2",
                        "PATCH many-2",
                        "GET many-3",
                        "PATCH many-3",
                        "PATCH many-4",
                        "GET many-4",
                        "PATCH many-5",
                        "GET many-5",
                        "PATCH many-6",
                        "PATCH many-7");
        assertThat(read)
                .as("light is read by the names that the steps were planned for")
                .isNotEmpty()
                .containsOnly(Set.of("many-light"));
        assertThat(scene.free())
                .containsExactlyInAnyOrder("many-0", "many-1", "many-2", "many-3", "many-5", "many-6", "many-7");
        assertThat(scene.client
                        .pods()
                        .inNamespace("default")
                        .withName("many-2")
                        .get()
                        .getMetadata()
                        .getAnnotations())
                .as("what others wrote stays")
                .containsEntry("example.com/note", "newer")
                .containsEntry("lightpath.dev/rank", "2");
    }

    /** A client that tells each request for a pod. */
    private static KubernetesClient counted(ApiServer server, Queue<String> asked) {
        try (KubernetesClient plain = server.client()) {
            return new KubernetesClientBuilder()
                    .withConfig(plain.getConfiguration())
                    .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("asked", new Interceptor() {
                        @Override
                        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                            String path = request.uri().getPath();
                            if (path.contains("/pods")) {
                                asked.add(request.method()
                                        + path.substring(path.indexOf("/pods") + 5)
                                                .replaceFirst("^/", " "));
                            }
                        }
                    }))
                    .build();
        }
    }
}
