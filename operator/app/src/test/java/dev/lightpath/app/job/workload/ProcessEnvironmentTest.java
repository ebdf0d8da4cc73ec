package dev.lightpath.app.job.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ProcessEnvironmentTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "../../docs/frameworks/README.md");
    private static final Pattern NAME = Pattern.compile("`([A-Z_]+)`");

    /** The first column of the table of variables. */
    @Test
    void theDocumentationHasEveryVariableAndNoOther() throws IOException {
        ObjectNode pod = Serialization.unmarshal(
                "---\n{containers: [{name: t, resources: {limits: {nvidia.com/gpu: 1}}}]}", ObjectNode.class);
        new ProcessEnvironment("job", "set", 4, 4, "nvidia.com/gpu").complete(pod.get("containers"));
        LightVolume.addTo(pod);
        SortedSet<String> set = new TreeSet<>();
        pod.at("/containers/0/env")
                .forEach(variable -> set.add(variable.get("name").asText()));
        SortedSet<String> told = new TreeSet<>();
        String page = Files.readString(PAGE);
        page.substring(page.indexOf("## Environment"), page.indexOf("## Files"))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .forEach(line -> NAME.matcher(line.split("\\|")[1]).results().forEach(name -> told.add(name.group(1))));
        assertThat(told).isEqualTo(set);
    }
}
