package dev.lightpath.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Runbooks and procedures have one form each, and what they tell people to type is a command of this version. */
class RunbooksTest {
    private static final Path DOCS = Path.of(System.getProperty("basedir", "."), "../../docs");
    private static final List<String> RUNBOOK =
            List.of("What users feel", "How urgent", "Look", "Act", "Verify", "When to call whom", "Do not");
    private static final List<String> PROCEDURE =
            List.of("What users feel", "Before", "Do", "Verify", "Go back", "Do not");
    private static final Pattern HEADING = Pattern.compile("(?m)^## (.*)$");

    /** In a line of its own after a prompt, or in a sentence between backticks, over lines; a pipe ends it. */
    private static final Pattern COMMAND =
            Pattern.compile("(?m)(?:^    \\$ kubectl lightpath ([^\\n|>]+)|`(?:kubectl\\s+)?lightpath\\s+([^`|>]+))");

    private static final Pattern VERB = Pattern.compile("kubectl\\s+(?:-n\\s+\\S+\\s+)?([\\w-]+)");

    /** Of kubectl, and our plug-in. Not exec: the images have no shell, and no program but ours. */
    private static final List<String> VERBS = List.of(
            "scale",
            "get",
            "describe",
            "logs",
            "annotate",
            "label",
            "create",
            "apply",
            "patch",
            "top",
            "rollout",
            "cordon",
            "uncordon",
            "drain",
            "taint",
            "port-forward",
            "delete",
            "lightpath");

    static Stream<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of("runbooks", "procedures")) {
            try (Stream<Path> files = Files.list(DOCS.resolve(folder))) {
                files.sorted().forEach(pages::add);
            }
        }
        assertThat(pages).hasSizeGreaterThan(20);
        return pages.stream();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void hasItsForm(Path page) throws IOException {
        String text = Files.readString(page);
        List<String> form = page.getParent().endsWith("runbooks") ? RUNBOOK : PROCEDURE;
        assertThat(HEADING.matcher(text).results().map(heading -> heading.group(1)))
                .containsExactlyElementsOf(form);
        for (String part : HEADING.split(text)) {
            assertThat(part).isNotBlank();
        }
        if (form == RUNBOOK) {
            assertThat(text).startsWith("# " + page.getFileName().toString().replace(".md", "\n"));
            assertThat(text.substring(text.indexOf("## Look"), text.indexOf("## Act")))
                    .as("a command to look with")
                    .containsPattern("kubectl|curl");
        }
        assertThat(text.lines().filter(line -> !line.startsWith("    ") && !line.startsWith("|")))
                .as("lines of prose")
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(120));
        assertThat(text).doesNotContain("@@").doesNotContain("deploy/lightpath-operator");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void tellsCommandsThatExist(Path page) throws IOException {
        String text = Files.readString(page);
        Matcher command = COMMAND.matcher(text);
        int found = 0;
        while (command.find()) {
            String[] words = (command.group(1) == null ? command.group(2) : command.group(1))
                    .trim()
                    .split("\\s+");
            if (words[0].equals("study")) {
                continue; // of another module
            }
            CommandLine line = Lightpath.commandLine();
            assertThat(parse(line, words))
                    .as(page.getFileName() + ": " + Arrays.toString(words))
                    .isEmpty();
            found++;
        }
        Matcher verb = VERB.matcher(text);
        while (verb.find()) {
            assertThat(VERBS).as(page.getFileName() + ": " + verb.group()).contains(verb.group(1));
            found++;
        }
        assertThat(found).as(page.getFileName() + " has commands").isPositive();
    }

    /** What the command line objects to; empty when it would run. */
    private static String parse(CommandLine line, String... words) {
        try {
            line.parseArgs(words);
            return "";
        } catch (CommandLine.ParameterException e) {
            return e.getMessage();
        }
    }
}
