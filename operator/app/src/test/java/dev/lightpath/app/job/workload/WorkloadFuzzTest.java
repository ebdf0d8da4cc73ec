package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.fuzz.Fuzz;
import dev.lightpath.reading.ApiJson;
import dev.lightpath.reading.pod.WorkloadKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Workloads that jobs refer to, which tenants write. */
class WorkloadFuzzTest {
    private static final ObjectMapper JSON = ApiJson.generous(new ObjectMapper());
    private static final String GPU = "nvidia.com/gpu";
    private static final WorkerJobs WORKERS = new WorkerJobs(Set.of(), GPU);
    private static final String TEMPLATE = """
            {"metadata": {"labels": {"a": "b"}}, "spec": {"schedulingGates": [{"name": "lightpath.dev/circuits"}],
             "containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": "8"}}}]}}""";
    private static final List<byte[]> JOB_SETS = Fuzz.texts("""
            {"kind": "JobSet", "metadata": {"name": "a", "annotations": {"lightpath.dev/restarted-before": "3"}},
             "spec": {"suspend": true, "startupPolicy": {"startupPolicyOrder": "InOrder"}, "replicatedJobs": [
              {"name": "x", "replicas": 2, "template": {"spec": {"completions": 3, "parallelism": 3, "template": %1$s}}},
              {"name": "y", "replicas": 2000000000, "dependsOn": [{"name": "x", "status": "Complete"}],
               "template": {"spec": {"parallelism": 2000000000, "template": %1$s}}}]},
             "status": {"restarts": 1, "conditions": [{"type": "Failed", "status": "True", "message": "m"}],
              "replicatedJobsStatus": [{"name": "x", "ready": 1, "succeeded": 0, "failed": 0, "active": 1}]}}
            """.formatted(TEMPLATE));
    private static final List<byte[]> OTHERS = Fuzz.texts(
            "{\"spec\": {\"runPolicy\": {\"suspend\": true}, \"pytorchReplicaSpecs\": {\"Master\": {\"template\": %1$s}}}}"
                    .formatted(TEMPLATE),
            "{\"spec\": {\"startupPolicy\": \"LeaderReady\", \"leaderWorkerTemplate\": {\"size\": 4, \"workerTemplate\": %1$s}}}"
                    .formatted(TEMPLATE),
            "{\"spec\": {\"headGroupSpec\": {\"template\": %1$s}, \"workerGroupSpecs\": [{\"template\": %1$s}]}}"
                    .formatted(TEMPLATE));

    @Test
    void jobSets() throws Exception {
        Fuzz.read("JobSet", JOB_SETS, IllegalArgumentException.class, bytes -> {
            // the API server says the kind, not the tenant
            if (json(bytes) instanceof ObjectNode set) {
                set.put("kind", "JobSet");
                FirstRanks ranks = WorkloadReading.firstRanks(set, WORKERS);
                var unused = List.of(
                        ranks.of(999_999_999, 999_999_999),
                        ranks.isWorker(1),
                        WorkloadReading.makes(set, WORKERS),
                        WorkloadReading.run(set, WORKERS),
                        WorkloadReading.ungated(set, WORKERS),
                        WORKERS.problem(set),
                        ReplicatedOrder.awaited(set, WORKERS));
            }
        });
    }

    @Test
    void others() throws Exception {
        Fuzz.read("workload", OTHERS, IllegalArgumentException.class, bytes -> {
            JsonNode workload = json(bytes);
            if (workload != null) {
                for (WorkloadKind kind :
                        List.of(WorkloadKind.PYTORCH_JOB, WorkloadKind.LEADER_WORKER_SET, WorkloadKind.RAY_CLUSTER)) {
                    PodTemplates templates = PodTemplates.of(kind, workload);
                    var unused = List.of(templates.problem(GPU), WorkloadReading.run(workload, templates, GPU));
                }
            }
        });
    }

    private static JsonNode json(byte[] bytes) {
        try {
            return JSON.readTree(new String(bytes, StandardCharsets.UTF_8));
        } catch (JsonProcessingException noJson) {
            return null;
        }
    }
}
