package dev.lightpath.cli.cluster.show;

import dev.lightpath.console.text.Table;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.IntStream;

/** Objects as the operator leaves them: a ring of eight nodes, one job of two groups on six of them. */
public final class Shown {
    private Shown() {}

    public static <T extends HasMetadata> T yaml(Class<T> type, String text) {
        return Serialization.unmarshal(text, type);
    }

    static String lines(Table table) {
        return table.render();
    }

    /** A healthy node of four GPUs at its position. */
    public static Node node(int position) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n" + position)
                .addToLabels("lightpath.dev/ring-position", Integer.toString(position))
                .addToLabels("lightpath.dev/ring", "ring-a")
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addToAllocatable("nvidia.com/gpu", new Quantity("4"))
                .addToCapacity("nvidia.com/gpu", new Quantity("4"))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    public static List<Node> nodes() {
        return IntStream.range(0, 8).mapToObj(Shown::node).toList();
    }

    public static OpticalFabric fabric() {
        return yaml(OpticalFabric.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: ring-a}
                spec:
                  ocsTrx:
                    shape: Ring
                    reach: 3
                    gpusPerNode: 4
                    positions: 8
                    nodeSelector: {matchLabels: {lightpath.dev/ring: ring-a}}
                    driver: {endpoint: "127.0.0.1:9440"}
                status:
                  observedGeneration: 1
                  conditions:
                  - {type: Ready, status: "True", reason: Satisfied, message: cared for, lastTransitionTime: "2026-11-21T07:00:00Z"}
                  nodes: {total: 8, healthy: 7, faulty: 1, busy: 0, allocated: 6}
                  gpus: {total: 32, usable: 28, allocated: 24}
                  circuits: {planned: 24, lit: 24, foreign: 0, missing: 0}
                  driver: {name: d, version: "1", connected: true, epoch: 3}
                  faults: [{subject: node/n7, reason: DeclaredFaulty, message: smells of smoke, since: "2026-11-21T07:30:00Z"}]
                """);
    }

    public static TrainingJob job(String uid) {
        return yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: llm, namespace: default, uid: %s}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 12, data: 2}
                  scaleUp: {fabric: ring-a}
                status:
                  observedGeneration: 1
                  conditions:
                  - {type: Accepted, status: "True", reason: Satisfied, message: "", lastTransitionTime: "2026-11-21T07:00:00Z"}
                  - {type: Placed, status: "True", reason: Satisfied, message: "", lastTransitionTime: "2026-11-21T07:00:00Z"}
                  - {type: FabricReady, status: "False", reason: Programming, message: "3 of 18 circuits lit", lastTransitionTime: "2026-11-21T07:00:00Z"}
                  - {type: Ready, status: "False", reason: Programming, message: "3 of 18 circuits lit", lastTransitionTime: "2026-11-21T07:00:00Z"}
                  gpus: 24
                  nodes: 6
                  attempt: 1
                  placement: {groups: 2}
                """.formatted(uid));
    }

    public static FabricSlice slice(String uid) {
        return yaml(FabricSlice.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {name: llm-ring-a-1-abcde, namespace: default, labels: {lightpath.dev/job: llm}}
                spec:
                  fabric: ring-a
                  job: {name: llm, uid: %s, attempt: 1}
                  demand: {scaleUp: {groups: 2, gpusPerGroup: 12}}
                status:
                  observedGeneration: 1
                  conditions:
                  - {type: Ready, status: "False", reason: Programming, message: "3 of 18 circuits lit", lastTransitionTime: "2026-11-21T07:00:00Z"}
                  allocation:
                    format: 1
                    revision: 2
                    groups:
                    - {index: 0, nodes: [n0, n1, n2], positions: [0, 1, 2]}
                    - {index: 1, nodes: [n4, n5, n6], positions: [4, 5, 6]}
                    releasing: {nodes: [n7]}
                    origin: {planner: local-repair, bundles: 6, why: "n0 in for n7, 1 of 2 groups changed"}
                  programmed: {total: 18, applied: 3, failed: 0}
                """.formatted(uid));
    }

    /** Part 1 of the record of that slice. */
    public static FabricSlice part(String uid) {
        FabricSlice part = yaml(FabricSlice.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {namespace: default, labels: {lightpath.dev/job: llm}}
                spec:
                  fabric: ring-a
                  job: {name: llm, uid: %s, attempt: 1}
                  part: 1
                  demand: {scaleUp: {groups: 2, gpusPerGroup: 12}}
                status:
                  allocation:
                    format: 1
                    revision: 2
                    groups: []
                    circuits: [{switch: ocs-3, circuits: ["1-2", "3-4"]}]
                    releasing: {nodes: [n8, n9]}
                """.formatted(uid));
        part.getMetadata().setName(SliceParts.name("llm-ring-a-1-abcde", 2, 1));
        return part;
    }

    public static Pod pod(String name, String node, String phase) {
        return yaml(Pod.class, """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default, labels: {lightpath.dev/job: llm, lightpath.dev/attempt: "1"}}
                spec: {nodeName: %s, containers: [{name: train, image: train}]}
                status: {phase: %s}
                """.formatted(name, node, phase));
    }

    /** As above, and controlled by the Job of a JobSet that is known no more. */
    public static Pod pod(String name, String node, String phase, String jobSet) {
        return new PodBuilder(pod(name, node, phase))
                .editMetadata()
                .addNewOwnerReference()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName(jobSet + "-workers-0")
                .withUid("gone")
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    /** Makes them all, and a switch, on an API server that nobody else uses. */
    public static void create(KubernetesClient client) {
        for (Node node : nodes()) {
            client.resource(node).create();
            // the API server taints new nodes, and nobody is there to take the taint away
            client.nodes()
                    .withName(node.getMetadata().getName())
                    .edit(made -> new NodeBuilder(made)
                            .editSpec()
                            .withTaints(List.of())
                            .endSpec()
                            .build());
            client.resource(node).patchStatus();
        }
        withStatus(client, fabric());
        TrainingJob job = job("none");
        job.getMetadata().setUid(null);
        withStatus(client, job);
        withStatus(client, slice(client.resource(job).get().getMetadata().getUid()));
        client.resource(yaml(OpticalSwitch.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalSwitch
                metadata: {name: ocs-3}
                spec:
                  fabric: spine
                  driver: {endpoint: "127.0.0.1:9440", deviceId: ocs-3}
                  wiring: {striped: {firstIngress: 1, firstEgress: 161, portsPerPod: 2}}
                """)).create();
    }

    private static void withStatus(KubernetesClient client, HasMetadata object) {
        client.resource(object).create();
        client.resource(object).patchStatus();
    }
}
