package dev.lightpath.soak;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.soak.script.Change;
import dev.lightpath.soak.script.NodeFault;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/** Makes things happen: on the API server as kubelets, monitors and persons would, on the hardware as fate would. */
final class Acts {
    /** What a kubelet of KWOK obeys; where nodes are plain objects it is a label like any other. */
    private static final String KWOK_NOT_READY = "node-not-ready.stage.kwok.x-k8s.io";

    private static final String MONITORED = "GpuMemWatch";

    private final KubernetesClient client;
    private final String namespace;
    private final EmulatedHardware hardware;
    private final Site site;

    Acts(Cluster cluster, EmulatedHardware hardware, Site site) {
        this.client = cluster.client();
        this.namespace = cluster.namespace();
        this.hardware = hardware;
        this.site = site;
    }

    void make(Change change) {
        switch (change) {
            case Change.NodeFails fails -> fail(site.ring().nodes().get(fails.position()), fails.how());
            case Change.NodeRecovers recovers -> recover(site.ring().nodes().get(recovers.position()), recovers.how());
            case Change.PortFails fails -> hardware.failPort(fails.device(), fails.port());
            case Change.PortRecovers recovers -> hardware.heal(recovers.device(), recovers.port());
            case Change.SwitchFails fails -> hardware.cutPower(fails.device());
            case Change.SwitchRecovers recovers -> hardware.heal(recovers.device(), "");
            case Change.JobArrives arrives ->
                client.resource(client.getKubernetesSerialization()
                                .unmarshal(arrives.job().yaml(namespace), TrainingJob.class))
                        .create();
            case Change.JobLeaves leaves -> delete(leaves.job().name());
        }
    }

    void delete(String job) {
        client.resources(TrainingJob.class).inNamespace(namespace).withName(job).delete();
    }

    private void fail(String node, NodeFault how) {
        switch (how) {
            case NOT_READY -> {
                metadata(node, "labels", KWOK_NOT_READY, "\"true\"");
                condition(node, "Ready", "False", "KubeletNotReady");
            }
            case DELETED -> client.nodes().withName(node).delete();
            case ANNOTATED -> metadata(node, "annotations", LightpathAnnotations.FAULTY, "\"study\"");
            case CONDITION -> condition(node, MONITORED, "True", "StudyOfFaults");
            case POWER_LOSS -> hardware.cutPower(node);
        }
    }

    private void recover(String node, NodeFault how) {
        switch (how) {
            case NOT_READY -> {
                metadata(node, "labels", KWOK_NOT_READY, "null");
                condition(node, "Ready", "True", "KubeletReady");
            }
            case DELETED -> create(node);
            case ANNOTATED -> metadata(node, "annotations", LightpathAnnotations.FAULTY, "null");
            case CONDITION -> condition(node, MONITORED, "False", "Well");
            case POWER_LOSS -> hardware.heal(node, "");
        }
    }

    /** A node that joins is tainted by admission; where no controller takes that away, we do. */
    private void create(String name) {
        Node was = Objects.requireNonNull(site.nodes().get(name), name);
        Node anew = new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(was.getMetadata().getLabels())
                .endMetadata()
                .withStatus(was.getStatus())
                .build();
        client.resource(anew).create();
        client.nodes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"taints\":null}}");
    }

    private void metadata(String node, String field, String key, String value) {
        client.nodes()
                .withName(node)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"" + field + "\":{\"" + key + "\":" + value + "}}}");
    }

    private void condition(String node, String type, String status, String reason) {
        String now =
                Instant.now().truncatedTo(java.time.temporal.ChronoUnit.SECONDS).toString();
        client.nodes()
                .withName(node)
                .subresource("status")
                .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), """
                        {"status":{"conditions":[{"type":"%s","status":"%s","reason":"%s","message":"lightpath study live",\
                        "lastTransitionTime":"%s","lastHeartbeatTime":"%s"}]}}""".formatted(type, status, reason, now, now));
    }

    /** What a person does about a node that failed too often and is well. */
    void clear(String node) {
        metadata(node, "annotations", LightpathAnnotations.CLEAR_FAULT, "\"" + Instant.now() + "\"");
    }

    /** What a person does after a mass failure. */
    void resume(String fabric) {
        client.resources(OpticalFabric.class)
                .withName(fabric)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"" + LightpathAnnotations.RESUME_AFTER_MASS_FAILURE + "\":\""
                                + Instant.now() + "\"}}}");
    }

    /** Sets how long a fabric waits, in seconds. */
    void policy(String fabric, Map<String, Integer> faults, Map<String, Integer> massFailure) {
        client.resources(OpticalFabric.class)
                .withName(fabric)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"policy\":{\"faults\":" + json(faults) + ",\"massFailure\":" + json(massFailure)
                                + "}}}");
    }

    private static String json(Map<String, Integer> fields) {
        StringBuilder json = new StringBuilder();
        fields.forEach((name, value) -> json.append(json.isEmpty() ? "" : ",")
                .append('"')
                .append(name)
                .append("\":")
                .append(value));
        return "{" + json + "}";
    }
}
