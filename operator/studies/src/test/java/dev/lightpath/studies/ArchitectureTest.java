package dev.lightpath.studies;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.lightpath.studies", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule NEEDS_NO_CLUSTER_AND_NO_HARDWARE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.lightpath.cli.cluster..",
                    "dev.lightpath.crds..",
                    "dev.lightpath.reading..",
                    "dev.lightpath.proto..",
                    "io.fabric8..",
                    "io.grpc..");
}
