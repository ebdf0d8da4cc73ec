package dev.lightpath.app.job.effects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.lightpath.app.conditions.EventWriter;
import dev.lightpath.app.driver.TestIdentity;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.plan.JobPlan;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.job.plan.StepsTaken;
import dev.lightpath.app.job.reading.Concurrently;
import dev.lightpath.app.job.reading.FactsReader;
import dev.lightpath.app.job.reading.Watched;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(ApiServerExtension.class)
final class StepExecutorIT {
    private static final String NO_MORE = "steps-no-more";
    private static final String NAMED = "attempt: 1\nslices: [{name: one, fabric: steps-ring}]";

    private KubernetesClient client;
    private FactsReader reader;
    private StepExecutor executor;

    @BeforeEach
    void start(ApiServer server) {
        client = server.client();
        reader = FactsReader.of(client);
        executor = new StepExecutor(client, reader::named, pod -> {}, new EventWriter(client, InstantSource.system()));
        client.resource(read("""
                        metadata: {name: steps-ring}
                        spec:
                          ocsTrx: {reach: 2, gpusPerNode: 4, shape: Line, driver: {endpoint: "driver:9440"}}
                        """, OpticalFabric.class)).create();
    }

    @AfterEach
    void stop() {
        for (String namespace : List.of("default", NO_MORE)) {
            remove(FabricSlice.class, namespace);
            remove(TrainingJob.class, namespace);
            client.pods().inNamespace(namespace).withGracePeriod(0).delete();
        }
        client.resources(OpticalFabric.class).withName("steps-ring").delete();
        client.close();
    }

    /** Nobody takes away what is in a namespace that goes. */
    private <T extends HasMetadata> void remove(Class<T> type, String namespace) {
        for (T each : client.resources(type).inNamespace(namespace).list().getItems()) {
            client.resource(each).edit(now -> {
                now.getMetadata().setFinalizers(List.of());
                return now;
            });
            client.resource(each).delete();
        }
    }

    /** One who led before wakes up and goes on with what it had read. */
    @Test
    void aStatusIsWrittenOverTheOneThatWasReadOnly() {
        TrainingJob before = makeJob("deposed", "default");
        TrainingJobStatus named = read(NAMED, TrainingJobStatus.class);
        executor.apply(before, named);

        assertThat(executor.apply(before, read("attempt: 1", TrainingJobStatus.class)))
                .isFalse();

        TrainingJob now = client.resource(before).get();
        assertThat(now.getStatus().slices()).isEqualTo(named.slices());
        executor.apply(now, read("attempt: 1", TrainingJobStatus.class));
        assertThat(client.resource(before).get().getStatus().slices()).isEmpty();
    }

