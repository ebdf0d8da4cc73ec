package dev.lightpath.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.whole.Installation;
import dev.lightpath.app.whole.LightLog;
import dev.lightpath.cli.TestRun;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The API server of a cluster is lost with all that it knew, or its fabric is handed over. A new cluster goes on with
 * the same nodes, devices and light, by {@code export}, {@code restore} and {@code driver transfer}.
 */
@ExtendWith(ApiServerExtension.class)
class RestoredClusterIT {
    private static final int NODES = 16;
    private static final String FABRIC = "fabric/ring-a";
    /** Several passes of a leader that has told what it saw. */
    private static final long LONG_ENOUGH_SECONDS = 3;

    /** With its record, the nodes of each of its groups by name of job. */
    private static Map<String, List<List<String>>> places(Installation of) {
        Map<String, List<List<String>>> places = new HashMap<>();
        for (FabricSlice slice : of.slices()) {
            places.put(
                    slice.getSpec().job().name(),
                    slice.getStatus().allocation().groups().stream()
                            .map(group -> group.nodes())
                            .toList());
        }
        return places;
    }

    @Test
    void aNewClusterGoesOnWithTheLightOfTheOldOne(ApiServer server, @TempDir Path folder)
            throws IOException, InterruptedException {
        Path backup = folder.resolve("backup.json");
        try (Installation old = new Installation(server, Files.createDirectories(folder.resolve("old")), NODES)) {
            old.start();
            old.apply("llm", "{model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}}");
            old.awaitReady("llm");
            old.apply(
                    "moe", "{model: {preset: gpt-7b}, parallelism: {tensor: 16, data: 1}, scaleUp: {fabric: ring-a}}");
            old.awaitReady("moe");
            // the second attempt of its record, and a fault that the light was moved away from
            repairAfterAFault(old);
            Map<String, List<List<String>>> places = places(old);
            Command oldCluster = new Command(server, folder.resolve("old.kubeconfig"));
            Files.writeString(backup, oldCluster.run("export").out());
            LightLog light = new LightLog(old.chaos);
            light.keepAllStill(true);
            old.kill();

            try (ApiServer fresh = ApiServer.startWithResources();
                    Installation now =
                            Installation.ofNewCluster(fresh, Files.createDirectories(folder.resolve("new")), old)) {
                Command newCluster = new Command(fresh, folder.resolve("new.kubeconfig"));
                JsonNode tried = newCluster
                        .run("restore", backup.toString(), "--dry-run", "-o", "json")
                        .json();
                assertThat(tried.get("dryRun").asBoolean()).isTrue();
                assertThat(now.slices()).isEmpty();

                JsonNode report = newCluster
                        .run("restore", backup.toString(), "-o", "json")
                        .json();
                assertThat(report.get("notes")).isEmpty();
                assertThat(places(now)).isEqualTo(places);

                now.start();
                now.eventually(
                        "changes wait for a person",
                        () -> assertThat(ready(now)).startsWith("False Paused"));
                newCluster.run("resume", FABRIC);
                now.eventually(
                        "devices are the old cluster's",
                        () -> assertThat(ready(now)).startsWith("False HeldByAnotherRole"));
                String oldRole = uid(old) + "/ring-a";
                String newRole = uid(now) + "/ring-a";
                JsonNode held = newCluster
                        .run("driver", "transfer", FABRIC, "-o", "json")
                        .json();
                assertThat(held.get("given").asInt()).isZero();
                assertThat(held.at("/holdings").findValuesAsText("role"))
                        .contains(oldRole)
                        .doesNotContain(newRole);
                newCluster.run("driver", "transfer", FABRIC, "--from", oldRole);

                now.awaitReady("llm");
                now.awaitReady("moe");
                now.eventually(
                        "the fabric is cared for", () -> assertThat(ready(now)).startsWith("True"));
                assertThat(places(now)).isEqualTo(places);
                light.assertSound();
                light.keepAllStill(false);

                // light that the old cluster made is the new one's to move
                String next = places(now).get("moe").getFirst().getLast();
                now.mark(next, Map.of(LightpathAnnotations.FAULTY, "smoke"));
                now.eventually("the job is repaired", () -> {
                    assertThat(places(now).get("moe")).noneMatch(group -> group.contains(next));
                    assertThat(now.says("moe", "Ready")).isEqualTo("True Satisfied");
                    now.assertLightAsRecorded();
                });

                // the old cluster comes back, and would repair what it knows of
                light.keepAllStill(true);
                old.start();
                old.mark(places.get("llm").getLast().getLast(), Map.of(LightpathAnnotations.FAULTY, "fire"));
                old.eventually(
                        "the devices are the new cluster's",
                        () -> assertThat(ready(old)).startsWith("False HeldByAnotherRole"));
                TimeUnit.SECONDS.sleep(LONG_ENOUGH_SECONDS);
                light.assertSound();
                now.assertLightAsRecorded();
                old.kill();
            }
        }
    }

