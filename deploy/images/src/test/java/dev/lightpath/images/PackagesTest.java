package dev.lightpath.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The packages of the main sources of all modules: no larger than a person reads, and no circle among them. Read from
 * the sources, so that one test knows all modules, those that come later too.
 */
class PackagesTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..", "..");
    private static final int MOST_FILES = 25;

    /**
     * The door of a program is in its first package, beside the words that all its rooms use: it knows its rooms, and
     * they know those words.
     */
    private static final Set<String> DOORS = Set.of("dev.lightpath.cli", "dev.lightpath.studies");

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern IMPORT = Pattern.compile("^import (?:static )?([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);

    /** Package to its files' texts. */
    private static final SortedMap<String, SortedMap<Path, String>> PACKAGES = new TreeMap<>();

    @BeforeAll
    static void read() throws IOException {
        for (Path sources : sources()) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    String text = Files.readString(file);
                    Matcher matcher = PACKAGE.matcher(text);
                    assertThat(matcher.find()).as("%s says its package", file).isTrue();
                    PACKAGES.computeIfAbsent(matcher.group(1), _ -> new TreeMap<>())
                            .put(file, text);
                }
            }
        }
        assertThat(PACKAGES).hasSizeGreaterThan(50);
    }

    /** Modules stand at most two folders deep. */
    private static SortedSet<Path> sources() throws IOException {
        SortedSet<Path> sources = new TreeSet<>();
        try (Stream<Path> folders = Files.find(ROOT, 2, (path, is) -> is.isDirectory())) {
            folders.map(module -> module.resolve(Path.of("src", "main", "java")))
                    .filter(Files::isDirectory)
                    .forEach(sources::add);
        }
        return sources;
    }

    @Test
    void noneIsLargerThanAPersonReads() {
        SortedMap<String, Integer> larger = new TreeMap<>();
        PACKAGES.forEach((name, files) -> {
            if (files.size() > MOST_FILES) {
                larger.put(name, files.size());
            }
        });
        assertThat(larger).as("packages of more than %d files", MOST_FILES).isEmpty();
    }

    @Test
    void noneKnowsOneThatKnowsIt() {
        SortedMap<String, SortedSet<String>> known = new TreeMap<>();
        PACKAGES.forEach((name, files) -> {
            if (!DOORS.contains(name)) {
                SortedSet<String> others = new TreeSet<>();
                files.values().forEach(text -> addImported(text, others));
                others.remove(name);
                others.removeAll(DOORS);
                known.put(name, others);
            }
        });
        SortedSet<String> circles = new TreeSet<>();
        known.keySet().stream()
                .filter(name -> reached(known, name).contains(name))
                .forEach(circles::add);
        assertThat(circles).as("packages in a circle").isEmpty();
    }

    /** What is imported for a link of a comment alone is not known. */
    private static void addImported(String text, Set<String> packages) {
        String code = COMMENT.matcher(text).replaceAll("");
        String body = IMPORT.matcher(code).replaceAll("");
        Matcher imports = IMPORT.matcher(code);
        while (imports.find()) {
            String name = imports.group(1);
            String simple = name.substring(name.lastIndexOf('.') + 1);
            if (!Pattern.compile("\\b" + simple + "\\b").matcher(body).find()) {
                continue;
            }
            for (int dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
                String prefix = name.substring(0, dot);
                if (PACKAGES.containsKey(prefix)) {
                    packages.add(prefix);
                    break;
                }
            }
        }
    }

    private static Set<String> reached(Map<String, SortedSet<String>> known, String from) {
        Set<String> reached = new TreeSet<>();
        Deque<String> ahead = new ArrayDeque<>(known.get(from));
        while (!ahead.isEmpty()) {
            String next = ahead.pop();
            if (reached.add(next)) {
                ahead.addAll(known.get(next));
            }
        }
        return reached;
    }
}
