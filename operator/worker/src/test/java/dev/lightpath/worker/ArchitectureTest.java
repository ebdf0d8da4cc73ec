package dev.lightpath.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lightpath.worker", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "dev.lightpath.worker.";

    @ArchTest
    static final ArchRule onlyTheServerServes = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "server")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "io.micrometer..", "dev.lightpath.serving..");

    @ArchTest
    static final ArchRule onlyTheChildSearches = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "child")
            .should()
            .dependOnClassesThat()
            .haveSimpleName("DeltaPlanner");

    @ArchTest
    static final ArchRule knowsNoQuestionsOfJobs = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.lightpath.planner.ask..", "dev.lightpath.planner.engine..", "dev.lightpath.planner.world..");

    @ArchTest
    static final ArchRule packagesFormNoCycle =
            slices().matching("dev.lightpath.worker.(*)..").should().beFreeOfCycles();
}
