package dev.lightpath.app.job.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.job.Workload;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MadeTest {
    private final SampleJob sample = new SampleJob();

    /** The API server takes 10 000 levels, and nobody asks it about a template while a JobSet is there. */
    @Test
    void aTemplateThatIsTooDeepIsAnother() {
        sample.lit().own();
        Made before = Made.of(sample.job());
        sample.template = new Workload(deep(9_000), null);
        assertThat(before.isFromOthersThan(Made.of(sample.job()))).isTrue();
        sample.workload = new WorkloadFacts.Own(
                SampleJob.JOB_SET, Optional.of(SampleRun.running().made(before).run()), List.of(), Optional.empty());
        assertThat(sample.steps()).containsExactly(new JobStep.DeleteJobSet(SampleJob.JOB_SET));
        sample.template = new Workload(deep(49), null);
        assertThat(Made.of(sample.job()).template())
                .hasValueSatisfying(digest -> assertThat(digest).matches("[0-9a-f]{64}"));
    }

    private static JsonNode deep(int levels) {
        JsonNode deep = JsonNodeFactory.instance.objectNode();
        for (int level = 0; level < levels; level++) {
            deep = JsonNodeFactory.instance.arrayNode().add(deep);
        }
        return JsonNodeFactory.instance.objectNode().set("spec", deep);
    }
}
