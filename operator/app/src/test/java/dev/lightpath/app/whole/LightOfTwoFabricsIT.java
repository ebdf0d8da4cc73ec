package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.slice.GroupAllocation;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the {@code light.json} of each pod of a job on a ring and on switches says, and what the devices of both really
 * do.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LightOfTwoFabricsIT {
    private static final int NODES = 8;
    private static final int GBPS = 400;
    private static final String SPEC = """
        {model: {preset: gpt-7b}, parallelism: {tensor: 8, pipeline: 2, data: 2}, reconfiguration: Live,
         scaleUp: {fabric: ring-a}, scaleOut: {fabric: dc, stagesPerPod: 1},
         workload: {template: {spec: {containers: [{name: train, image: example/train,
          resources: {limits: {nvidia.com/gpu: 4}}}]}}}}\
        """;

    @AutoClose
    private final JobOnSwitches scene;

    private final Installation all;

    LightOfTwoFabricsIT(ApiServer server, @TempDir Path folder) throws IOException {
        scene = JobOnSwitches.started(server, folder);
        all = scene.all;
    }

    @Test
    void everyPodIsToldOfTheLightThatItReallyHasOnBothFabrics() {
        scene.apply(SPEC);
        scene.awaitRunning();
        all.eventually("light.json is true", this::assertTrue);

        int whole = scene.recorded().size();
        String broken = scene.recorded().first();
        scene.failPort(broken);
        all.eventually("light.json is true with a circuit less", () -> {
            assertThat(scene.recorded()).hasSizeLessThan(whole).doesNotContain(broken);
            assertTrue();
        });
    }

    private void assertTrue() {
        assertThat(scene.says("Ready")).isEqualTo("True Satisfied");
        SortedSet<String> lit = scene.lit();
        assertThat(lit).isEqualTo(scene.recorded());
        SortedMap<String, String> truth = RingTruth.measured(all.chaos);
        assertThat(truth).isEqualTo(RingTruth.recorded(TwoFabrics.NODES, all.slices()));
        Map<String, Pod> pods = scene.pods().stream()
                .collect(Collectors.toMap(pod -> pod.getSpec().getNodeName(), Function.identity()));
        assertThat(pods).hasSize(NODES);
        List<GroupAllocation> groups = all.slices().stream()
                .filter(slice -> slice.getSpec().fabric().equals("ring-a"))
                .findFirst()
                .orElseThrow()
                .getStatus()
                .allocation()
                .groups();
        int first = 0;
        for (GroupAllocation group : groups) {
            for (int member = 0; member < group.nodes().size(); member++) {
                String node = group.nodes().get(member);
                JsonNode light = light(pods.get(node));
                RingTruth.assertNeighbours(light, group.nodes(), first, member, truth);
                assertCircuits(light.get("switches"), node, lit);
            }
            first += group.nodes().size();
        }
    }

    /** To each other pod of the fabric it has as many circuits as the switches lead there and back. */
    private void assertCircuits(JsonNode switches, String node, SortedSet<String> lit) {
        String own = all.client
                .nodes()
                .withName(node)
                .get()
                .getMetadata()
                .getLabels()
                .get("lightpath.dev/pod");
        assertThat(switches.get("pod").asText()).isEqualTo(own);
        SortedMap<String, Integer> really = new TreeMap<>();
        for (int other = 0; other < TwoFabrics.PODS; other++) {
            int circuits = TwoFabrics.between(lit, index(own), other);
            if (circuits > 0) {
                really.put("unit-" + other, circuits);
            }
        }
        SortedMap<String, Integer> told = new TreeMap<>();
        for (JsonNode to : switches.get("circuits")) {
            told.put(to.get("pod").asText(), to.get("circuits").asInt());
            assertThat(to.get("gbps").asInt())
                    .isEqualTo(GBPS * to.get("circuits").asInt());
        }
        assertThat(told).as(node).isNotEmpty().isEqualTo(really);
    }

    private static int index(String pod) {
        return Integer.parseInt(pod.substring(pod.indexOf('-') + 1));
    }

    private static JsonNode light(Pod pod) {
        try {
            return new ObjectMapper()
                    .readTree(pod.getMetadata().getAnnotations().get("lightpath.dev/light"));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
