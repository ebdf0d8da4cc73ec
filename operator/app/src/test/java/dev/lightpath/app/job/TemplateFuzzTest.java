package dev.lightpath.app.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.job.facts.Made;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.app.job.workload.GpuLimit;
import dev.lightpath.app.job.workload.JobSetDraft;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import dev.lightpath.fuzz.Fuzz;
import dev.lightpath.reading.ApiJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pod templates that a user may write, and annotations that may be on a JobSet. */
class TemplateFuzzTest {
    private static final ObjectMapper JSON = ApiJson.generous(new ObjectMapper());
    private static final List<byte[]> TEMPLATES =
            Fuzz.texts("""
            {"metadata": {"labels": {"a": "b"}}, "spec": {"restartPolicy": "Always", "schedulingGates": [{"name": "other"}],
             "tolerations": [{"key": "node.kubernetes.io/not-ready"}],
             "initContainers": [{"name": "sidecar", "restartPolicy": "Always", "resources": {"limits": {"nvidia.com/gpu": "500m"}}}],
             "containers": [{"name": "train", "image": "x", "env": [{"name": "NNODES", "value": "2"}],
               "resources": {"limits": {"nvidia.com/gpu": 4}, "requests": {"nvidia.com/gpu": "4"}}}]}}""", "{\"spec\":{\"containers\":[{\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"1e9\"}}}]}}");

    @Test
    void templates() throws Exception {
        Fuzz.read("template", TEMPLATES, IllegalArgumentException.class, bytes -> {
            JsonNode template = json(bytes);
            if (template == null || !template.isObject()) {
                return; // the API server takes an object only
            }
            SampleJob sample = new SampleJob();
            sample.template = new Workload(template, null);
            TrainingJob job = sample.job();
            var unused = GpuLimit.problem(job, "nvidia.com/gpu", 4);
            JSON.writeValueAsBytes(JobSetDraft.of(job, 4, SampleJob.GPU_RESOURCE));
        });
    }

    @Test
    void annotationsOfJobSets() throws Exception {
        List<byte[]> samples = Fuzz.texts(
                "{\"" + LightpathAnnotations.MADE_FOR + "\": \"16 GPUs ring-a\", \"" + LightpathAnnotations.MADE_FROM
                        + "\": \"0af\", \"" + LightpathAnnotations.MADE_IN_QUEUE + "\": \"\", \""
                        + LightpathAnnotations.MADE_WITH_PRIORITY + "\": \"/\"}");
        Made now = Made.of(new SampleJob().job());
        Fuzz.read("made", samples, IllegalArgumentException.class, bytes -> {
            JsonNode annotations = json(bytes);
            if (annotations != null && annotations.isObject()) {
                Made made = Made.read(annotations);
                var unused = made.isForOthersThan(now) | made.isFromOthersThan(now) | made.isQueuedElsewhereThan(now);
            }
        });
    }

    /** As the API server sends it: in UTF-8, never in another encoding that the bytes may look like. */
    private static JsonNode json(byte[] bytes) {
        try {
            return JSON.readTree(new String(bytes, StandardCharsets.UTF_8));
        } catch (JsonProcessingException noJson) {
            return null;
        }
    }
}
