package dev.lightpath.solver;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lightpath.solver", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule onlyTheChildTouchesTheNativeLibrary = noClasses()
            .that()
            .haveNameNotMatching(".*\\.MilpChild(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.google.ortools..");

    @ArchTest
    static final ArchRule knowsNeitherClusterNorWire = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.fabric8..", "io.grpc..", "io.quarkus..", "dev.lightpath.proto..", "dev.lightpath.crds..");
}
