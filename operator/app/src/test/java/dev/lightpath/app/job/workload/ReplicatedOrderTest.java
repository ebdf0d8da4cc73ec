package dev.lightpath.app.job.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplicatedOrderTest {
    private static final WorkerJobs NODE = new WorkerJobs(Set.of("node"), "");

    /** As Kubeflow Trainer makes it of a TrainJob with initializers. */
    private static final String WITH_INITIALIZERS = """
            ---
            kind: JobSet
            spec:
              replicatedJobs:
              - {name: data, replicas: 1, template: {}}
              - {name: model, replicas: 2, template: {}}
              - {name: node, template: {}, dependsOn: [{name: data, status: Complete}, {name: model, status: %s}]}
              - {name: judge, template: {}, dependsOn: [{name: node, status: Complete}]}
            status:
              replicatedJobsStatus: %s
            """;

    @Test
    void workersWaitForWhatTheyDependOn() {
        assertThat(ReplicatedOrder.awaited(initializers("Complete", "[]"), NODE))
                .containsExactly("replicated job data to complete", "replicated job model to complete");
        assertThat(ReplicatedOrder.awaited(
                        initializers("Complete", "[{name: data, succeeded: 1}, {name: model, succeeded: 1, ready: 1}]"),
                        NODE))
                .as("of two one still runs")
                .containsExactly("replicated job model to complete");
        assertThat(ReplicatedOrder.awaited(
                        initializers("Ready", "[{name: data, succeeded: 1}, {name: model, succeeded: 1, ready: 1}]"),
                        NODE))
                .as("both are ready, or were")
                .isEmpty();
        assertThat(ReplicatedOrder.awaited(initializers("Ready", "[{name: data, succeeded: 1}]"), NODE))
                .containsExactly("replicated job model to be ready");
    }

    @Test
    void workersWaitForThoseBeforeThemWhereAJobSetStartsInOrder() {
        String text = """
                ---
                kind: JobSet
                spec:
                  %sreplicatedJobs: [{name: launcher, template: {}}, {name: node, template: {}}, {name: judge, template: {}}]
                status: {replicatedJobsStatus: [{name: launcher, active: 1, ready: %d}]}
                """;
        String inOrder = "startupPolicy: {startupPolicyOrder: InOrder}\n  ";
        assertThat(ReplicatedOrder.awaited(json(text.formatted(inOrder, 0)), NODE))
                .containsExactly("replicated job launcher to be ready");
        assertThat(ReplicatedOrder.awaited(json(text.formatted(inOrder, 1)), NODE))
                .isEmpty();
        assertThat(ReplicatedOrder.awaited(json(text.formatted("", 0)), NODE)).isEmpty();
    }

    /** The launcher is made anew, and all other pods are there. */
    @Test
    void whatHasBegunWaitsForNothing() {
        String text = """
                ---
                kind: JobSet
                spec:
                  startupPolicy: {startupPolicyOrder: InOrder}
                  replicatedJobs: [{name: launcher, template: {}}, {name: node, template: {}}]
                status: {replicatedJobsStatus: [{name: launcher, active: 1}, {name: node, %s}]}
                """;
        assertThat(ReplicatedOrder.awaited(json(text.formatted("active: 1")), NODE))
                .isEmpty();
        assertThat(ReplicatedOrder.awaited(json(text.formatted("active: 0, suspended: 1")), NODE))
                .as("a JobSet that was suspended goes on in order")
                .containsExactly("replicated job launcher to be ready");
    }

    /** Nobody checked what the API server has. */
    @Test
    void whatCannotBeReadIsNotWaitedFor() {
        assertThat(ReplicatedOrder.awaited(json("---\nkind: Job\nspec: {}"), WorkerJobs.ALL))
                .isEmpty();
        assertThat(ReplicatedOrder.awaited(json("---\nkind: JobSet"), NODE)).isEmpty();
        assertThat(ReplicatedOrder.awaited(
                        json(
                                "---\nkind: JobSet\nspec: {replicatedJobs: [{name: node, dependsOn: [{name: gone}, {}, 7]}]}"),
                        NODE))
                .isEmpty();
    }

    private static JsonNode initializers(String model, String status) {
        return json(WITH_INITIALIZERS.formatted(model, status));
    }

    private static JsonNode json(String yaml) {
        return Serialization.unmarshal(yaml, JsonNode.class);
    }
}
