package dev.lightpath.app.driver;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lightpath.app", importOptions = ImportOption.DoNotIncludeTests.class)
class DriverArchitectureTest {
    @ArchTest
    static final ArchRule onlyTheDriverPackageAndThatOfWorkersKnowTheWire = noClasses()
            .that()
            .resideOutsideOfPackages("dev.lightpath.app.driver..", "dev.lightpath.app.workers..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc..", "com.google.protobuf..", "com.google.rpc..", "dev.lightpath.proto..");

    @ArchTest
    static final ArchRule theDriverPackageKnowsNeitherKubernetesNorPlans = noClasses()
            .that()
            .resideInAPackage("dev.lightpath.app.driver..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.fabric8..",
                    "io.javaoperatorsdk..",
                    "dev.lightpath.crds..",
                    "dev.lightpath.planner.engine..",
                    "dev.lightpath.planner.ring..");

    @ArchTest
    static final ArchRule nothingOfTheWireLeavesTheDriverPackage =
            com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods()
                    .that()
                    .arePublic()
                    .and()
                    .areDeclaredInClassesThat()
                    .resideInAPackage("dev.lightpath.app.driver")
                    .and()
                    .areDeclaredInClassesThat()
                    .arePublic()
                    .should()
                    .notHaveRawReturnType(com.tngtech.archunit.base.DescribedPredicate.describe(
                            "a type of the wire",
                            type -> type.getPackageName().startsWith("io.grpc")
                                    || type.getPackageName().startsWith("dev.lightpath.proto")));

    /** It speaks of messages and has no secrets from the connection that they come by. */
    @ArchTest
    static final ArchRule onlyTheDriverPackageKnowsHowMessagesAreRead = noClasses()
            .that()
            .resideOutsideOfPackage("dev.lightpath.app.driver..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.lightpath.app.driver.state..");
}