    @Test
    void anOlderBackupIsFoundOut(ApiServer server, @TempDir Path folder) throws IOException {
        Path backup = folder.resolve("backup.json");
        try (Installation old = new Installation(server, Files.createDirectories(folder.resolve("old")), NODES)) {
            old.start();
            old.apply("llm", "{model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}}");
            old.awaitReady("llm");
            old.eventually(
                    "the revision is told",
                    () -> assertThat(fabric(old).getStatus().ledger()).isNotNull());
            Files.writeString(
                    backup,
                    new Command(server, folder.resolve("old.kubeconfig"))
                            .run("export")
                            .out());
            repairAfterAFault(old);
            LightLog light = new LightLog(old.chaos);
            light.keepAllStill(true);
            old.kill();
            try (ApiServer fresh = ApiServer.startWithResources();
                    Installation now =
                            Installation.ofNewCluster(fresh, Files.createDirectories(folder.resolve("new")), old)) {
                Command newCluster = new Command(fresh, folder.resolve("new.kubeconfig"));
                newCluster.run("restore", backup.toString());
                TestRun refused = newCluster.tried("driver", "transfer", FABRIC, "--from", uid(old) + "/ring-a");
                assertThat(refused.exitCode()).isEqualTo(2);
                assertThat(refused.err())
                        .contains("they are older than the light")
                        .hasLineCount(1);
                JsonNode given = newCluster
                        .run(
                                "driver",
                                "transfer",
                                FABRIC,
                                "--from",
                                uid(old) + "/ring-a",
                                "--older-records",
                                "-o",
                                "json")
                        .json();
                assertThat(given.get("given").asInt()).isPositive();
                light.assertSound();
            }
        }
    }

    /** A node of the job is faulty: light, and the record of the job, are other ones then. */
    private static void repairAfterAFault(Installation of) {
        String broken = places(of).get("llm").getFirst().getFirst();
        of.mark(broken, Map.of(LightpathAnnotations.FAULTY, "smoke"));
        of.eventually("the job is repaired", () -> {
            assertThat(places(of).get("llm")).noneMatch(group -> group.contains(broken));
            assertThat(of.says("llm", "Ready")).isEqualTo("True Satisfied");
            of.assertLightAsRecorded();
        });
    }

    private static String uid(Installation of) {
        return of.client
                .namespaces()
                .withName("kube-system")
                .get()
                .getMetadata()
                .getUid();
    }

    private static String ready(Installation of) {
        OpticalFabric read = fabric(of);
        return read.getStatus() == null
                ? ""
                : read.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals("Ready"))
                        .map(condition ->
                                condition.getStatus() + " " + condition.getReason() + " " + condition.getMessage())
                        .findFirst()
                        .orElse("");
    }

    private static OpticalFabric fabric(Installation of) {
        return of.client.resources(OpticalFabric.class).withName("ring-a").get();
    }

    /** The command line as administrator of a cluster. */
    private static final class Command {
        private final Path kubeconfig;

        Command(ApiServer server, Path kubeconfig) throws IOException {
            this.kubeconfig = Files.writeString(kubeconfig, server.kubeConfigYaml());
        }

        TestRun run(String... arguments) {
            TestRun run = tried(arguments);
            assertThat(run.exitCode()).as(run.err()).isZero();
            return run;
        }

        TestRun tried(String... arguments) {
            List<String> all = new ArrayList<>(Arrays.asList(arguments));
            all.addAll(List.of("--kubeconfig", kubeconfig.toString()));
            return TestRun.of(all.toArray(String[]::new));
        }
    }
}
