package dev.lightpath.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The records of decisions in {@code docs/adr}: few, all in the index, and what names one names one that is there. */
class DecisionRecordsTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..", "..");
    private static final Path RECORDS = ROOT.resolve("docs/adr");
    private static final int MOST = 25;
    private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git", ".mvn");
    /** What became of earlier decisions is told by their numbers of the time. */
    private static final Set<String> HISTORY = Set.of("CHANGELOG.md", "DecisionRecordsTest.java");

    private static final Pattern FILE = Pattern.compile("(\\d{4})-[a-z-]+\\.md");
    private static final Pattern TITLE = Pattern.compile("# (\\d+)\\. (.+)");
    private static final Pattern ROW = Pattern.compile("\\| \\[(\\d+)]\\(([^)]+)\\) \\| (.+) \\|");
    private static final Pattern NAMED = Pattern.compile("\\bADRs? \\d+(?:(?:, | and |, and )\\d+)*");
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** File to its first line. */
    private static final SortedMap<String, String> TITLES = new TreeMap<>();

    @BeforeAll
    static void read() throws IOException {
        try (Stream<Path> files = Files.list(RECORDS)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (!name.equals("README.md")) {
                    TITLES.put(name, Files.readAllLines(file).getFirst());
                }
            }
        }
        assertThat(TITLES).hasSizeGreaterThan(15);
    }

    @Test
    void areAsFewAsAPersonReads() {
        assertThat(TITLES).hasSizeLessThanOrEqualTo(MOST);
    }

    @Test
    void eachIsInTheIndexUnderItsNumberAndTitle() throws IOException {
        SortedMap<String, String> listed = new TreeMap<>();
        ROW.matcher(Files.readString(RECORDS.resolve("README.md")))
                .results()
                .forEach(row -> listed.put(row.group(2), "# " + row.group(1) + ". " + row.group(3)));
        assertThat(listed).isEqualTo(TITLES);
        TITLES.forEach((file, line) -> {
            Matcher name = FILE.matcher(file);
            Matcher title = TITLE.matcher(line);
            assertThat(name.matches() && title.matches()).as(file + ": " + line).isTrue();
            assertThat(Integer.parseInt(title.group(1))).as(file).isEqualTo(Integer.parseInt(name.group(1)));
        });
    }

    @Test
    void oneThatIsNamedIsThere() throws IOException {
        SortedSet<String> known = new TreeSet<>();
        TITLES.keySet().forEach(file -> known.add(Integer.toString(Integer.parseInt(file.substring(0, 4)))));
        SortedSet<String> missing = new TreeSet<>();
        SortedSet<String> found = new TreeSet<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
                return SKIPPED.contains(visited.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = file.getFileName().toString();
                if ((name.endsWith(".java") || name.endsWith(".md")) && !HISTORY.contains(name)) {
                    for (MatchResult named :
                            NAMED.matcher(Files.readString(file)).results().toList()) {
                        NUMBER.matcher(named.group()).results().forEach(number -> {
                            found.add(number.group());
                            if (!known.contains(number.group())) {
                                missing.add(ROOT.relativize(file) + ": " + named.group());
                            }
                        });
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(missing).isEmpty();
        assertThat(found).hasSizeGreaterThan(10);
    }
}