    /** It is told in the words of the API server, and what comes after it is left. */
    @Test
    void aCreationThatIsRefusedEndsTheSteps() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NO_MORE)
                        .endMetadata()
                        .build())
                .create();
        TrainingJob job = makeJob("late", NO_MORE);
        client.namespaces().withName(NO_MORE).delete();
        JobFacts facts =
                reader.read(client.resource(job).get(), new Watched(List.of(), Set.of(), Set.of()), Instant.now());
        StepsTaken taken = executor.carryOut(facts.job(), JobPlan.of(facts), List::of, () -> true);
        assertThat(taken.done()).containsExactly(new JobStep.AddFinalizer());
        assertThat(taken.current()).isTrue();
        assertThat(taken.refusal()).hasValueSatisfying(refusal -> {
            assertThat(refusal.step()).isInstanceOf(JobStep.CreateSlice.class);
            assertThat(refusal.words()).contains("because it is being terminated");
            assertThat(refusal.namespaceGoes()).isTrue();
        });
        assertThat(executor.apply(taken.job(), read("attempt: 1", TrainingJobStatus.class)))
                .as("the finalizer is ours")
                .isTrue();
    }

    @Test
    void aPodIsTakenBackOnlyAsItWasReadUnbound() {
        TrainingJob job = makeJob("binding", "default");
        Pod read = client.resource(read("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: unbound, namespace: default}
                        spec: {containers: [{name: train, image: example/train}]}
                        """, Pod.class)).create();
        client.bindings()
                .inNamespace("default")
                .resource(new BindingBuilder()
                        .withNewMetadata()
                        .withName("unbound")
                        .endMetadata()
                        .withTarget(new ObjectReferenceBuilder()
                                .withKind("Node")
                                .withName("n1")
                                .build())
                        .build())
                .create();
        assertThat(takeBack(job, read)).isFalse();
        Pod bound = client.resource(read).get();
        assertThat(bound.getSpec().getNodeName()).isEqualTo("n1");
        assertThat(bound.getMetadata().getDeletionTimestamp()).isNull();
        client.resource(bound).withGracePeriod(0).delete();

        Pod waits = client.resource(read.edit()
                        .editMetadata()
                        .withName("waits")
                        .withResourceVersion(null)
                        .endMetadata()
                        .build())
                .create();
        assertThat(takeBack(job, waits)).isTrue();
        assertThat(client.resource(waits).get()).isNull();
    }

    /** Else one pod that hangs would keep the others from ending, as often as their job is looked at. */
    @Test
    void podsEndThoughTheApiServerRefusesToTakeAwayOneThatHangs() {
        TrainingJob job = makeJob("hanging", "default");
        List<Pod> pods = Stream.of("p0", "p1", "hangs")
                .map(name ->
                        client.resource(read("""
                                apiVersion: v1
                                kind: Pod
                                metadata: {name: %s, namespace: default}
                                spec: {containers: [{name: train, image: example/train}]}
                                """.formatted(name), Pod.class)).create())
                .toList();
        ValidatingAdmissionPolicy policy = read("""
                        metadata: {name: steps-keep}
                        spec:
                          matchConstraints:
                            resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [DELETE], resources: [pods]}]
                          matchConditions: [{name: one, expression: "oldObject.metadata.name == 'hangs'"}]
                          validations: [{expression: "false", message: pods that hang are looked into}]
                        """, ValidatingAdmissionPolicy.class);
        ValidatingAdmissionPolicyBinding binding = binding();
        try {
            client.resource(policy).create();
            client.resource(binding).create();
            await(pods.getLast(), true);
            List<JobStep> steps = List.of(
                    new JobStep.DeletePod("p0"), new JobStep.DeletePod("p1"), new JobStep.ForceDeletePod("hangs"));

            StepsTaken taken = executor.carryOut(job, steps, List::of, () -> true);

            assertThat(taken.refusal()).hasValueSatisfying(refusal -> {
                assertThat(refusal.step()).isEqualTo(steps.getLast());
                assertThat(refusal.words()).contains("pods that hang are looked into");
            });

            assertThat(client.pods().inNamespace("default").list().getItems())
                    .extracting(pod -> pod.getMetadata().getName())
                    .containsExactly("hangs");
        } finally {
            client.resource(binding).delete();
            client.resource(policy).delete();
            await(pods.getLast(), false);
        }
    }

    /** A fault comes while the pods of a job are let go. */
    @Test
    void podsAreLetGoAFewAtATimeAndNoneAfterItsLightWentOut() {
        TrainingJob job = makeJob("many", "default");
        List<JobStep> steps = gated();
        AtomicReference<FabricSlice> now = new AtomicReference<>(light(1, "True"));
        List<String> letGo = Collections.synchronizedList(new ArrayList<>());
        StepExecutor interrupted = new StepExecutor(
                client,
                (read, names) -> List.of(SliceFacts.of(now.get(), none -> null)),
                pod -> {
                    letGo.add(pod.getMetadata().getName());
                    if (letGo.size() >= 10) {
                        now.set(light(2, "False"));
                    }
                },
                new EventWriter(client, InstantSource.system()));

        StepsTaken taken = interrupted.carryOut(job, steps, () -> List.of(now.get()), () -> true);

        assertThat(taken.current()).as("all is to be read again").isFalse();
        assertThat(letGo).first().isEqualTo("many-0");
        List<String> free = free();
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
        TrainingJob job = makeJob("many", "default");
        List<JobStep> steps = gated();
        AtomicInteger readings = new AtomicInteger();
        StepExecutor slow = new StepExecutor(
                client,
                (read, names) -> {
                    readings.incrementAndGet();
                    LockSupport.parkNanos(Duration.ofMillis(150).toNanos());
                    return List.of(SliceFacts.of(light(1, "True"), none -> null));
                },
                pod -> {},
                new EventWriter(client, InstantSource.system()));

        assertThat(slow.carryOut(job, steps, () -> List.of(light(1, "True")), () -> true)
                        .current())
                .isTrue();

        assertThat(free()).hasSize(steps.size());
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
        TrainingJob job = makeJob("many", "default");
        List<JobStep> steps = gated().subList(0, 8);
        Map<String, Pod> shown = client.pods().inNamespace("default").list().getItems().stream()
                .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), pod -> pod));
        client.pods()
                .inNamespace("default")
                .withName("many-2")
                .edit(pod -> pod.edit()
                        .editMetadata()
                        .addToAnnotations("example.com/note", "newer")
                        .endMetadata()
                        .build());
        shown.remove("many-3");
        client.pods()
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
                        return List.of(SliceFacts.of(light(1, "True"), none -> null));
                    },
                    pod -> {},
                    new EventWriter(counted, InstantSource.system()));
            assertThat(lit.carryOut(job, List.of(steps.get(5)), showing(shown), () -> true)
                            .current())
                    .isTrue();
            assertThat(free()).containsExactly("many-5");
            assertThat(asked).containsExactly("PATCH many-5");

            asked.clear();
            taken = lit.carryOut(job, steps, showing(shown), () -> true);
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
        assertThat(free())
                .containsExactlyInAnyOrder("many-0", "many-1", "many-2", "many-3", "many-5", "many-6", "many-7");
        assertThat(client.pods()
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

    private Shown showing(Map<String, Pod> pods) {
        return new Shown() {
            @Override
            public Set<String> planned() {
                return Set.of("many-light");
            }

            @Override
            public List<FabricSlice> slices() {
                return List.of(light(1, "True"));
            }

            @Override
            public Optional<Pod> pod(String name) {
                return Optional.ofNullable(pods.get(name));
            }
        };
    }

    /** Makes a pod behind the gate for each place of the light. */
    private List<JobStep> gated() {
        List<JobStep> steps = new ArrayList<>();
        for (RankedNode place : RankedNode.of(List.of(SliceFacts.of(light(1, "True"), none -> null)))) {
            Pod pod = client.resource(read("""
                            apiVersion: v1
                            kind: Pod
                            metadata: {name: many-%d, namespace: default, annotations: {example.com/owner: user}}
                            spec:
                              schedulingGates: [{name: %s}]
                              containers: [{name: train, image: example/train}]
                            """.formatted(place.rank(), LightpathNames.SCHEDULING_GATE), Pod.class))
                    .create();
            steps.add(new JobStep.Ungate(
                    pod.getMetadata().getName(),
                    place,
                    1,
                    new TreeMap<>(Map.of("lightpath.dev/rank", Integer.toString(place.rank())))));
        }
        return steps;
    }

    private List<String> free() {
        return client.pods().inNamespace("default").list().getItems().stream()
                .filter(pod -> pod.getSpec().getSchedulingGates().isEmpty())
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    private FabricSlice light(long revision, String ready) {
        return read(
                """
                metadata: {name: many-light, namespace: default}
                spec: {fabric: steps-ring, job: {name: many, uid: many-uid, attempt: 1}, demand: {scaleUp: {groups: 1, gpusPerGroup: 160}}}
                status:
                  observedRevision: %1$d
                  conditions: [{type: Ready, status: "%4$s", reason: Qualified, message: told, lastTransitionTime: "2026-01-02T03:04:05Z"}]
                  allocation: {format: 1, revision: %1$d, groups: [{index: 0, nodes: [%2$s], positions: [%3$s]}]}
                """.formatted(
                                revision,
                                IntStream.range(0, 40).mapToObj(i -> "n" + i).collect(Collectors.joining(", ")),
                                IntStream.range(0, 40).mapToObj(String::valueOf).collect(Collectors.joining(", ")),
                                ready),
                FabricSlice.class);
    }

    /** Policies choose the code of their answer. */
    @ParameterizedTest
    @ValueSource(strings = {"Forbidden", "Invalid", "RequestEntityTooLarge"})
    void aDeletionThatAPolicyRefusesIsTold(String reason) {
        TrainingJob job = makeJob("kept-" + reason.toLowerCase(Locale.ROOT), "default");
        ValidatingAdmissionPolicy policy = policy(reason, job);
        ValidatingAdmissionPolicyBinding binding = binding();
        try {
            client.resource(policy).create();
            client.resource(binding).create();
            await(job, true);
            refused(job, "jobs of a run stay for a year");
        } finally {
            client.resource(binding).delete();
            client.resource(policy).delete();
            await(job, false);
        }
    }

    private ValidatingAdmissionPolicyBinding binding() {
        return read("""
                        metadata: {name: steps-keep}
                        spec: {policyName: steps-keep, validationActions: [Deny]}
                        """, ValidatingAdmissionPolicyBinding.class);
    }

    private ValidatingAdmissionPolicy policy(String reason, TrainingJob job) {
        return read("""
                        metadata: {name: steps-keep}
                        spec:
                          matchConstraints:
                            resourceRules:
                              - apiGroups: [lightpath.dev]
                                apiVersions: ["*"]
                                operations: [DELETE]
                                resources: [trainingjobs]
                          matchConditions: [{name: one, expression: "oldObject.metadata.name == '%s'"}]
                          validations: [{expression: "false", reason: %s, message: jobs of a run stay for a year}]
                        """.formatted(job.getMetadata().getName(), reason), ValidatingAdmissionPolicy.class);
    }

    /**
     * Policies choose the code of their answer; that which they give by themselves is also that of a patch that came
     * too late.
     */
    @ParameterizedTest
    @ValueSource(strings = {"Forbidden", "Invalid"})
    void whatAPolicyDoesNotAllowOfPodsIsToldAndTheRestIsDone(String reason) {
        TrainingJob job = makeJob("pods-" + reason.toLowerCase(Locale.ROOT), "default");
        List<JobStep> steps = new ArrayList<>(gated());
        ValidatingAdmissionPolicy policy = read("""
                        metadata: {name: steps-keep}
                        spec:
                          matchConstraints:
                            resourceRules:
                              - {apiGroups: [""], apiVersions: [v1], operations: [UPDATE, DELETE], resources: [pods]}
                          matchConditions: [{name: some, expression: "oldObject.metadata.name.startsWith('many-')"}]
                          validations: [{expression: "false", reason: %s, message: pods are as they are}]
                        """.formatted(reason), ValidatingAdmissionPolicy.class);
        ValidatingAdmissionPolicyBinding binding = binding();
        Pod first = client.pods().inNamespace("default").withName("many-0").get();
        StepExecutor lit = new StepExecutor(
                client,
                (of, names) -> List.of(SliceFacts.of(light(1, "True"), none -> null)),
                pod -> {},
                new EventWriter(client, InstantSource.system()));
        try {
            client.resource(policy).create();
            client.resource(binding).create();
            await(first, true);
            for (JobStep step : List.of(
                    new JobStep.Free("many-1"),
                    steps.getFirst(),
                    new JobStep.TellLight("many-1", "{}"),
                    new JobStep.DeletePod("many-1"),
                    new JobStep.DeleteUnbound("many-0", first.getMetadata().getResourceVersion()),
                    new JobStep.ForceDeletePod("many-1"))) {
                TrainingJob now = client.resource(job).get();
                StepsTaken taken =
                        lit.carryOut(now, List.of(step, new JobStep.AddFinalizer()), showing(Map.of()), () -> true);
                assertThat(taken.done()).contains(new JobStep.AddFinalizer());
                assertThat(taken.current()).as("nothing is newer").isTrue();
                assertThat(taken.refusal()).as(step.toString()).hasValueSatisfying(refusal -> {
                    assertThat(refusal.step()).isEqualTo(step);
                    assertThat(refusal.words()).contains("pods are as they are");
                });
            }
            JobStep gone = new JobStep.TellLight("many-none", "{}");
            StepsTaken both = lit.carryOut(
                    client.resource(job).get(),
                    List.of(gone, new JobStep.TellLight("many-1", "{}"), steps.getFirst()),
                    showing(Map.of()),
                    () -> true);
            assertThat(both.refusal())
                    .as("what keeps a pod from running goes first")
                    .hasValueSatisfying(refusal -> assertThat(refusal.step()).isEqualTo(steps.getFirst()));
            StepsTaken late = lit.carryOut(
                    client.resource(job).get(),
                    List.of(steps.getFirst()),
                    showing(Map.of(
                            "many-0",
                            new PodBuilder(first)
                                    .editMetadata()
                                    .withResourceVersion("1")
                                    .endMetadata()
                                    .build())),
                    () -> true);
            assertThat(late.refusal()).as("what was shown is old").isPresent();
        } finally {
            client.resource(binding).delete();
            client.resource(policy).delete();
            await(first, false);
        }
    }

    /** An answer "conflict" to a job that nobody changed is no news of it. */
    @Test
    void aDeletionThatAWebhookRefusesAsConflictIsTold(@TempDir Path folder) throws Exception {
        TrainingJob job = makeJob("kept-conflict", "default");
        TestIdentity identity = TestIdentity.make(folder, "webhook");
        HttpsServer server = conflicting(folder.resolve("webhook.p12"));
        ValidatingWebhookConfiguration webhook = read(
                """
                        metadata: {name: steps-keep}
                        webhooks:
                          - name: keep.example.com
                            admissionReviewVersions: [v1]
                            sideEffects: None
                            clientConfig:
                              url: https://localhost:%d/
                              caBundle: %s
                            rules:
                              - {apiGroups: [lightpath.dev], apiVersions: ["*"], operations: [DELETE], resources: [trainingjobs]}
                            matchConditions: [{name: one, expression: "oldObject.metadata.name == 'kept-conflict'"}]
                        """.formatted(
                                server.getAddress().getPort(),
                                Base64.getEncoder()
                                        .encodeToString(identity.certificate().getBytes(StandardCharsets.US_ASCII))),
                ValidatingWebhookConfiguration.class);
        try {
            client.resource(webhook).create();
            await(job, true);
            refused(job, "jobs of a run stay for a year");

            client.resource(job).edit(now -> {
                now.getMetadata().setLabels(Map.of("run", "another"));
                return now;
            });
            StepsTaken taken = executor.carryOut(job, List.of(new JobStep.DeleteJob()), List::of, () -> true);
            assertThat(taken.current()).as("somebody changed it since").isFalse();
            assertThat(taken.refusal()).isEmpty();
        } finally {
            client.resource(webhook).delete();
            await(job, false);
            server.stop(0);
        }
    }

    /** Another process may act for the job from then on. */
    @Test
    void takesNoStepAfterItLeadsNoMore() {
        TrainingJob job = makeJob("led-elsewhere", "default");
        AtomicInteger asked = new AtomicInteger();
        List<JobStep> steps = List.of(new JobStep.AddFinalizer(), new JobStep.DeleteJob());
        StepsTaken taken = executor.carryOut(job, steps, List::of, () -> asked.getAndIncrement() == 0);
        assertThat(taken.done()).containsExactly(steps.getFirst());
        assertThat(taken.current()).isFalse();
        assertThat(client.resource(job).get().getMetadata().getDeletionTimestamp())
                .isNull();
    }

    private static HttpsServer conflicting(Path keys) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(keys.toFile(), "changeit".toCharArray());
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, "changeit".toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress("localhost", 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", exchange -> {
            JsonNode review = new ObjectMapper().readTree(exchange.getRequestBody());
            byte[] answer = """
                    {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": {"uid": "%s",
                     "allowed": false, "status": {"code": 409, "message": "jobs of a run stay for a year"}}}
                    """.formatted(review.at("/request/uid").asText()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    private void refused(TrainingJob job, String why) {
        StepsTaken taken =
                executor.carryOut(client.resource(job).get(), List.of(new JobStep.DeleteJob()), List::of, () -> true);
        assertThat(taken.done()).isEmpty();
        assertThat(taken.current()).isTrue();
        assertThat(taken.refusal())
                .hasValueSatisfying(refusal -> assertThat(refusal.words()).contains(why));
    }

    /** It takes the API server a moment to hear of who may refuse, and of who may no longer. */
    private void await(HasMetadata object, boolean refused) {
        Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> {
            try {
                client.resource(object).dryRun().delete();
                return !refused;
            } catch (KubernetesClientException e) {
                return refused;
            }
        });
    }

    private boolean takeBack(TrainingJob job, Pod pod) {
        return executor.carryOut(
                        job,
                        List.of(new JobStep.DeleteUnbound(
                                pod.getMetadata().getName(), pod.getMetadata().getResourceVersion())),
                        List::of,
                        () -> true)
                .current();
    }

    private TrainingJob makeJob(String name, String namespace) {
        return client.resource(read("""
                        metadata: {name: %s, namespace: %s}
                        spec:
                          model: {preset: gpt-7b}
                          parallelism: {tensor: 8}
                          scaleUp: {fabric: steps-ring}
                        """.formatted(name, namespace), TrainingJob.class))
                .create();
    }

    private <T> T read(String yaml, Class<T> type) {
        return Serialization.unmarshal(yaml, type);
    }
}
