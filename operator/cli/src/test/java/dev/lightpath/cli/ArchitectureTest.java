package dev.lightpath.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lightpath.cli", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule OFFLINE_COMMANDS_KNOW_NO_CLUSTER = noClasses()
            .that()
            .resideOutsideOfPackages("dev.lightpath.cli.cluster..", "dev.lightpath.cli.live..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.fabric8..", "dev.lightpath.crds..", "dev.lightpath.reading");

    @ArchTest
    static final ArchRule ROOMS_DO_NOT_KNOW_THE_CLUSTER_ROOM = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.lightpath.cli.delta..",
                    "dev.lightpath.cli.polarfly..",
                    "dev.lightpath.cli.ring..",
                    "dev.lightpath.cli.stripe..",
                    "dev.lightpath.cli.study..",
                    "dev.lightpath.cli.torus..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.lightpath.cli.cluster..");

    @ArchTest
    static final ArchRule ONLY_THE_LIVE_STUDY_SPEAKS_TO_HARDWARE = noClasses()
            .that()
            .resideOutsideOfPackages("dev.lightpath.cli.live..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "dev.lightpath.proto..");

    @ArchTest
    static final ArchRule NOBODY_SPEAKS_TO_A_DRIVER =
            noClasses().should().dependOnClassesThat().resideInAPackage("dev.lightpath.proto.driver..");

    @ArchTest
    static final ArchRule THE_LIVE_STUDY_JUDGES_THE_PLANNER_WITHOUT_ITS_CODE = noClasses()
            .that()
            .resideInAPackage("dev.lightpath.cli.live..")
            .and()
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
