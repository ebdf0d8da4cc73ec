package dev.lightpath.benchmarks.queue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.benchmarks.Samples;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a job of {@link QueuedJobs} takes without Lightpath: the JobSet that the operator writes for it, with neither
 * gate nor label of Lightpath, in a queue of the same Kueue without AdmissionCheck. The operator is ended before the
 * first of them.
 */
public final class PlainJobSets {
    private static final String JOB_SETS = "jobset.x-k8s.io/v1alpha2";
    private static final String QUEUE = "kueue.x-k8s.io/queue-name";

    private final KubernetesClient client;
    private final QueuedJobs jobs;

    private PlainJobSets(KubernetesClient client, QueuedJobs jobs) {
        this.client = client;
        this.jobs = jobs;
    }

    /**
     * @param arguments kubeconfig, manifest of the queues, GPUs of a job, how many, GPUs of a node, process of the
     *     operator
     */
    public static void main(String[] arguments) throws IOException {
        int gpus = Integer.parseInt(arguments[2]);
        int rounds = Integer.parseInt(arguments[3]);
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(new File(arguments[0])))
                .build()) {
            try (InputStream queues = Files.newInputStream(Path.of(arguments[1]))) {
                client.load(queues).serverSideApply();
            }
            PlainJobSets plain = new PlainJobSets(client, new QueuedJobs(client, Integer.parseInt(arguments[4])));
            ObjectNode draft = plain.drafted(gpus);
            ProcessHandle operator =
                    ProcessHandle.of(Long.parseLong(arguments[5])).orElseThrow();
            operator.destroy();
            operator.onExit().join();
            plain.run(draft, gpus, 1, new Samples());
            Samples running = new Samples();
            plain.run(draft, gpus, rounds, running);
            System.out.printf("%d GPUs, without Lightpath: quota to the last pod that runs %s%n", gpus, running);
        }
        // the client's threads would live on for a while
        System.exit(0);
    }

    /** The JobSet of a TrainingJob that waits in a queue which is not there, without what Lightpath gave it. */
    private ObjectNode drafted(int gpus) {
        jobs.create("draft", "nowhere", gpus);
        QueuedJobs.until("the JobSet is there", () -> !jobSets().isEmpty());
        ObjectNode draft = Serialization.jsonMapper().valueToTree(jobSets().getFirst());
        jobs.clear();
        draft.putObject("metadata")
                .put("namespace", "default")
                .putObject("labels")
                .put(QUEUE, "production");
        draft.remove("status");
        ObjectNode template = (ObjectNode) draft.at("/spec/replicatedJobs/0/template/spec/template");
        ((ObjectNode) template.path("metadata")).remove("labels");
        ((ObjectNode) template.path("spec")).remove("schedulingGates");
        return draft;
    }

    private List<GenericKubernetesResource> jobSets() {
        return client.genericKubernetesResources(JOB_SETS, "JobSet")
                .inNamespace("default")
                .list()
                .getItems();
    }

    private void run(ObjectNode draft, int gpus, int rounds, Samples running) {
        for (int round = 0; round < rounds; round++) {
            try (QueueTimes times = new QueueTimes(client, QueueTimes.JOB_SET)) {
                String name = "plain" + System.nanoTime();
                ObjectNode jobSet = draft.deepCopy();
                ((ObjectNode) jobSet.path("metadata")).put("name", name);
                client.resource(jobSet.toString()).create();
                QueuedJobs.until(name + " runs", () -> times.isRunning(name, jobs.pods(gpus)));
                System.out.printf("  %d GPUs: %s%n", gpus, times.sinceAdmitted(name));
                running.addNanos(times.quotaToRunning(name));
                client.genericKubernetesResources(JOB_SETS, "JobSet")
                        .inNamespace("default")
                        .delete();
                jobs.clear();
            }
        }
    }
}
