package dev.lightpath.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of {@code .github}: what they run is here, and what they use of others is one exact version. */
class WorkflowsTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "../..");
    private static final Path GITHUB = ROOT.resolve(".github");
    private static final Pattern USES = Pattern.compile("uses: (\\S+)(.*)");
    private static final Pattern PINNED = Pattern.compile("[\\w./-]+@[0-9a-f]{40}");
    private static final Pattern SCRIPT = Pattern.compile("(?m)run: ((?:\\./|\\.ci/|deploy/)\\S+)");
    private static final Pattern COMMAND = Pattern.compile("(?m)^ +command: (.+)$");
    /** With go.mod files that are written while something is built. */
    private static final Pattern BUILT = Pattern.compile(".*/target/.*");

    private static List<Path> workflows() throws IOException {
        try (Stream<Path> files = Files.list(GITHUB.resolve("workflows"))) {
            return files.sorted().toList();
        }
    }

    private static Map<String, Object> read(Path file) throws IOException {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void aWorkflowMayWriteNothingButWhereAJobSaysSo(Path file) throws IOException {
        assertThat(read(file).get("permissions")).isEqualTo(Map.of("contents", "read"));
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void aWorkflowUsesExactVersionsOfOthersAndSaysWhich(Path file) throws IOException {
        List<MatchResult> uses = USES.matcher(Files.readString(file)).results().toList();
        assertThat(uses).isNotEmpty().allSatisfy(use -> {
            assertThat(use.group(1)).matches(PINNED);
            assertThat(use.group(2)).matches(" # v\\d+\\.\\d+\\.\\d+");
        });
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void aWorkflowRunsProgramsThatAreHere(Path file) throws IOException {
        assertThat(SCRIPT.matcher(Files.readString(file)).results().map(run -> run.group(1)))
                .isNotEmpty()
                .allSatisfy(script -> assertThat(ROOT.resolve(script)).isExecutable());
    }

    /** Who reads of a failure there can run the same. */
    @Test
    void whatIsRunEachWeekIsACommandOfContributing() throws IOException {
        List<String> commands = COMMAND.matcher(Files.readString(GITHUB.resolve("workflows/weekly.yml")))
                .results()
                .map(run -> run.group(1))
                .toList();
        assertThat(commands).hasSizeGreaterThan(5);
        assertThat(Files.readAllLines(ROOT.resolve("CONTRIBUTING.md")))
                .containsAll(commands.stream().map(command -> "    " + command).toList());
    }

    /** One that is missing there grows old unseen. */
    @Test
    void everyGoModuleIsWatchedForNewVersions() throws IOException {
        List<String> modules = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            files.filter(file -> file.endsWith("go.mod"))
                    .map(file -> "/" + ROOT.relativize(file.getParent()))
                    .filter(folder -> !BUILT.matcher(folder + "/").matches())
                    .forEach(modules::add);
        }
        List<String> watched = new ArrayList<>();
        for (Object update : (List<?>) read(GITHUB.resolve("dependabot.yml")).get("updates")) {
            if (((Map<?, ?>) update).get("directories") instanceof List<?> folders) {
                folders.forEach(folder -> watched.add(folder.toString()));
            }
        }
        assertThat(new TreeSet<>(watched)).isEqualTo(new TreeSet<>(modules));
    }
}
