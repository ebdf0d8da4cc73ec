package dev.lightpath.app.job.effects;

import dev.lightpath.app.conditions.EventWriter;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.job.reading.FactsReader;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** Jobs on a ring, and 40 pods of one of them that wait behind their gates. */
final class StepScene implements AutoCloseable {
    static final String NO_MORE = "steps-no-more";

    final KubernetesClient client;
    final FactsReader reader;
    final StepExecutor executor;

    StepScene(ApiServer server) {
        client = server.client();
        reader = FactsReader.of(client);
        executor = new StepExecutor(client, reader::named, pod -> {}, new EventWriter(client, InstantSource.system()));
        client.resource(read("""
                        metadata: {name: steps-ring}
                        spec:
                          ocsTrx: {reach: 2, gpusPerNode: 4, shape: Line, driver: {endpoint: "driver:9440"}}
                        """, OpticalFabric.class)).create();
    }

    @Override
    public void close() {
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

    TrainingJob makeJob(String name, String namespace) {
        return client.resource(read("""
                        metadata: {name: %s, namespace: %s}
                        spec:
                          model: {preset: gpt-7b}
                          parallelism: {tensor: 8}
                          scaleUp: {fabric: steps-ring}
                        """.formatted(name, namespace), TrainingJob.class))
                .create();
    }

    static <T> T read(String yaml, Class<T> type) {
        return Serialization.unmarshal(yaml, type);
    }

    /** Makes a pod behind the gate for each place of the light. */
    List<JobStep> gated() {
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

    List<String> free() {
        return client.pods().inNamespace("default").list().getItems().stream()
                .filter(pod -> pod.getSpec().getSchedulingGates().isEmpty())
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    FabricSlice light(long revision, String ready) {
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

    Shown showing(Map<String, Pod> pods) {
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

    /** It takes the API server a moment to hear of who may refuse, and of who may no longer. */
    void await(HasMetadata object, boolean refused) {
        Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> {
            try {
                client.resource(object).dryRun().delete();
                return !refused;
            } catch (KubernetesClientException e) {
                return refused;
            }
        });
    }

    ValidatingAdmissionPolicyBinding binding() {
        return read("""
                        metadata: {name: steps-keep}
                        spec: {policyName: steps-keep, validationActions: [Deny]}
                        """, ValidatingAdmissionPolicyBinding.class);
    }
}
