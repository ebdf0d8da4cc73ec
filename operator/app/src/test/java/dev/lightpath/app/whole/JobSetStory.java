package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.slice.FabricSlice;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The life of a job whose pods the operator makes by a JobSet: placed, its pods run, a node fails under them, they
 * start anew, completed, deleted.
 */
final class JobSetStory {
    static final String JOB = "own";
    private static final int PODS = 2;

    private final Installation all;
    private final WorkloadControllers controllers;
    private String broken = "";

    JobSetStory(Installation all, WorkloadControllers controllers) {
        this.all = all;
        this.controllers = controllers;
    }

    List<Act> acts() {
        return List.of(
                new Act("place with a JobSet", this::apply, this::runs),
                new Act(
                        "a node fails under running pods",
                        this::breakNode,
                        () -> {
                            controllers.work();
                            assertThat(all.says(JOB, "Ready")).isEqualTo("False FaultPending");
                            assertThat(members()).contains(broken);
                        },
                        Pattern.compile(" FaultPending$")),
                new Act("the pods start anew", controllers::restart, () -> {
                    runs();
                    assertThat(members()).doesNotContain(broken);
                }),
                new Act("the node under pods recovers", this::healNode, this::runs),
                new Act("the JobSet completes", controllers::complete, () -> {
                    controllers.work();
                    assertThat(all.says(JOB, "Complete")).startsWith("True");
                    assertThat(slices()).isEmpty();
                    all.assertLightAsRecorded();
                }),
                new Act("delete with a JobSet", () -> all.delete(JOB), () -> {
                    controllers.work();
                    assertThat(all.job(JOB)).isNull();
                    assertThat(slices()).isEmpty();
                    all.assertLightAsRecorded();
                }));
    }

    private void apply() {
        all.apply(JOB, """
                {model: {preset: gpt-7b}, parallelism: {tensor: %d}, scaleUp: {fabric: ring-a},
                 workload: {template: {spec: {containers: [{name: train, image: example/train,
                  resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""".formatted(4 * PODS));
    }

    private void runs() {
        controllers.work();
        assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
        assertThat(members()).hasSize(PODS);
        all.assertLightAsRecorded();
    }

    private void breakNode() {
        broken = members().getFirst();
        all.mark(broken, Map.of("lightpath.dev/faulty", "smoke"));
    }

    private void healNode() {
        all.heal(broken);
        all.mark(broken, Map.of("lightpath.dev/clear-fault", Instant.now().toString()));
    }

    private List<FabricSlice> slices() {
        return all.slices().stream()
                .filter(slice -> slice.getSpec().job().name().equals(JOB))
                .toList();
    }

    private List<String> members() {
        List<FabricSlice> slices = slices();
        assertThat(slices).hasSize(1);
        return slices.getFirst().getStatus().allocation().groups().getFirst().nodes();
    }
}
