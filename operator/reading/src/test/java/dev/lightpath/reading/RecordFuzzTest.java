package dev.lightpath.reading;

import dev.lightpath.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records as text, which a job carries. */
class RecordFuzzTest {
    private static final List<byte[]> RECORDS = Fuzz.texts(
            """
            {"format": 1, "revision": 3, "parts": 2, "groups": [{"index": 0, "nodes": ["a", "b"], "positions": [0, 1]}, {"index": 1, "nodes": ["c"], "positions": [2]}],
             "circuits": [{"switch": "sw-0", "circuits": ["1-9", "2-10"]}], "releasing": {"nodes": ["d"], "circuits": []}}""",
            "{\"format\": 1, \"revision\": 1}",
            "gzip:H4sIAAAAAAAA/6tWSssvyk0sUbIy0FEqSi3LLM7Mz1OyMqwFAJ1aVq8aAAAA");
    private static final List<byte[]> DEMANDS =
            Fuzz.texts("{\"scaleUp\": {\"tensor\": 16, \"groups\": 4, \"groupSize\": 4}}", """
            {"scaleOut": {"model": {"preset": "gpt-7b"}, "parallelism": {"tensor": 4, "pipeline": 2, "data": 2}, "gpusPerNode": 4, "stagesPerPod": 1, "rates": "Joint",
             "recorded": {"configMap": "a", "format": "AICB", "forwardSeconds": "1e-3", "backwardSeconds": "1", "pipelineBytes": "7", "dataBytes": "0", "microBatches": 2}}}""");

    @Test
    void records() throws Exception {
        Fuzz.read(
                "carried-record",
                RECORDS,
                IllegalArgumentException.class,
                text -> AllocationCodec.read(CarriedText.allocation(new String(text, StandardCharsets.UTF_8))));
    }

    @Test
    void demands() throws Exception {
        Fuzz.read(
                "carried-demand",
                DEMANDS,
                IllegalArgumentException.class,
                text -> CarriedText.demand(new String(text, StandardCharsets.UTF_8)));
    }
}
