package dev.lightpath.app.kueue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.fuzz.Fuzz;
import dev.lightpath.reading.ApiJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Workloads of Kueue, which tenants may write. */
class QueuedWorkloadFuzzTest {
    private static final ObjectMapper JSON = ApiJson.generous(new ObjectMapper());
    private static final List<byte[]> WORKLOADS = Fuzz.texts("""
            {"metadata": {"namespace": "a", "name": "b", "resourceVersion": "7",
              "annotations": {"%s": "2026-11-24T10:00:00Z no room"},
              "ownerReferences": [{"controller": true, "kind": "JobSet", "name": "llm"}]},
             "spec": {"active": false, "podSets": [{"name": "workers", "count": 4,
              "template": {"spec": {"schedulingGates": [{"name": "lightpath.dev/light"}]}}}]},
             "status": {"admission": {"podSetAssignments": [{"name": "workers", "count": 3}]},
              "admissionChecks": [{"name": "light", "state": "Pending", "message": "waits", "retryCount": 2}],
              "conditions": [{"type": "QuotaReserved", "status": "True", "lastTransitionTime": "2026-11-24T10:00:00Z"}]}}
            """.formatted(LightpathAnnotations.NO_PLACE));

    @Test
    void workloads() throws Exception {
        Fuzz.read("workload", WORKLOADS, IllegalArgumentException.class, bytes -> {
            JsonNode workload = json(bytes);
            if (workload != null) {
                QueuedWorkload read = QueuedWorkload.read(workload, Set.of("light"), "lightpath.dev/light");
                var unused =
                        read.asks() | read.parked().map(had -> had.told(false)).isPresent();
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
