package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.apiserver.ControlPlaneBinaries;
import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The way without hardware of docs/install.md leads from bare nodes to a job with light: its scenario, its commands for
 * nodes, its fabric and its job. The driver is reached where this installation has it, without TLS.
 */
@ExtendWith(ApiServerExtension.class)
class InstallPageIT {
    private static final Path PAGE = ControlPlaneBinaries.checkout().resolve("docs/install.md");
    private static final Pattern SECTION = Pattern.compile("(?ms)^### Without hardware$(.*?)^## ");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```yaml\n(.*?)^ *```$");
    private static final Pattern COMMANDS = Pattern.compile("(?ms)^ *position=0\n.*?^ *done$");

    @TempDir
    private Path folder;

    @Test
    void wayWithoutHardwareLeadsToLight(ApiServer server) throws IOException, InterruptedException {
        String way = first(SECTION, Files.readString(PAGE)).group(1);
        List<String> blocks = FENCED.matcher(way)
                .results()
                .map(block -> block.group(1).stripTrailing().stripIndent())
                .toList();
        assertThat(blocks).hasSize(2);
        JsonNode scenario =
                Serialization.unmarshal(blocks.getFirst(), JsonNode.class).at("/emulator/scenario");
        List<String> nodes = scenario.get("devices").findValuesAsText("id");

        String emulated = ", devices: " + scenario.get("devices") + ", fibres: " + scenario.get("fibres");
        try (Installation all = new Installation(server, folder, 6, emulated)) {
            all.client.resources(OpticalFabric.class).delete();
            all.client.nodes().delete();
            nodes.forEach(node -> join(all, node));

            run(server, first(COMMANDS, way).group());
            String[] manifests = blocks.getLast().split("(?m)^---$");
            assertThat(manifests).hasSize(2);
            all.client
                    .resource(manifests[0].replaceFirst(
                            "driver: \\{.*}}", "driver: {endpoint: \"" + all.driver() + "\"}"))
                    .create();
            all.client.resource(manifests[1]).create();

            all.eventually(
                    "the job has light",
                    () -> assertThat(all.says("first", "FabricReady")).isEqualTo("True Satisfied"));
            assertThat(all.slices()).isNotEmpty();
            all.delete("first");
            all.eventually("its light is down", () -> assertThat(all.slices()).isEmpty());
        }
    }

    private static MatchResult first(Pattern pattern, String text) {
        return pattern.matcher(text).results().findFirst().orElseThrow();
    }

    /** As a kubelet without GPUs does. */
    private static void join(Installation all, String name) {
        Node node = all.client
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewStatus()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .withReason("KubeletReady")
                        .endCondition()
                        .endStatus()
                        .build())
                .create();
        node.getSpec().setTaints(List.of());
        all.client.resource(node).update();
    }

    private void run(ApiServer server, String commands) throws IOException, InterruptedException {
        Path access = Files.writeString(folder.resolve("admin.kubeconfig"), server.kubeConfigYaml());
        Path said = folder.resolve("commands.log");
        ProcessBuilder shell = new ProcessBuilder("bash", "-euc", commands)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        shell.environment().put("KUBECONFIG", access.toString());
        shell.environment()
                .merge(
                        "PATH",
                        ControlPlaneBinaries.ofCheckout().home().resolve("bin").toString(),
                        (path, programs) -> programs + File.pathSeparator + path);
        int code = shell.start().waitFor();
        assertThat(code).as(Files.readString(said)).isZero();
    }
}
