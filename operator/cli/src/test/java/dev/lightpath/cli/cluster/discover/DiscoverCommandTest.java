package dev.lightpath.cli.cluster.discover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.TestRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with the words is said before a cluster is looked for: there is none here. */
class DiscoverCommandTest {
    private static void assertRefused(String line, String... more) {
        List<String> words = new ArrayList<>(List.of("discover", "fabric/spine", "--kubeconfig", "/there/is/none"));
        words.addAll(List.of(more));
        TestRun run = TestRun.of(words.toArray(String[]::new));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(line).hasLineCount(1);
    }

    @Test
    void aTimeThatIsOverBeforeItBeginsIsRefused() {
        assertRefused("--timeout -5: allowed is 1 or more minutes", "--wait", "--timeout", "-5");
        assertRefused("--timeout 0: allowed is 1 or more minutes", "--wait", "--timeout", "0");
    }

    @Test
    void toEndASearchAndToWaitForItExcludeEachOther() {
        assertRefused("--stop ends the search: leave out --again, --wait and --write", "--stop", "--wait");
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsToldBeforeTheSearch(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertRefused(
                "--write " + file + " is no directory, and cannot be made one", "--wait", "--write", file.toString());
    }

    @Test
    void otherwiseTheClusterIsLookedFor(@TempDir Path folder) {
        assertRefused(
                "cannot be read", "--wait", "--write", folder.resolve("new").toString());
    }
}
