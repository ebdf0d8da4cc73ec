package dev.lightpath.app.whole;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.driver.DriverServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A ring whose nodes have an agent each, at the address of the Node, which speaks CMIS to the node's modules. Each
 * agent is a driver with a memory of its own.
 */
@ExtendWith(ApiServerExtension.class)
class AgentsIT {
    private static final int NODES = 8;
    private static final int REACH = 3;
    private static final Path TYPE = Path.of("..", "..", "fabric-driver", "examples", "cmis", "lightpath-ocstrx.yaml")
            .toAbsolutePath();
    private static final String JOB = "by-agents";
    private static final String SPEC = """
            {model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a},
             recovery: {replace: Immediately}}""";

    @TempDir
    private Path folder;

    private final Map<String, DriverServer> agents = new TreeMap<>();
    private int port;
    private Installation all;

    @BeforeEach
    void install(ApiServer server) throws Exception {
        String fronts = IntStream.range(0, NODES)
                .mapToObj(node -> "{device: n" + node + ", listen: '127.0.0.1:0'}")
                .collect(Collectors.joining(", "));
        all = new Installation(server, folder, NODES, ", cmis: [" + fronts + "]");
        port = Installation.quietPort();
        for (int node = 0; node < NODES; node++) {
            start("n" + node);
            tellAddress("n" + node);
        }
        all.client
                .resources(OpticalFabric.class)
                .withName("ring-a")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\": {\"ocsTrx\": {\"driver\": {\"endpoint\": \"{address}:" + port + "\"}}}}");
        all.start();
    }

    @AfterEach
    void uninstall() throws IOException {
        try (Installation ending = all;
                Closeable before = this::stopProcesses) {
            all.delete(JOB);
            all.awaitNothingLeft();
        }
    }

    private void stopProcesses() {
        all.kill();
        agents.values().forEach(DriverServer::close);
    }

    private static String address(String node) {
        return "127.0.17." + (1 + Integer.parseInt(node.substring(1)));
    }

    private void tellAddress(String node) {
        all.client.nodes().withName(node).editStatus(there -> {
            there.getStatus().setAddresses(List.of(new NodeAddress(address(node), "InternalIP")));
            return there;
        });
    }

    private void start(String node) throws Exception {
        StringBuilder text =
                new StringBuilder("""
                listen: %1$s:%2$d
                http: %1$s:0
                stateDirectory: %3$s
                adapters:
                  - kind: cmis
                    devices:
                      - id: %4$s
                        modules:
                """.formatted(address(node), port, folder.resolve("agent-" + node), node));
        for (int bundle = 0; bundle < REACH; bundle++) {
            text.append("          - {name: b%d, type: %s, socket: 127.0.0.1:%d/%d}\n"
                    .formatted(bundle, TYPE, all.bus(node), bundle));
        }
        agents.put(node, DriverServer.start(Files.writeString(folder.resolve(node + ".yaml"), text)));
    }

    private void stop(String node) {
        requireNonNull(agents.remove(node)).close();
    }

    private FabricSlice slice() {
        return all.slices().stream()
                .filter(slice ->
                        Objects.requireNonNull(slice.getSpec().job()).name().equals(JOB))
                .findFirst()
                .orElseThrow();
    }

    private Allocation record() {
        return requireNonNull(slice().getStatus().allocation());
    }

    private String said(String type) {
        return all.client.resources(OpticalFabric.class).withName("ring-a").get().getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .map((Condition condition) -> condition.getStatus() + " " + condition.getMessage())
                .findFirst()
                .orElse("");
    }

    private void awaitLight(String what) {
        all.eventually(what, () -> {
            assertThat(all.says(JOB, "FabricReady")).isEqualTo("True Satisfied");
            all.assertLightAsRecorded();
        });
    }

    @Test
    void whileAnAgentIsAwayItsNodeIsLeftAndOthersAreRepaired() throws Exception {
        all.apply(JOB, SPEC);
        awaitLight("the job has light that its agents made");
        all.eventually(
                "it is told that all answer",
                () -> assertThat(said("Connected")).startsWith("True"));
        Allocation before = record();
        String away = before.groups().getFirst().nodes().getFirst();
        String broken = before.groups().getLast().nodes().getFirst();

        stop(away);
        all.eventually(
                "it is told",
                () -> assertThat(said("Connected"))
                        .startsWith("True driver {address}:" + port + ": 7 of 8")
                        .contains("away: " + away));
        assertThat(record().revision()).isEqualTo(before.revision());

        all.mark(broken, Map.of("lightpath.dev/faulty", "smoke"));
        all.eventually("the other group is repaired", () -> {
            assertThat(record().revision()).isGreaterThan(before.revision());
            assertThat(record().groups().getLast().nodes()).doesNotContain(broken);
            assertThat(record().groups().getFirst().nodes())
                    .isEqualTo(before.groups().getFirst().nodes());
            all.assertLightAsRecorded();
        });

        long revision = record().revision();
        long moves = all.moves();
        start(away);
        all.eventually("all answer", () -> assertThat(said("Connected")).contains("answers"));
        awaitLight("the job has all of its light");
        assertThat(record().revision()).isEqualTo(revision);
        assertThat(all.moves()).as("nothing moved when it came back").isEqualTo(moves);
        all.heal(broken);
    }

    @Test
    void aRollingUpgradeOfTheAgentsMovesNothing() throws Exception {
        all.apply(JOB, SPEC);
        awaitLight("the job has light that its agents made");
        Allocation before = record();
        long moves = all.moves();
        for (String node : List.copyOf(agents.keySet())) {
            stop(node);
            all.eventually(
                    node + " is away", () -> assertThat(said("Connected")).contains("away: " + node));
            start(node);
            all.eventually(
                    node + " is back", () -> assertThat(said("Connected")).contains("answers"));
        }
        awaitLight("the job has its light");
        assertThat(record()).isEqualTo(before);
        assertThat(all.moves()).isEqualTo(moves);
    }
}
