package dev.lightpath.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.TestRun;
import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What {@code plan} says of a job that the API server refuses to its user, and of one that it cannot ask about. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlanRightsIT {
    private static final Path ACCESS =
            Path.of(System.getProperty("basedir", "."), "../..").resolve("deploy/kubernetes/access");
    /** Of a tenth of a second and a command each. */
    private static final int MOST_TRIES = 600;

    private KubernetesClient client;
    private Path folder;

    @BeforeAll
    void fill(ApiServer server, @TempDir Path files) throws IOException {
        folder = files;
        client = server.client();
        ApiServer.namespace(client, "lightpath-system");
        for (String file : List.of("users.yaml", "use-policy.yaml")) {
            try (InputStream yaml = Files.newInputStream(ACCESS.resolve(file))) {
                client.load(yaml)
                        .items()
                        .forEach(object -> client.resource(object).serverSideApply());
            }
        }
        Shown.create(client);
    }

    @AfterAll
    void close() {
        client.close();
    }

    @Test
    void givesTheWordsOfAPolicyToWhoMayCreateJobs() throws IOException, InterruptedException {
        Path kubeconfig = account("tenant");
        AccountKubeconfig.bindEdit(client, "default", "tenant");
        Path file = manifest("tensor: 4, data: 1");
        // roles and policies hold a moment after they were written
        TestRun run = until(said -> said.err().contains("may not use"), file, kubeconfig);
        assertThat(run.err())
                .startsWith("lightpath: " + file + ": TrainingJob small: ")
                .contains("may not use OpticalFabric ring-a")
                .hasLineCount(1);
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void checksTheManifestOfWhoMayCreateNone() throws IOException, InterruptedException {
        Path kubeconfig = account("looker");
        TestRun placed = until(said -> said.exitCode() == 0, manifest("tensor: 4, data: 1"), kubeconfig);
        assertThat(placed.out()).contains("would be placed");
        refused("tensor: 4, data: 0", "spec.parallelism.data: 0, allowed: a whole number", kubeconfig);
        refused("tensor: 4, colour: red", "spec.parallelism.colour: ", kubeconfig);
        refused(
                "tensor: 16384, data: 16384, pipeline: 16384",
                "spec.parallelism: tensor * pipeline * data * context is more GPUs than can be counted",
                kubeconfig);
    }

    private void refused(String parallelism, String why, Path kubeconfig) throws IOException {
        Path file = manifest(parallelism);
        TestRun run = plan(file, kubeconfig);
        assertThat(run.err())
                .startsWith("lightpath: " + file + ": TrainingJob small: ")
                .contains(why)
                .hasLineCount(1);
        assertThat(run.exitCode()).isEqualTo(2);
    }

    private static TestRun until(Predicate<TestRun> holds, Path file, Path kubeconfig) throws InterruptedException {
        TestRun run = plan(file, kubeconfig);
        for (int tries = 0; !holds.test(run) && tries < MOST_TRIES; tries++) {
            Thread.sleep(100);
            run = plan(file, kubeconfig);
        }
        return run;
    }

    private static TestRun plan(Path file, Path kubeconfig) {
        return TestRun.of("plan", "-f", file.toString(), "--kubeconfig", kubeconfig.toString());
    }

    private Path manifest(String parallelism) throws IOException {
        return Files.writeString(folder.resolve("job.yaml"), """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: small}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {%s}
                  scaleUp: {fabric: ring-a}
                """.formatted(parallelism));
    }

    /** One that may see all that a plan looks at. */
    private Path account(String name) throws IOException {
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "lightpath-preview")
                        .addNewSubject("", "ServiceAccount", name, "default")
                        .build())
                .create();
        return AccountKubeconfig.write(client, "default", name, folder.resolve(name + ".kubeconfig"))
                .file();
    }
}
