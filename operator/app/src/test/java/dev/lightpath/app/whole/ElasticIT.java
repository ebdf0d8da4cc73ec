package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.JobWidth;
import dev.lightpath.crds.slice.GroupAllocation;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A job of four replicas has all nodes, and no spare. It does with two replicas. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ElasticIT {
    private static final int NODES = 8;
    private static final String JOB = "llm";

    private Installation all;
    private WorkloadControllers controllers;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(server, folder, NODES);
        controllers = new WorkloadControllers(all.client);
        controllers.install();
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        try (Installation ending = all) {
            all.kill();
            controllers.uninstall();
        }
    }

    @Test
    void itGoesOnWithThreeReplicasWhenANodeIsLostAndGrowsAtTheRestartAfterTheNodeIsBack() {
        all.apply(JOB, """
                {model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 4, minimumData: 2}, scaleUp: {fabric: ring-a},
                 workload: {template: {spec: {containers: [{name: train, image: example/train,
                  resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""");
        runs(4, "True Satisfied");
        List<GroupAllocation> before = groups();

        String lost = before.get(1).nodes().getFirst();
        all.mark(lost, Map.of("lightpath.dev/faulty", "smoke"));
        all.eventually(
                "the fault is known", () -> assertThat(all.says(JOB, "Ready")).isEqualTo("False FaultPending"));
        assertThat(groups()).as("under running pods nothing moves").isEqualTo(before);

        controllers.restart();
        all.eventually("it shrinks", () -> assertThat(groups()).hasSize(3));
        // An operator that dies here may tell no event: the status is what it must bring to its end.
        all.kill();
        runs(3, "True FewerReplicas");
        assertThat(nodes(groups()))
                .containsExactly(
                        before.get(0).nodes(),
                        before.get(2).nodes(),
                        before.get(3).nodes());

        Set<String> running = uids();
        all.heal(lost);
        all.mark(lost, Map.of("lightpath.dev/clear-fault", Instant.now().toString()));
        all.eventually("the node is back", () -> {
            controllers.work();
            assertThat(placed()).contains("there is room for more, which it gets when its pods next restart");
        });
        assertThat(groups()).hasSize(3);
        assertThat(uids()).as("no pod ended for it").isEqualTo(running);
        assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");

        List<GroupAllocation> narrow = groups();
        controllers.restart();
        all.eventually("it grows", () -> {
            controllers.work();
            assertThat(groups()).hasSize(4);
        });
        runs(4, "True Satisfied");
        assertThat(nodes(groups()).subList(0, 3)).isEqualTo(nodes(narrow));
        all.eventually(
                "restarts are counted",
                () -> assertThat(all.job(JOB).getStatus().restarts())
                        .as("of three JobSets")
                        .isEqualTo(2));
        assertThat(controllers.jobSets())
                .singleElement()
                .satisfies(set -> assertThat((Integer) set.get("spec", "failurePolicy", "maxRestarts"))
                        .as("of three in all")
                        .isEqualTo(1));
        all.eventually("it is told", () -> assertThat(events()).contains("Grown"));

        all.delete(JOB);
        all.eventually("nothing is left", () -> {
            controllers.work();
            all.assertNothingLeft();
        });
    }

    /** All pods of so many replicas run in their light, and know how many they are. */
    private void runs(int replicas, String placed) {
        all.eventually(replicas + " replicas run", () -> {
            controllers.work();
            assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
            assertThat(all.says(JOB, "Placed")).isEqualTo(placed);
            assertThat(all.job(JOB).getStatus().width()).isEqualTo(new JobWidth(replicas, 4));
            assertThat(controllers.podsOf(JOB))
                    .hasSize(2 * replicas)
                    .allSatisfy(pod -> assertThat(
                                    pod.getSpec().getContainers().getFirst().getEnv())
                            .contains(
                                    new EnvVar("NNODES", Integer.toString(2 * replicas), null),
                                    new EnvVar("WORLD_SIZE", Integer.toString(8 * replicas), null)));
            all.assertLightAsRecorded();
        });
    }

    private String placed() {
        return all.job(JOB).getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals("Placed"))
                .findFirst()
                .orElseThrow()
                .getMessage();
    }

    private List<GroupAllocation> groups() {
        assertThat(all.slices()).hasSize(1);
        return all.slices().getFirst().getStatus().allocation().groups();
    }

    private static List<List<String>> nodes(List<GroupAllocation> groups) {
        return new ArrayList<>(groups.stream().map(GroupAllocation::nodes).toList());
    }

    private Set<String> uids() {
        return controllers.podsOf(JOB).stream()
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toSet());
    }

    private List<String> events() {
        return all.client.events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> event.getRegarding().getName().equals(JOB))
                .map(Event::getReason)
                .toList();
    }
}
