package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.JobWidth;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.GroupAllocation;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job of four replicas has all nodes of four pods of a fabric of switches, and no spare. It does with two replicas.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ElasticOnSwitchesIT {
    private static final int NODES_OF_REPLICA = 4;

    @AutoClose
    private final JobOnSwitches scene;

    private final Installation all;

    ElasticOnSwitchesIT(ApiServer server, @TempDir Path folder) throws IOException {
        scene = JobOnSwitches.started(server, folder);
        all = scene.all;
    }

    @Test
    void itsCircuitsAreChosenAnewForThreeReplicasWhenANodeIsLostAndForFourOnceItIsBack() {
        scene.apply("""
                {model: {preset: gpt-7b}, parallelism: {tensor: 16, data: 4, minimumData: 2},
                 scaleOut: {fabric: dc, stagesPerPod: 1},
                 workload: {template: {spec: {containers: [{name: train, image: example/train,
                  resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""");
        runs(4, "True Satisfied");
        List<GroupAllocation> before = scene.record().groups();
        String question = scene.record().chosen().question();

        String lost = before.get(1).nodes().getFirst();
        int emptied = before.get(1).positions().getFirst();
        all.mark(lost, Map.of("lightpath.dev/faulty", "smoke"));
        all.eventually(
                "the fault is known", () -> assertThat(scene.says("Ready")).isEqualTo("False FaultPending"));
        assertThat(scene.record().groups())
                .as("under running pods nothing moves")
                .isEqualTo(before);

        scene.controllers.restart();
        all.eventually("it shrinks", () -> assertThat(scene.record().groups()).hasSize(3));
        all.kill();
        runs(3, "True FewerReplicas");
        assertThat(nodes(scene.record()))
                .containsExactly(
                        before.get(0).nodes(),
                        before.get(2).nodes(),
                        before.get(3).nodes());
        assertThat(scene.record().chosen().question()).isNotEqualTo(question);
        SortedSet<String> light = scene.lit();
        scene.record().groups().forEach(replica -> {
            int pod = replica.positions().getFirst();
            assertThat(TwoFabrics.between(light, pod, emptied)).isZero();
        });

        Set<String> running = scene.uids();
        all.heal(lost);
        all.mark(lost, Map.of("lightpath.dev/clear-fault", Instant.now().toString()));
        all.eventually("the node is back", () -> {
            scene.controllers.work();
            assertThat(scene.message("Placed"))
                    .contains("there is room for more, which it gets when its pods next restart");
        });
        assertThat(scene.record().groups()).hasSize(3);
        assertThat(scene.lit()).as("no light moved for it").isEqualTo(light);
        assertThat(scene.uids()).as("no pod ended for it").isEqualTo(running);
        assertThat(scene.says("Ready")).isEqualTo("True Satisfied");

        List<List<String>> narrow = nodes(scene.record());
        scene.controllers.restart();
        all.eventually("it grows", () -> {
            scene.controllers.work();
            assertThat(scene.record().groups()).hasSize(4);
        });
        runs(4, "True Satisfied");
        assertThat(nodes(scene.record()).subList(0, 3)).isEqualTo(narrow);

        all.delete(JobOnSwitches.JOB);
        all.eventually("nothing is left", () -> {
            scene.controllers.work();
            all.assertNothingLeft();
            assertThat(scene.lit()).isEmpty();
        });
    }

    /**
     * All pods of so many replicas run in their light, know how many they are, and the replicas are joined in a ring.
     */
    private void runs(int replicas, String placed) {
        all.eventually(replicas + " replicas run", () -> {
            scene.controllers.work();
            assertThat(scene.says("Ready")).isEqualTo("True Satisfied");
            assertThat(scene.says("Placed")).isEqualTo(placed);
            TrainingJob job = scene.job();
            assertThat(job.getStatus().width()).isEqualTo(new JobWidth(replicas, 4));
            assertThat(job.getStatus().gpus()).isEqualTo(16 * replicas);
            assertThat(job.getStatus().prediction()).isNotNull();
            int nodes = NODES_OF_REPLICA * replicas;
            assertThat(scene.pods())
                    .hasSize(nodes)
                    .allSatisfy(pod -> assertThat(
                                    pod.getSpec().getContainers().getFirst().getEnv())
                            .contains(
                                    new EnvVar("NNODES", Integer.toString(nodes), null),
                                    new EnvVar("WORLD_SIZE", Integer.toString(4 * nodes), null)));
            SortedSet<String> light = scene.lit();
            assertThat(light).isEqualTo(scene.recorded());
            List<GroupAllocation> groups = scene.record().groups();
            for (int replica = 0; replica < replicas; replica++) {
                int pod = groups.get(replica).positions().getFirst();
                int next = groups.get((replica + 1) % replicas).positions().getFirst();
                assertThat(TwoFabrics.between(light, pod, next))
                        .as("circuits between pods %d and %d", pod, next)
                        .isPositive();
            }
        });
    }

    private static List<List<String>> nodes(Allocation record) {
        return new ArrayList<>(
                record.groups().stream().map(GroupAllocation::nodes).toList());
    }
}
