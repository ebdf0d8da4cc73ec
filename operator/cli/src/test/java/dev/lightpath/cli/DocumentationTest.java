package dev.lightpath.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The pages of the documentation lead to each other. */
class DocumentationTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "../..")
            .toAbsolutePath()
            .normalize();

    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    /** Not those of a build, and none that a tool brought. */
    private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git", ".mvn");

    private static List<Path> pages(Path folder) throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
                return SKIPPED.contains(visited.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    pages.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return pages;
    }

    private static List<String> links(Path page) throws IOException {
        return LINK.matcher(Files.readString(page))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.matches("[a-z]+:.*"))
                .toList();
    }

    private static Path target(Path page, String link) {
        String file = link.replaceFirst("#.*", "");
        return file.isEmpty() ? page : page.resolveSibling(file).normalize();
    }

    /** As GitHub makes anchors. */
    private static Set<String> anchors(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        int found = 0;
        for (Path page : pages(ROOT)) {
            for (String link : links(page)) {
                found++;
                Path target = target(page, link);
                boolean there = Files.exists(target);
                if (there && link.contains("#") && target.toString().endsWith(".md")) {
                    there = anchors(target).contains(link.substring(link.indexOf('#') + 1));
                }
                if (!there) {
                    broken.add(ROOT.relativize(page) + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(found).isGreaterThan(100);
    }

    @Test
    void everyPageIsReachedFromTheIndex() throws IOException {
        Path index = ROOT.resolve("docs/README.md");
        Set<Path> reached = new TreeSet<>(List.of(index));
        Deque<Path> next = new ArrayDeque<>(reached);
        while (!next.isEmpty()) {
            Path page = next.remove();
            for (String link : links(page)) {
                Path target = target(page, link);
                if (target.toString().endsWith(".md") && Files.exists(target) && reached.add(target)) {
                    next.add(target);
                }
            }
        }
        assertThat(reached).containsAll(pages(ROOT.resolve("docs")));
    }
}
