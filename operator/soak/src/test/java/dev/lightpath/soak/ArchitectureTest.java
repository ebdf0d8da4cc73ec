package dev.lightpath.soak;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lightpath.soak", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule SPEAKS_TO_NO_DRIVER =
            noClasses().should().dependOnClassesThat().resideInAPackage("dev.lightpath.proto.driver..");

    @ArchTest
    static final ArchRule JUDGES_THE_PLANNER_WITHOUT_ITS_CODE = noClasses()
            .that()
            .haveSimpleNameNotStartingWith("Replay")
            .and()
            .haveSimpleNameNotEndingWith("Command")
            .and()
            .haveSimpleNameNotStartingWith("Script")
            .and()
            .haveSimpleNameNotStartingWith("Nodes")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.lightpath.planner..", "dev.lightpath.reading..");
}
