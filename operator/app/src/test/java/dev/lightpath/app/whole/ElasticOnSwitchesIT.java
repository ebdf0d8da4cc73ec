package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.JobWidth;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.GroupAllocation;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A job of four replicas has all nodes of four pods of a fabric of switches, and no spare. It does with two replicas. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ElasticOnSwitchesIT {
    private static final String JOB = "llm";
    private static final int NODES_OF_REPLICA = 4;

    private Installation all;
    private WorkloadControllers controllers;
    private TwoFabrics scene;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(
                server,
                folder,
                TwoFabrics.NODES,
                ", devices: [%s], fibres: [%s]"
                        .formatted(String.join(", ", TwoFabrics.devices()), String.join(", ", TwoFabrics.fibres())));
        controllers = new WorkloadControllers(all.client);
        controllers.install();
        scene = new TwoFabrics(all);
        scene.describe();
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        all.kill();
        scene.remove();
        controllers.uninstall();
        all.close();
    }

    @Test
    void itsCircuitsAreChosenAnewForThreeReplicasWhenANodeIsLostAndForFourOnceItIsBack() {
        all.apply(JOB, """
                {model: {preset: gpt-7b}, parallelism: {tensor: 16, data: 4, minimumData: 2},
                 scaleOut: {fabric: dc, stagesPerPod: 1},
                 workload: {template: {spec: {containers: [{name: train, image: example/train,
                  resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""");
        runs(4, "True Satisfied");
        List<GroupAllocation> before = record().groups();
        String question = record().chosen().question();

        String lost = before.get(1).nodes().getFirst();
        int emptied = before.get(1).positions().getFirst();
        all.mark(lost, Map.of("lightpath.dev/faulty", "smoke"));
        all.eventually(
                "the fault is known", () -> assertThat(all.says(JOB, "Ready")).isEqualTo("False FaultPending"));
        assertThat(record().groups()).as("under running pods nothing moves").isEqualTo(before);

        controllers.restart();
        all.eventually("it shrinks", () -> assertThat(record().groups()).hasSize(3));
        all.kill();
        runs(3, "True FewerReplicas");
        assertThat(nodes(record()))
                .containsExactly(
                        before.get(0).nodes(),
                        before.get(2).nodes(),
                        before.get(3).nodes());
        assertThat(record().chosen().question()).isNotEqualTo(question);
        SortedSet<String> light = scene.lit();
        record().groups().forEach(replica -> {
            int pod = replica.positions().getFirst();
            assertThat(TwoFabrics.between(light, pod, emptied)).isZero();
        });

        Set<String> running = uids();
        all.heal(lost);
        all.mark(lost, Map.of("lightpath.dev/clear-fault", Instant.now().toString()));
        all.eventually("the node is back", () -> {
            controllers.work();
            assertThat(placed()).contains("there is room for more, which it gets when its pods next restart");
        });
        assertThat(record().groups()).hasSize(3);
        assertThat(scene.lit()).as("no light moved for it").isEqualTo(light);
        assertThat(uids()).as("no pod ended for it").isEqualTo(running);
        assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");

        List<List<String>> narrow = nodes(record());
        controllers.restart();
        all.eventually("it grows", () -> {
            controllers.work();
            assertThat(record().groups()).hasSize(4);
        });
        runs(4, "True Satisfied");
        assertThat(nodes(record()).subList(0, 3)).isEqualTo(narrow);

        all.delete(JOB);
        all.eventually("nothing is left", () -> {
            controllers.work();
            all.assertNothingLeft();
            assertThat(scene.lit()).isEmpty();
        });
    }

    /** All pods of so many replicas run in their light, know how many they are, and the replicas are joined in a ring. */
    private void runs(int replicas, String placed) {
        all.eventually(replicas + " replicas run", () -> {
            controllers.work();
            assertThat(all.says(JOB, "Ready")).isEqualTo("True Satisfied");
            assertThat(all.says(JOB, "Placed")).isEqualTo(placed);
            TrainingJob job = all.job(JOB);
            assertThat(job.getStatus().width()).isEqualTo(new JobWidth(replicas, 4));
            assertThat(job.getStatus().gpus()).isEqualTo(16 * replicas);
            assertThat(job.getStatus().prediction()).isNotNull();
            int nodes = NODES_OF_REPLICA * replicas;
            assertThat(pods())
                    .hasSize(nodes)
                    .allSatisfy(pod -> assertThat(
                                    pod.getSpec().getContainers().getFirst().getEnv())
                            .contains(
                                    new EnvVar("NNODES", Integer.toString(nodes), null),
                                    new EnvVar("WORLD_SIZE", Integer.toString(4 * nodes), null)));
            SortedSet<String> light = scene.lit();
            assertThat(light).isEqualTo(scene.recorded(JOB));
            List<GroupAllocation> groups = record().groups();
            for (int replica = 0; replica < replicas; replica++) {
                int pod = groups.get(replica).positions().getFirst();
                int next = groups.get((replica + 1) % replicas).positions().getFirst();
                assertThat(TwoFabrics.between(light, pod, next))
                        .as("circuits between pods %d and %d", pod, next)
                        .isPositive();
            }
        });
    }

    private Allocation record() {
        FabricSlice slice = scene.slice(JOB);
        return slice.getStatus().allocation();
    }

    private static List<List<String>> nodes(Allocation record) {
        return new ArrayList<>(
                record.groups().stream().map(GroupAllocation::nodes).toList());
    }

    private String placed() {
        return all.job(JOB).getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals("Placed"))
                .map(Condition::getMessage)
                .findFirst()
                .orElse("");
    }

    private List<Pod> pods() {
        return all.client
                .pods()
                .inNamespace("default")
                .withLabel("lightpath.dev/job", JOB)
                .list()
                .getItems();
    }

    private Set<String> uids() {
        return pods().stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }
}
