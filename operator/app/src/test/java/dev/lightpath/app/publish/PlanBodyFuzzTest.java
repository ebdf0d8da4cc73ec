package dev.lightpath.app.publish;

import dev.lightpath.app.access.Refused;
import dev.lightpath.fuzz.Fuzz;
import org.junit.jupiter.api.Test;

/** What callers send to {@code /plan/NAMESPACE}, before the API server judges it. */
class PlanBodyFuzzTest {
    @Test
    void bodies() throws Exception {
        Fuzz.read(
                "plan-body",
                Fuzz.texts("""
                        {"items": [{"apiVersion": "lightpath.dev/v1alpha1", "kind": "TrainingJob",
                         "metadata": {"name": "llm", "namespace": "team"},
                         "spec": {"parallelism": {"tensor": 8, "data": 2}, "scaleUp": {"fabric": "ring-a"}}}]}
                        """, "{\"items\": []}"),
                Refused.class,
                bytes -> PreviewRoute.manifests(bytes, "team"));
    }
}
