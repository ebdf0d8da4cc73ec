package dev.lightpath.app;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The rooms of the app: their order, their size, and no circle among them. */
class ArchitectureTest {
    private static final String APP = "dev.lightpath.app";
    private static final int MOST_FILES = 25;

    /** Each package may know those before it. The generated classes of Quarkus are in no room. */
    private static final List<String> ORDER = List.of(
            "",
            ".http",
            ".conditions",
            ".objects",
            ".access",
            ".driver.endpoint",
            ".driver.state",
            ".driver",
            ".loop",
            ".workers",
            ".solving",
            ".cluster",
            ".measuring",
            ".agreeing",
            ".kueue",
            ".job.facts",
            ".job.workload",
            ".job.measured",
            ".job.plan",
            ".job.reading",
            ".job.effects",
            ".job",
            ".statictopology",
            ".publish.status",
            ".publish.node",
            ".publish.metrics",
            ".publish.view",
            ".publish",
            ".lead");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(APP);

    @Test
    void everyPackageHasItsPlace() {
        assertThat(rooms().keySet()).isEqualTo(new TreeSet<>(ORDER));
    }

    @Test
    void noPackageKnowsALaterOne() {
        SortedSet<String> upward = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(target -> target.getPackageName().startsWith(APP))
                    .filter(target -> ORDER.indexOf(room(target)) > ORDER.indexOf(room(type)))
                    .forEach(target -> upward.add(type.getName() + " knows " + target.getName()));
        }
        assertThat(upward).isEmpty();
    }

    @Test
    void noCircles() {
        slices().matching(APP + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void noPackageIsLargerThanAPersonReads() {
        rooms().forEach((room, files) ->
                assertThat(files).as("files of " + APP + room).hasSizeLessThanOrEqualTo(MOST_FILES));
    }

    private static String room(JavaClass type) {
        return type.getPackageName().substring(APP.length());
    }

    private static SortedMap<String, SortedSet<String>> rooms() {
        return CLASSES.stream()
                .filter(type -> type.getSource().isPresent())
                .collect(groupingBy(
                        ArchitectureTest::room,
                        TreeMap::new,
                        mapping(type -> type.getName().replaceFirst("[$].*", ""), toCollection(TreeSet::new))));
    }
}
