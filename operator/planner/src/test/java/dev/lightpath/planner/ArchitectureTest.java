package dev.lightpath.planner;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The planner is pure, and its packages form a drawing without circles. */
@AnalyzeClasses(packages = "dev.lightpath.planner", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String PLANNER = "dev.lightpath.planner";

    private static final int MOST_FILES = 25;

    /** Other classes of the engine that one of its classes may know. */
    private static final int MOST_NEIGHBOURS = 12;

    /** The rooms of the engine. Each may know those before it, and no other. */
    private static final List<String> ROOMS = List.of(
            "engine.pacing",
            "engine.decision",
            "engine.allocation",
            "engine.degrading",
            "engine.state",
            "engine.probing",
            "engine.circuits",
            "engine.ring",
            "engine.traffic",
            "engine.switches",
            "engine",
            "engine.simulation");

    @ArchTest
    static final ArchRule looksAtNoClock = noClasses()
            .should()
            .dependOnClassesThat()
            .areAssignableTo(java.time.Clock.class)
            .orShould()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime");

    /**
     * The simulator plays independent parts of an iteration beside each other; their results do not depend on the
     * order.
     */
    @ArchTest
    static final ArchRule startsNoThreads = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(PLANNER + ".delta.search.SimulatorPool")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.concurrent..")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class);

    /** Streams of bytes in memory are no input or output. */
    @ArchTest
    static final ArchRule readsAndWritesNothing = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.net..", "java.util.logging..")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.io\\.(File|Random|Console).*|java\\.lang\\.Process.*");

    @ArchTest
    static void packagesAreSmall(JavaClasses classes) {
        SortedMap<String, Integer> files = new TreeMap<>();
        for (JavaClass each : classes) {
            if (each.isTopLevelClass() && !each.getSimpleName().equals("package-info")) {
                files.merge(room(each), 1, Integer::sum);
            }
        }
        List<String> large = new ArrayList<>();
        files.forEach((room, count) -> {
            if (count > MOST_FILES) {
                large.add(room + " has " + count + " files");
            }
        });
        assertThat(large).as("packages with too many files").isEmpty();
    }

    @ArchTest
    static void roomsKnowOnlyThoseBefore(JavaClasses classes) {
        SortedSet<String> upward = new TreeSet<>();
        for (JavaClass each : classes) {
            int own = ROOMS.indexOf(room(each));
            for (Dependency on : each.getDirectDependenciesFromSelf()) {
                if (own >= 0 && ROOMS.indexOf(room(on.getTargetClass())) > own) {
                    upward.add(each.getSimpleName() + " knows "
                            + on.getTargetClass().getSimpleName());
                }
            }
        }
        assertThat(upward).as("classes that know a room above theirs").isEmpty();
    }

    @ArchTest
    static void classesOfTheEngineKnowFewOthers(JavaClasses classes) {
        SortedMap<String, SortedSet<String>> knows = new TreeMap<>();
        for (JavaClass each : classes) {
            for (Dependency on : each.getDirectDependenciesFromSelf()) {
                String from = topLevel(each);
                String to = topLevel(on.getTargetClass());
                if (isOfEngine(each) && isOfEngine(on.getTargetClass()) && !from.equals(to)) {
                    knows.computeIfAbsent(from, known -> new TreeSet<>()).add(to);
                }
            }
        }
        List<String> many = new ArrayList<>();
        knows.forEach((from, to) -> {
            if (to.size() > MOST_NEIGHBOURS) {
                many.add(from + " knows " + to.size() + ": " + to);
            }
        });
        assertThat(many).as("classes of the engine that know too many others").isEmpty();
    }

    private static boolean isOfEngine(JavaClass each) {
        return room(each).equals("engine") || room(each).startsWith("engine.");
    }

    private static String topLevel(JavaClass each) {
        JavaClass component = each.getBaseComponentType();
        return component.getEnclosingClass().map(ArchitectureTest::topLevel).orElseGet(component::getSimpleName);
    }

    @ArchTest
    static void packagesFormNoCircle(JavaClasses classes) {
        SortedMap<String, SortedSet<String>> knows = new TreeMap<>();
        for (JavaClass each : classes) {
            for (Dependency on : each.getDirectDependenciesFromSelf()) {
                JavaClass target = on.getTargetClass();
                if (target.getPackageName().startsWith(PLANNER) && !room(target).equals(room(each))) {
                    knows.computeIfAbsent(room(each), room -> new TreeSet<>()).add(room(target));
                }
            }
        }
        assertThat(circles(knows)).as("packages that reach each other").isEmpty();
    }

    /** Sets of packages of which each reaches each. */
    private static Set<Set<String>> circles(SortedMap<String, SortedSet<String>> knows) {
        SortedMap<String, Set<String>> reached = new TreeMap<>();
        knows.keySet().forEach(room -> {
            Set<String> seen = new TreeSet<>();
            List<String> left = new ArrayList<>(List.of(room));
            while (!left.isEmpty()) {
                for (String next : knows.getOrDefault(left.removeLast(), new TreeSet<>())) {
                    if (seen.add(next)) {
                        left.add(next);
                    }
                }
            }
            reached.put(room, seen);
        });
        Set<Set<String>> circles = new java.util.HashSet<>();
        reached.forEach((room, others) -> {
            if (others.contains(room)) {
                Set<String> circle = new TreeSet<>(others);
                circle.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(room));
                circles.add(circle);
            }
        });
        return circles;
    }

    private static String room(JavaClass each) {
        String name = each.getPackageName();
        if (!name.startsWith(PLANNER)) {
            return "";
        }
        return name.length() > PLANNER.length() ? name.substring(PLANNER.length() + 1) : "";
    }
}
