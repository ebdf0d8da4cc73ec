package dev.lightpath.crds;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lightpath", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule recordsIgnoreFieldsOfNewerVersions =
            classes().that().areRecords().should().beAnnotatedWith(JsonIgnoreProperties.class);

    @ArchTest
    static final ArchRule resourcesKnowNothingOfThePlannerTheWireOrTheShell = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.lightpath.planner..", "dev.lightpath.driver..", "io.quarkus..", "io.grpc..");

    @ArchTest
    static final ArchRule jobsKnowNothingOfSlices = noClasses()
            .that()
            .resideInAPackage("..crds.job..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..crds.slice..");
}
