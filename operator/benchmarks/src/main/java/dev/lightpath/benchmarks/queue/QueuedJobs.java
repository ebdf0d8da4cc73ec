package dev.lightpath.benchmarks.queue;

import dev.lightpath.benchmarks.Samples;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * Jobs in queues of a real Kueue on a local environment, one after the other: from quota to light and to Ready, and
 * from the end of the last pod of a preempted job to the light of the job that preempted it.
 * {@code operator/benchmarks/queues} starts it.
 */
public final class QueuedJobs {
    private static final int NODES_OF_A_GROUP = 4;
    private static final int PATIENCE_SECONDS = 180;

    private final KubernetesClient client;
    private final int gpusOfANode;
    private int job;

    QueuedJobs(KubernetesClient client, int gpusOfANode) {
        this.client = client;
        this.gpusOfANode = gpusOfANode;
    }

    /**
     * @param arguments kubeconfig, manifest of the queues, GPUs of the cluster, GPUs of a job, how many of each kind,
     *     GPUs of a node
     */
    public static void main(String[] arguments) throws IOException {
        int cluster = Integer.parseInt(arguments[2]);
        int gpus = Integer.parseInt(arguments[3]);
        int rounds = Integer.parseInt(arguments[4]);
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(new File(arguments[0])))
                .build()) {
            try (InputStream queues = Files.newInputStream(Path.of(arguments[1]))) {
                client.load(queues).serverSideApply();
            }
            QueuedJobs jobs = new QueuedJobs(client, Integer.parseInt(arguments[5]));
            // the first ones pay for classes and caches
            jobs.alone(gpus, 3, new Samples(), new Samples());
            Samples light = new Samples();
            Samples ready = new Samples();
            jobs.alone(gpus, rounds, light, ready);
            System.out.printf("%d GPUs: quota to light %s, quota to Ready %s%n", gpus, light, ready);
            Samples wholeLight = new Samples();
            Samples wholeReady = new Samples();
            jobs.alone(cluster, Math.max(1, rounds / 10), wholeLight, wholeReady);
            System.out.printf("%d GPUs: quota to light %s, quota to Ready %s%n", cluster, wholeLight, wholeReady);
            Samples preempted = new Samples();
            jobs.preempting(cluster, gpus, Math.max(1, rounds / 2), preempted);
            System.out.printf("the last pod's end to the light of the preemptor: %s%n", preempted);
        }
        // the client's threads would live on for a while
        System.exit(0);
    }

    private void alone(int gpus, int rounds, Samples light, Samples ready) {
        for (int round = 0; round < rounds; round++) {
            try (QueueTimes times = new QueueTimes(client, QueueTimes.JOB)) {
                String name = "alone" + ++job;
                create(name, "production", gpus);
                until(name + " is Ready", () -> times.isReady(name, pods(gpus)));
                System.out.printf("  %d GPUs: %s%n", gpus, times.sinceLight(name));
                light.addNanos(times.quotaToLight(name));
                ready.addNanos(times.quotaToReady(name));
                clear();
            }
        }
    }

    private void preempting(int cluster, int gpus, int rounds, Samples lights) {
        for (int round = 0; round < rounds; round++) {
            try (QueueTimes times = new QueueTimes(client, QueueTimes.JOB)) {
                String victim = "victim" + ++job;
                create(victim, "research", cluster);
                until(victim + " is Ready on borrowed quota", () -> times.isReady(victim, pods(cluster)));
                String preemptor = "preemptor" + job;
                create(preemptor, "production", gpus);
                until(preemptor + " is Ready", () -> times.isReady(preemptor, pods(gpus)));
                until("all pods of " + victim + " are gone", () -> times.isGone(victim));
                lights.addNanos(times.lastPodToLight(victim, preemptor));
                clear();
            }
        }
    }

    long pods(int gpus) {
        return gpus / gpusOfANode;
    }

    void create(String name, String queue, int gpus) {
        client.resource("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: %s}}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: %d, data: %d}, scaleUp: {fabric: ring-a},
                       workload: {template: {spec: {containers: [{name: train, image: example/train,
                        resources: {limits: {nvidia.com/gpu: %d}}}]}}}}
                """.formatted(
                                name,
                                queue,
                                NODES_OF_A_GROUP * gpusOfANode,
                                gpus / (NODES_OF_A_GROUP * gpusOfANode),
                                gpusOfANode))
                .create();
    }

    void clear() {
        client.resources(TrainingJob.class).inNamespace("default").delete();
        until(
                "nothing is left",
                () -> client.resources(FabricSlice.class)
                                .inNamespace("default")
                                .list()
                                .getItems()
                                .isEmpty()
                        && client.pods()
                                .inNamespace("default")
                                .list()
                                .getItems()
                                .isEmpty()
                        && client.genericKubernetesResources("kueue.x-k8s.io/v1beta2", "Workload")
                                .inNamespace("default")
                                .list()
                                .getItems()
                                .isEmpty());
    }

    static void until(String what, BooleanSupplier holds) {
        long deadline = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not after " + PATIENCE_SECONDS + " s: " + what);
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
