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
            .resideOutsideOfPackage("dev.lightpath.cli.cluster..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.fabric8..",
                    "dev.lightpath.crds..",
                    "dev.lightpath.reading",
                    "dev.lightpath.reading.pod",
                    "dev.lightpath.reading.label");

    @ArchTest
    static final ArchRule ROOMS_DO_NOT_KNOW_THE_CLUSTER_ROOM = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.lightpath.cli.delta..",
                    "dev.lightpath.cli.polarfly..",
                    "dev.lightpath.cli.ring..",
                    "dev.lightpath.cli.stripe..",
                    "dev.lightpath.cli.torus..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.lightpath.cli.cluster..");

    @ArchTest
    static final ArchRule NOBODY_BUT_THE_ADMINISTRATOR_OF_DRIVERS_SPEAKS_TO_THEM = noClasses()
            .that()
            .resideOutsideOfPackage("dev.lightpath.cli.cluster.driver")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "dev.lightpath.proto..");
}
