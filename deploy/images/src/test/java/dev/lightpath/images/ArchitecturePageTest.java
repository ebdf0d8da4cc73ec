package dev.lightpath.images;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@code docs/architecture.md} names is in the sources, and in the room where the page says that it is. */
class ArchitecturePageTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..", "..");
    private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git", ".mvn");

    /** Chapters whose tables have rooms in the first column, and the package that these names begin in. */
    private static final Map<String, String> CHAPTERS = Map.of(
            "Rooms of the planner", "dev.lightpath.planner.",
            "Rooms of reading and console", "dev.lightpath.",
            "Rooms of the app", "dev.lightpath.app.",
            "Rooms of driver, kit and emulator", "dev.lightpath.",
            "Rooms of the engine", "dev.lightpath.planner.engine.");

    /** The packages of which each has to have its row, where it has a type. */
    private static final List<String> TOLD_OF = List.of(
            "dev.lightpath.planner",
            "dev.lightpath.reading",
            "dev.lightpath.console",
            "dev.lightpath.app",
            "dev.lightpath.driver");

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|record|enum|interface) ([A-Z]\\w*)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    /** A type with what it is qualified by, and what of it is named. */
    private static final Pattern TYPE = Pattern.compile("((?:[a-z]+\\.)*)([A-Z]\\w*)((?:\\.\\w+)*)");

    private static final Pattern ROOM = Pattern.compile("^\\| `[a-z.]+`[^A-Z|]*\\|");
    /** The constant of a slot, or of a kind of answers, which has one. */
    private static final Pattern SLOT =
            Pattern.compile("static final (?:Slot|Memo\\.Kind)<[^=;]*> (\\w+)\\s*=\\s*new ");

    private static final Pattern TOLD_SLOT = Pattern.compile("([A-Z]\\w+)(?:\\.[A-Z][a-z]\\w+)*\\.([A-Z][A-Z_]+)\\b");

    private static final Pattern WORD = Pattern.compile("(?<![\\w.`/-])((?:[a-z]+\\.)*)([A-Z]\\w*)");

    /** By the name of a type: the packages that declare one of that name, tests included. */
    private static final SortedMap<String, SortedSet<String>> TYPES = new TreeMap<>();
    /** Those of main sources that have a file of their own. */
    private static final SortedMap<String, SortedSet<String>> FILES = new TreeMap<>();
    /** By the name of a type: the texts of the files that declare one of that name. */
    private static final SortedMap<String, List<String>> TEXTS = new TreeMap<>();

    /** By the qualified name of a file of the planner: its text. */
    private static final SortedMap<String, String> PLANNER = new TreeMap<>();

    private static String page;
    /** What resources may say: conditions, reasons, fields. */
    private static String reference;

    /** A row of a table: the packages of its first cell, and the cells after it. */
    private record Row(List<String> rooms, String told) {}

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(ROOT.resolve("docs/architecture.md"));
        reference = Files.readString(ROOT.resolve("docs/reference/words.md"))
                + Files.readString(ROOT.resolve("docs/reference/resources.md"));
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
                if (name.endsWith(".java") && !name.equals("package-info.java")) {
                    take(file, name.replace(".java", ""));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(FILES).hasSizeGreaterThan(1000);
    }

    private static void take(Path file, String name) throws IOException {
        String text = Files.readString(file);
        Matcher matcher = PACKAGE.matcher(text);
        if (!matcher.find()) {
            return;
        }
        String in = matcher.group(1);
        if (file.toString().contains("/src/main/")) {
            FILES.computeIfAbsent(name, _ -> new TreeSet<>()).add(in);
            if (in.startsWith("dev.lightpath.planner.")) {
                PLANNER.put(in + "." + name, text);
            }
        }
        DECLARED.matcher(text).results().map(declared -> declared.group(1)).forEach(type -> {
            TYPES.computeIfAbsent(type, _ -> new TreeSet<>()).add(in);
            TEXTS.computeIfAbsent(type, _ -> new ArrayList<>()).add(text);
        });
    }

    @Test
    void everyTypeThatIsNamedIsThere() {
        SortedSet<String> missing = new TreeSet<>();
        int found = 0;
        for (MatchResult code : CODE.matcher(page).results().toList()) {
            String name = code.group(1).replaceFirst("\\(.*", "");
            Matcher type = TYPE.matcher(name);
            if (!type.matches() || reference.contains("`" + name + "`") || isOfAResource(type.group(2))) {
                continue;
            }
            found++;
            if (!isThere(type.group(2), type.group(3)) || !isQualifiedRight(type.group(1), TYPES.get(type.group(2)))) {
                missing.add(name);
            }
        }
        assertThat(missing).as("named by docs/architecture.md").isEmpty();
        assertThat(found).isGreaterThan(150);
    }

    private static boolean isThere(String type, String members) {
        return TEXTS.getOrDefault(type, List.of()).stream()
                .anyMatch(text -> Arrays.stream(members.split("\\."))
                        .allMatch(member -> Pattern.compile("\\b" + member + "\\b")
                                .matcher(text)
                                .find()));
    }

    private static boolean isOfAResource(String type) {
        return FILES.getOrDefault(type, new TreeSet<>()).stream().anyMatch(in -> in.startsWith("dev.lightpath.crds"));
    }

    /** Whether a package ends with the names before a type; with none any does. */
    private static boolean isQualifiedRight(String qualifier, Set<String> packages) {
        return qualifier.isEmpty() || packages.stream().anyMatch(in -> ("." + in + ".").endsWith("." + qualifier));
    }

    @Test
    void everyTypeIsInTheRoomOfItsRow() {
        SortedSet<String> elsewhere = new TreeSet<>();
        int found = 0;
        for (Row row : rows()) {
            for (MatchResult word :
                    WORD.matcher(row.told().replace("`", " ")).results().toList()) {
                String type = word.group(2);
                Set<String> in = FILES.getOrDefault(type, new TreeSet<>());
                if (in.isEmpty() || isOfAResource(type)) {
                    continue;
                }
                found++;
                boolean right = word.group(1).isEmpty()
                        ? in.stream().anyMatch(row.rooms()::contains)
                        : isQualifiedRight(word.group(1), in);
                if (!right) {
                    elsewhere.add(row.rooms() + " " + word.group() + " is in " + in);
                }
            }
        }
        assertThat(elsewhere).as("rows of docs/architecture.md").isEmpty();
        assertThat(found).isGreaterThan(150);
    }

    @Test
    void everyPackageHasItsRow() {
        SortedSet<String> told = new TreeSet<>();
        rows().forEach(row -> told.addAll(row.rooms()));
        SortedSet<String> untold = new TreeSet<>();
        FILES.values()
                .forEach(packages -> packages.stream()
                        .filter(in -> TOLD_OF.stream().anyMatch(top -> (in + ".").startsWith(top + ".")))
                        .filter(in -> !told.contains(in))
                        .forEach(untold::add));
        assertThat(untold)
                .as("packages that no table of docs/architecture.md has")
                .isEmpty();
    }

    /** Which may know which, so that a reader of the table knows it too. */
    @Test
    void theRoomsOfTheAppStandInTheOrderThatTheirTestHolds() throws IOException {
        String test =
                Files.readString(ROOT.resolve("operator/app/src/test/java/dev/lightpath/app/ArchitectureTest.java"));
        String order =
                test.substring(test.indexOf("ORDER = List.of("), test.indexOf("private static final JavaClasses"));
        List<String> held = Pattern.compile("\"([a-z.]*)\"")
                .matcher(order)
                .results()
                .map(room -> "dev.lightpath.app" + room.group(1))
                .toList();
        assertThat(rows().stream()
                        .flatMap(row -> row.rooms().stream())
                        .filter(room -> (room + ".").startsWith("dev.lightpath.app.")))
                .containsExactlyElementsOf(held);
    }

    /** What a pass leaves for the next: one row for each slot, named by its class and constant. */
    @Test
    void everySlotHasItsRow() {
        SortedSet<String> slots = new TreeSet<>();
        PLANNER.forEach((file, text) -> SLOT.matcher(text)
                .results()
                .forEach(slot -> slots.add(file.substring(file.lastIndexOf('.') + 1) + "." + slot.group(1))));
        SortedSet<String> told = new TreeSet<>();
        chapter("What a pass remembers")
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(1, line.indexOf('|', 1)))
                .forEach(cell -> TOLD_SLOT
                        .matcher(cell)
                        .results()
                        .forEach(slot -> told.add(slot.group(1) + "." + slot.group(2))));
        assertThat(told).isEqualTo(slots);
        assertThat(slots).hasSizeGreaterThan(10);
    }

    /** The text under a heading of the third level. */
    private static String chapter(String heading) {
        String begins = "### " + heading + "\n";
        int at = page.indexOf(begins);
        assertThat(at).as(heading).isNotNegative();
        String rest = page.substring(at + begins.length());
        return rest.split("\n##", 2)[0];
    }

    /** The first package of a chapter stands there by its own name. */
    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        String begins = null;
        for (String line : page.lines().toList()) {
            if (line.startsWith("## ")) {
                begins = CHAPTERS.get(line.substring(3));
            } else if (begins != null && ROOM.matcher(line).find()) {
                String[] cells = line.substring(1).split("\\|", 2);
                String top = begins;
                List<String> rooms = CODE.matcher(cells[0])
                        .results()
                        .map(room -> top.endsWith(room.group(1) + ".")
                                ? top.substring(0, top.length() - 1)
                                : top + room.group(1))
                        .toList();
                rows.add(new Row(rooms, cells[1]));
            }
        }
        assertThat(rows).hasSizeGreaterThan(70);
        return rows;
    }
}
